// A reply becomes a draft: every claim in it found and held against the calls of the run (spec host §15).
import { at, type Json } from '../shared/json.ts';
import type { Draft } from '../shared/runs.ts';
import { blocked, checkDraft } from './evidence/check.ts';
import type { Playbook } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { AttachedResource } from './prompt.ts';
import type { Reply } from './reply.ts';
import type { LedgerEntry } from './slots/candidates.ts';
import type { OfferedTool } from './slots/plan.ts';
import { slotsOf } from './slots/schema.ts';

/** What a customer never sees: the values of hidden fields in what was returned (spec playbook, "hidden"). */
export function handlesOf(
  playbook: Playbook,
  results: { tool: string; structured?: Json | undefined | null }[],
): string[] {
  return playbook.hidden.flatMap(({ call, field }) =>
    results
      .filter((entry) => entry.tool === call)
      .flatMap((entry) => {
        const value = at(entry.structured ?? undefined, field);
        return typeof value === 'string' ? [value] : [];
      }),
  );
}

type Checked = Pick<Reply, 'text' | 'slots' | 'skeleton' | 'language'> & {
  /** What a person typed into it. */
  typed?: { start: number; end: number }[];
};

/** The checked draft of a reply. */
export function draftOf(
  reply: Checked,
  state: { ticket: Ticket; ledger: LedgerEntry[] },
  deps: { playbook: Playbook; tools: OfferedTool[]; resources: AttachedResource[] },
): Draft {
  const { playbook } = deps;
  const claims = checkDraft({
    text: reply.text,
    language: reply.language,
    received_at: state.ticket.received_at,
    ticket: state.ticket,
    calls: state.ledger.map((entry) => ({
      ...entry,
      prefix: entry.tool.split('.')[0] ?? '',
      systemOfRecord: playbook.systems.includes(entry.tool.split('.')[0] ?? ''),
    })),
    resources: deps.resources,
    claims: playbook.claims,
    idPatterns: idPatterns(deps),
    statuses: playbook.statuses,
    currency: playbook.currency,
    hidden: handlesOf(playbook, state.ledger),
    slots: reply.slots,
    derived: [],
    typed: reply.typed ?? [],
  });
  return { text: reply.text, claims, blocked: blocked(claims), skeleton: reply.skeleton };
}

function idPatterns(deps: { tools: OfferedTool[] }): { pattern: string }[] {
  const patterns = deps.tools.flatMap((tool) =>
    slotsOf(tool.inputSchema, tool.marks).flatMap((slot) =>
      slot.way === 'reference' && slot.pattern !== null ? [slot.pattern] : [],
    ),
  );
  return [...new Set(patterns)].map((pattern) => ({ pattern }));
}
