import { describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { JsonObject } from '../shared/json.ts';
import { moneyOf } from './money.ts';

// Only what the rule reads of a call.
const quote = { n: 2, tool: 'shop.quote', structured: { quote_id: 'q', amount: '23.98' } } as unknown as Call;
const call = {
  method: 'tools/call',
  tool: 'shop.settle',
  listed: false,
  arguments: { quote_id: 'q' } as JsonObject,
  origins: { '/quote_id': { from: 'result', call: 2, trust: 'bound' } },
} as const;
const euros = { properties: { amount: { description: 'Euros.' } } };
const money = (more: object, said?: boolean, earlier = [quote], output: JsonObject | null = euros) =>
  moneyOf({ ...call, ...more }, said, { earlier, outputOf: () => Promise.resolve(output) });
const refund = { tool: 'shop.issue_refund' };

describe('the money a call moves (ui, "Consent": a call that moves money takes a second key)', () => {
  it('is read from the record its arguments came from, in that record’s digits and currency', async () => {
    expect(await money({})).toEqual({ amount: '23.98', currency: 'EUR', call: 2 });
    const francs = { ...quote, structured: { amount: 12, currency: 'CHF' } };
    expect(await money({}, undefined, [francs])).toEqual({ amount: '12', currency: 'CHF', call: 2 });
    expect(await money({}, undefined, [quote], null)).toMatchObject({ amount: '23.98', currency: null });
  });
  it('or from its own arguments', async () => {
    const given = { arguments: { amount: '5.00', currency: 'GBP' } };
    expect(await money(given)).toEqual({ amount: '5.00', currency: 'GBP', call: null });
  });
  it('is some where only the name says so, and none where nothing does', async () => {
    expect(await money(refund, undefined, [])).toEqual({ amount: null, currency: null, call: null });
    expect(await money({}, undefined, [])).toBeNull();
    expect(await money({ ...refund, method: 'resources/read' })).toBeNull();
  });
  it('is none for a tool on the host’s own list, whatever its name', async () => {
    expect(await money({ ...refund, listed: true })).toBeNull();
  });
  it('is what the configuration says, before everything else', async () => {
    expect(await money(refund, false)).toBeNull();
    expect(await money({}, true, [])).toEqual({ amount: null, currency: null, call: null });
    expect(await money({ listed: true }, true)).toMatchObject({ amount: '23.98' });
  });
});
