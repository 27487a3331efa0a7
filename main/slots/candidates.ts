// Values an argument may take: only what literally stands in the ticket or in earlier results of this run, with
// where it came from and how far it is to be trusted (spec model, "choose, then fill" 3–4).
import type { Origin } from '../../shared/calls.ts';
import { isObject, type Json } from '../../shared/json.ts';
import type { Playbook } from '../../shared/playbook.ts';
import type { Ticket } from '../../shared/tickets.ts';
import { seenIdentifiers, simplePattern, type SimplePattern } from './pattern.ts';
import { written } from './ticketText.ts';

/** One settled call of this run. */
export interface LedgerEntry {
  n: number;
  tool: string;
  arguments: Record<string, Json>;
  outcome: 'result' | 'tool error' | 'declined' | 'failed' | 'unknown' | 'unknown tool';
  text: string;
  structured: Json | undefined;
  /** The result's customer is the ticket's, by a binding of the playbook. */
  bound: boolean;
  /** Least trust of the arguments; a result is as trusted as that, or bound. */
  trust: Origin['trust'];
}

export interface Candidate {
  value: string;
  origin: Origin;
  /** Words beside the value in its record, e.g. a product's name. */
  beside: string;
}

export interface Sources {
  ticket: Ticket;
  ledger: LedgerEntry[];
  playbook: Playbook;
}

type Place = 'ticket.field' | 'ticket.text' | 'result';

/** Candidates for an identifier of a simple pattern, from the allowed places, most trusted place first. */
export function identifierCandidates(sources: Sources, pattern: string, places: Place[], nouns: string[]): Candidate[] {
  const simple = simplePattern(pattern);
  if (simple === null) return [];
  const found: Candidate[] = [];
  if (places.includes('ticket.field')) found.push(...fieldCandidates(sources.ticket, simple));
  if (places.includes('ticket.text')) found.push(...textCandidates(sources.ticket, simple, nouns));
  if (places.includes('result')) found.push(...resultCandidates(sources.ledger, simple));
  const values = new Map<string, Candidate>();
  for (const candidate of found) {
    const before = values.get(candidate.value);
    if (before === undefined) values.set(candidate.value, candidate);
    else if (before.beside === '') before.beside = candidate.beside;
  }
  return [...values.values()];
}

function fieldCandidates(ticket: Ticket, pattern: SimplePattern): Candidate[] {
  const value = ticket.customer;
  if (
    value === null ||
    value.slice(0, pattern.literal.length) !== pattern.literal ||
    !/^[0-9]+$/.test(value.slice(pattern.literal.length))
  )
    return [];
  if (value.length !== pattern.literal.length + pattern.digits) return [];
  return [{ value, origin: { from: 'ticket.field', field: 'customer', trust: 'trusted' }, beside: '' }];
}

/** Own words first; quoted history and the subject only where the own words have none. */
function textCandidates(ticket: Ticket, pattern: SimplePattern, nouns: string[]): Candidate[] {
  const { own, quoted } = written(ticket.body);
  for (const [field, text] of [
    ['body', own],
    ['subject', ticket.subject],
    ['body', quoted],
  ] as const) {
    const seen = seenIdentifiers(text, pattern, nouns);
    if (seen.length > 0)
      return seen.map(({ value, start, end, written: form }) => ({
        value,
        origin: {
          from: 'ticket.text',
          field,
          start,
          end,
          trust: 'untrusted',
          ...(form === value ? {} : { written: form }),
        },
        beside: '',
      }));
  }
  return [];
}

function resultCandidates(ledger: LedgerEntry[], pattern: SimplePattern): Candidate[] {
  return ledger.flatMap((entry) =>
    entry.outcome === 'result' && entry.structured !== undefined
      ? leaves(entry.structured, '').flatMap(({ value, pointer, record }) =>
          matches(value, pattern)
            ? [{ value, origin: fromResult(entry, pointer), beside: besides(record, value) }]
            : [],
        )
      : [],
  );
}

function matches(value: string, pattern: SimplePattern): boolean {
  const rest = value.slice(pattern.literal.length);
  return value.startsWith(pattern.literal) && rest.length === pattern.digits && /^[0-9]+$/.test(rest);
}

/** The origin of a value of an earlier result: as trusted as that result. */
function fromResult(entry: LedgerEntry, field: string): Origin {
  return { from: 'result', call: entry.n, field, trust: entry.bound ? 'bound' : entry.trust };
}

interface Leaf {
  value: string;
  pointer: string;
  /** The object the leaf stands in. */
  record: Json;
}

/** Every string of a JSON value with its pointer, at most 2,000. */
export function leaves(value: Json, pointer: string, record: Json = value, into: Leaf[] = []): Leaf[] {
  if (into.length >= 2_000) return into;
  if (typeof value === 'string') into.push({ value, pointer, record });
  else if (Array.isArray(value))
    value.forEach((item, index) => leaves(item, `${pointer}/${index}`, isObject(item) ? item : record, into));
  else if (isObject(value))
    for (const [key, item] of Object.entries(value))
      leaves(item, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value, into);
  return into;
}

function besides(record: Json, value: string): string {
  if (!isObject(record)) return '';
  return Object.values(record)
    .filter((other): other is string => typeof other === 'string' && other !== value && /\p{L}{3}/u.test(other))
    .join(' ');
}

/** Exact reference values: a handle another call of this run returned under the same name (e.g. a quote ID). */
export function handleCandidates(ledger: LedgerEntry[], name: string): Candidate[] {
  for (const entry of [...ledger].reverse()) {
    if (entry.outcome !== 'result' || entry.structured === undefined) continue;
    const found = leaves(entry.structured, '').filter(
      ({ pointer, value }) => pointer.endsWith(`/${name}`) && value !== '',
    );
    if (found.length > 0)
      return found.map(({ value, pointer, record }) => ({
        value,
        origin: fromResult(entry, pointer),
        beside: besides(record, value),
      }));
  }
  return [];
}

/** Identifier-like words a tool error offers, with the words after each ("KG-1031 Enamelled casserole"). */
export function offeredByError(ledger: LedgerEntry[], tool: string): Candidate[] {
  const last = ledger.findLast((entry) => entry.tool === tool);
  if (last?.outcome !== 'tool error') return [];
  const sent = new Set(Object.values(last.arguments).map(String));
  const found = [...last.text.matchAll(/\b([A-Z]{1,5}-[0-9]{2,10})\b[ :]*([^\n;,]{0,80})/g)];
  return found
    .filter(([, value, beside]) => value !== undefined && !sent.has(value) && /\p{L}{3}/u.test(beside ?? ''))
    .map((match) => ({
      value: match[1] ?? '',
      origin: {
        from: 'result',
        call: last.n,
        field: '',
        start: match.index,
        end: match.index + (match[1] ?? '').length,
        trust: last.trust,
      },
      beside: (match[2] ?? '').trim(),
    }));
}

const plain = /[^\p{L}\p{N}]+/u;

/** Words of text for matching: lower case, plural endings dropped, of at least three letters. */
export function matchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(plain)
    .filter((word) => /^\p{L}{3,}$/u.test(word))
    .map((word) => word.replace(/(?<=\p{L}{3})(?:es|s)$/u, ''));
}

/**
 * Which candidates a text mentions by words that only they have beside them. `mentioned` is empty where the words
 * fit all or none.
 */
export function mentionedIn(text: string, candidates: Candidate[]): Candidate[] {
  const said = new Set(matchWords(text));
  const words = candidates.map((candidate) => new Set(matchWords(candidate.beside)));
  const scores = words.map((mine, index) => {
    const own = [...mine].filter((word) => words.every((other, at) => at === index || !other.has(word)));
    return own.filter((word) => said.has(word)).length;
  });
  return candidates.filter((_, index) => (scores[index] ?? 0) > 0);
}
