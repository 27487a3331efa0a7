// What persons attached to single tickets (spec host §21): kept beside the ticket, read by its next draft as quoted data, and
// by no other ticket. Attaching or removing one changes what the draft would be written from, so it retires the present one.
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import type { Attachment } from '../shared/attaching.ts';
import type { Json } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import type { TicketRow } from '../shared/queue.ts';
import { iso, type Clock } from './ports.ts';
import type { AttachedResource } from './prompt.ts';
import { changed, unknown } from './queue.ts';
import type { Executor, Store } from './store/open.ts';
import { findRow, nextVersion } from './store/queue.ts';
import { readText, saveText } from './store/runs.ts';
import { readSetting, saveSetting } from './store/settings.ts';

/** Characters of all attachments of one ticket together: they must fit into what the model can read. */
const mostCharacters = 6_000;
const mostAttached = 8;

const stored = z.array(
  z.object({
    kind: z.enum(['resource', 'prompt']),
    prefix: z.string(),
    uri: z.string(),
    title: z.string().nullable(),
    bytes: z.number(),
    sha256: z.string(),
    by: z.string(),
    at: z.string(),
  }),
);
type New = Pick<Attachment, 'kind' | 'prefix' | 'uri' | 'title'> & { text: string };
interface At {
  id: string;
  version: number;
}

const keyOf = (ticket: string) => `attached.${ticket}`;

/** What is attached to a ticket now, oldest first. */
export async function attachmentsOf(executor: Executor, ticket: string): Promise<Attachment[]> {
  return stored.parse((await readSetting(executor, keyOf(ticket))) ?? []);
}

export function createAttachments(deps: { store: Store; clock: Clock; touched: (ticket: string) => void }) {
  const { store, clock } = deps;

  /** Failures `tickets.unknown`, `tickets.changed`; `runs.full`. */
  async function change(at: At, by: Person, make: (trx: Executor, now: Attachment[]) => Promise<Attachment[]>) {
    const row = await store.db.transaction().execute(async (trx) => {
      if ((await findRow(trx, at.id)) === undefined) throw unknown(at.id);
      if (!(await nextVersion(trx, { ...at, by: by.id }))) throw await changed(trx, at.id, by);
      const next = await make(trx, await attachmentsOf(trx, at.id));
      // Plain data by its type.
      await saveSetting(trx, keyOf(at.id), next as unknown as Json, iso(clock));
      return (await findRow(trx, at.id))?.row;
    });
    if (row === undefined) throw unknown(at.id);
    deps.touched(at.id);
    return row;
  }

  return {
    list: (ticket: string): Promise<Attachment[]> => attachmentsOf(store.db, ticket),
    /** With their texts, as prompts take them. */
    async texts(ticket: string): Promise<AttachedResource[]> {
      const all: AttachedResource[] = [];
      for (const { prefix, uri, title, sha256 } of await attachmentsOf(store.db, ticket)) {
        const text = await readText(store.db, sha256);
        if (text !== undefined) all.push({ prefix, uri, text, ...(title !== null && { title }) });
      }
      return all;
    },
    /** One that is there already is taken as it is now. */
    async add(at: At, by: Person, added: New[]): Promise<TicketRow> {
      return change(at, by, async (trx, now) => {
        const next = now.filter((one) => !added.some((other) => isSame(one, other)));
        for (const { text, ...about } of added) {
          const kept = text.toWellFormed();
          const sha256 = await saveText(trx, kept);
          next.push({ ...about, bytes: Buffer.byteLength(kept), sha256, by: by.id, at: iso(clock) });
        }
        if (next.length > mostAttached)
          throw new Failure('runs.full', `At most ${mostAttached} things are attached to a ticket. Remove one first.`);
        let characters = 0;
        for (const { sha256 } of next) characters += (await readText(trx, sha256))?.length ?? 0;
        if (characters > mostCharacters)
          throw new Failure(
            'runs.full',
            `That is too much for one draft: ${characters} characters, and ${mostCharacters} fit. Nothing was attached.`,
          );
        return next;
      });
    },
    /** Failure `runs.document` where it is not attached. */
    async remove(at: At, by: Person, gone: Pick<Attachment, 'prefix' | 'uri'>): Promise<TicketRow> {
      return change(at, by, (_, now) => {
        const next = now.filter((one) => one.prefix !== gone.prefix || one.uri !== gone.uri);
        if (next.length === now.length)
          throw new Failure('runs.document', `${gone.uri.slice(0, 200)} is not attached to ${at.id}.`);
        return Promise.resolve(next);
      });
    },
  };
}

function isSame(one: Pick<Attachment, 'kind' | 'prefix' | 'uri'>, other: Pick<Attachment, 'kind' | 'prefix' | 'uri'>) {
  return one.kind === other.kind && one.prefix === other.prefix && one.uri === other.uri;
}
