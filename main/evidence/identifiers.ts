// Identifiers in a text: whatever names a record, a person or a place. A tool's own pattern is used only in its simple
// form (a foreign pattern is never run); everything else that looks like an ID is found by its shape.
import { simplePattern } from '../slots/pattern.ts';
import { createTaken } from './taken.ts';

export interface IdPattern {
  /** What the number is called in running text ("order" in "order 2496"). */
  kind?: string;
  pattern: string;
}
export interface IdSpan {
  start: number;
  end: number;
  /** In the form records use: upper case as the pattern has it ("o2415" → "O-2415"). */
  value: string;
  /** Several where a bare number fits several patterns. */
  others: string[];
  shape: 'record' | 'email' | 'link' | 'phone' | 'opaque' | 'card';
}

function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');
}

interface Shape {
  literal: string;
  digits: number;
  kind: string | null;
}

function shapes(patterns: IdPattern[]): Shape[] {
  return patterns.flatMap(({ pattern, kind }) => {
    const simple = simplePattern(pattern);
    return simple === null ? [] : [{ ...simple, kind: kind ?? null }];
  });
}

const general: [RegExp, IdSpan['shape']][] = [
  [/(?<![\p{L}\p{N}_.+-])[\p{L}\p{N}_.+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, 'email'],
  [/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<>"')\]]+[^\s<>"')\].,;:!?]/giu, 'link'],
  [/(?<![\p{L}\p{N}_-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}_-])/giu, 'opaque'],
  [
    /(?<![\p{L}\p{N}_-])(?=[\p{L}_-]*\d)(?=[\d_-]*\p{L})[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*(?![\p{L}\p{N}_-])/gu,
    'opaque',
  ],
  [/(?<![\p{L}\p{N}_-])\p{L}{1,6}[-_#]\d{2,}(?:-\d+)*(?![\p{L}\p{N}_])/gu, 'record'],
  [/(?<![\p{L}\p{N}_-])\p{L}{1,3}\d{3,}(?![\p{L}\p{N}_-])/gu, 'record'],
  [/(?<![\p{L}\p{N}+])\+\d[\d ()/-]{6,}\d(?![\p{L}\p{N}])/gu, 'phone'],
  [/(?<=(?:ending|ends|endet|endend|endende)\s+(?:in|with|on|auf|mit)?\s*)\d{4}(?!\d)/giu, 'card'],
];

const joined =
  /^(?:covid-?19|mp[34]|a[3-5]|b2b|h2o|co2|usb-?\d?|24\/7|\d+(?:st|nd|rd|th)|\d+[x×]|\d+(?:cm|mm|kg|g|ml|l|m|km|h|am|pm|min|gb|mb|er)|t?\d{2}:?\d{2}z?)$/i;
const ordinary = /^\p{L}+-\d{1,2}$|^\d{1,3}-\p{L}+(?:-\p{L}+)*$|^\d{4}-\d{2}-\d{2}(?:t\d+z?)?$/iu;

function opaque(text: string): boolean {
  if (joined.test(text) || ordinary.test(text)) return false;
  // A long run of letters and digits, or anything with an underscore and a digit: a handle, not a word.
  return text.length >= 10 || /_/.test(text) || /^\p{L}{1,4}\d{3,}$/u.test(text);
}

function patternSpans(text: string, known: Shape[]): IdSpan[] {
  const found: IdSpan[] = [];
  for (const shape of known) {
    const letters = shape.literal.replace(/[-_#]$/, '');
    const form = new RegExp(
      String.raw`(?<![\p{L}\p{N}_-])${quote(letters)}\s?[-_#.]?\s?(\d{${shape.digits}})(?![\p{N}\p{L}_])`,
      'giu',
    );
    for (const match of text.matchAll(form))
      found.push({
        start: match.index,
        end: match.index + match[0].length,
        value: shape.literal + (match[1] ?? ''),
        others: [],
        shape: 'record',
      });
  }
  const named =
    /(?<=(?:order|bestellung|auftrag|commande|pedido|bestelling|number|nummer|numéro|número|no\.?|nr\.?)(?:\s+(?:number|nummer|no\.?|nr\.?|id))?\s*[:#]?\s?|#)\d{3,10}(?![\p{N}\p{L}_-]|[.,]\d)/giu;
  for (const match of text.matchAll(named)) {
    const before = text.slice(0, match.index).toLowerCase();
    const fitting = known.filter((shape) => shape.digits === match[0].length);
    const preferred = fitting.filter((shape) => shape.kind !== null && before.endsWith(`${shape.kind} `));
    const values = (preferred.length > 0 ? preferred : fitting).map((shape) => shape.literal + match[0]);
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      value: values[0] ?? match[0],
      others: values.slice(1),
      shape: 'record',
    });
  }
  return found;
}

/** All identifiers in folded text, in order, none inside another. */
export function findIdentifiers(text: string, patterns: IdPattern[]): IdSpan[] {
  const found: IdSpan[] = [];
  const taken = createTaken(text.length);
  const add = (span: IdSpan): void => {
    if (taken.take(span.start, span.end)) found.push(span);
  };
  const late: IdSpan[] = [];
  for (const [form, shape] of general)
    for (const match of text.matchAll(form)) {
      const span: IdSpan = {
        start: match.index,
        end: match.index + match[0].length,
        value: match[0],
        others: [],
        shape,
      };
      if (shape === 'record' && ordinary.test(match[0])) continue;
      if (shape === 'opaque' && !opaque(match[0])) continue;
      if (shape === 'email' || shape === 'link' || (shape === 'opaque' && match[0].length >= 16)) add(span);
      else late.push(span);
    }
  for (const span of patternSpans(text, shapes(patterns))) add(span);
  for (const span of late)
    add({ ...span, shape: span.shape === 'opaque' && span.value.length < 10 ? 'record' : span.shape });
  return found.sort((a, b) => a.start - b.start);
}

/** What an identifier has in common with its like: "O" for "O-2415"; null where it has no such part. */
export function idKind(id: string): string | null {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(id)) return '@';
  return /^(\p{L}{1,6})[-_#]?\d{2,}(?:-\d+)*$/u.exec(id)?.[1]?.toUpperCase() ?? null;
}
