// The run file desk-run/1 (spec cli, "Files"): definitions, playbook, resources, ticket texts and prompt segments stored
// once each by hash, every turn pointing at them; what a model was asked and answered beside it. Nothing secret is in it.
import type { Json, JsonObject } from '../shared/json.ts';
import type { TicketRun, TurnCall } from '../shared/runs.ts';
import type { Host } from './host.ts';
import { canonical, sha256 } from './mcp/canonical.ts';
import type { Model, Segment } from './model/model.ts';
import { prefixSegments } from './prompt.ts';
import type { Report } from '../shared/report.ts';
import type { TapeStep } from './recording.ts';
import type { RunFile, WorkedTicket } from './runFileShape.ts';
import { loadRunState } from './runState.ts';
import { prefixNames } from './segmentNames.ts';
import type { Session } from './session.ts';
import { listRuns } from './store/runs.ts';

interface Parts {
  id: string;
  startedAt: string;
  endedAt: string;
  model: Model | null;
  host: Host;
  session: Session;
  runs: TicketRun[];
  report: Report;
  /** SHA-256 of the rules that answered in the place of people, or null. */
  answers: string | null;
}

/** One run as a JSON document. */
export async function runFile(parts: Parts): Promise<RunFile> {
  const { host, session, model } = parts;
  const texts = new Map<string, string>();
  function keep(text: string): string {
    const kept = text.toWellFormed();
    const hash = sha256(kept);
    texts.set(hash, kept);
    return hash;
  }
  const tickets = await workedTickets(parts, keep);
  const { tools, resources, instructions } = session;
  const { playbook } = host.playbook;
  const full = prefixSegments(playbook, tools, resources, false, instructions);
  const names = prefixNames(playbook, tools, resources, instructions);
  const file = {
    format: 'desk-run/1' as const,
    id: parts.id,
    started_at: parts.startedAt,
    ended_at: parts.endedAt,
    model: { name: model?.info.name ?? 'none', sha256: model?.info.sha256 ?? '', build: model?.info.build ?? '' },
    settings: {
      context: model?.info.contextSize ?? 0,
      playbook: host.playbook.hash,
      prefix_tokens: session.prefix?.tokens ?? 0,
      brief: session.shared.length > 0 && joined(session.shared) !== joined(full),
      answers: parts.answers,
      replay_mode: host.options.replayMode ?? false,
    },
    definitions: await definitionsOf(parts, keep),
    tools: tools.map(({ name, marks, listed }) => ({ name, marks, listed })),
    resources: Object.fromEntries(resources.map((one) => [one.uri, keep(one.text)])),
    ...(instructions.length > 0 && {
      instructions: Object.fromEntries(instructions.map((one) => [one.prefix, keep(one.text)])),
    }),
    attached: resources.map(({ prefix, uri }) => ({ prefix, uri })),
    // Checked against its schema when it was loaded: plain JSON.
    playbook: keep(canonical(playbook as unknown as Json)),
    prefix: session.shared.map(({ trust, text }, index) => ({ trust, hash: keep(text), of: names[index] ?? '' })),
    tickets,
    report: parts.report,
  };
  return { ...file, sums: sumsOf(file), texts: Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function joined(segments: Segment[]): string {
  return segments.map(({ text }) => text).join('');
}

/** A sum over each part as it stands in the file; texts have their own. */
export function sumsOf(file: object): Record<string, string> {
  const parts = Object.entries(file).filter(([name]) => name !== 'sums' && name !== 'texts');
  return Object.fromEntries(parts.map(([name, part]) => [name, sha256(JSON.stringify(part))]));
}

/** The approved definitions as they came over the wire, kept as the very text their hash is over. */
async function definitionsOf({ host, session }: Parts, keep: (text: string) => string) {
  const found: Record<string, string> = {};
  for (const { name, prefix, tool, configuration, definition } of session.tools) {
    const pin = await host.pins.approved(prefix, tool, configuration);
    if (pin?.hash === definition) keep(canonical(pinned(pin.raw)));
    found[name] = definition;
  }
  return found;
}

/** The members a definition's hash is over: all but pictures. */
export function pinned(raw: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(raw).filter(([key]) => key !== 'icons'));
}

async function workedTickets(parts: Parts, keep: (text: string) => string): Promise<WorkedTicket[]> {
  const { host, runs, id } = parts;
  const labels = await host.tickets.labels();
  const stored = new Map((await listRuns(host.store.db, { batch: id })).map((run) => [run.ticket, run.id]));
  const worked: WorkedTicket[] = [];
  for (const run of runs) {
    const state = await loadRunState(host.store, stored.get(run.ticket) ?? '');
    if (state === null) continue;
    const { subject, body, customer, received_at, channel, source, version } = state.ticket;
    const label = labels.get(run.ticket);
    worked.push({
      ticket: run.ticket,
      letter: { customer, subject, body: keep(body), received_at, channel, source, version },
      ...(label !== undefined && { label }),
      state: run.state,
      why: run.why,
      ...(run.ask !== undefined && { ask: run.ask }),
      ...(state.attached.length > 0 && {
        attached: state.attached.map(({ prefix, uri, text }) => ({ prefix, uri, text: keep(text) })),
      }),
      ...(state.withheld.length > 0 && { withheld: state.withheld }),
      turns: run.turns.map((turn) => ({
        ...turn,
        ...(turn.call !== undefined && { call: { ...turn.call, sums: resultSums(turn.call) } }),
      })),
      ...(run.draft !== undefined && { draft: run.draft }),
      ms: run.ms,
      tape: firstWork(state.tape).map(({ segments, ...step }) => ({
        ...step,
        ...(segments !== undefined && {
          segments: segments.map(({ trust, text }) => ({ trust, hash: keep(text) })),
        }),
      })),
    });
  }
  return worked;
}

/** The tape up to where a person's answer let the run go on meanwhile: that began with another rewind. */
function firstWork(tape: TapeStep[]): TapeStep[] {
  const again = tape.findIndex(({ op }, index) => op === 'rewind' && index > 0);
  return again === -1 ? tape : tape.slice(0, again);
}

/** Short sums over what a server returned, field by field, so that a changed one can be named. */
export function resultSums(call: Pick<TurnCall, 'content' | 'structured' | 'detail'>): Record<string, string> {
  const { content, structured, detail } = call;
  const fields: [string, Json | undefined][] = [
    ['content', content],
    ['detail', detail],
    ...(typeof structured === 'object' && structured !== null
      ? Object.entries(structured).map(([key, value]): [string, Json] => [`structured/${key}`, value])
      : [['structured', structured] satisfies [string, Json | undefined]]),
  ];
  return Object.fromEntries(
    fields.flatMap(([field, value]) =>
      value === undefined ? [] : [[field, sha256(JSON.stringify(value)).slice(0, 12)]],
    ),
  );
}
