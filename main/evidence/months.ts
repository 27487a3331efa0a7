// Names of months and weekdays in the languages with rules, whole and shortened.
const months = [
  'january jan januar jänner janvier janv enero ene januari',
  'february feb februar février févr fevrier febrero februari',
  'march mar märz mrz mars marzo maart mrt',
  'april apr avril avr abril abr',
  'may mai mayo mei',
  'june jun juni juin junio',
  'july jul juli juillet juil julio',
  'august aug août aout agosto ago augustus',
  'september sep sept septembre septiembre set',
  'october oct oktober okt octobre octubre',
  'november nov novembre noviembre',
  'december dec dezember dez décembre déc decembre diciembre dic',
];
const weekdays = [
  'sunday sonntag dimanche domingo zondag',
  'monday montag lundi lunes maandag',
  'tuesday dienstag mardi martes dinsdag',
  'wednesday mittwoch mercredi miércoles miercoles woensdag',
  'thursday donnerstag jeudi jueves donderdag',
  'friday freitag vendredi viernes vrijdag',
  'saturday samstag sonnabend samedi sábado sabado zaterdag',
];

function lookup(lists: string[], first: number): Map<string, number> {
  return new Map(
    lists.flatMap((list, index) => list.split(' ').map((name): [string, number] => [name, index + first])),
  );
}
const monthNumbers = lookup(months, 1);
const weekdayNumbers = lookup(weekdays, 0);

function pattern(names: Iterable<string>): string {
  return [...names].sort((a, b) => b.length - a.length).join('|');
}
/** Alternatives for use inside a case-insensitive pattern. */
export const monthPattern = pattern(monthNumbers.keys());
export const weekdayPattern = pattern(weekdayNumbers.keys());

function clean(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, '');
}

/** 1–12, or null where the word is no month. */
export function monthNumber(name: string): number | null {
  return monthNumbers.get(clean(name)) ?? null;
}

/** 0 (Sunday) – 6, or null. */
export function weekdayNumber(name: string): number | null {
  return weekdayNumbers.get(clean(name)) ?? null;
}
