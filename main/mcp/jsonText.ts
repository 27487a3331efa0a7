/**
 * Reads the shape of JSON text without building values, so that limits are checked before anything is parsed and each
 * element of a list can be judged alone. Every function is one pass over the text, without recursion.
 */

const quote = 34;
const comma = 44;
const colon = 58;
const openArray = 91;
const backslash = 92;
const closeArray = 93;
const openObject = 123;
const closeObject = 125;

/** Offset just past the string that opens at `at`. */
function stringEnd(text: string, at: number): number {
  let from = at + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end < 0) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end + 1;
    from = end + 1;
  }
}

/** True when arrays and objects nest more than `limit` levels. */
export function deeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at) - 1;
    else if (code === openArray || code === openObject) {
      if (++depth > limit) return true;
    } else if (code === closeArray || code === closeObject) depth--;
  }
  return false;
}

/** The text with `instead` for what nests below `limit` levels. The text must have passed `JSON.parse`. */
export function cutDeeper(text: string, limit: number, instead: string): string {
  const kept: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at) - 1;
    else if (code === openArray || code === openObject) {
      if (++depth === limit + 1) kept.push(text.slice(from, at), instead);
    } else if (code === closeArray || code === closeObject) {
      if (depth-- === limit + 1) from = at + 1;
    }
  }
  return [...kept, text.slice(from)].join('');
}

/** What makes a text ambiguous although it is valid JSON, or null. The text must have passed `JSON.parse`. */
export function strictProblem(text: string): string | null {
  /** One entry for each open object (its keys so far) or array (null). */
  const open: (Set<string> | null)[] = [];
  let key = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const top = open.at(-1);
    if (code === quote) {
      const end = stringEnd(text, at);
      const value = JSON.parse(text.slice(at, end)) as string; // the slice is one JSON string
      if (!value.isWellFormed()) return 'A text holds half of a surrogate pair.';
      if (key && top) {
        if (top.has(value)) return `The key ${JSON.stringify(value.slice(0, 60))} stands twice in one object.`;
        top.add(value);
        key = false;
      }
      at = end - 1;
    } else if (code === openObject) {
      open.push(new Set());
      key = true;
    } else if (code === openArray) {
      open.push(null);
      key = false;
    } else if (code === closeObject || code === closeArray) open.pop();
    else if (code === comma) key = top instanceof Set;
    else if ((code >= 48 && code <= 57) || code === 45) {
      const number = /[-+.0-9eE]+/y;
      number.lastIndex = at;
      const digits = number.exec(text)?.[0] ?? '';
      if (!Number.isFinite(Number(digits))) return `The number ${digits.slice(0, 40)} is out of range.`;
      at += Math.max(digits.length, 1) - 1;
    }
  }
  return null;
}

export interface RawList {
  key: string;
  /** The text of each element, as it came. */
  elements: string[];
  /** The whole text with the array emptied. */
  envelope: string;
  /** How often such an array was found; more than one makes the message ambiguous. */
  found: number;
}

/** Cuts the array `result.<one of keys>` out of a message's text; null when there is none. */
export function cutList(text: string, keys: readonly string[]): RawList | null {
  const path = ['', '', ''];
  let depth = 0;
  let last = '';
  let start = -1;
  let found = 0;
  let list: { key: string; open: number; close: number; elements: string[] } | null = null;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = stringEnd(text, at);
      if (depth < 3) last = text.slice(at + 1, end - 1);
      at = end - 1;
    } else if (code === colon) {
      if (depth < 3) path[depth] = last;
    } else if (code === openArray || code === openObject) {
      depth++;
      if (depth === 3 && code === openArray && path[1] === 'result' && keys.includes(path[2] ?? '')) {
        found++;
        start = at + 1;
        list = { key: path[2] ?? '', open: at, close: text.length, elements: [] };
      }
    } else if (start >= 0 && depth === 3 && (code === comma || code === closeArray)) {
      const element = text.slice(start, at).trim();
      if (element !== '' || code === comma) list?.elements.push(element);
      start = at + 1;
      if (code === closeArray) {
        depth--;
        start = -1;
        if (list) list.close = at;
      }
    } else if (code === closeArray || code === closeObject) depth--;
  }
  if (!list) return null;
  const envelope = text.slice(0, list.open + 1) + text.slice(list.close);
  return { key: list.key, elements: list.elements, envelope, found };
}
