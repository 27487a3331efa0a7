/**
 * Tickets of a data folder, and tickets files without a person to ask (spec cli, "Files"): the sample company's own. A bad
 * record is named and the others come in; a file that cannot be read as a whole stores nothing. Labels are a table of their own.
 */
import { readFileSync } from 'node:fs';
import { reason } from '../shared/failures.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Imported, Label, Ticket } from '../shared/tickets.ts';
import { putTickets } from './imports/putTickets.ts';
import { readJsonText } from './imports/readImport.ts';
import { unreadable } from './imports/unreadable.ts';
import { iso, type Clock } from './ports.ts';
import type { Store } from './store/open.ts';
import { findTicket, listLabels, listTickets } from './store/tickets.ts';

interface ImportOptions {
  source: Ticket['source'];
  /** Counts and names what would happen, and stores nothing. */
  dryRun?: boolean;
}

export type Tickets = ReturnType<typeof createTickets>;

export function createTickets(store: Store, clock: Clock) {
  /** Failure `tickets.unreadable` when the text as a whole is neither a JSON array nor JSON Lines. */
  async function importText(text: string, { source, dryRun = false }: ImportOptions): Promise<Imported> {
    const { kind, incoming, refused } = readJsonText(text);
    const done = await putTickets(store, incoming, { kind, source, dryRun, by: 'host', at: iso(clock) });
    return { ...done, refused };
  }
  return {
    importText,
    /** UTF-8, with or without a byte order mark. */
    async importFile(file: string, options: ImportOptions): Promise<Imported> {
      let text: string;
      try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
      } catch (error) {
        throw unreadable(`${file}: ${reason(error)}`);
      }
      return importText(text, options);
    },
    /** Oldest first. */
    list: (by: Parameters<typeof listTickets>[1] = {}): Promise<Ticket[]> => listTickets(store.db, by),
    find: (id: string): Promise<Ticket | undefined> => findTicket(store.db, id),
    /** For the score only: never for prompt, host rules or servers. */
    labels: async (): Promise<Map<string, Label>> => new Map([...(await listLabels(store.db))].map(checked)),
  };
}

/** Labels were checked by `readRecord` before they were stored. */
function checked([id, label]: [string, JsonObject]): [string, Label] {
  return [id, label as unknown as Label];
}
