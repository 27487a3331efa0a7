// What a claim speaks of: the identifier it goes with in its sentence, else in its paragraph, else before it, else the
// only record of the run. Value and subject must come from one source, so a wrong subject is a wrong claim.
import { idKind, type IdSpan } from './identifiers.ts';
import type { CheckedCall, Fact } from './facts.ts';
import { argumentIds } from './facts.ts';
import { sentenceAt, type Stretch } from './sentences.ts';

export interface Subject {
  /** Records that must all hold the value; with `any`, one of them is enough. */
  ids: string[];
  any: boolean;
  /** `none`: the run is about no record at all; `several`: it cannot be told which is meant. */
  where: 'sentence' | 'before' | 'run' | 'none' | 'several';
}

const together =
  /^\s*(?:,|,?\s*(?:and|or|&|und|oder|et|ou|y|o|en|of))?\s*(?:your |the |order |orders |bestellung |refund |\()*\s*$/iu;
const leadsTo =
  /^\)?\s*(?:(?:back|refund|in total|altogether|total|paid|each)\s+)?(?:for|on|of|from|to|in|für|von|zu|bei|auf|aus|pour|de|du|sur|para|voor|van|bij|op|\()\s*(?:your |the |this |die |der |ihre[rn]? |la |votre |su |de |uw |je )*(?:order |orders |bestellung |commande |pedido |bestelling |refund |item |product |artikel )*(?:number |no\.? |nr\.? |#)?\s*$/iu;

/** The group an identifier stands in ("O-1 and O-2"): all of it is meant. */
function group(text: string, ids: IdSpan[], index: number): string[] {
  let first = index;
  let last = index;
  const kind = idKind(ids[index]?.value ?? '');
  const joins = (a: IdSpan | undefined, b: IdSpan | undefined): boolean =>
    a !== undefined &&
    b !== undefined &&
    idKind(a.value) === kind &&
    idKind(b.value) === kind &&
    together.test(text.slice(a.end, b.start)) &&
    text.slice(a.end, b.start).trim() !== '';
  while (joins(ids[first - 1], ids[first])) first--;
  while (joins(ids[last], ids[last + 1])) last++;
  return ids.slice(first, last + 1).map((id) => id.value);
}

function inSentence(text: string, start: number, end: number, ids: IdSpan[], sentence: Stretch): string[] | null {
  const inside = ids.filter((id) => id.start >= sentence.start && id.end <= sentence.end);
  const next = inside.findIndex((id) => id.start >= end);
  const following = inside[next];
  if (following !== undefined && leadsTo.test(text.slice(end, following.start))) return group(text, inside, next);
  const previous = inside.findLastIndex((id) => id.end <= start);
  if (previous !== -1) return group(text, inside, previous);
  return following === undefined ? null : group(text, inside, next);
}

/** Records the run is about: what its calls were made for, else what their results hold. At most one of a kind, or null. */
function ofRun(
  calls: CheckedCall[],
  facts: Fact[],
  left: Set<number>,
  usable: (id: string) => boolean,
): string[] | null {
  const asked = calls
    .filter((call) => ['result', 'unknown', 'waiting', 'declined'].includes(call.outcome))
    .flatMap((call) => [...argumentIds(call, facts).values()]);
  const found = facts.flatMap((fact) => [...fact.ids.values()]);
  for (const pool of [asked, found]) {
    // What was not looked at may hold any number of others.
    if (pool === found && left.size > 0) return null;
    const ids = [...new Set(pool.filter((id) => usable(id) && idKind(id) !== null))];
    if (ids.length === 0) continue;
    const kinds = new Set(ids.map((id) => idKind(id)));
    return kinds.size === ids.length ? ids : null;
  }
  return [];
}

/** The subject of the words from `start` to `end`. `ids` are the draft's records, without persons and handles. */
export function subjectOf(
  text: string,
  start: number,
  end: number,
  ids: IdSpan[],
  all: Stretch[],
  calls: CheckedCall[],
  facts: Fact[],
  left: Set<number>,
  usable: (id: string) => boolean,
): Subject {
  const sentence = sentenceAt(all, start);
  const own = inSentence(text, start, end, ids, sentence);
  if (own !== null) return { ids: own, any: false, where: 'sentence' };
  const before = ids.findLastIndex((id) => id.end <= start);
  const near = ids[before];
  if (near !== undefined) {
    const named = [...new Set(ids.filter((id) => id.end <= start).map((id) => id.value))];
    // A list of several in an earlier sentence: "it" could be any of them.
    const meant = group(text, ids, before);
    return { ids: meant.length > 1 ? named.filter((id) => meant.includes(id)) : meant, any: false, where: 'before' };
  }
  const run = ofRun(calls, facts, left, usable);
  if (run === null) return { ids: [], any: true, where: 'several' };
  if (run.length > 0) return { ids: run, any: true, where: 'run' };
  const later = ids.length > 0 && new Set(ids.map((id) => id.value)).size === 1 ? ids[0] : undefined;
  return later === undefined
    ? { ids: [], any: true, where: 'none' }
    : { ids: [later.value], any: false, where: 'before' };
}

/** True where a fact belongs to an identifier. */
export function belongs(fact: Fact, id: string): boolean {
  return [...fact.ids.values()].some((own) => own.toLowerCase() === id.toLowerCase());
}

/** The facts that speak of the subject; for several, those of any of them. */
export function factsAbout(facts: Fact[], subject: Subject): Fact[] {
  if (subject.where === 'none') return facts;
  return facts.filter((fact) => subject.ids.some((id) => belongs(fact, id)));
}

export function saySubject(subject: Subject): string {
  return subject.ids.length === 0 ? 'this run' : subject.ids.join(subject.any ? ' or ' : ' and ');
}
