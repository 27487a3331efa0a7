// Everything a draft claims, each with its judgement: amounts, counts, dates, statuses, stock, identifiers, promises.
import type { Claim, ClaimKind } from '../../shared/runs.ts';
import { numberWord, seenNumbers } from '../numbers.ts';
import { findAmounts } from './amounts.ts';
import { bearing } from './bearing.ts';
import { findDates } from './dates.ts';
import { findDurations, findRelative } from './durations.ts';
import { findIdentifiers } from './identifiers.ts';
import type { Judgement, Scene } from './judge.ts';
import { judgeAmount, judgeCount } from './judgeAmount.ts';
import { judgeDate, judgeDuration, judgeRelative } from './judgeDate.ts';
import { hiddenHandle, judgeIdentifier } from './judgeIdentifier.ts';
import { judgePromise } from './judgePromise.ts';
import { judgeStatus, judgeStock, type StatusSpan } from './judgeStatus.ts';
import { findPromises, ruleWords } from './promises.ts';
import { sentenceAt } from './sentences.ts';

export interface Found {
  kind: ClaimKind;
  start: number;
  end: number;
  judgement: Judgement;
  /** True where a result's value, as text, says the same. */
  equals: (value: string) => boolean;
  /** Whatever filled it in, the judgement stands (a hidden handle). */
  final: boolean;
}
type Span = Pick<Claim, 'start' | 'end'>;

function apart(span: Span, others: Span[]): boolean {
  return !others.some((other) => span.start < other.end && other.start < span.end);
}

function hiddenIn(scene: Scene, hidden: string[]): Found[] {
  const text = scene.text.toLowerCase();
  const found: Found[] = [];
  for (const value of hidden.filter((one) => one.length >= 3))
    for (let from = text.indexOf(value.toLowerCase()); from !== -1; from = text.indexOf(value.toLowerCase(), from + 1))
      found.push({
        kind: 'identifier',
        start: from,
        end: from + value.length,
        judgement: hiddenHandle(value),
        equals: () => false,
        final: true,
      });
  // A cut handle is still one: eight characters of it are enough to be used or guessed.
  for (const [part] of text.matchAll(/[a-z0-9_-]{8,}/g)) {
    const from = text.indexOf(part);
    if (
      /\d/.test(part) &&
      apart({ start: from, end: from + part.length }, found) &&
      hidden.some((value) => value.toLowerCase().includes(part))
    )
      found.push({
        kind: 'identifier',
        start: from,
        end: from + part.length,
        judgement: hiddenHandle(part),
        equals: () => false,
        final: true,
      });
  }
  return found;
}

function identifiersIn(scene: Scene, taken: Span[]): Found[] {
  return findIdentifiers(scene.text, scene.patterns)
    .filter((span) => apart(span, taken))
    .map((span) => {
      const judgement = judgeIdentifier(scene, span);
      const kind =
        span.shape === 'email' || span.shape === 'phone' || scene.isPerson(span.value) ? 'person' : 'identifier';
      return {
        kind,
        start: span.start,
        end: span.end,
        judgement,
        equals: (value) => value.toLowerCase() === span.value.toLowerCase(),
        final: judgement.verdict === 'contradicted',
      };
    });
}

function datesIn(scene: Scene): Found[] {
  const dates = findDates(scene.text, scene.language, scene.reference);
  const found: Found[] = dates.map((span) => ({
    kind: 'date',
    start: span.start,
    end: span.end,
    judgement: judgeDate(scene, span, dates),
    equals: (value) => span.days.length === 1 && value.slice(0, 10) === span.days[0],
    final: false,
  }));
  for (const span of findDurations(scene.text))
    if (apart(span, found))
      found.push({
        kind: 'date',
        start: span.start,
        end: span.end,
        judgement: judgeDuration(scene, span),
        equals: (value) => value === String(span.least),
        final: false,
      });
  for (const span of findRelative(scene.text, scene.reference)) {
    if (!apart(span, found)) continue;
    // "Wednesday 24 June": the weekday is part of the date beside it; it must be that date's own.
    const beside = dates.find(
      (date) =>
        /^,?\s*(?:the|der|den|le|el|de)?\s*$/i.test(scene.text.slice(span.end, date.start)) && date.start >= span.end,
    );
    const right =
      beside !== undefined &&
      beside.days.some((day) => new Date(day).getUTCDay() === new Date(span.days[0] ?? '').getUTCDay());
    if (!right)
      found.push({
        kind: 'date',
        start: span.start,
        end: span.end,
        judgement: judgeRelative(scene, span),
        equals: (value) => span.days.includes(value.slice(0, 10)),
        final: false,
      });
  }
  return found;
}

function amountsIn(scene: Scene, taken: Span[]): Found[] {
  const amounts = findAmounts(scene.text, scene.language).filter((span) => apart(span, taken));
  return amounts.map((span) => ({
    kind: 'amount',
    start: span.start,
    end: span.end,
    judgement: judgeAmount(scene, span, amounts),
    equals: (value) =>
      (span.currency === null || span.currency === scene.currency) &&
      findAmounts(value, 'en').some(({ minor }) => minor !== null && minor === span.minor),
    final: false,
  }));
}

function countsIn(scene: Scene, taken: Span[]): Found[] {
  const nouns = new Set(scene.facts.filter((fact) => Array.isArray(fact.value)).flatMap((fact) => fact.name.slice(-1)));
  return seenNumbers(scene.text).flatMap((span): Found[] => {
    const noun = /^\s+(?:\p{Ll}+\s+)?(\p{L}+)/u.exec(scene.text.slice(span.end))?.[1]?.toLowerCase() ?? '';
    const plural = [noun, `${noun}s`].find((one) => nouns.has(one));
    const direct = /^\s+(\p{L}+)/u.exec(scene.text.slice(span.end))?.[1]?.toLowerCase() ?? '';
    const counted = [direct, `${direct}s`].find((one) => nouns.has(one)) ?? plural;
    if (counted === undefined || !apart(span, taken)) return [];
    return [
      {
        kind: 'amount',
        start: span.start,
        end: span.end,
        judgement: judgeCount(scene, { ...span, noun: counted }),
        equals: (value) => value === String(span.value),
        final: false,
      },
    ];
  });
}

// Before a status these make it a rule or a wish, not a report.
const general =
  /(?:only|any|every|all|once|if|when|until|before|after|unless|nur|wenn|falls|sobald|or|oder)\s+(?:\p{L}+\s+){0,2}$/iu;
const later =
  /(?:\b(?:will|shall|should|to|can|could|would|may|might|must|going to|wird|werden|soll)\b|'ll)\s+(?:\p{L}+\s+){0,3}$/iu;
const customerDid = /\byou(?:'ve| have| had)?(?: just| already)?\s+$/iu;

function statusSpans(scene: Scene): StatusSpan[] {
  const plain = (status: string): string => status.toLowerCase().replaceAll('_', ' ');
  const words = scene.statuses.flatMap((status) => {
    const said = [plain(status), scene.statusWords[status]?.[scene.language]].filter((one) => one !== undefined);
    return ruleWords(scene.text, said).map((span): StatusSpan => ({ ...span, status: plain(status), rules: [] }));
  });
  const ruled = scene.rules
    .filter((rule) => rule.kind === 'status')
    .flatMap((rule) =>
      ruleWords(scene.text, rule.words[scene.language] ?? []).map((span): StatusSpan => ({
        ...span,
        status: null,
        rules: [rule],
      })),
    );
  // "placed but not shipped yet" is one status where the playbook says so, not two.
  const whole = words.filter(
    (span) =>
      !words.some(
        (other) =>
          other !== span &&
          other.start <= span.start &&
          span.end <= other.end &&
          other.end - other.start > span.end - span.start,
      ),
  );
  return [...ruled, ...whole.filter((span) => apart(span, ruled))];
}

function statusesIn(scene: Scene): Found[] {
  return statusSpans(scene).flatMap((span): Found[] => {
    const sentence = sentenceAt(scene.stretches, span.start);
    const before = scene.text.slice(sentence.start, span.start);
    const how = bearing(scene.text, span.start, span.end, sentence);
    if (how === 'question' || how === 'quoted' || how === 'conditional') return [];
    if (
      general.test(before) ||
      later.test(before) ||
      customerDid.test(before) ||
      /^\s*(?:on)?\s*:/.test(scene.text.slice(span.end))
    )
      return [];
    return [
      {
        kind: 'status',
        start: span.start,
        end: span.end,
        judgement: judgeStatus(scene, span, how),
        equals: (value) => value.toLowerCase() === span.status && how !== 'negated',
        final: false,
      },
    ];
  });
}

function stockIn(scene: Scene): Found[] {
  const rules = scene.rules.filter((rule) => rule.kind === 'stock');
  const spans = rules.flatMap((rule) =>
    ruleWords(scene.text, rule.words[scene.language] ?? []).map((span) => ({ ...span, rules: [rule] })),
  );
  return spans.flatMap((span): Found[] => {
    const sentence = sentenceAt(scene.stretches, span.start);
    const how = bearing(scene.text, span.start, span.end, sentence);
    if (how === 'question' || how === 'quoted' || how === 'conditional') return [];
    const numbers = seenNumbers(scene.text.slice(sentence.start, sentence.end));
    const count = numbers.at(-1)?.value ?? numberWord(scene.text.slice(span.start, span.end).split(' ')[0] ?? '');
    return [
      {
        kind: 'stock',
        start: span.start,
        end: span.end,
        judgement: judgeStock(scene, { ...span, count: count === 0 ? null : count }, how),
        equals: () => false,
        final: false,
      },
    ];
  });
}

function promisesIn(scene: Scene): Found[] {
  return findPromises(scene.text, scene.language, scene.rules).flatMap((span): Found[] => {
    if (bearing(scene.text, span.start, span.end, sentenceAt(scene.stretches, span.start)) !== 'asserted') return [];
    return [
      {
        kind: 'promise',
        start: span.start,
        end: span.end,
        judgement: judgePromise(scene, span),
        equals: () => false,
        final: false,
      },
    ];
  });
}

/** The claims of the folded draft. `hidden` are values a customer must not see. */
export function findClaims(scene: Scene, hidden: string[]): Found[] {
  const handles = hiddenIn(scene, hidden);
  const identifiers = identifiersIn(scene, handles);
  const named = [...handles, ...identifiers];
  const dates = datesIn(scene).filter((found) => apart(found, named));
  const amounts = amountsIn(scene, [...named, ...dates]);
  const counts = countsIn(scene, [...named, ...dates, ...amounts]);
  const statuses = statusesIn(scene);
  const stock = stockIn(scene);
  // "has been cancelled" of a cancelled order is its status, not a promise.
  const known = statuses.filter(({ judgement }) => judgement.verdict === 'backed' || judgement.verdict === 'reported');
  const promises = promisesIn(scene).filter(
    (found) => !known.some((status) => found.start >= status.start && found.end <= status.end),
  );
  return [
    ...named,
    ...dates,
    ...amounts,
    ...counts,
    ...statuses.filter((found) => apart(found, promises)),
    ...stock,
    ...promises,
  ];
}
