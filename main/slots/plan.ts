// What could be sent now: for one tool, every slot with the values that have a source. Says whether the tool is legal,
// and whether a call would only repeat one of this run.
import type { Origin } from '../../shared/calls.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Mark } from '../../shared/pins.ts';
import { clausesOf, hasPhrase, sentencesOf } from '../phrases.ts';
import { seenDates } from '../seenDates.ts';
import { seenNumbers } from '../numbers.ts';
import {
  handleCandidates,
  identifierCandidates,
  matchWords,
  mentionedIn,
  offeredByError,
  type Candidate,
  type Sources,
} from './candidates.ts';
import { simplePattern } from './pattern.ts';
import { slotsOf, type SlotSpec } from './schema.ts';
import { written } from './ticketText.ts';

export interface OfferedTool {
  /** `{prefix}.{tool}`. */
  name: string;
  prefix: string;
  tool: string;
  /** What the model calls it where `tool` is another's name already (labels.ts). */
  label?: string;
  description: string;
  inputSchema: JsonObject;
  marks: Record<string, Mark>;
  configuration: string;
  definition: string;
  listed: boolean;
}

/** How one slot will be filled. */
export interface SlotPlan {
  slot: SlotSpec;
  candidates: Candidate[];
  /** `span`: the model picks a run of the ticket's own words. */
  fill: 'candidates' | 'choice' | 'span' | 'prose' | 'out' | 'person';
}
export interface Plan {
  tool: OfferedTool;
  slots: SlotPlan[];
  /** Required slots without a source: a person must fill them. */
  missing: string[];
  /** Several records fit the customer's words: the argument stays open, and what needs it is not legal. */
  ambiguous: string[];
  /** The same reference arguments were sent before in this run. */
  repeats: boolean;
}

/** Plans a call of a tool from what is known now. */
export function planCall(tool: OfferedTool, sources: Sources): Plan {
  const ambiguous: string[] = [];
  const slots = slotsOf(tool.inputSchema, tool.marks).map((slot) => planSlot(tool, slot, sources, ambiguous));
  const missing = slots
    .filter(({ slot, fill }) => slot.required && (fill === 'out' || fill === 'person'))
    .map(({ slot }) => slot.pointer);
  return { tool, slots, missing, ambiguous, repeats: repeats(tool.name, slots, sources) };
}

function planSlot(tool: OfferedTool, slot: SlotSpec, sources: Sources, ambiguous: string[]): SlotPlan {
  const rules = sources.playbook.tools[tool.name];
  const mode = rules?.optional[slot.pointer] ?? (slot.required ? 'seen' : 'out');
  if (slot.way === 'const') return { slot, candidates: [], fill: 'choice' };
  if (mode === 'out' && !slot.required) return { slot, candidates: [], fill: 'out' };
  switch (slot.way) {
    case 'choice':
      return mode === 'seen' ? seenChoice(tool, slot, sources) : { slot, candidates: [], fill: 'choice' };
    case 'reference':
      return planReference(tool, slot, mode, sources, ambiguous);
    case 'date':
      return planDate(slot, sources);
    case 'number':
      return planNumber(slot, sources);
    case 'prose':
      return { slot, candidates: [], fill: slot.required ? 'prose' : 'out' };
    case 'list':
    case 'person':
      return { slot, candidates: [], fill: slot.required ? 'person' : 'out' };
  }
}

/**
 * An enumeration value the customer's own words stand for: by the playbook's phrases, else by the value's own words. Where
 * several do, the one the definition names first.
 */
function seenChoice(tool: OfferedTool, slot: SlotSpec & { way: 'choice' }, { ticket, playbook }: Sources): SlotPlan {
  const means = playbook.tools[tool.name]?.means[slot.pointer] ?? {};
  const places = [
    { field: 'body', text: written(ticket.body).own },
    { field: 'subject', text: ticket.subject },
  ];
  for (const value of slot.values)
    for (const { field, text } of places) {
      const sentence = sentencesOf(text).find((one) => standsFor(one.text, String(value), means[String(value)] ?? {}));
      if (sentence === undefined) continue;
      const start = sentence.start + sentence.text.length - sentence.text.trimStart().length;
      const said = sentence.text.trim();
      const origin: Origin = {
        from: 'ticket.text',
        field,
        start,
        end: start + said.length,
        written: said,
        trust: 'untrusted',
      };
      return { slot, candidates: [{ value: String(value), origin, beside: '' }], fill: 'candidates' };
    }
  return { slot, candidates: [], fill: slot.required ? 'choice' : 'out' };
}

function standsFor(sentence: string, value: string, phrases: Record<string, string[]>): boolean {
  const words = matchWords(value);
  const said = new Set(matchWords(sentence));
  return hasPhrase(sentence, phrases) || (words.length > 0 && words.every((word) => said.has(word)));
}

function planReference(
  tool: OfferedTool,
  slot: SlotSpec & { way: 'reference' },
  mode: string,
  sources: Sources,
  ambiguous: string[],
): SlotPlan {
  const rules = sources.playbook.tools[tool.name];
  const places = rules?.sources[slot.pointer] ?? ['ticket.field', 'ticket.text', 'result'];
  const offered = offeredByError(sources.ledger, tool.name);
  const nouns = rules?.nouns[slot.pointer] ?? [slot.name.replace(/_?id$/i, '')].filter((noun) => noun.length > 2);
  let candidates = slot.pattern === null ? [] : identifierCandidates(sources, slot.pattern, places, nouns);
  if (slot.pattern !== null && simplePattern(slot.pattern) === null)
    candidates = handleCandidates(sources.ledger, slot.name);
  if (slot.pattern === null) {
    candidates = handleCandidates(sources.ledger, slot.name);
    if (offered.length > 0) return narrowed(slot, offered, sources, ambiguous);
    if (candidates.length === 0)
      return {
        slot,
        candidates,
        fill: places.includes('ticket.text') && slot.required && slot.maxLength <= 80 ? 'span' : 'out',
      };
  }
  if (mode === 'mention') return mention(tool, slot, candidates, sources, ambiguous);
  return { slot, candidates, fill: candidates.length === 0 ? 'out' : 'candidates' };
}

/** A tool error's offers: the one the customer's words name, else open. */
function narrowed(slot: SlotSpec, offered: Candidate[], sources: Sources, ambiguous: string[]): SlotPlan {
  const named =
    offered.length === 1
      ? offered
      : mentionedIn(`${sources.ticket.subject}\n${written(sources.ticket.body).own}`, offered);
  if (named.length === 1) return { slot, candidates: named, fill: 'candidates' };
  ambiguous.push(slot.pointer);
  return { slot, candidates: [], fill: 'out' };
}

/**
 * A part of a record is named only where the customer's words pick one out among several. Clauses that say a part is
 * fine do not name it; words for the whole, or all parts named, mean the whole; some of several stay open.
 */
function mention(
  tool: OfferedTool,
  slot: SlotSpec,
  candidates: Candidate[],
  sources: Sources,
  ambiguous: string[],
): SlotPlan {
  const out: SlotPlan = { slot, candidates: [], fill: 'out' };
  const literal = candidates.filter((candidate) => candidate.origin.from === 'ticket.text');
  if (literal.length === 1) return { slot, candidates: literal, fill: 'candidates' };
  if (candidates.length < 2) return out;
  const rules = sources.playbook.tools[tool.name]?.parts[slot.pointer];
  const text = `${sources.ticket.subject}.\n${written(sources.ticket.body).own}`;
  if (rules !== undefined && sentencesOf(text).some((sentence) => hasPhrase(sentence.text, rules.whole))) return out;
  const clauses = clausesOf(text).filter((clause) => rules === undefined || !hasPhrase(clause.text, rules.except));
  const named = mentionedIn(clauses.map((clause) => clause.text).join('\n'), candidates);
  if (named.length === 1) return { slot, candidates: named, fill: 'candidates' };
  if (named.length > 1 && named.length < candidates.length) ambiguous.push(slot.pointer);
  return out;
}

function planDate(slot: SlotSpec, { ticket }: Sources): SlotPlan {
  const candidates = seenDates(written(ticket.body).own, ticket.received_at).map(
    ({ value, start, end, written: form }) => ({
      value,
      origin: {
        from: 'ticket.text' as const,
        field: 'body',
        start,
        end,
        trust: 'untrusted' as const,
        ...(form === value ? {} : { written: form }),
      },
      beside: '',
    }),
  );
  return { slot, candidates, fill: candidates.length === 0 ? 'out' : 'candidates' };
}

function planNumber(slot: SlotSpec & { way: 'number' }, { ticket }: Sources): SlotPlan {
  const candidates = seenNumbers(written(ticket.body).own)
    .filter(
      ({ value }) =>
        (!slot.integer || Number.isInteger(value)) &&
        (slot.minimum === null || value >= slot.minimum) &&
        (slot.maximum === null || value <= slot.maximum),
    )
    .map(({ value, start, end }) => ({
      value: String(value),
      origin: { from: 'ticket.text' as const, field: 'body', start, end, trust: 'untrusted' as const },
      beside: '',
    }));
  return { slot, candidates, fill: candidates.length === 0 ? 'out' : 'candidates' };
}

function repeats(tool: string, slots: SlotPlan[], { ledger }: Sources): boolean {
  const earlier = ledger.filter((entry) => entry.tool === tool && entry.outcome !== 'unknown');
  const references = slots.filter(({ slot }) => slot.way === 'reference' || slot.way === 'date');
  const span = references.some(({ fill }) => fill === 'span');
  return earlier.some((entry) =>
    span
      ? true
      : references.every(({ slot, candidates, fill }) => {
          const sent = entry.arguments[slot.name];
          // A handle this very tool returned names the record it was already asked for.
          if (
            entry.outcome === 'result' &&
            candidates.length > 0 &&
            candidates.every(({ origin }) => origin.from === 'result' && origin.call === entry.n)
          )
            return true;
          return fill === 'candidates' ? candidates.length === 1 && candidates[0]?.value === sent : sent === undefined;
        }),
  );
}
