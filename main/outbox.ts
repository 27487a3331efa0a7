// Sending: a reply stands in the outbox for eight seconds, in which it can be taken back, then it is part of the thread.
// Only one of two people who send at once does; a thread that changed meanwhile stops the reply.
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { LeavingReply, ReplyDraft } from '../shared/queue.ts';
import type { Playbook } from '../shared/playbook.ts';
import { createAlarm } from './alarm.ts';
import { handlesOf } from './draft.ts';
import { draftNow, moveReply, none, replyOf, standing, standingAt, type DraftAt } from './drafts.ts';
import { withoutHandles } from './handles.ts';
import { iso, type Clock, type Random } from './ports.ts';
import { listCalls } from './store/calls.ts';
import { insertMessage } from './store/messages.ts';
import type { Executor, Store } from './store/open.ts';
import { markSent, sendingReplies, type StoredReply } from './store/outbox.ts';
import { changeRow, findRow, nextVersion } from './store/queue.ts';
import { draftsOf } from './store/runs.ts';
import { wordDifference } from './wordDifference.ts';

/** How long a reply can be taken back. */
const undoTime = 8_000;

export function createOutbox(deps: {
  store: Store;
  playbook: Playbook;
  clock: Clock;
  random: Random;
  /** Told of every ticket whose draft changed. */
  changed: (ticket: string, draft: ReplyDraft | null) => void;
  say: (sentence: string) => void;
}) {
  const { store, playbook, clock, random } = deps;
  const alarm = createAlarm({
    clock,
    next: async () => (await sendingReplies(store.db))[0]?.undo_until ?? null,
    ring: due,
    say: deps.say,
  });

  async function told(ticket: string): Promise<ReplyDraft | null> {
    const draft = await draftNow(store.db, ticket);
    deps.changed(ticket, draft);
    return draft;
  }
  /** What a customer must never see, of every call of the ticket. */
  async function handles(executor: Executor, ticket: string): Promise<string[]> {
    return handlesOf(playbook, await listCalls(executor, { ticket, states: ['result'] }));
  }

  async function pass(reply: StoredReply): Promise<void> {
    const draft = reply.run === null ? undefined : (await draftsOf(store.db, [reply.run])).get(reply.run);
    const text = withoutHandles(reply.text, await handles(store.db, reply.ticket));
    const difference = draft === undefined ? null : wordDifference(draft.text, text);
    const at = iso(clock);
    await store.db.transaction().execute(async (trx) => {
      // Taken back or retired in the meantime.
      if (!(await markSent(trx, reply.id, { at, text, difference }))) return;
      const thread = { id: reply.ticket, version: reply.ticket_version, by: reply.by };
      if (!(await nextVersion(trx, thread, reply.done ? { status: 'done', snoozed_until: null } : {})))
        throw new Error(`reply ${reply.id} was on its way for a thread that is another by now`);
      await insertMessage(trx, reply.ticket, { id: reply.id, kind: 'reply', body: text, by: reply.by, at, difference });
    });
    await told(reply.ticket);
  }
  /** Sends what nobody took back in time. */
  async function due(): Promise<void> {
    for (const reply of await sendingReplies(store.db, iso(clock))) await pass(reply);
  }

  return {
    /** Failures `tickets.changed`, `drafts.sending`, `drafts.none`, `drafts.empty`, `drafts.blocked`. */
    async send(at: DraftAt & { done: boolean }, by: Person): Promise<ReplyDraft> {
      await store.db.transaction().execute(async (trx) => {
        const stands = await standingAt(trx, at, by);
        const reply = replyOf(stands, random);
        if (reply === undefined) throw none(at.ticket);
        if (reply.blocked && reply.override_by === null) throw blockedFailure(reply);
        const text = withoutHandles(reply.text, await handles(trx, at.ticket));
        if (text.trim() === '') throw new Failure('drafts.empty', 'The reply is empty. Write something first.');
        const undo = new Date(clock.now() + undoTime).toISOString();
        await moveReply(trx, stands.row, by, {
          ...reply,
          state: 'sending',
          by: by.id,
          done: at.done,
          undo_until: undo,
        });
        const { row } = stands.row;
        if (row.owner === null) await changeRow(trx, { id: row.id, edition: row.edition, by: by.id }, { owner: by.id });
      });
      await alarm.set();
      const draft = await told(at.ticket);
      if (draft === null) throw new Error(`the reply to ${at.ticket} is gone while it is on its way`);
      return draft;
    },
    /** Failure `drafts.sent` where nothing can be taken back any more. */
    async undo(ticket: string, by: Person): Promise<ReplyDraft> {
      await store.db.transaction().execute(async (trx) => {
        const { row, reply } = await standing(trx, ticket);
        if (reply?.state !== 'sending' || (reply.undo_until ?? '') <= iso(clock))
          throw new Failure(
            'drafts.sent',
            `No reply to ${ticket} is on its way: it is sent, or was taken back before.`,
          );
        const back: StoredReply = { ...reply, state: 'draft', by: null, undo_until: null };
        await moveReply(trx, row, by, back);
      });
      const draft = await told(ticket);
      if (draft === null) throw new Error(`the reply to ${ticket} is gone after it was taken back`);
      return draft;
    },
    /** Of one person, those on their way; the last sent last. */
    async leaving(by: Person): Promise<LeavingReply[]> {
      const all: LeavingReply[] = [];
      for (const { ticket, ticket_version, undo_until, by: sender } of await sendingReplies(store.db)) {
        const row = sender === by.id ? (await findRow(store.db, ticket))?.row : undefined;
        if (row === undefined || undo_until === null) continue;
        all.push({ ticket, customer: row.customer_name ?? row.customer, version: ticket_version, undo_until });
      }
      return all;
    },
    due,
    /** Sends what the end of the desk left behind, and goes on watching. */
    async start(): Promise<void> {
      await due();
      await alarm.set();
    },
    close: () => alarm.close(),
  };
}

function blockedFailure(reply: StoredReply): Failure {
  const claims = reply.claims.filter(
    (claim) => claim.source !== 'person' && claim.verdict !== 'backed' && claim.verdict !== 'reported',
  );
  const [first] = claims;
  return new Failure(
    'drafts.blocked',
    `“${first?.text ?? ''}” is not backed: ${first?.why ?? 'nothing says so.'} Change it, or have a lead send it with a reason.`,
    { claims },
  );
}
