// The draft of the open ticket: as it is being made, as it stands with its claims, as a person edits it, as it goes out.
import { useState } from 'react';
import type { OpenTicket, ReplyDraft } from '../../shared/queue.ts';
import type { Claim } from '../../shared/runs.ts';
import { reveal } from '../calls/reveal.ts';
import { useConsent } from '../calls/waiting.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { Mark } from '../parts/Mark.tsx';
import { momentWords } from '../parts/Time.tsx';
import { usePeople } from '../peopleNames.ts';
import { useMay } from '../session.ts';
import { attempt } from './actions.ts';
import { Claims } from './Claims.tsx';
import { ClaimNote } from './ClaimNote.tsx';
import { isHeld } from './claims.ts';
import styles from './DraftCard.module.css';
import { customerName } from './customerName.ts';
import { draft as draftTickets, stopDrafting, useDrafting } from './drafting.ts';
import { Editor } from './Editor.tsx';
import { HandOver } from './HandOver.tsx';
import { NoteBox } from './NoteBox.tsx';
import { Override } from './Override.tsx';
import { discard, send, undo, useKeptFirst } from './replying.ts';
import { onlyAttached } from './since.ts';
import { beginTyping, useTypedOf } from './typed.ts';

export function DraftCard({ ticket }: { ticket: OpenTicket }) {
  const step = useDrafting(({ steps }) => steps[ticket.id]);
  const asked = useDrafting(({ asked }) => asked.has(ticket.id));
  const reply = useTypedOf('reply', ticket.id);
  const noted = useTypedOf('note', ticket.id);
  const given = useTypedOf('hand over', ticket.id);
  const { draft } = ticket;
  const working = asked || step !== undefined || ticket.row.draft === 'working';
  const kept = draft?.kept === true;
  // It waits to go on: what runs at a server is stopped at its call.
  const away = step === undefined && !asked && ticket.run?.state === 'waiting';
  const able = useMay('staff');
  const free = able && reply === undefined && noted === undefined && given === undefined;
  useCommand('tickets.note', () => beginTyping('note', ticket), able && given === undefined);
  useCommand('drafts.handOver', () => beginTyping('hand over', ticket), able);
  useCommand('drafts.edit', () => beginTyping('reply', ticket, draft?.text ?? ''), free && (kept || !working));
  useCommand('drafts.redo', () => void draftTickets([ticket.id]), free && !kept && !working);
  useCommand('tickets.stop', () => void attempt(() => stopDrafting(ticket.id)), able && working && !away);
  if (given !== undefined) return <HandOver ticket={ticket} typed={given} />;
  if (noted !== undefined) return <NoteBox ticket={ticket} typed={noted} />;
  if (reply !== undefined) return <Editor ticket={ticket} typed={reply} />;
  // A person's own stands, whatever the model does.
  if (working && !kept) return <Working step={step} away={away} able={able} />;
  if (draft !== null) return <Standing ticket={ticket} draft={draft} working={working} />;
  return <Nothing ticket={ticket} />;
}

function Working({ step, away, able }: { step: string | undefined; away: boolean; able: boolean }) {
  const says = useDrafting((state) => state.says);
  const waits = away
    ? 'It goes on after the ticket that is being worked, or when a call that is on its way has ended: see the call log.'
    : (says ?? 'The model takes one ticket at a time.');
  return (
    <section className={styles.card} aria-label="Draft" aria-busy="true">
      <div className={styles.top}>
        <b>Draft</b>
        <Mark kind="work">{step !== undefined ? 'Working' : away ? 'Waiting to go on' : 'Waiting for its turn'}</Mark>
      </div>
      <div className={styles.body}>
        <p className={styles.step} role="status">
          <Foreign text={step === undefined ? waits : sentence(step)} />
        </p>
      </div>
      <div className={styles.foot}>
        <span className={styles.grow} />
        {able && !away && <Button command="tickets.stop">Stop</Button>}
      </div>
    </section>
  );
}
function sentence(step: string): string {
  return `${step.charAt(0).toUpperCase()}${step.slice(1)}${/[.…]$/.test(step) ? '' : '…'}`;
}

function Standing({ ticket, draft, working }: { ticket: OpenTicket; draft: ReplyDraft; working: boolean }) {
  const [looked, setLooked] = useState<Claim | null>(null);
  const able = useMay('staff');
  const kept = useKeptFirst(draft);
  const sendable = draft.state === 'open' && !isHeld(draft) && able;
  useCommand('drafts.send', () => void send(ticket), sendable);
  useCommand('drafts.undo', () => void undo(ticket.id), draft.state === 'sending' && able);
  useCommand('drafts.claims', focusNextClaim, draft.claims.length > 0);
  return (
    <section className={styles.card} aria-label="Draft">
      <Top ticket={ticket} draft={draft} working={working} />
      <div className={styles.body} role="region" aria-label="Text of the draft" tabIndex={0}>
        <Claims text={draft.text} claims={draft.claims} follow={reveal} explain={setLooked} />
      </div>
      <ClaimNote ticket={ticket} draft={draft} looked={looked} />
      <div className={styles.foot}>
        {sendable && kept && <b>Not sent yet. Send again to send it as you wrote it.</b>}
        <span className={styles.grow} />
        {draft.state === 'open' && able && <Acts ticket={ticket} draft={draft} sendable={sendable} />}
        {draft.state === 'sending' && able && <Button command="drafts.undo">Undo</Button>}
        {draft.state === 'retired' && able && (
          <>
            <Button command="drafts.edit">Edit</Button>
            <Button look="primary" command="drafts.redo">
              Draft anew
            </Button>
          </>
        )}
      </div>
    </section>
  );
}

function Acts({ ticket, draft, sendable }: { ticket: OpenTicket; draft: ReplyDraft; sendable: boolean }) {
  const lead = useMay('lead');
  return (
    <>
      <Button look="quiet" command="drafts.handOver">
        Hand over
      </Button>
      {draft.kept ? (
        <Button look="quiet" onPress={() => void discard(ticket)}>
          Discard
        </Button>
      ) : (
        <Button look="quiet" command="drafts.redo">
          Redo
        </Button>
      )}
      {isHeld(draft) && lead && <Override ticket={ticket} />}
      <Button command="drafts.edit">Edit</Button>
      <Button look="primary" command="drafts.send" disabled={!sendable}>
        <Foreign text={`Send to ${customerName(ticket, 'the customer')}`} className={styles.to} />
      </Button>
    </>
  );
}

function Top({ ticket, draft, working }: { ticket: OpenTicket; draft: ReplyDraft; working: boolean }) {
  const name = usePeople();
  const { run } = ticket;
  const calls = run?.turns.filter(({ call }) => call !== undefined).length ?? 0;
  const made =
    run?.ms == null || run.id !== draft.model?.run
      ? null
      : `${calls === 1 ? '1 call' : `${calls} calls`}, ${(run.ms / 1_000).toFixed(1)} s`;
  const last = ticket.thread.filter(({ kind }) => kind === 'customer').at(-1)?.at ?? ticket.received_at;
  return (
    <div className={styles.top}>
      <b>{draft.state === 'sending' ? 'Going out' : draft.model === null ? 'Reply' : 'Draft'}</b>
      {made !== null && <span>{made}</span>}
      {draft.edited !== null && <span>edited by {name(draft.edited.by)}</span>}
      {draft.override !== null && <span>let through by {name(draft.override.by)}</span>}
      <span className={styles.grow} />
      {working ? (
        <Mark kind="work">Being drafted anew; this stays</Mark>
      ) : draft.state === 'retired' ? (
        <Mark kind="look">{onlyAttached(ticket) ? 'A document was attached since' : 'The thread went on since'}</Mark>
      ) : (
        <span>For the thread as of {momentWords(last)}</span>
      )}
    </div>
  );
}

/** No draft: why, and what can be done. Where the run waits for somebody, what it waits for. */
function Nothing({ ticket }: { ticket: OpenTicket }) {
  const failed = useDrafting((state) => state.failed[ticket.id]);
  const able = useMay('staff');
  const answered = useConsent((state) => state.stage === 'sending');
  const { title, why } = reasonFor(ticket, { failed, answered }, usePeople());
  const waits = ticket.row.draft === 'asks you';
  const done = ticket.row.status === 'done';
  return (
    <section className={styles.card} aria-label="Draft">
      {why !== null && (
        <>
          <div className={styles.top}>
            <b>{title}</b>
          </div>
          <div className={styles.body}>
            <Foreign as="p" text={why} className={styles.step} />
          </div>
        </>
      )}
      <div className={styles.foot}>
        {why === null && <b className={styles.title}>{title}</b>}
        {!able && <span className={styles.hint}>You can read, not reply.</span>}
        <span className={styles.grow} />
        {able && (
          <>
            <Button look="quiet" command="runs.attach">
              Attach
            </Button>
            <Button look="quiet" command="drafts.handOver">
              Hand over
            </Button>
            <Button command="drafts.edit">Write it yourself</Button>
            {!ticket.row.machine && (
              <Button look={waits || done ? 'plain' : 'primary'} command="tickets.draft">
                {waits ? 'Draft anew' : 'Draft'}
              </Button>
            )}
          </>
        )}
      </div>
    </section>
  );
}

function reasonFor(
  { row, run, thread }: OpenTicket,
  { failed, answered }: { failed: string | undefined; answered: boolean },
  name: (id: string | null) => string,
): { title: string; why: string | null } {
  if (row.machine && row.draft === 'none')
    return {
      title: 'Automatic mail',
      why: 'A machine sent this, so the desk drafts no answer. Write one yourself if it needs one.',
    };
  if (failed !== undefined) return { title: 'No draft came of it', why: failed };
  if (row.status === 'done') return { title: thread.at(-1)?.kind === 'reply' ? 'Answered' : 'Done', why: null };
  if (row.draft === 'asks you' && answered)
    return { title: 'Your answer is on its way', why: 'The draft goes on with it.' };
  if (row.draft === 'asks you')
    return row.waits === 'staff'
      ? { title: 'Waiting for your answer', why: 'The draft goes on when you have answered. Nothing was sent.' }
      : {
          title: `Held for ${row.waits === 'admin' ? 'an admin' : 'a lead'}`,
          why: 'It waits in the inbox. The draft goes on with the answer.',
        };
  switch (row.state) {
    case 'handed over': {
      const note = thread.at(-1);
      // The note of whoever handed it over says it last; else the model did.
      if (note?.kind === 'note' && note.at > (run?.started_at ?? ''))
        return { title: `From ${name(note.by)}`, why: note.body };
      return { title: 'Handed over to a person', why: run?.why ?? null };
    }
    case 'failed':
      return { title: 'No draft came of it', why: run?.why ?? null };
    case 'open':
    case 'ready':
    case 'waiting':
      return { title: 'No draft yet', why: null };
  }
}

/** Moves the focus from claim to claim, round and round. */
function focusNextClaim(): void {
  const claims = [...document.querySelectorAll<HTMLElement>('[data-draft] [data-claim]')];
  const at = claims.findIndex((one) => one === document.activeElement);
  claims[(at + 1) % claims.length]?.focus();
}
