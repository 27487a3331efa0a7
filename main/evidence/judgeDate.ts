// Dates, durations and relative times against the records and the policies.
import { saysCustomer } from './bearing.ts';
import { findDates, type DateSpan } from './dates.ts';
import { findDurations, findRelative, type DurationSpan, type RelativeSpan } from './durations.ts';
import type { Fact } from './facts.ts';
import { wordsBeside } from './judgeAmount.ts';
import { judgeByFacts, noSource, sentenceText, subjectAt, type Judgement, type Scene } from './judge.ts';
import { language as languageOf } from './language.ts';
import { overlap, sentenceAt, sentences } from './sentences.ts';

const plainNames = new Set([
  'on',
  'at',
  'date',
  'time',
  'by',
  'id',
  'day',
  'in',
  'the',
  'last',
  'since',
  'from',
  'to',
  'until',
]);

function dateFields(fact: Fact): boolean {
  return fact.days.length > 0 || (fact.value === null && /^(?:on|at|date|by|until)$/.test(fact.name.at(-1) ?? ''));
}

/** Fields named by the words beside the date: "shipped on" means the field `shipped_on`, nearest word first. */
function narrowed(facts: Fact[], before: string, after: string): Fact[] {
  const dated = facts.filter(dateFields);
  const names = new Set(dated.flatMap((fact) => fact.name.filter((word) => !plainNames.has(word) && word.length > 2)));
  const where = (name: string, text: string, last: boolean): number => {
    const found = [...text.matchAll(new RegExp(String.raw`(?<!\p{L})${name}(?!\p{L})`, 'gu'))].map(
      (match) => match.index,
    );
    return (last ? found.at(-1) : found[0]) ?? -1;
  };
  const behind = [...names].map((name) => ({ name, at: where(name, before, true) })).filter(({ at }) => at >= 0);
  const ahead = [...names].map((name) => ({ name, at: where(name, after, false) })).filter(({ at }) => at >= 0);
  const nearest = behind.sort((a, b) => b.at - a.at)[0] ?? ahead.sort((a, b) => a.at - b.at)[0];
  return nearest === undefined ? dated : dated.filter((fact) => fact.name.includes(nearest.name));
}

function sayDays(fact: Fact): string {
  return fact.days.length === 0 ? 'is empty' : fact.days.join(', ');
}

function byTicket(scene: Scene, start: number, inTicket: () => boolean): Judgement | null {
  if (!saysCustomer(scene.text, start, sentenceAt(scene.stretches, start))) return null;
  return inTicket()
    ? { verdict: 'backed', source: 'ticket', why: 'The customer wrote this, and the draft says so.' }
    : noSource('The customer did not write this.');
}

function byResource(scene: Scene, start: number, says: (line: string) => boolean): Judgement | null {
  const sentence = sentenceText(scene, start);
  for (const { uri, text } of scene.resources) {
    // Between languages only the figure can be compared; the person is told so.
    const foreign = languageOf(text) !== scene.language && languageOf(text) !== 'unknown';
    for (const one of sentences(text)) {
      const line = text.slice(one.start, one.end);
      if (!says(line) || (!foreign && overlap(sentence, line) === 0)) continue;
      const note = foreign ? ' It is in another language: see that it speaks of the same thing.' : '';
      return {
        verdict: 'backed',
        source: 'resource',
        field: uri,
        why: `The policy ${uri} says so: “${line.trim()}”${note}`,
      };
    }
  }
  return null;
}

function byFilter(scene: Scene, span: { start: number; days: string[] }): Judgement | null {
  if (!/(?:since|from|after|seit|ab|depuis|desde|sinds|vanaf)\s+(?:the\s+)?$/i.test(scene.text.slice(0, span.start)))
    return null;
  const asked = scene.facts.find(
    (fact) => fact.pointer.startsWith('arguments') && fact.days.some((day) => span.days.includes(day)),
  );
  return asked === undefined
    ? null
    : {
        verdict: 'backed',
        source: 'call',
        call: asked.call,
        field: asked.pointer,
        why: `${asked.tool} (call ${asked.call}) was asked from this day on.`,
      };
}

/** One calendar date of the draft. `all` are the dates found, so that each is read with the words beside it. */
export function judgeDate(scene: Scene, span: DateSpan, all: DateSpan[]): Judgement {
  const said = scene.text.slice(span.start, span.end);
  if (span.days.length === 0) return noSource(`There is no such day as ${said}.`);
  if (span.days.length > 1)
    return noSource(`${said} can be ${span.days.join(' or ')}. To check: write the month as a word.`);
  const matches = (day: string): boolean =>
    span.precision === 'month' ? span.days.some((own) => own.slice(0, 7) === day.slice(0, 7)) : span.days.includes(day);
  const datesIn = (text: string): boolean =>
    findDates(text, languageOf(text), scene.reference).some((date) => date.days.some(matches));
  const derived = scene.derived.find(
    (one) => one.kind === 'date' && typeof one.value === 'string' && matches(one.value),
  );
  const quick = byTicket(scene, span.start, () => datesIn(scene.ticketText)) ?? byFilter(scene, span);
  if (quick !== null) return quick;
  const ids = subjectAt(scene, span.start, span.end).ids;
  if (derived !== undefined && (derived.subjects.length === 0 || ids.some((id) => derived.subjects.includes(id))))
    return { verdict: 'backed', source: 'derived', why: `Worked out by the desk: ${derived.from}.` };
  const { before, after } = wordsBeside(scene, span.start, span.end, all);
  const judged = judgeByFacts(scene, {
    ...span,
    kind: 'date',
    said,
    equals: (fact) => fact.days.some(matches),
    like: dateFields,
    sayValue: sayDays,
    narrow: (facts) => narrowed(facts, before, after),
  });
  if (
    judged.verdict === 'backed' ||
    judged.verdict === 'reported' ||
    subjectAt(scene, span.start, span.end).where === 'sentence'
  )
    return judged;
  return (
    byResource(scene, span.start, (line) => overlap(sentenceText(scene, span.start), line) >= 2 && datesIn(line)) ??
    judged
  );
}

function sameDuration(a: DurationSpan, b: DurationSpan): boolean {
  const days = (span: DurationSpan, count: number): number => (span.unit === 'week' ? count * 7 : count);
  const unit = (span: DurationSpan): string => (span.unit === 'week' ? 'day' : span.unit);
  return unit(a) === unit(b) && days(a, a.least) === days(b, b.least) && days(a, a.most) === days(b, b.most);
}

/** "within 5 working days": only a policy, a derivation or a result that says the same backs it. */
export function judgeDuration(scene: Scene, span: DurationSpan): Judgement {
  const inText = (text: string): boolean => findDurations(text).some((other) => sameDuration(other, span));
  const derived = scene.derived.find(
    (one) => one.kind === 'days' && one.value === span.least && span.least === span.most && span.unit === 'day',
  );
  if (derived !== undefined)
    return { verdict: 'backed', source: 'derived', why: `Worked out by the desk: ${derived.from}.` };
  const found = byTicket(scene, span.start, () => inText(scene.ticketText)) ?? byResource(scene, span.start, inText);
  if (found !== null) return found;
  const said = scene.text.slice(span.start, span.end);
  const numbered = (fact: Fact): boolean =>
    typeof fact.value === 'number'
      ? fact.value === span.least && fact.name.some((word) => word.startsWith(span.unit))
      : typeof fact.value === 'string' && inText(fact.value);
  return judgeByFacts(scene, {
    ...span,
    kind: 'date',
    said,
    equals: numbered,
    like: () => false,
    sayValue: () => '',
    narrow: (facts) => facts,
  });
}

/** "tomorrow", "by Friday", "the 24th", "at 14:00". */
export function judgeRelative(scene: Scene, span: RelativeSpan): Judgement {
  const said = scene.text.slice(span.start, span.end);
  const inText = (text: string): boolean =>
    findRelative(text, scene.reference).some(
      (other) => text.slice(other.start, other.end).toLowerCase() === said.toLowerCase(),
    );
  const quick = byTicket(scene, span.start, () => inText(scene.ticketText));
  if (quick !== null) return quick;
  if (span.form === 'moving')
    return noSource(`“${said}” means another day when the customer reads it. Write the date.`);
  if (span.form === 'time') {
    const time = (fact: Fact): boolean =>
      typeof fact.value === 'string' && fact.value.includes(said.replace(/\D+$/, ''));
    return judgeByFacts(scene, {
      ...span,
      kind: 'date',
      said,
      equals: time,
      like: () => false,
      sayValue: () => '',
      narrow: (facts) => facts,
    });
  }
  const { before, after } = wordsBeside(scene, span.start, span.end, []);
  return judgeByFacts(scene, {
    ...span,
    kind: 'date',
    said,
    equals: (fact) => fact.days.some((day) => span.days.includes(day)),
    like: dateFields,
    sayValue: sayDays,
    narrow: (facts) => narrowed(facts, before, after),
  });
}
