// A reply a person edited is checked again: what is left of the model's words must still be backed by the calls of its run,
// what the person typed is marked as theirs (spec host §15).
import type { Pin } from '../shared/pins.ts';
import { isObject, type JsonObject } from '../shared/json.ts';
import type { Draft } from '../shared/runs.ts';
import type { Ticket } from '../shared/tickets.ts';
import { z } from 'zod';
import { rulesOf } from './documents.ts';
import { draftOf } from './draft.ts';
import { language } from './evidence/language.ts';
import type { AttachedResource } from './prompt.ts';
import { write, type Reply } from './reply.ts';
import { loadRunState } from './runState.ts';
import type { Playbook } from '../shared/playbook.ts';
import type { ServerConfig } from '../shared/servers.ts';
import type { LedgerEntry } from './slots/candidates.ts';
import type { OfferedTool } from './slots/plan.ts';
import { listCalls } from './store/calls.ts';
import type { Store } from './store/open.ts';
import { findRun, type StoredDraft } from './store/runs.ts';
import { addedSpans, movedSpan, wordDifference } from './wordDifference.ts';

export interface RecheckDeps {
  store: Store;
  playbook: Playbook;
  approved: (prefix: string, tool: string, configuration: string) => Promise<Pin | null>;
  configured: () => Promise<ServerConfig[]>;
}

const definitions = z.record(z.string(), z.object({ definition: z.string(), configuration: z.string() }));

/** `text` held against the run of the draft it began with; without one all of it is the person's. */
export async function recheck(
  deps: RecheckDeps,
  ticket: Ticket,
  draft: StoredDraft | undefined,
  text: string,
): Promise<Draft> {
  const { playbook } = deps;
  const state = draft === undefined ? null : await loadRunState(deps.store, draft.run);
  const ledger = state?.ledger ?? [];
  const parts = wordDifference(draft?.text ?? '', text).parts;
  const built = draft === undefined ? [] : builtSlots(playbook, ticket, ledger, draft);
  const slots = built.flatMap((slot) => {
    const moved = movedSpan(parts, slot);
    return moved === null ? [] : [{ ...slot, ...moved }];
  });
  const spoken = language(`${ticket.subject}\n${ticket.body}`);
  const reply = { text, slots, language: spoken === 'unknown' ? playbook.language : spoken };
  return draftOf(
    { ...reply, skeleton: draft?.skeleton ?? '', typed: addedSpans(parts) },
    { ticket, ledger },
    { playbook, tools: await toolsOf(deps, draft), resources: await readings(deps, draft) },
  );
}

/** What the desk filled into the draft: its skeleton written again, where that gives the very text. */
function builtSlots(playbook: Playbook, ticket: Ticket, ledger: LedgerEntry[], draft: StoredDraft): Reply['slots'] {
  const skeleton = playbook.skeletons.find((one) => one.id === draft.skeleton);
  if (skeleton === undefined) return [];
  const again = write(playbook, skeleton, { ticket, ledger, plans: new Map() });
  return again.text === draft.text ? again.slots : [];
}

/** The tools the run was offered, by the definitions it was offered them with. */
async function toolsOf(deps: RecheckDeps, draft: StoredDraft | undefined): Promise<OfferedTool[]> {
  const run = draft === undefined ? undefined : await findRun(deps.store.db, draft.run);
  const tools: OfferedTool[] = [];
  for (const [name, { configuration }] of Object.entries(
    definitions.safeParse(run?.settings['definitions']).data ?? {},
  )) {
    const [prefix = '', ...rest] = name.split('.');
    const pin = await deps.approved(prefix, rest.join('.'), configuration);
    if (pin === null) continue;
    const schema = pin.raw['inputSchema'];
    tools.push({
      name,
      prefix,
      tool: pin.tool,
      description: '',
      inputSchema: isObject(schema) ? schema : ({} satisfies JsonObject),
      marks: pin.marks,
      configuration,
      definition: pin.hash,
      listed: pin.no_side_effects,
    });
  }
  return tools;
}

/** Policies as the run read them, else as they were read last, from servers the company trusts. */
async function readings(deps: RecheckDeps, draft: StoredDraft | undefined): Promise<AttachedResource[]> {
  const run = draft === undefined ? undefined : await findRun(deps.store.db, draft.run);
  const read = run === undefined ? [] : await rulesOf(deps.store.db, run.settings);
  if (read.length > 0) return read;
  const trusted = new Set((await deps.configured()).filter((one) => one.trusted).map((one) => one.prefix));
  const newest = new Map<string, AttachedResource>();
  for (const call of await listCalls(deps.store.db, { run: '', states: ['result'] }))
    if (call.method === 'resources/read' && call.ticket === '' && trusted.has(call.prefix) && call.text !== null)
      newest.set(call.tool, { prefix: call.prefix, uri: call.tool.slice(call.prefix.length + 1), text: call.text });
  return [...newest.values()];
}
