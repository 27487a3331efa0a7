// Amounts and counts against the records: value and currency as the record has them (spec host §15).
import { findAmounts, sayAmount, type AmountSpan } from './amounts.ts';
import { saysCustomer } from './bearing.ts';
import type { Fact, Money } from './facts.ts';
import { judgeByFacts, noSource, sentenceText, subjectAt, type Judgement, type Scene } from './judge.ts';
import { language as languageOf } from './language.ts';
import { overlap, sentenceAt, sentences } from './sentences.ts';
import { saySubject } from './subjects.ts';

const limits =
  /\b(?:limit\w*|above|over|up to|max\w*|more than|exceed\w*|at least|minimum|under|below|über|bis zu|höchstens|grenze|mehr als|au-dessus|plus de|hasta|más de|boven|meer dan)\b/iu;
const limitNames = new Set(['limit', 'max', 'maximum', 'min', 'minimum', 'threshold', 'cap']);
const plainNames = new Set(['amount', 'value', 'minor', 'cents', 'of', 'price', 'eur', 'usd', 'currency']);
const personal = /\b(?:your|you|you'll|ihr\w*|sie|votre|vous|su|uw|je|jouw)\b/iu;

/** Words beside a claim: from the claim before it in the sentence to the one after it. */
export function wordsBeside(
  scene: Scene,
  start: number,
  end: number,
  others: { start: number; end: number }[],
): { before: string; after: string } {
  const sentence = sentenceAt(scene.stretches, start);
  const from = Math.max(sentence.start, ...others.filter((other) => other.end <= start).map((other) => other.end));
  const to = Math.min(sentence.end, ...others.filter((other) => other.start >= end).map((other) => other.start));
  return { before: scene.text.slice(from, start).toLowerCase(), after: scene.text.slice(end, to).toLowerCase() };
}

function inWords(text: string, words: string[]): boolean {
  return words.some((word) => word.length > 2 && new RegExp(String.raw`(?<!\p{L})${word}(?!\p{L})`, 'u').test(text));
}

/** Where a word of a tool's name is said last before the amount ("refunded" for `issue_refund`); -1 where it is not. */
function saidAt(before: string, word: string): number {
  if (word.length < 4) return -1;
  // "for your order" and "order O-2415" say which record, not which figure of it.
  const form = new RegExp(
    String.raw`(?<!\p{L})(?<!(?:for|of|on|from|in) (?:(?:your|the|this) )?)${word}(?:s|ed|ing)?(?!\p{L})(?!\s+\p{L}{1,6}[-_#]?\d)`,
    'gu',
  );
  return [...before.matchAll(form)].at(-1)?.index ?? -1;
}

/** Fields whose name is said beside the amount, else results of the tool named last before it, else all but limits. */
function narrowed(facts: Fact[], before: string, after: string): Fact[] {
  const money = facts.filter((fact) => fact.amounts.length > 0);
  const beside = `${before} ${after}`;
  const limited = limits.test(beside) ? money : money.filter((fact) => !fact.name.some((word) => limitNames.has(word)));
  const named = limited.filter((fact) =>
    inWords(
      beside,
      fact.name.filter((word) => !plainNames.has(word)),
    ),
  );
  if (named.length > 0) return named;
  const toolWords = (fact: Fact): string[] => (fact.tool.split('.')[1] ?? '').toLowerCase().split(/[^a-z]+/);
  const last = Math.max(-1, ...limited.flatMap((fact) => toolWords(fact).map((word) => saidAt(before, word))));
  return last === -1
    ? limited
    : limited.filter((fact) => toolWords(fact).some((word) => saidAt(before, word) === last));
}

function same(scene: Scene, span: AmountSpan, money: Money): boolean {
  return money.minor === span.minor && (span.currency === null || span.currency === (money.currency ?? scene.currency));
}

function byTicket(scene: Scene, span: AmountSpan): Judgement | null {
  if (!saysCustomer(scene.text, span.start, sentenceAt(scene.stretches, span.start))) return null;
  const written = findAmounts(scene.ticketText, languageOf(scene.ticketText));
  if (
    !written.some(
      (other) =>
        other.minor === span.minor &&
        (other.currency === null || span.currency === null || other.currency === span.currency),
    )
  )
    return noSource('The customer did not write this amount.');
  return { verdict: 'backed', source: 'ticket', why: 'The customer wrote this amount, and the draft says so.' };
}

function byDerived(scene: Scene, span: AmountSpan): Judgement | null {
  const { ids } = subjectAt(scene, span.start, span.end);
  const found = scene.derived.find(
    (one) =>
      one.kind === 'amount' &&
      one.value === span.minor &&
      (span.currency === null || span.currency === scene.currency) &&
      (one.subjects.length === 0 || ids.some((id) => one.subjects.includes(id))),
  );
  return found === undefined
    ? null
    : { verdict: 'backed', source: 'derived', why: `Worked out by the desk: ${found.from}.` };
}

function byResource(scene: Scene, span: AmountSpan, beside: string): Judgement | null {
  const sentence = sentenceText(scene, span.start);
  if (span.currency !== '%' && personal.test(sentence) && !limits.test(beside)) return null;
  if (subjectAt(scene, span.start, span.end).where === 'sentence') return null;
  for (const { uri, text } of scene.resources)
    for (const one of sentences(text)) {
      const line = text.slice(one.start, one.end);
      const says = findAmounts(line, 'en').some(
        (other) =>
          other.minor === span.minor && (other.currency ?? scene.currency) === (span.currency ?? scene.currency),
      );
      if (says && overlap(sentence, line) >= 2)
        return {
          verdict: 'backed',
          source: 'resource',
          field: uri,
          why: `The policy ${uri} says so: “${line.trim()}”`,
        };
    }
  return null;
}

/** One amount of the draft. `all` are the amounts found, so that each is read with the words beside it. */
export function judgeAmount(scene: Scene, span: AmountSpan, all: AmountSpan[]): Judgement {
  if (span.minor === null)
    return noSource(
      'The number can be read in two ways (1.234 is 1234 or 1.234 to one reader or another). To check: write it with two decimals.',
    );
  const { before, after } = wordsBeside(scene, span.start, span.end, all);
  const said = sayAmount(span.minor, span.currency ?? scene.currency);
  const elsewhere = byTicket(scene, span) ?? byDerived(scene, span) ?? byResource(scene, span, before + after);
  if (elsewhere !== null) return elsewhere;
  const judged = judgeByFacts(scene, {
    ...span,
    kind: 'amount',
    said,
    equals: (fact) => fact.amounts.some((money) => same(scene, span, money)),
    like: (fact) => fact.amounts.length > 0,
    sayValue: (fact) =>
      fact.amounts.map((money) => sayAmount(money.minor, money.currency ?? scene.currency)).join(', '),
    narrow: (facts) => narrowed(facts, before, after),
  });
  if (judged.verdict === 'contradicted' && span.currency !== null && span.currency !== '%') {
    const right = scene.facts.find(
      (fact) => fact.call === judged.call && fact.amounts.some((money) => money.minor === span.minor),
    );
    const currency = right?.amounts[0]?.currency ?? scene.currency;
    if (right !== undefined && currency !== span.currency)
      return { ...judged, field: right.pointer, why: `The record is in ${currency}, the draft says ${span.currency}.` };
  }
  return judged;
}

export interface CountSpan {
  start: number;
  end: number;
  value: number;
  /** The counted word, as results name their lists ("orders"). */
  noun: string;
}

/** A number of things the results list: the list's length, unless the call itself set that length. */
export function judgeCount(scene: Scene, span: CountSpan): Judgement {
  const derived = scene.derived.find((one) => one.kind === 'count' && one.value === span.value);
  if (derived !== undefined)
    return { verdict: 'backed', source: 'derived', why: `Worked out by the desk: ${derived.from}.` };
  const lists = scene.facts.filter(
    (fact) => Array.isArray(fact.value) && !scene.isForeign(fact) && fact.name.at(-1) === span.noun,
  );
  const hit = lists.find((fact) => Array.isArray(fact.value) && fact.value.length === span.value);
  const [other] = lists;
  if (hit !== undefined) {
    const call = scene.calls.find((one) => one.n === hit.call);
    if (Object.values(call?.arguments ?? {}).includes(span.value))
      return noSource(`${hit.tool} was asked for at most ${span.value}; there may be more.`);
    const verdict = hit.reported ? 'reported' : 'backed';
    return {
      verdict,
      source: 'derived',
      call: hit.call,
      field: hit.pointer,
      why: `${hit.tool} (call ${hit.call}) lists ${span.value} ${span.noun}.`,
    };
  }
  const subject = saySubject(subjectAt(scene, span.start, span.end));
  if (other === undefined || !Array.isArray(other.value))
    return noSource(`Nothing in this run counts ${span.noun} of ${subject}.`);
  return {
    verdict: 'contradicted',
    source: 'call',
    call: other.call,
    field: other.pointer,
    why: `${other.tool} (call ${other.call}) lists ${other.value.length} ${span.noun}, not ${span.value}.`,
  };
}
