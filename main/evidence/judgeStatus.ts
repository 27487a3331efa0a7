// Statuses and stock against the records, asserted or denied.
import type { Bearing } from './bearing.ts';
import type { Fact } from './facts.ts';
import { judgeByFacts, noSource, subjectAt, type Judgement, type Scene } from './judge.ts';
import { judgeRule } from './judgePromise.ts';
import type { ClaimRule } from './promises.ts';
import { factsAbout } from './subjects.ts';

export interface StatusSpan {
  start: number;
  end: number;
  /** The status as records write it, lower case; null where a playbook rule says what it means. */
  status: string | null;
  rules: ClaimRule[];
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase().replace(/[_-]/g, ' ') : '';
}

function opposite(judged: Judgement, said: string): Judgement {
  if (judged.verdict === 'backed' || judged.verdict === 'reported')
    return { ...judged, verdict: 'contradicted', why: `The draft denies it, but the record says ${said}.` };
  if (judged.verdict === 'contradicted' && judged.call !== undefined)
    return { ...judged, verdict: 'backed', why: `The record says something else than ${said}, as the draft does.` };
  return judged;
}

/** One status of the draft. */
export function judgeStatus(scene: Scene, span: StatusSpan, how: Bearing): Judgement {
  const denied = how === 'negated';
  if (span.status === null) {
    const subject = subjectAt(scene, span.start, span.end);
    const judged = span.rules
      .map((rule) => judgeRule(scene, rule, subject))
      .sort((a, b) => Number(b.verdict === 'backed') - Number(a.verdict === 'backed'));
    const best = judged[0] ?? noSource('No rule says what this status means.');
    return denied ? opposite(best, scene.text.slice(span.start, span.end)) : best;
  }
  const status = span.status;
  const isStatus = (fact: Fact): boolean => plain(fact.value) === status;
  // "It shipped on 24 June" stays true after delivery: the record's own date of that step says it happened.
  const stepDone = (fact: Fact): boolean =>
    fact.days.length > 0 && fact.name.includes(status) && fact.days.every((day) => day <= scene.reference);
  const like = (fact: Fact): boolean =>
    scene.statuses.some((known) => plain(known) === plain(fact.value)) &&
    !fact.name.some((word) => word === 'sku' || word === 'note');
  const judged = judgeByFacts(scene, {
    ...span,
    kind: 'status',
    said: status,
    equals: (fact) =>
      isStatus(fact) ||
      stepDone(fact) ||
      (fact.pointer === 'text' &&
        new RegExp(String.raw`(?<!not |\p{L})${status}(?!\p{L})`, 'iu').test(plain(fact.value))),
    like,
    sayValue: (fact) => plain(fact.value),
    narrow: (facts) => facts,
  });
  return denied ? opposite(judged, status) : judged;
}

const absent =
  /^(?:out of|sold out|not|no|un|aus|nicht|kein|ausverkauft|vergriffen|agotad|sin|épuis|rupture|en rupture|uitverkocht|niet)/iu;

export interface StockSpan {
  start: number;
  end: number;
  rules: ClaimRule[];
  /** Number said in the same clause, or null. */
  count: number | null;
}

/** "in stock", "12 available", "out of stock": a number must be the record's, a bare yes needs more than nothing. */
export function judgeStock(scene: Scene, span: StockSpan, how: Bearing): Judgement {
  const words = scene.text.slice(span.start, span.end);
  const denied = (how === 'negated') !== absent.test(words.trim());
  const places = span.rules.flatMap((rule) => rule.backed_by);
  const subject = subjectAt(scene, span.start, span.end);
  if (subject.where === 'several')
    return noSource('It is not said which product is meant, and this run looked at several.');
  const about = factsAbout(scene.facts, subject).filter((fact) => typeof fact.value === 'number');
  const total =
    about.find((fact) => places.some((place) => place.call === fact.tool && place.field === fact.pointer)) ??
    about.find((fact) => fact.name.includes('available'));
  if (total === undefined || typeof total.value !== 'number')
    return noSource(`No result of this run says what is in stock of ${subject.ids.join(' or ') || 'it'}.`);
  const value = total.value;
  const at = { source: 'call' as const, call: total.call, field: total.pointer };
  const good = total.reported ? 'reported' : 'backed';
  const is = `${total.tool} (call ${total.call}) says ${value}.`;
  if (denied)
    return value <= 0 || (span.count !== null && value < span.count)
      ? { ...at, verdict: good, why: is }
      : { ...at, verdict: 'contradicted', why: is };
  const asked =
    span.count !== null &&
    value >= span.count &&
    new RegExp(String.raw`(?<!\d)${span.count}(?!\d)|two|three|four|five|zwei|drei|vier|fünf`, 'iu').test(
      scene.ticketText,
    );
  const exact =
    span.count === null
      ? value > 0
      : asked || about.some((fact) => fact.value === span.count && fact.call === total.call);
  return { ...at, verdict: exact ? good : 'contradicted', why: is };
}
