// A waiting call as a person reads it (ui "Inbox": money first, plain words, technical values apart).
import { expect, it } from 'vitest';
import type { Call } from '../../shared/calls.ts';
import type { CallAbout } from '../../shared/questions.ts';
import { summaryOf } from './about.ts';

const handle = 'Q-6a5413701a1ddd4c6fc47fb0fdeecde7';
// Only what the summary reads of a call.
const quote = {
  n: 1,
  tool: 'shop.quote_refund',
  money: null,
  method: 'tools/call',
  arguments: { order_id: 'O-1145', reason: 'wrong_item' },
  origins: {
    '/order_id': { from: 'ticket.text', trust: 'bound' },
    '/reason': { from: 'ticket.text', trust: 'untrusted' },
  },
  structured: {
    quote_id: handle,
    order_id: 'O-1145',
    sku: null,
    amount: '343.49',
    policy_limit: '150.00',
    within_limit: false,
    expires_in_seconds: 604_800,
  },
} as unknown as Call;
const refund = {
  ...quote,
  n: 2,
  tool: 'shop.issue_refund',
  money: { amount: '343.49', currency: 'EUR', call: 1 },
  listed: false,
  arguments: { quote_id: handle },
  origins: { '/quote_id': { from: 'result', call: 1, trust: 'bound' } },
  structured: null,
} as unknown as Call;
const about: CallAbout = {
  title: 'Issue a refund',
  behind: [quote],
  consented: null,
  handles: [handle],
  customer: null,
};

it('puts money and order first, keeps handles, seconds and flags apart', () => {
  const { amount, subject, facts, details } = summaryOf(refund, about);
  expect([amount, subject]).toEqual(['€343.49', 'O-1145']);
  expect(facts.map(({ name, value, origin }) => [name, value, origin?.from])).toEqual([
    ['Reason', 'wrong_item', 'ticket.text'],
    ['Policy limit', '€150.00', undefined],
    ['Within limit', 'no', undefined],
  ]);
  expect(new Set(details.map(({ key }) => key))).toEqual(
    new Set(['quote_id', 'order_id', 'amount', 'expires_in_seconds']),
  );
});

it('shows a value nobody vouches for, though it is said in the head already (trust 10)', () => {
  const made = { ...quote, origins: { '/order_id': { from: 'model', trust: 'untrusted' } } } as unknown as Call;
  const { facts } = summaryOf(refund, { ...about, behind: [made] });
  expect(facts).toContainEqual(expect.objectContaining({ key: 'order_id', value: 'O-1145' }));
});

it('says no amount that no record names, and shows a plain call by its arguments', () => {
  const plain = {
    ...refund,
    money: null,
    tool: 'rooms.book',
    arguments: { room: 'Elm', seats: 4 },
    origins: {},
  } as unknown as Call;
  const { amount, facts } = summaryOf(plain, { ...about, behind: [] });
  expect(amount).toBeNull();
  expect(facts.map(({ name, value }) => `${name} ${value}`)).toEqual(['Room Elm', 'Seats 4']);
});
