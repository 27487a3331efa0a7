// What a run was made from, held against what is there today: definitions field by field, resources by line and word, the
// playbook by its place. A difference is told with the first ticket and turn it touches.
import { Failure } from '../shared/failures.ts';
import type { Json, JsonObject } from '../shared/json.ts';
import type { Playbook } from '../shared/playbook.ts';
import type { Host } from './host.ts';
import { instructionsIn } from './instructions.ts';
import type { AttachedResource, ServerInstructions } from './prompt.ts';
import { pinned } from './runFile.ts';
import type { RunFile } from './runFileShape.ts';
import { textDifference, valueDifference, valueWords } from './textDifference.ts';

export interface Sources {
  /** Raw definitions by tool, as they came over the wire. */
  definitions: Map<string, JsonObject>;
  resources: AttachedResource[];
  /** What servers say of themselves. */
  instructions: ServerInstructions[];
  playbook: Playbook;
}

/** What the servers of a host offer now, approved or not, with its playbook. */
export async function sourcesOf(host: Host, signal?: AbortSignal): Promise<Sources> {
  const definitions = new Map<string, JsonObject>();
  const instructions: ServerInstructions[] = [];
  for (const { prefix } of host.servers.all().map(({ config }) => config)) {
    for (const { definition, status } of await host.servers.review(prefix))
      if (status !== 'removed') definitions.set(`${prefix}.${definition.name}`, definition.raw);
    for (const { raw } of await host.servers.definitions(`${prefix}/instructions`))
      instructions.push({ prefix, text: instructionsIn(raw) });
  }
  const { resources } = await host.attached(signal);
  return { definitions, resources, instructions, playbook: host.playbook.playbook };
}

/** Failure `replay.differs` at the first difference; what `now` does not have is not compared. */
export function compareSources(run: RunFile, recorded: Sources, now: Partial<Sources>): void {
  if (now.definitions !== undefined) compareDefinitions(run, recorded.definitions, now.definitions);
  if (now.resources !== undefined) compareResources(run, recorded.resources, now.resources);
  if (now.instructions !== undefined) compareInstructions(run, recorded.instructions, now.instructions);
  if (now.playbook === undefined) return;
  // Checked against its schema: plain JSON.
  const found = valueDifference(recorded.playbook as unknown as Json, now.playbook as unknown as Json);
  if (found !== null)
    throw differs(run, null, `in the playbook, ${found.field.slice(1)} ${valueWords(found)}`, {
      resource: 'playbook',
      field: found.field,
    });
}

function compareDefinitions(run: RunFile, recorded: Map<string, JsonObject>, now: Map<string, JsonObject>): void {
  for (const [tool, raw] of recorded) {
    const today = now.get(tool);
    if (today === undefined) throw differs(run, tool, `${tool} is not offered any more`, { tool, field: '' });
    const found = valueDifference(raw, pinned(today));
    if (found === null) continue;
    const field = found.field.slice(1);
    throw differs(run, tool, `the ${field.replaceAll('/', '.')} of ${tool} ${valueWords(found)}`, { tool, field });
  }
}

function compareResources(run: RunFile, recorded: AttachedResource[], now: AttachedResource[]): void {
  for (const resource of recorded) {
    const today = now.find(({ uri }) => uri === resource.uri);
    if (today === undefined)
      throw differs(run, null, `the resource ${resource.uri} is not attached any more`, { resource: resource.uri });
    const difference = textDifference(resource.text.toWellFormed(), today.text.toWellFormed());
    if (difference !== null)
      throw differs(run, null, `the resource ${resource.uri} differs at ${difference}`, {
        resource: resource.uri,
        field: 'text',
      });
  }
  const added = now.find(({ uri }) => !recorded.some((one) => one.uri === uri));
  if (added !== undefined)
    throw differs(run, null, `the resource ${added.uri} was not attached then`, { resource: added.uri });
}

/** Only those that were read: what else servers say of themselves no model saw. */
function compareInstructions(run: RunFile, recorded: ServerInstructions[], now: ServerInstructions[]): void {
  for (const { prefix, text } of recorded) {
    const today = now.find((one) => one.prefix === prefix)?.text ?? '';
    const difference = textDifference(text.toWellFormed(), today.toWellFormed());
    const resource = `the instructions of ${prefix}`;
    if (difference !== null)
      throw differs(run, null, `${resource} differ at ${difference}`, { resource, field: 'text' });
  }
}

/** Told at the first turn that offers the tool; what is read before every ticket, at the first of all. */
function differs(run: RunFile, tool: string | null, words: string, data: object): Failure {
  const place = firstUse(run, tool);
  return new Failure('replay.differs', `${place.ticket}, turn ${place.turn}: ${words}. The replay stopped there.`, {
    ...place,
    ...data,
  });
}

function firstUse(run: RunFile, tool: string | null): { ticket: string; turn: number } {
  for (const { ticket, turns } of tool === null ? [] : run.tickets)
    for (const [index, { options }] of turns.entries())
      if (tool !== null && options.includes(tool)) return { ticket, turn: index + 1 };
  return { ticket: run.tickets[0]?.ticket ?? 'no ticket', turn: 1 };
}
