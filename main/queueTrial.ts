// A queue on a data folder of its own, with the sample company's playbook and people: what the tests of the queue stand on.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ReplyDraft, TicketCounts, TicketRow } from '../shared/queue.ts';
import type { Person } from '../shared/people.ts';
import { draftOf } from './draft.ts';
import { createEvents } from './events.ts';
import { begin } from './loop.ts';
import { loadPlaybook } from './playbook.ts';
import { createQueueNews } from './queueNews.ts';
import { openQueue } from './queueParts.ts';
import { saveRunState } from './runState.ts';
import type { LedgerEntry } from './slots/candidates.ts';
import { openStore } from './store/open.ts';
import { addPerson } from './store/people.ts';
import { countRows, findRow } from './store/queue.ts';
import { insertRun, saveDraft, updateRun } from './store/runs.ts';
import { createTickets } from './tickets.ts';

const start = Date.parse('2026-11-20T10:00:00Z');
const people: Person[] = [
  { id: 'ines', name: 'Ines Duarte', role: 'staff' },
  { id: 'tom', name: 'Tom Okafor', role: 'staff' },
  { id: 'lena', name: 'Lena Fischer', role: 'lead' },
];

export type QueueTrial = Awaited<ReturnType<typeof openQueueTrial>>;

export async function openQueueTrial() {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-queue-'));
  const store = await openStore(path.join(folder, 'desk.db'));
  const playbook = loadPlaybook(path.resolve(import.meta.dirname, '../demo/playbook.json')).playbook;
  const now = { at: start };
  const clock = { now: () => now.at };
  let made = 0;
  const random = { hex: () => String(++made).padStart(8, '0') };
  for (const person of people) await addPerson(store.db, { ...person, secret: null }, new Date(start).toISOString());
  const tickets = createTickets(store, clock);
  const events = createEvents();
  const said: string[] = [];
  const say = (sentence: string) => void said.push(sentence);
  const rows: TicketRow[] = [];
  const drafts: (ReplyDraft | null)[] = [];
  const counts: TicketCounts[] = [];
  events.listen((change) => {
    if (change.feature === 'tickets' && 'entity' in change) rows.push(change.entity);
    if (change.feature === 'drafts') drafts.push('entity' in change ? change.entity : null);
    if (change.feature === 'views' && 'entity' in change) counts.push(change.entity);
  });
  function parts() {
    const row = async (ticket: string) => (await findRow(store.db, ticket))?.row;
    const news = createQueueNews({ events, row, counts: () => countRows(store.db), say });
    const configured = () => Promise.resolve([]);
    const approved = () => Promise.resolve(null);
    return openQueue({ store, playbook, approved, configured, clock, random, events, news, say });
  }
  let open = await parts();
  const [ines, tom, lena] = people;
  if (ines === undefined || tom === undefined || lena === undefined)
    throw new Error('the people of the trial are gone');

  return {
    ...open,
    store,
    playbook,
    tickets,
    now,
    ines,
    tom,
    lena,
    /** What was told so far. */
    told: { rows, drafts, counts, said },
    /** Tickets as an import brings them in, a minute apart, the first the oldest. */
    async bring(...bodies: (string | { id: string; body: string; subject?: string; customer?: string })[]) {
      const records = bodies.map((given, index) => ({
        id: `T-${index + 1}`,
        customer: 'C-0127',
        subject: '',
        received_at: new Date(start - (bodies.length - index) * 60_000).toISOString(),
        ...(typeof given === 'string' ? { body: given } : given),
      }));
      const { ids } = await tickets.importText(JSON.stringify(records), { source: 'import' });
      return ids;
    },
    /** The model's draft for the thread as it is now, checked against what its calls returned. */
    async draft(ticket: string, text: string, ledger: LedgerEntry[] = []): Promise<string> {
      const stored = await tickets.find(ticket);
      if (stored === undefined) throw new Error(`no ticket ${ticket}`);
      const run = `run-${++made}`;
      const at = new Date((now.at += 1_000)).toISOString();
      const bare = { batch: null, why: null, ask: null, model: 'none', playbook: null, settings: {}, turns: [] };
      const of = { ticket, ticket_version: stored.version };
      await insertRun(store.db, {
        id: run,
        state: 'running',
        ...of,
        ...bare,
        started_at: at,
        ended_at: null,
        ms: null,
      });
      await saveRunState(store, run, { ...begin(stored), ledger });
      const reply = { text, slots: [], skeleton: '', language: 'en' };
      const draft = draftOf(reply, { ticket: stored, ledger }, { playbook, tools: [], resources: [] });
      await updateRun(store.db, run, { state: draft.blocked ? 'handed over' : 'ready' });
      await saveDraft(store.db, { ...draft, ...of, run, at });
      return run;
    },
    /** Ends the parts, as the end of a desk does, and opens them again on the same folder. */
    async again() {
      await open.close();
      open = await parts();
      return open;
    },
    async end() {
      await open.close();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
