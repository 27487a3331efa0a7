import { describe, expect, it } from 'vitest';
import type { Json } from '../shared/json.ts';
import { playbookSchema, type Condition } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import { holds, isBound, type Situation } from './conditions.ts';
import type { LedgerEntry } from './slots/candidates.ts';
import type { OfferedTool, Plan } from './slots/plan.ts';

const ticket: Ticket = {
  id: 'T-1',
  customer: 'C-0071',
  customer_name: null,
  machine: false,
  subject: '',
  body: 'Where is it?',
  received_at: '2026-06-26T09:31:00Z',
  channel: null,
  source: 'sample',
  state: 'open',
  version: 1,
};
const tool = 'shop.find_orders';
function entry(more: Partial<LedgerEntry> & { structured?: Json } = {}): LedgerEntry {
  const structured = more.structured;
  return {
    n: 1,
    tool,
    arguments: {},
    outcome: 'result',
    text: '',
    bound: false,
    trust: 'trusted',
    ...more,
    structured,
  };
}
function plan(more: Partial<Plan> = {}): Plan {
  const offered: OfferedTool = {
    name: tool,
    prefix: 'shop',
    tool: 'find_orders',
    description: '',
    inputSchema: {},
    marks: {},
    configuration: '',
    definition: '',
    listed: true,
  };
  return { tool: offered, slots: [], missing: [], ambiguous: [], repeats: false, ...more };
}
function situation(ledger: LedgerEntry[] = [], plans: Plan[] = []): Situation {
  return { ticket, ledger, plans: new Map(plans.map((one) => [one.tool.name, one])) };
}
function check(more: Omit<Partial<Condition>, 'call'>, where: Situation): boolean {
  return holds([{ call: tool, outcome: 'result', ...more }], where);
}

describe('conditions over the calls of a run (spec playbook)', () => {
  it('hold together or not at all', () => {
    const two: Condition[] = [
      { call: tool, outcome: 'result' },
      { call: 'shop.check_stock', outcome: 'none' },
    ];
    expect(holds([], situation())).toBe(true);
    expect(holds(two, situation([entry()]))).toBe(true);
    expect(holds(two, situation([entry(), entry({ tool: 'shop.check_stock' })]))).toBe(false);
  });

  it.each(['result', 'tool error', 'declined', 'failed', 'unknown'] as const)(
    'tell the outcome %s apart',
    (outcome) => {
      expect(check({ outcome }, situation([entry({ outcome })]))).toBe(true);
      expect(check({ outcome }, situation([entry({ outcome: 'unknown tool' })]))).toBe(false);
      expect(check({ outcome }, situation())).toBe(false);
    },
  );

  it('`any` and `none` look at calls, however they ended', () => {
    const called = situation([entry({ outcome: 'failed' })]);
    expect([check({ outcome: 'any' }, called), check({ outcome: 'none' }, called)]).toEqual([true, false]);
    expect([check({ outcome: 'any' }, situation()), check({ outcome: 'none' }, situation())]).toEqual([false, true]);
  });

  it('`cannot`: not offered, no source for an argument, or only errors so far', () => {
    expect(check({ outcome: 'cannot' }, situation())).toBe(true);
    expect(check({ outcome: 'cannot' }, situation([], [plan()]))).toBe(false);
    expect(check({ outcome: 'cannot' }, situation([], [plan({ missing: ['/order_id'] })]))).toBe(true);
    expect(check({ outcome: 'cannot' }, situation([entry({ outcome: 'tool error' })], [plan()]))).toBe(true);
    expect(check({ outcome: 'cannot' }, situation([entry()], [plan({ missing: ['/order_id'] })]))).toBe(false);
  });

  it('read the last call with that outcome', () => {
    const ledger = [
      entry({ structured: { status: 'placed' } }),
      entry({ n: 2, structured: { status: 'shipped' } }),
      entry({ n: 3, outcome: 'tool error' }),
    ];
    expect(check({ field: '/status', op: 'eq', value: 'shipped' }, situation(ledger))).toBe(true);
    expect(check({ field: '/status', op: 'eq', value: 'placed' }, situation(ledger))).toBe(false);
  });

  it('`bound` needs the customer’s own record', () => {
    expect(check({ bound: true }, situation([entry()]))).toBe(false);
    expect(check({ bound: true }, situation([entry({ bound: true })]))).toBe(true);
  });

  it('`complete` waits while a fuller call could be made or several records fit', () => {
    const done = [entry()];
    expect(check({ complete: true }, situation(done, [plan({ repeats: true })]))).toBe(true);
    expect(check({ complete: true }, situation(done, [plan({ missing: ['/sku'] })]))).toBe(true);
    expect(check({ complete: true }, situation(done, [plan()]))).toBe(false);
    expect(check({ complete: true }, situation(done, [plan({ repeats: true, ambiguous: ['/sku'] })]))).toBe(false);
  });

  it.each<[Omit<Partial<Condition>, 'call'>, Json, boolean]>([
    [{ op: 'present' }, 'x', true],
    [{ op: 'present' }, null, false],
    [{ op: 'present' }, [], false],
    [{ op: 'present' }, 0, true],
    [{ op: 'absent' }, [], true],
    [{ op: 'absent' }, [1], false],
    [{ op: 'eq', value: true }, true, true],
    [{ op: 'eq', value: 1 }, '1', false],
    [{ op: 'gt', value: 0 }, 1, true],
    [{ op: 'gt', value: 0 }, 0, false],
    [{ op: 'gt', value: 100 }, '99.50', false],
    [{ op: 'le', value: 100 }, '99.50', true],
    [{ op: 'le', value: 100 }, 'many', false],
    [{ op: 'before', value: '2026-06-30' }, '2026-06-29', true],
    [{ op: 'before', value: '2026-06-30' }, '2026-06-30', false],
    [{ op: 'before', value: '2026-06-30' }, 5, false],
    [{}, 'x', true],
  ])('compares %j with %j', (more, value, expected) => {
    expect(check({ field: '/x', ...more }, situation([entry({ structured: { x: value } })]))).toBe(expected);
  });

  it('a missing field is absent, and never greater or smaller than anything', () => {
    const empty = situation([entry({ structured: {} })]);
    expect(check({ field: '/x', op: 'absent' }, empty)).toBe(true);
    for (const op of ['gt', 'le', 'before', 'present'] as const)
      expect(check({ field: '/x', op, value: 0 }, empty)).toBe(false);
  });

  it('an empty value is no number', () => {
    const none = situation([entry({ structured: { x: null, y: '' } })]);
    expect(check({ field: '/x', op: 'le', value: 100 }, none)).toBe(false);
    expect(check({ field: '/y', op: 'le', value: 100 }, none)).toBe(false);
  });

  it('compares with a field of another call or with the ticket’s customer', () => {
    const mine = situation([entry({ structured: { customer_id: 'C-0071' } })]);
    const theirs = situation([entry({ structured: { customer_id: 'C-0072' } })]);
    const ref = { field: '/customer_id', op: 'eq', ref: 'ticket.customer' } as const;
    expect([check(ref, mine), check(ref, theirs)]).toEqual([true, false]);
    const limit = situation([
      entry({ structured: { amount: '180.00' } }),
      entry({ n: 2, tool: 'shop.limits', structured: { most: 200 } }),
    ]);
    const most = { call: 'shop.limits', field: '/most' };
    expect(check({ field: '/amount', op: 'le', ref: most }, limit)).toBe(true);
    expect(check({ field: '/amount', op: 'gt', ref: most }, limit)).toBe(false);
  });
});

describe('binding a result to the customer', () => {
  const playbook = playbookSchema.parse({
    format: 'desk-playbook/1',
    company: 'Test',
    language: 'en',
    currency: 'EUR',
    systems: [],
    bind: [{ tool, field: '/customer_id', equals: 'ticket.customer' }],
  });
  it('needs the named tool, field and a ticket with a customer', () => {
    expect(isBound(playbook, ticket, tool, { customer_id: 'C-0071' })).toBe(true);
    expect(isBound(playbook, ticket, tool, { customer_id: 'C-0072' })).toBe(false);
    expect(isBound(playbook, ticket, 'shop.other', { customer_id: 'C-0071' })).toBe(false);
    expect(isBound(playbook, ticket, tool, { note: 'C-0071' })).toBe(false);
    expect(isBound(playbook, { ...ticket, customer: null }, tool, { customer_id: null })).toBe(false);
  });
});
