import { describe, expect, it } from 'vitest';
import type { Json } from '../shared/json.ts';
import { playbookSchema, type Skeleton } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { Situation } from './conditions.ts';
import { formatted, ready, write } from './reply.ts';
import type { LedgerEntry } from './slots/candidates.ts';

const status = 'shop.get_order_status';
const playbook = playbookSchema.parse({
  format: 'desk-playbook/1',
  company: 'Test',
  language: 'en',
  currency: 'EUR',
  systems: ['shop'],
  greeting: { en: 'Hello,', de: 'Guten Tag,' },
  sign_off: { en: 'Bye', de: 'Gruß' },
  skeletons: [
    {
      id: 'status',
      kind: 'answer',
      asks: ['status'],
      needs: [{ call: status, bound: true }],
      slots: {
        order: { call: status, pointer: '/order_id' },
        when: { call: status, pointer: '/shipped_on', as: 'date' },
        state: { call: status, pointer: '/status', words: { shipped: { en: 'on its way', de: 'unterwegs' } } },
      },
      text: { en: '{order}: {state}, {when}.', de: '{order}: {state}, {when}.' },
    },
    {
      id: 'lines',
      kind: 'answer',
      asks: ['*'],
      needs: [],
      slots: {
        lines: {
          call: status,
          pointer: '/lines',
          as: 'list',
          each: { en: '- {sku} {price}' },
          item: { price: 'money' },
          most: 2,
        },
        count: { call: status, pointer: '/lines', as: 'count' },
        who: { ticket: 'customer' },
      },
      text: { en: '{count} for {who}:\n{lines}' },
    },
    { id: 'sorry', kind: 'ask the customer', asks: ['*'], text: { en: 'Which one?' } },
  ],
});
const ticket: Ticket = {
  id: 'T-1',
  customer: 'C-0071',
  customer_name: null,
  machine: false,
  subject: 'My order',
  body: 'Where is the order that I have made with you last week? Please tell me.',
  received_at: '2026-06-26T09:31:00Z',
  channel: null,
  source: 'sample',
  state: 'open',
  version: 1,
};
function entry(structured: Json, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    n: 2,
    tool: status,
    arguments: {},
    outcome: 'result',
    text: '',
    structured,
    bound: true,
    trust: 'trusted',
    ...more,
  };
}
function situation(ledger: LedgerEntry[], body = ticket.body): Situation {
  return { ticket: { ...ticket, body }, ledger, plans: new Map() };
}
function skeleton(id: string): Skeleton {
  const found = playbook.skeletons.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}
function ids(where: Situation, ask = 'status'): string[] {
  return ready(playbook, ask, where).map((one) => one.id);
}
const shipped = { order_id: 'O-2476', status: 'shipped', shipped_on: '2026-06-24' };

describe('which replies exist (spec model, “A turn” 5)', () => {
  it('only those whose calls happened, most conditions first', () => {
    expect(ids(situation([]))).toEqual(['sorry']);
    expect(ids(situation([entry(shipped)]))).toEqual(['status', 'sorry']);
    expect(ids(situation([entry(shipped)]), 'stock')).toEqual(['sorry']);
  });

  it('none about a record that is not the customer’s', () => {
    expect(ids(situation([entry(shipped, { bound: false })]))).toEqual(['sorry']);
  });

  it.each(['tool error', 'failed', 'unknown', 'declined'] as const)('none from a call that ended as %s', (outcome) => {
    expect(ids(situation([entry(shipped, { outcome })]))).toEqual(['sorry']);
  });

  it('none with a slot that nothing fills', () => {
    expect(ids(situation([entry({ ...shipped, shipped_on: null })]))).toEqual(['sorry']);
    expect(ids(situation([entry({ ...shipped, shipped_on: 'soon' })]))).toEqual(['sorry']);
    expect(ids(situation([entry({ ...shipped, lines: [] })]))).toEqual(['status', 'sorry']);
  });
});

describe('the words of a reply', () => {
  it('are the skeleton with the facts of the call, each with its span and source', () => {
    const reply = write(playbook, skeleton('status'), situation([entry(shipped)]));
    expect(reply.text).toBe('Hello,\n\nO-2476: on its way, 24 June 2026.\n\nBye');
    expect(reply.slots.map(({ start, end, call, field }) => [reply.text.slice(start, end), call, field])).toEqual([
      ['O-2476', 2, '/order_id'],
      ['on its way', 2, '/status'],
      ['24 June 2026', 2, '/shipped_on'],
    ]);
    expect(reply).toMatchObject({ skeleton: 'status', kind: 'answer', language: 'en', foreign: false });
  });

  it('come from the last call where there were several', () => {
    const earlier = entry({ ...shipped, order_id: 'O-1111' }, { n: 1 });
    const reply = write(playbook, skeleton('status'), situation([earlier, entry(shipped)]));
    expect(reply.text).not.toContain('O-1111');
  });

  it('are German for a German customer', () => {
    const body = 'Wo ist meine Bestellung? Ich habe sie vor zwei Wochen bei Ihnen bestellt und sie ist noch nicht da.';
    const reply = write(playbook, skeleton('status'), situation([entry(shipped)], body));
    expect(reply.text).toBe('Guten Tag,\n\nO-2476: unterwegs, 24. Juni 2026.\n\nGruß');
    expect(reply).toMatchObject({ language: 'de', foreign: false });
  });

  it('are marked foreign where the customer’s language has no text', () => {
    const body = 'Wo ist meine Bestellung? Ich habe sie vor zwei Wochen bei Ihnen bestellt und sie ist noch nicht da.';
    expect(write(playbook, skeleton('sorry'), situation([], body)).foreign).toBe(true);
  });

  it('show lists up to their limit, money with the record’s own digits', () => {
    const lines = [
      { sku: 'KG-1', price: '12.50' },
      { sku: 'KG-2', price: '7.00' },
      { sku: 'KG-3', price: '1.00' },
    ];
    const reply = write(playbook, skeleton('lines'), situation([entry({ lines })]));
    expect(reply.text).toBe('Hello,\n\n3 for C-0071:\n- KG-1 €12.50\n- KG-2 €7.00\n\nBye');
    expect(reply.slots.map((slot) => slot.call)).toEqual([2, 2]);
  });

  it('take braces and patterns in a value as they are', () => {
    const odd = { ...shipped, order_id: '{state} $& $1' };
    const reply = write(playbook, skeleton('status'), situation([entry(odd)]));
    expect(reply.text).toContain('{state} $& $1: on its way');
    const listed = write(
      playbook,
      skeleton('lines'),
      situation([entry({ lines: [{ sku: '{price} $&', price: '1' }] })]),
    );
    expect(listed.text).toContain('- {price} $& €1');
  });
});

describe('values as a customer reads them', () => {
  it.each<[Json, 'text' | 'date' | 'money' | 'number', string, string | null]>([
    ['12.50', 'money', 'en', '€12.50'],
    ['12.50', 'money', 'de', '12,50 €'],
    [12.5, 'money', 'en', '€12.5'],
    ['12.505', 'money', 'en', null],
    ['free', 'money', 'en', null],
    ['2026-03-01', 'date', 'en', '1 March 2026'],
    ['2026-12-31T23:59:59Z', 'date', 'de', '31. Dezember 2026'],
    ['1 March', 'date', 'en', null],
    [20260301, 'date', 'en', null],
    [{ a: 1 }, 'text', 'en', null],
    [['a', 1], 'text', 'en', 'a, 1'],
    [99, 'number', 'en', '99'],
  ])('%j as %s in %s is %s', (value, as, tongue, expected) => {
    expect(formatted(value, as, tongue, playbook)).toBe(expected);
  });
});
