import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../shared/json.ts';
import { playbookSchema } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import { legalTools } from './loop.ts';
import type { LedgerEntry } from './slots/candidates.ts';
import type { OfferedTool, Plan } from './slots/plan.ts';

const ticket: Ticket = {
  id: 'T-1',
  customer: null,
  customer_name: null,
  machine: false,
  subject: '',
  body: 'Hello',
  received_at: '2026-06-26T09:31:00Z',
  channel: null,
  source: 'sample',
  state: 'open',
  version: 1,
};
function plan(name: string, more: Partial<Plan> = {}): Plan {
  const tool: OfferedTool = {
    name,
    prefix: 'shop',
    tool: name.slice(5),
    description: '',
    inputSchema: {},
    marks: {},
    configuration: '',
    definition: '',
    listed: true,
  };
  return { tool, slots: [], missing: [], ambiguous: [], repeats: false, ...more };
}
function legal(ask: string, more: { ledger?: LedgerEntry[]; plans?: Plan[]; rules?: JsonObject; asks?: false } = {}) {
  const playbook = playbookSchema.parse({
    format: 'desk-playbook/1',
    company: 'Test',
    language: 'en',
    currency: 'EUR',
    systems: [],
    asks:
      more.asks === false
        ? []
        : [{ id: 'refund', label: 'refund', says: '', tools: [{ tool: 'shop.quote' }, { tool: 'shop.issue' }] }],
    tools: { 'shop.issue': { requires: [{ call: 'shop.quote' }] }, ...more.rules },
  });
  const plans = more.plans ?? [plan('shop.quote'), plan('shop.issue'), plan('shop.stock')];
  const situation = { ticket, ledger: more.ledger ?? [], plans: new Map(plans.map((one) => [one.tool.name, one])) };
  return legalTools(playbook, ask, situation).map((one) => one.tool.name);
}
function entry(tool: string, outcome: LedgerEntry['outcome']): LedgerEntry {
  return { n: 1, tool, arguments: {}, outcome, text: '', structured: {}, bound: false, trust: 'trusted' };
}

describe('which tools the model may choose now (spec playbook)', () => {
  it('those of the ask whose requirements hold', () => {
    expect(legal('refund')).toEqual(['shop.quote']);
    expect(legal('refund', { ledger: [entry('shop.quote', 'result')] })).toEqual(['shop.quote', 'shop.issue']);
    expect(legal('refund', { ledger: [entry('shop.quote', 'tool error')] })).toEqual(['shop.quote']);
  });
  it('none for an ask the playbook does not know', () => {
    expect(legal('nonsense')).toEqual([]);
  });
  it('all with sources where a playbook has no asks', () => {
    expect(legal('', { asks: false })).toEqual(['shop.quote', 'shop.stock']);
  });
  it('none that lacks a source or only repeats a call', () => {
    expect(legal('refund', { plans: [plan('shop.quote', { missing: ['/order_id'] })] })).toEqual([]);
    expect(legal('refund', { plans: [plan('shop.quote', { repeats: true })] })).toEqual([]);
  });
  it.each(['declined', 'unknown', 'failed'] as const)('none again that ended as %s', (outcome) => {
    expect(legal('refund', { ledger: [entry('shop.quote', outcome)] })).toEqual([]);
  });
});
