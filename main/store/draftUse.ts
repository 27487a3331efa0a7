/** SQL of what became of the model's drafts: every draft, and every reply that was sent. */
import { z } from 'zod';
import type { ReplyDifference } from '../../shared/queue.ts';
import { jsonObject, readJson } from './json.ts';
import type { Executor } from './tables.ts';

const claims = z.array(z.looseObject({ verdict: z.string(), source: z.string().optional() }));
/** Written by this program only, so its outline is checked and no more. */
const difference = z.custom<ReplyDifference>((value) => jsonObject.safeParse(value).success);

interface MadeDraft {
  run: string;
  ticket: string;
  version: number;
  at: string;
  /** Claims nothing backs. */
  unbacked: number;
  /** Of the thread now, and whether the ticket is done. */
  now: number;
  done: boolean;
}
interface SentReply {
  ticket: string;
  version: number;
  run: string | null;
  /** When it was let go: before the time to take it back. */
  at: string;
  difference: ReplyDifference | null;
}

/** Oldest first. */
export async function madeDrafts(executor: Executor): Promise<MadeDraft[]> {
  const rows = await executor
    .selectFrom('drafts')
    .innerJoin('queue', 'queue.ticket', 'drafts.ticket')
    .select(['drafts.run', 'drafts.ticket', 'drafts.ticket_version', 'drafts.at', 'drafts.claims'])
    .select(['queue.version', 'queue.status'])
    .orderBy('drafts.at')
    .execute();
  return rows.map((row) => ({
    run: row.run,
    ticket: row.ticket,
    version: row.ticket_version,
    at: row.at,
    unbacked: readJson(claims, row.claims, `claims of ${row.run}`).filter(
      ({ verdict, source }) => verdict !== 'backed' && verdict !== 'reported' && source !== 'person',
    ).length,
    now: row.version,
    done: row.status === 'done',
  }));
}
export async function sentReplies(executor: Executor): Promise<SentReply[]> {
  const rows = await executor
    .selectFrom('outbox')
    .select(['id', 'ticket', 'ticket_version', 'run', 'sent_at', 'undo_until', 'difference'])
    .where('state', '=', 'sent')
    .execute();
  return rows.map((row) => ({
    ticket: row.ticket,
    version: row.ticket_version,
    run: row.run,
    at: row.undo_until ?? row.sent_at ?? '',
    difference: row.difference === null ? null : readJson(difference, row.difference, `difference of reply ${row.id}`),
  }));
}
