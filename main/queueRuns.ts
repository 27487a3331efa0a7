// Queue runs as views look at them (spec ui, "Runs"): listed, one with its scores, two ticket by ticket, and the whole
// transcript of a ticket. Read from the desk's own database; labels are used for the figures only.
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import type { QueueRun, RunTicket, TicketRun } from '../shared/runs.ts';
import type { Comparison, Scores } from '../shared/scores.ts';
import type { Label } from '../shared/tickets.ts';
import type { Host } from './host.ts';
import { sha256 } from './mcp/canonical.ts';
import { changedKeys, measures } from './scoreCompare.ts';
import { scoresOf, ticketScores, type Scored } from './scores.ts';
import { listBatches, type BatchTicket } from './store/batches.ts';
import { draftsOf, findRun, listRuns, type StoredRun } from './store/runs.ts';

/** The newest queue runs, newest first. */
export async function queueRuns({ store, tickets }: Host, most = 50): Promise<QueueRun[]> {
  const labels = await tickets.labels();
  const groups = Map.groupBy(await listBatches(store.db, most), ({ batch }) => batch);
  return [...groups.values()].map((rows) => summary(rows, labels)).reverse();
}

function summary(all: BatchTicket[], labels: Map<string, Label>): QueueRun {
  // A ticket that was worked again in the same go counts as it ended.
  const rows = [...new Map(all.map((row) => [row.ticket, row])).values()];
  const states: Record<string, number> = {};
  for (const { state } of rows) states[state] = (states[state] ?? 0) + 1;
  const known = rows.filter(({ ticket }) => labels.has(ticket));
  const right = known.filter((row) => row.tool !== null && bare(row.tool) === bare(labels.get(row.ticket)?.first_tool));
  const ends = all.map(({ ended_at }) => ended_at);
  return {
    id: all[0]?.batch ?? '',
    model: all[0]?.model ?? 'none',
    started_at: all[0]?.started_at ?? '',
    ended_at: ends.reduce((last, one) => (last === null || one === null ? null : one > last ? one : last), ''),
    ms: rows.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
    tickets: rows.length,
    states,
    first_tool: { right: right.length, total: known.length },
    cores: all[0]?.cores ?? null,
  };
}

/** A queue run with a row for each ticket and its figures. Failure `runs.unknown`. */
export async function queueRun(
  host: Host,
  id: string,
): Promise<{ run: QueueRun; tickets: RunTicket[]; scores: Scores }> {
  const stored = await storedOf(host, id);
  const labels = await host.tickets.labels();
  const { cores } = settings.parse(stored[0]?.settings ?? {});
  const rows = stored.map((run) => ({ ...run, batch: id, tool: firstTool(run), cores }));
  const drafts = await draftsOf(
    host.store.db,
    stored.map((run) => run.id),
  );
  const tickets: RunTicket[] = [];
  for (const run of stored) {
    const text = drafts.get(run.id)?.text;
    const reply = text === undefined ? null : sha256(text).slice(0, 16);
    tickets.push({ ...(await ticketRow(host, run, labels.get(run.ticket) ?? null)), reply });
  }
  return { run: summary(rows, labels), tickets, scores: scoresOf(await scoredOf(host, stored, labels)) };
}

async function ticketRow(host: Host, run: StoredRun, label: Label | null): Promise<Omit<RunTicket, 'reply'>> {
  const ticket = await host.tickets.find(run.ticket);
  return {
    run: run.id,
    ticket: run.ticket,
    subject: ticket === undefined ? '' : ticket.subject || ticket.body.replaceAll(/\s+/g, ' ').trim().slice(0, 120),
    state: run.state,
    why: run.why,
    kind: label?.kind ?? null,
    meant: label?.first_tool ?? null,
    chosen: firstTool(run),
    ms: run.ms,
    tokens: run.turns.flatMap(({ call, tokens }) => (call === undefined ? [] : [tokens.evaluated + tokens.generated])),
  };
}

/** Run `id` compared with run `against`, ticket by ticket. Failure `runs.unknown`. */
export async function compareQueueRuns(host: Host, id: string, against: string): Promise<Comparison> {
  const labels = await host.tickets.labels();
  const [first, second] = [await storedOf(host, against), await storedOf(host, id)];
  const texts = new Map(first.map((run) => [run.ticket, run.ticket_version]));
  const same = new Set(second.flatMap((run) => (texts.get(run.ticket) === run.ticket_version ? [run.ticket] : [])));
  async function scores(runs: StoredRun[]) {
    return ticketScores(await scoredOf(host, runs, labels)).filter(({ ticket }) => same.has(ticket));
  }
  const same_tickets = same.size === first.length && same.size === second.length;
  return {
    tickets: same.size,
    same_tickets,
    differs: [
      ...(same_tickets ? [] : [`the tickets: ${same.size} stand in both with the same text`]),
      ...differences(first, second),
      ...otherAnswers(first, second, same),
    ],
    measures: measures(await scores(first), await scores(second)),
  };
}

const settings = z.object({
  model: z.string().default(''),
  model_sha256: z.string().default(''),
  definitions: z.record(z.string(), z.object({ definition: z.string() })).default({}),
  resources: z.record(z.string(), z.string()).default({}),
  listed: z.array(z.string()).default([]),
  replay_mode: z.boolean().nullable().default(null),
  cores: z.number().nullable().default(null),
});

function differences(first: StoredRun[], second: StoredRun[]): string[] {
  const [before, after] = [first, second].map((runs) => ({
    playbook: runs[0]?.playbook ?? '',
    ...settings.parse(runs[0]?.settings ?? {}),
  }));
  if (before === undefined || after === undefined) return [];
  const hashes = (of: typeof before) =>
    Object.fromEntries(Object.entries(of.definitions).map(([name, { definition }]) => [name, definition]));
  const tools = changedKeys(hashes(before), hashes(after));
  const policies = changedKeys(before.resources, after.resources);
  return [
    ...(before.model_sha256 === after.model_sha256 && before.model === after.model
      ? []
      : [`the model: ${before.model}, then ${after.model}`]),
    ...(tools.length === 0 ? [] : [`the definitions: ${tools.join(', ')}`]),
    ...(before.listed.join() === after.listed.join() ? [] : ['the list of calls without side effects']),
    ...(policies.length === 0 ? [] : [`the attached resources: ${policies.join(', ')}`]),
    ...(before.playbook === after.playbook ? [] : ['the playbook']),
    ...(before.replay_mode === after.replay_mode
      ? []
      : ['the clock: it stood still in one of them, as for a recording']),
  ];
}

/** Calls and questions of the same ticket that people answered otherwise; who did not come to one was not asked. */
function otherAnswers(first: StoredRun[], second: StoredRun[], same: Set<string>): string[] {
  const before = new Map(first.map((run) => [run.ticket, answersOf(run)]));
  const other = second.flatMap((run) => {
    const then = before.get(run.ticket) ?? {};
    const differs = Object.entries(answersOf(run)).some(([at, said]) => at in then && then[at] !== said);
    return same.has(run.ticket) && differs ? [run.ticket] : [];
  });
  if (other.length === 0) return [];
  const more = other.length > 5 ? ` and ${other.length - 5} more` : '';
  return [`the answers of people: ${other.slice(0, 5).join(', ')}${more}`];
}
function answersOf({ turns }: StoredRun): Record<string, string> {
  const said: Record<string, string> = {};
  for (const { call } of turns) {
    if (call === undefined || call.consent?.by === 'host') continue;
    const waited = call.outcome === 'waiting' || call.consent !== undefined;
    if (waited) said[call.tool] = call.consent?.answer ?? 'nobody';
    for (const { key, action } of call.questions ?? []) said[`${call.tool} ${key}`] = action ?? 'nobody';
  }
  return said;
}

/** Everything of one ticket run. Failure `runs.unknown`. */
export async function ticketRun(host: Host, id: string): Promise<TicketRun> {
  const run = await findRun(host.store.db, id);
  if (run === undefined) throw new Failure('runs.unknown', `There is no ticket run ${id} in this data folder.`);
  return whole(run, await draftsOf(host.store.db, [id]));
}

type Drafts = Awaited<ReturnType<typeof draftsOf>>;

function whole(run: StoredRun, drafts: Drafts): TicketRun {
  const draft = drafts.get(run.id);
  const ended = run.state === 'running' || run.state === 'stale' ? 'failed' : run.state;
  return {
    ticket: run.ticket,
    state: ended,
    why: run.why ?? (run.state === 'running' ? 'It is being worked.' : ''),
    ...(run.ask === null ? {} : { ask: run.ask }),
    turns: run.turns,
    ...(draft === undefined ? {} : { draft }),
    ms: run.ms ?? 0,
  };
}

/** The runs of a queue run, one a ticket: the last. */
async function storedOf({ store }: Host, id: string): Promise<StoredRun[]> {
  const all = await listRuns(store.db, { batch: id });
  if (all.length === 0) throw new Failure('runs.unknown', `There is no queue run ${id} in this data folder.`);
  return [...new Map(all.map((run) => [run.ticket, run])).values()];
}

/** What is scored: tools of which a call stood on the list without side effects are so. */
async function scoredOf({ store, calls }: Host, runs: StoredRun[], labels: Map<string, Label>): Promise<Scored> {
  const drafts = await draftsOf(
    store.db,
    runs.map(({ id }) => id),
  );
  const names = new Map<string, boolean>();
  for (const { id } of runs) for (const { tool, listed } of await calls.list({ run: id })) names.set(tool, listed);
  return {
    tools: [...names].map(([name, listed]) => ({ name, listed })),
    tickets: runs.map((run) => {
      const label = labels.get(run.ticket);
      return { ...whole(run, drafts), ...(label !== undefined && { label }) };
    }),
  };
}

function firstTool({ turns }: StoredRun): string | null {
  return turns.find(({ call }) => call !== undefined)?.call?.tool ?? null;
}
function bare(name: string | undefined): string | undefined {
  return name?.slice(name.indexOf('.') + 1);
}
