// Where two texts or JSON values first differ, in words a person finds the place by.
import { isObject, type Json } from '../shared/json.ts';

/** `line 2, word 7: “then” recorded, “than” now`; null where they are the same. */
export function textDifference(recorded: string, now: string): string | null {
  if (recorded === now) return null;
  const [before, after] = [recorded.split('\n'), now.split('\n')];
  const line = before.findIndex((one, index) => one !== after[index]);
  const at = line === -1 ? before.length : line;
  const lines = before.length > 1 || after.length > 1 ? `line ${at + 1}, ` : '';
  const [old, fresh] = [words(before[at]), words(after[at])];
  const word = old.findIndex((one, index) => one !== fresh[index]);
  const place = word === -1 ? old.length : word;
  if (old[place] === undefined && fresh[place] === undefined) return `${lines}its spaces or line ends`;
  return `${lines}word ${place + 1}: ${said(old[place])} recorded, ${said(fresh[place])} now`;
}

/** The number of the first line that differs, from 0. */
export function differingLine(recorded: string, now: string): number {
  const after = now.split('\n');
  const line = recorded.split('\n').findIndex((one, index) => one !== after[index]);
  return line === -1 ? recorded.split('\n').length : line;
}

function words(line: string | undefined): string[] {
  return line?.match(/\S+/g) ?? [];
}
function said(word: string | undefined): string {
  return word === undefined ? 'nothing' : `“${word.length > 60 ? `${word.slice(0, 60)}…` : word}”`;
}

export interface ValueDifference {
  /** JSON pointer. */
  field: string;
  recorded: Json | undefined;
  now: Json | undefined;
}

/** The first place where two JSON values differ, members in the recorded order; null where they are the same. */
export function valueDifference(recorded: Json | undefined, now: Json | undefined, field = ''): ValueDifference | null {
  if (Object.is(recorded, now)) return null;
  const [before, after] = [members(recorded), members(now)];
  if (before === null || after === null || Array.isArray(recorded) !== Array.isArray(now))
    return { field, recorded, now };
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const pointer = `${field}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const found = valueDifference(before.get(key), after.get(key), pointer);
    if (found !== null) return found;
  }
  return null;
}

function members(value: Json | undefined): Map<string, Json> | null {
  if (Array.isArray(value)) return new Map(value.map((item, index) => [String(index), item]));
  return isObject(value) ? new Map(Object.entries(value)) : null;
}

/** A difference as half a sentence: the words that differ in texts, both values otherwise. */
export function valueWords({ recorded, now }: ValueDifference): string {
  if (typeof recorded === 'string' && typeof now === 'string' && /\s/.test(recorded.trim() + now.trim()))
    return `differs at ${textDifference(recorded, now) ?? 'no word'}`;
  return `is ${short(now)}, recorded was ${short(recorded)}`;
}

function short(value: Json | undefined): string {
  if (value === undefined) return 'not there';
  const text = JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
