import { describe, expect, it } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { playbookSchema } from '../../shared/playbook.ts';
import type { Ticket } from '../../shared/tickets.ts';
import {
  handleCandidates,
  identifierCandidates,
  leaves,
  matchWords,
  mentionedIn,
  offeredByError,
  type Candidate,
  type LedgerEntry,
  type Sources,
} from './candidates.ts';

const playbook = playbookSchema.parse({
  format: 'desk-playbook/1',
  company: 'Test',
  language: 'en',
  currency: 'EUR',
  systems: [],
});
function ticket(body: string, more: Partial<Ticket> = {}): Ticket {
  return {
    id: 'T-1',
    customer: 'C-0071',
    customer_name: null,
    machine: false,
    subject: '',
    body,
    received_at: '2026-06-26T09:31:00Z',
    channel: null,
    source: 'sample',
    state: 'open',
    version: 1,
    ...more,
  };
}
function entry(structured: Json, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    n: 1,
    tool: 'shop.find_orders',
    arguments: {},
    outcome: 'result',
    text: '',
    structured,
    bound: false,
    trust: 'trusted',
    ...more,
  };
}
function sources(body: string, ledger: LedgerEntry[] = [], more: Partial<Ticket> = {}): Sources {
  return { ticket: ticket(body, more), ledger, playbook };
}
const order = '^O-[0-9]{4}$';
const all = ['ticket.field', 'ticket.text', 'result'] as const;
function values(found: Candidate[]): string[] {
  return found.map((one) => one.value);
}

describe('identifiers (spec model, “choose, then fill”)', () => {
  it('come with where they stand and how they were written', () => {
    const body = 'Hi, where is o2415?';
    const [found] = identifierCandidates(sources(body), order, [...all], ['order']);
    expect(found).toMatchObject({
      value: 'O-2415',
      origin: { from: 'ticket.text', field: 'body', written: 'o2415', trust: 'untrusted' },
    });
    expect(body.slice(found?.origin.start, found?.origin.end)).toBe('o2415');
  });

  it('come only from the places allowed', () => {
    const ledger = [entry({ order_id: 'O-3333' })];
    const found = (places: ('ticket.field' | 'ticket.text' | 'result')[]) =>
      values(identifierCandidates(sources('O-2415', ledger), order, places, []));
    expect(found(['ticket.text'])).toEqual(['O-2415']);
    expect(found(['result'])).toEqual(['O-3333']);
    expect(found([])).toEqual([]);
  });

  it('of a customer come from the ticket’s own field as trusted, whatever the text says', () => {
    const pattern = '^C-[0-9]{4}$';
    const [first, ...rest] = identifierCandidates(sources('I am C-0099'), pattern, [...all], []);
    expect(first).toMatchObject({ value: 'C-0071', origin: { from: 'ticket.field', trust: 'trusted' } });
    expect(rest.map((one) => one.origin.trust)).toEqual(['untrusted']);
    const only = identifierCandidates(sources('I am C-0099'), pattern, ['ticket.field'], []);
    expect(values(only)).toEqual(['C-0071']);
    expect(identifierCandidates(sources('', [], { customer: 'a@b.example' }), pattern, ['ticket.field'], [])).toEqual(
      [],
    );
  });

  it('in quoted history count only where the own words and the subject have none', () => {
    const body = 'And this one? O-1111\n> about O-2222';
    expect(values(identifierCandidates(sources(body), order, [...all], []))).toEqual(['O-1111']);
    const quotedOnly = 'Any news?\n> about O-2222';
    expect(values(identifierCandidates(sources(quotedOnly), order, [...all], []))).toEqual(['O-2222']);
    const inSubject = identifierCandidates(sources(quotedOnly, [], { subject: 'O-3333' }), order, [...all], []);
    expect(inSubject[0]).toMatchObject({ value: 'O-3333', origin: { field: 'subject' } });
  });

  it('in hidden mark-up are never used', () => {
    expect(identifierCandidates(sources('Hi <!-- order O-2222 -->'), order, [...all], ['order'])).toEqual([]);
  });

  it('of results carry call, place and trust of the result', () => {
    const ledger = [
      entry({ orders: [{ order_id: 'O-1111', name: 'Bread bin' }] }, { bound: true }),
      entry({ orders: [{ order_id: 'O-2222' }] }, { n: 2, trust: 'untrusted' }),
      entry({ order_id: 'O-4444' }, { n: 3, outcome: 'tool error' }),
    ];
    const found = identifierCandidates(sources('', ledger), order, ['result'], []);
    expect(found).toMatchObject([
      {
        value: 'O-1111',
        beside: 'Bread bin',
        origin: { from: 'result', call: 1, field: '/orders/0/order_id', trust: 'bound' },
      },
      { value: 'O-2222', origin: { call: 2, trust: 'untrusted' } },
    ]);
  });

  it('must be the whole value of a result', () => {
    const ledger = [entry({ a: 'O-1111 and more', b: 'xO-1111', c: 'O-11111', d: 'O-11a1' })];
    expect(identifierCandidates(sources('', ledger), order, ['result'], [])).toEqual([]);
  });

  it('stand once each, from the most trusted place, with the words of the record', () => {
    const ledger = [entry({ order_id: 'O-2415', name: 'Bread bin' })];
    const found = identifierCandidates(sources('O-2415 is late', ledger), order, [...all], []);
    expect(found).toMatchObject([{ value: 'O-2415', beside: 'Bread bin', origin: { from: 'ticket.text' } }]);
  });
});

describe('handles', () => {
  it('are taken from the newest result under the same name, never from text or errors', () => {
    const ledger = [
      entry({ quote_id: 'Q-old' }),
      entry({ quote_id: 'Q-new' }, { n: 2 }),
      entry({ quote_id: 'Q-error' }, { n: 3, outcome: 'tool error' }),
      entry({ other: 'Q-x' }, { n: 4 }),
    ];
    expect(values(handleCandidates(ledger, 'quote_id'))).toEqual(['Q-new']);
    expect(handleCandidates([entry({ my_quote_id: 'x' })], 'quote_id')).toEqual([]);
    expect(handleCandidates([entry({ quote_id: '' })], 'quote_id')).toEqual([]);
  });
});

describe('what a tool error offers', () => {
  const text = 'Could be several: KG-1024 Enamelled roasting tin; KG-1051 Non-stick loaf tin; KG-4410.';
  function failed(more: Partial<LedgerEntry> = {}): LedgerEntry {
    const base = entry(null, { tool: 'shop.check_stock', outcome: 'tool error', text, arguments: { sku: 'KG-4410' } });
    return { ...base, ...more };
  }
  it('are the identifiers in it but for the one just sent', () => {
    const found = offeredByError([failed()], 'shop.check_stock');
    expect(found.map(({ value, beside }) => [value, beside])).toEqual([
      ['KG-1024', 'Enamelled roasting tin'],
      ['KG-1051', 'Non-stick loaf tin'],
    ]);
    expect(text.slice(found[0]?.origin.start, found[0]?.origin.end)).toBe('KG-1024');
  });
  it('are nothing once a call of that tool gave a result, nor for another tool', () => {
    expect(offeredByError([failed(), failed({ n: 2, outcome: 'result' })], 'shop.check_stock')).toEqual([]);
    expect(offeredByError([failed()], 'shop.find_orders')).toEqual([]);
  });
});

describe('which records the customer’s words name', () => {
  function record(value: string, beside: string): Candidate {
    return { value, beside, origin: { from: 'result', trust: 'bound' } };
  }
  const tins = [record('KG-1', 'Enamelled roasting tin'), record('KG-2', 'Non-stick loaf tin')];
  it('those with words of their own that are said', () => {
    expect(values(mentionedIn('The loaf tin is scratched', tins))).toEqual(['KG-2']);
    expect(values(mentionedIn('roasting tins', tins))).toEqual(['KG-1']);
  });
  it('none where the words fit all or none', () => {
    expect(mentionedIn('The tin is scratched', tins)).toEqual([]);
    expect(mentionedIn('The pan is scratched', tins)).toEqual([]);
  });
  it('matches plurals and ignores case and short words', () => {
    expect(matchWords('Two MUGS, an ox & boxes')).toEqual(['two', 'mug', 'box']);
  });
});

describe('the strings of a result', () => {
  it('have escaped pointers and their record', () => {
    expect(leaves({ 'a/b': { 'c~d': 'x' }, list: ['y', { z: 'w' }] }, '')).toEqual([
      { value: 'x', pointer: '/a~1b/c~0d', record: { 'c~d': 'x' } },
      { value: 'y', pointer: '/list/0', record: { 'a/b': { 'c~d': 'x' }, list: ['y', { z: 'w' }] } },
      { value: 'w', pointer: '/list/1/z', record: { z: 'w' } },
    ]);
  });
  it('are at most 2,000', () => {
    expect(leaves({ many: Array.from({ length: 5_000 }, () => 'x') }, '')).toHaveLength(2_000);
  });
});
