// What must be asked about the times of a table: the order of day and month, and the zone of clocks that name none.
import { Failure } from '../../shared/failures.ts';
import type { ImportOptions, ImportQuestion } from '../../shared/imports.ts';
import { lacksZone, orderOf, type DayOrder, type Written } from './times.ts';
import { isZone } from './zones.ts';

const month = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });

/** `order`: what is known of it now. Failure `imports.option` for a zone that is none. */
export function askAboutTimes(
  written: Written[],
  options: ImportOptions,
): { questions: ImportQuestion[]; order: DayOrder | null } {
  const questions: ImportQuestion[] = [];
  const found = orderOf(written);
  const order = options.dates ?? (found === 'both' ? null : found);
  if (order === null) questions.push(askOrder(written, found === 'both'));
  if (options.zone !== undefined && !isZone(options.zone))
    throw new Failure(
      'imports.option',
      `There is no time zone "${options.zone}". Names are like Europe/Berlin or UTC.`,
    );
  if (options.zone === undefined && written.some(lacksZone)) questions.push(askZone());
  return { questions, order };
}

function askOrder(written: Written[], both: boolean): ImportQuestion {
  const example = written.find(
    (one) => one.kind === 'either' && one.first !== one.second && one.first <= 12 && one.second <= 12,
  );
  const { first, second, year } =
    example?.kind === 'either' ? { ...example, year: example.local.year } : { first: 3, second: 4, year: 2026 };
  const text = `${String(first).padStart(2, '0')}/${String(second).padStart(2, '0')}/${year}`;
  return {
    name: 'dates',
    text: `Does the day or the month come first in dates like ${text}? ${both ? 'Some rows of the file say one and some the other; those that do not fit are refused.' : 'Nothing in the file says it.'}`,
    choices: [
      { value: 'day first', label: `The day first: ${text} is ${dateWords(first, second, year)}` },
      { value: 'month first', label: `The month first: ${text} is ${dateWords(second, first, year)}` },
    ],
  };
}
function dateWords(day: number, of: number, year: number): string {
  return `${day} ${month.format(new Date(Date.UTC(2026, of - 1, 1)))} ${year}`;
}

function askZone(): ImportQuestion {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
  return {
    name: 'zone',
    text: 'In which time zone are the times of the file? They do not say.',
    choices: zones.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
  };
}
