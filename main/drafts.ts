// What would be sent for a ticket: the model's draft, or what a person made of it. Bound to the version of the thread: a new
// message, note or sent reply retires it. What a person made of it stands until then, or until it is discarded, whatever the
// model drafts meanwhile. A claim of the model that nothing backs blocks it (spec host §15).
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { ReplyDraft } from '../shared/queue.ts';
import { iso, type Clock, type Random } from './ports.ts';
import { changed, unknown } from './queue.ts';
import { recheck, type RecheckDeps } from './recheck.ts';
import type { Executor } from './store/open.ts';
import { dropReply, liveReply, retiredReply, saveReply, sentSince, type StoredReply } from './store/outbox.ts';
import { findRow, nextDraftEdition, type StoredRow } from './store/queue.ts';
import { draftOfRun, latestDraft, type StoredDraft } from './store/runs.ts';
import { findTicket } from './store/tickets.ts';

/** What a person saw when they acted. */
export interface DraftAt {
  ticket: string;
  version: number;
  edition: number;
}
/** What stands for a ticket, as it is stored. */
interface Standing {
  row: StoredRow;
  /** The reply a person wrote, or that is on its way. */
  reply: StoredReply | undefined;
  /** The model's that the reply began with; without a reply its newest, of whatever version of the thread. */
  draft: StoredDraft | undefined;
}

export async function standing(executor: Executor, ticket: string): Promise<Standing> {
  const row = await findRow(executor, ticket);
  if (row === undefined) throw unknown(ticket);
  const reply = await liveReply(executor, ticket);
  if (reply === undefined) return { row, reply, draft: await latestDraft(executor, ticket) };
  return { row, reply, draft: reply.run === null ? undefined : await draftOfRun(executor, reply.run) };
}

/** What stands, if it is still what the person saw. Failures `tickets.changed`, `drafts.sending`. */
export async function standingAt(executor: Executor, at: DraftAt, by: Person): Promise<Standing> {
  const found = await standing(executor, at.ticket);
  const { reply, row, draft } = found;
  // Who saw no draft says 0; that holds while there is none.
  const none = at.edition === 0 && reply === undefined && draft?.ticket_version !== row.row.version;
  if (row.row.version !== at.version || (row.draftEdition !== at.edition && !none)) {
    if (reply?.state !== 'sending') throw await changed(executor, at.ticket, by);
    throw await changed(executor, at.ticket, by, reply.by);
  }
  if (reply?.state === 'sending')
    throw new Failure('drafts.sending', 'This reply is on its way. Take it back first: undo.');
  return found;
}

/** A stored reply for what stands now: the person's, or a fresh one that begins with the model's draft. */
export function replyOf({ row, reply, draft }: Standing, random: Random): StoredReply | undefined {
  if (reply !== undefined) return reply;
  if (draft?.ticket_version !== row.row.version) return undefined;
  return { ...fresh(random), ...bound(row, draft), text: draft.text, claims: draft.claims, blocked: draft.blocked };
}
/** Stores what becomes of a reply, where nobody else was quicker. */
export async function moveReply(executor: Executor, at: StoredRow, by: Person, reply: StoredReply): Promise<void> {
  await nextEdition(executor, at, by);
  await saveReply(executor, reply);
}
async function nextEdition(executor: Executor, at: StoredRow, by: Person): Promise<void> {
  if (!(await nextDraftEdition(executor, at.row.id, at.draftEdition))) throw await changed(executor, at.row.id, by);
}
function fresh(random: Random) {
  return {
    id: `reply-${random.hex(8)}`,
    state: 'draft' as const,
    edited_by: null,
    edited_at: null,
    override_by: null,
    override_why: null,
    override_at: null,
    by: null,
    done: true,
    undo_until: null,
  };
}
function bound({ row }: StoredRow, draft: StoredDraft | undefined) {
  return { ticket: row.id, ticket_version: row.version, run: draft?.run ?? null };
}

function entity(row: StoredRow, reply: StoredReply, draft: StoredDraft | undefined): ReplyDraft {
  const { edited_by, edited_at, override_by, override_why, override_at } = reply;
  return {
    ticket: reply.ticket,
    version: reply.ticket_version,
    edition: row.draftEdition,
    state: reply.state === 'draft' ? 'open' : reply.state === 'sending' ? 'sending' : 'retired',
    kept: reply.state !== 'retired',
    text: reply.text,
    claims: reply.claims,
    blocked: reply.blocked,
    edited: edited_by === null ? null : { by: edited_by, at: edited_at ?? '' },
    override: override_by === null ? null : { by: override_by, why: override_why ?? '', at: override_at ?? '' },
    undo_until: reply.undo_until,
    by: reply.by,
    model: modelOf(draft),
  };
}
function modelOf(draft: StoredDraft | undefined): ReplyDraft['model'] {
  if (draft === undefined) return null;
  const { run, text, claims, blocked, at, ticket_version: version } = draft;
  return { run, text, claims, blocked, at, version };
}
function unedited({ row, draftEdition }: StoredRow, draft: StoredDraft): ReplyDraft {
  return {
    ticket: row.id,
    version: draft.ticket_version,
    edition: draftEdition,
    state: draft.ticket_version === row.version ? 'open' : 'retired',
    kept: false,
    text: draft.text,
    claims: draft.claims,
    blocked: draft.blocked,
    edited: null,
    override: null,
    undo_until: null,
    by: null,
    model: modelOf(draft),
  };
}

/** Null where nothing was written since the last reply that was sent. */
export async function draftNow(executor: Executor, ticket: string): Promise<ReplyDraft | null> {
  const { row, reply, draft } = await standing(executor, ticket);
  if (reply !== undefined) return entity(row, reply, draft);
  if (draft?.ticket_version === row.row.version) return unedited(row, draft);
  const retired = await retiredReply(executor, ticket);
  const newest = Math.max(retired?.ticket_version ?? 0, draft?.ticket_version ?? 0);
  if (newest === 0 || (await sentSince(executor, ticket, newest))) return null;
  if (retired?.ticket_version === newest) return entity(row, retired, draft);
  return draft === undefined ? null : unedited(row, draft);
}

export function createDrafts(
  deps: RecheckDeps & {
    clock: Clock;
    random: Random;
    /** Told of every ticket whose draft changed. */
    changed: (ticket: string, draft: ReplyDraft | null) => void;
  },
) {
  const { store, clock, random } = deps;

  async function tell(ticket: string): Promise<ReplyDraft | null> {
    const draft = await draftNow(store.db, ticket);
    deps.changed(ticket, draft);
    return draft;
  }
  async function told(ticket: string): Promise<ReplyDraft> {
    const draft = await tell(ticket);
    if (draft === null) throw new Error(`the draft of ${ticket} is gone right after it was written`);
    return draft;
  }

  return {
    get: (ticket: string): Promise<ReplyDraft | null> => draftNow(store.db, ticket),
    /** Failures `tickets.changed`, `drafts.sending`. */
    async edit(at: DraftAt & { text: string }, by: Person): Promise<ReplyDraft> {
      const ticket = await findTicket(store.db, at.ticket);
      if (ticket === undefined) throw unknown(at.ticket);
      const text = at.text.toWellFormed();
      const { draft } = await standingAt(store.db, at, by);
      const checked = await recheck(deps, ticket, draft, text);
      await store.db.transaction().execute(async (trx) => {
        const stands = await standingAt(trx, at, by);
        await moveReply(trx, stands.row, by, {
          ...fresh(random),
          ...bound(stands.row, draft),
          id: stands.reply?.id ?? `reply-${random.hex(8)}`,
          text,
          claims: checked.claims,
          blocked: checked.blocked,
          edited_by: by.id,
          edited_at: iso(clock),
        });
      });
      return told(at.ticket);
    },
    /** Puts a person's reply away: what the model drafted last stands, where there is such. */
    async discard(at: DraftAt, by: Person): Promise<ReplyDraft | null> {
      await store.db.transaction().execute(async (trx) => {
        const { row, reply } = await standingAt(trx, at, by);
        if (reply === undefined) return;
        await nextEdition(trx, row, by);
        await dropReply(trx, reply.id);
      });
      return tell(at.ticket);
    },
    /** A lead's word for a draft that is blocked, kept with its reason. Failure `drafts.unblocked`. */
    async override(at: DraftAt & { why: string }, by: Person): Promise<ReplyDraft> {
      const why = at.why.trim();
      if (why === '') throw new Failure('drafts.why', 'Say why this may be sent although nothing backs it.');
      await store.db.transaction().execute(async (trx) => {
        const stands = await standingAt(trx, at, by);
        const reply = replyOf(stands, random);
        if (reply === undefined) throw none(at.ticket);
        if (!reply.blocked)
          throw new Failure('drafts.unblocked', 'This draft is not blocked: it can be sent as it is.');
        await moveReply(trx, stands.row, by, {
          ...reply,
          override_by: by.id,
          override_why: why,
          override_at: iso(clock),
        });
      });
      return told(at.ticket);
    },
  };
}

export function none(ticket: string): Failure {
  return new Failure(
    'drafts.none',
    `There is nothing to send for ${ticket}: no draft is there for the thread as it is now. Draft it, or write a reply.`,
  );
}
