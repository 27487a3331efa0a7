// Replies from skeletons: text whose facts are slots filled from results of this run. A skeleton exists only where the
// calls it needs really happened, so a promise without a call cannot be written (spec model, "A turn" 5).
import { at, isObject, textOf, type Json } from '../shared/json.ts';
import type { Playbook, Skeleton, Slot } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import { holds, type Situation } from './conditions.ts';
import { language } from './evidence/language.ts';

interface FilledSlot {
  start: number;
  end: number;
  call: number;
  field: string;
}
export interface Reply {
  text: string;
  slots: FilledSlot[];
  skeleton: string;
  kind: Skeleton['kind'];
  language: string;
  /** The customer writes a language no skeleton has. */
  foreign: boolean;
}

/** Skeletons of an ask whose needs hold now, most specific (most conditions) first. */
export function ready(playbook: Playbook, ask: string, situation: Situation): Skeleton[] {
  return playbook.skeletons
    .filter(
      (one) =>
        (one.asks.includes('*') || one.asks.includes(ask)) &&
        holds(one.needs, situation) &&
        fillable(playbook, one, situation),
    )
    .sort((a, b) => b.needs.length - a.needs.length);
}

function fillable(playbook: Playbook, skeleton: Skeleton, situation: Situation): boolean {
  return Object.values(skeleton.slots).every((slot) => slotText(slot, situation, playbook.language, playbook) !== null);
}

/** The draft of one skeleton, with every slot's span and the call it came from. */
export function write(playbook: Playbook, skeleton: Skeleton, situation: Situation): Reply {
  const spoken = language(`${situation.ticket.subject}\n${situation.ticket.body}`);
  const foreign = spoken !== 'unknown' && skeleton.text[spoken] === undefined;
  const tongue = skeleton.text[spoken] === undefined ? playbook.language : spoken;
  const slots: FilledSlot[] = [];
  let text = join(playbook.greeting[tongue], '\n\n');
  const template = skeleton.text[tongue] ?? '';
  let from = 0;
  for (const match of template.matchAll(/\{(\w+)\}/g)) {
    text += template.slice(from, match.index);
    from = match.index + match[0].length;
    const slot = skeleton.slots[match[1] ?? ''];
    const value = slot === undefined ? null : slotText(slot, situation, tongue, playbook);
    const start = text.length;
    text += value?.text ?? '';
    if (value !== null && value.call !== 0)
      slots.push({ start, end: text.length, call: value.call, field: slot?.pointer ?? '' });
  }
  text += template.slice(from);
  const signed = playbook.sign_off[tongue];
  if (signed !== undefined) text += `\n\n${signed}`;
  return { text, slots, skeleton: skeleton.id, kind: skeleton.kind, language: tongue, foreign };
}

function join(text: string | undefined, end: string): string {
  return text === undefined ? '' : text + end;
}

interface SlotValue {
  text: string;
  call: number;
}

function slotText(slot: Slot, { ticket, ledger }: Situation, tongue: string, playbook: Playbook): SlotValue | null {
  if (slot.ticket !== undefined) {
    const value = ticketField(slot.ticket, ticket);
    return value === null ? null : { text: value, call: 0 };
  }
  const entry = ledger.findLast((one) => one.tool === slot.call && one.outcome === 'result');
  const whole = at(entry?.structured, slot.pointer);
  const value = slot.find === undefined ? whole : foundIn(whole, slot.find, ledger);
  if (entry === undefined || value === undefined || value === null) return null;
  if (slot.as === 'list') return listText(slot, value, entry.n, tongue, playbook);
  if (slot.as === 'count') return Array.isArray(value) ? { text: String(value.length), call: entry.n } : null;
  const text =
    words(slot, value, tongue) ?? formatted(value, slot.as === 'sentence' ? 'text' : slot.as, tongue, playbook);
  return text === null ? null : { text, call: entry.n };
}

/** The member of the list item whose key has the value another call returned. */
function foundIn(
  list: Json | undefined,
  find: NonNullable<Slot['find']>,
  ledger: Situation['ledger'],
): Json | undefined {
  const wanted = at(
    ledger.findLast((one) => one.tool === find.call && one.outcome === 'result')?.structured,
    find.pointer,
  );
  if (!Array.isArray(list) || wanted === undefined) return undefined;
  const item = list.find((one) => isObject(one) && one[find.key] === wanted);
  return isObject(item) ? item[find.take] : undefined;
}

function ticketField(name: NonNullable<Slot['ticket']>, ticket: Ticket): string | null {
  return name === 'written' ? null : ticket[name];
}

function words(slot: Slot, value: Json, tongue: string): string | null {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
    ? (slot.words?.[String(value)]?.[tongue] ?? null)
    : null;
}

function listText(slot: Slot, value: Json, call: number, tongue: string, playbook: Playbook): SlotValue | null {
  const template = slot.each?.[tongue] ?? slot.each?.[playbook.language];
  if (!Array.isArray(value) || value.length === 0 || template === undefined) return null;
  const most = slot.most ?? 10;
  const lines = value.slice(0, most).map((item) =>
    template.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
      const field = isObject(item) ? item[key] : undefined;
      return field === undefined || field === null
        ? '–'
        : (words(slot, field, tongue) ?? formatted(field, slot.item?.[key] ?? 'text', tongue, playbook) ?? '–');
    }),
  );
  return { text: lines.join('\n'), call };
}

const locales: Record<string, string> = { en: 'en-GB', de: 'de-DE' };

/** A value as a customer reads it. Money keeps the record's own digits. */
export function formatted(
  value: Json,
  as: 'text' | 'date' | 'money' | 'number' | 'count',
  tongue: string,
  playbook: Playbook,
): string | null {
  if (as === 'date') {
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return null;
    return new Intl.DateTimeFormat(locales[tongue] ?? 'en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }).format(new Date(`${value.slice(0, 10)}T00:00:00Z`));
  }
  if (as === 'money') {
    const digits = textOf(value);
    if (!/^-?\d+(\.\d{1,2})?$/.test(digits)) return null;
    const sign = playbook.currency === 'EUR' ? '€' : `${playbook.currency} `;
    return tongue === 'de' ? `${digits.replace('.', ',')} ${sign.trim()}` : `${sign}${digits}`;
  }
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? '' : textOf(one))).join(', ');
  if (isObject(value)) return null;
  return textOf(value);
}
