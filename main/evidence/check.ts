// A draft held against the call log: every claim in it is found, judged and explained (spec model, "Evidence"; host §15).
// Pure: text and log in, claims out. The model is never asked whether it told the truth.
import { at, type Json } from '../../shared/json.ts';
import type { Claim } from '../../shared/runs.ts';
import type { Derived } from './derive.ts';
import { factsIn, type CheckedCall } from './facts.ts';
import { foldText, storedSpan } from './foldText.ts';
import { findIdentifiers, idKind, type IdPattern } from './identifiers.ts';
import { tooLarge, type Resource, type Scene } from './judge.ts';
import type { ClaimRule } from './promises.ts';
import { findClaims, type Found } from './findClaims.ts';
import { sentences } from './sentences.ts';
import { lookThrough } from './within.ts';

interface BuiltSlot {
  start: number;
  end: number;
  call: number;
  /** JSON pointer into the call's structured result. */
  field: string;
}
export interface CheckInput {
  text: string;
  /** Language of the draft; one without rules is read like English, and the draft is never ready. */
  language: string;
  /** ISO 8601. */
  received_at: string;
  ticket: { id: string; customer: string | null; subject: string; body: string };
  calls: CheckedCall[];
  resources: Resource[];
  claims: ClaimRule[];
  idPatterns: IdPattern[];
  statuses: string[];
  /** Words a customer reads for a status, by status and language (`words` of a playbook's slots). */
  statusWords?: Record<string, Record<string, string>>;
  /** ISO code of the records. */
  currency: string;
  /** Literal values a customer must not see. */
  hidden: string[];
  /** Spans filled by the host from a result: what they hold is known. Offsets into `text`. */
  slots: BuiltSlot[];
  derived: Derived[];
  /** Spans a person typed. Offsets into `text`. */
  typed: { start: number; end: number }[];
}

function sceneOf(input: CheckInput, text: string): Scene {
  const reference = new Date(input.received_at).toISOString().slice(0, 10);
  const { looked, left } = lookThrough(input.calls);
  const facts = factsIn(input.calls, looked, input.idPatterns, reference);
  const { customer } = input.ticket;
  const personKind = customer === null ? null : idKind(customer);
  const isPerson = (id: string): boolean => id.includes('@') || (personKind !== null && idKind(id) === personKind);
  const hidden = new Set(input.hidden);
  const ticketText = foldText(`${input.ticket.subject}\n\n${input.ticket.body}`).text;
  return {
    text,
    language: input.language,
    reference,
    currency: input.currency,
    ticketText,
    ticketIds: findIdentifiers(ticketText, input.idPatterns).flatMap(({ value, others }) => [value, ...others]),
    ticket: input.ticket,
    calls: input.calls,
    facts,
    left,
    resources: input.resources,
    derived: input.derived,
    rules: input.claims,
    statuses: input.statuses,
    statusWords: input.statusWords ?? {},
    patterns: input.idPatterns,
    stretches: sentences(text),
    subjects: findIdentifiers(text, input.idPatterns).filter(
      ({ value, shape }) =>
        (shape === 'record' || shape === 'opaque') &&
        !isPerson(value) &&
        value !== input.ticket.id &&
        !hidden.has(value),
    ),
    isPerson,
    isForeign: (fact) => {
      const owner = personKind === null ? undefined : fact.ids.get(personKind);
      return owner !== undefined && owner.toLowerCase() !== customer?.toLowerCase();
    },
  };
}

/** The scalars a slot was made from: the field's own value, or all values of the list it shows. */
function scalars(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'object') return Object.values(value).flatMap((item) => scalars(item));
  return [String(value)];
}

/** What stands in a slot came from its field: the value is compared, the subject is known by construction. */
function fromSlot(input: CheckInput, found: Found, claim: Claim): Claim {
  if (claim.verdict === 'backed' || claim.verdict === 'reported' || found.final) return claim;
  const slot = input.slots.find(
    (one) => claim.start < one.end && one.start < claim.end && claim.start >= one.start && claim.end <= one.end,
  );
  const call = input.calls.find((one) => one.n === slot?.call && one.outcome === 'result');
  if (slot === undefined || call === undefined) return claim;
  const value = at(call.structured ?? undefined, slot.field);
  const same =
    scalars(value).some((one) => found.equals(one)) || (Array.isArray(value) && found.equals(String(value.length)));
  if (!same) return claim;
  const verdict = call.systemOfRecord ? 'backed' : 'reported';
  return {
    ...claim,
    verdict,
    source: 'call',
    call: call.n,
    field: slot.field,
    why: `Filled in by the desk from ${call.tool} (call ${call.n}).`,
  };
}

/** Where nothing was found, and not all was looked at, the person who reads it must know. */
function fromRest(scene: Scene, claim: Claim): Claim {
  const rest = scene.calls.find((call) => scene.left.has(call.n));
  if (claim.verdict !== 'no source' || rest === undefined) return claim;
  const said = tooLarge(rest);
  return claim.why.includes(said) ? claim : { ...claim, why: `${claim.why} ${said}` };
}

/** A person's own words are marked as theirs; they are never blocked. */
function fromPerson(input: CheckInput, claim: Claim): Claim {
  const typed = input.typed.some((one) => claim.start < one.end && one.start < claim.end);
  if (!typed || claim.verdict === 'backed' || claim.verdict === 'reported') return claim;
  return { ...claim, source: 'person', why: `Typed by a person. ${claim.why}` };
}

/** All claims of a draft, in order, with offsets into its text as given. */
export function checkDraft(input: CheckInput): Claim[] {
  const folded = foldText(input.text);
  const scene = sceneOf(input, folded.text);
  const claims = findClaims(scene, input.hidden).map((found) => {
    const span = storedSpan(folded, found.start, found.end);
    const claim: Claim = {
      kind: found.kind,
      text: input.text.slice(span.start, span.end),
      ...span,
      ...found.judgement,
    };
    return fromPerson(input, fromRest(scene, fromSlot(input, found, claim)));
  });
  return claims.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** True while any claim of the model is neither backed nor reported: only a lead may then send, with a reason. */
export function blocked(claims: Claim[]): boolean {
  return claims.some(
    (claim) => claim.source !== 'person' && claim.verdict !== 'backed' && claim.verdict !== 'reported',
  );
}
