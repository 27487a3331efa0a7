import { describe, expect, it } from 'vitest';
import type { Call, Consent } from '../shared/calls.ts';
import { consentReport } from './consentReport.ts';

function call(id: string, tool: string, consent: Partial<Consent> | null): Call {
  return {
    id,
    method: 'tools/call',
    run: 'r',
    ticket: 'T-1',
    n: 1,
    prefix: 'shop',
    tool,
    arguments: {},
    origins: {},
    hash: '',
    configuration: '',
    definition: '',
    listed: false,
    state: 'result',
    round: 1,
    consent: consent && { by: 'staff-0007', answer: 'run', ms: 5_000, scripted: false, ...consent },
    asks: null,
    money: null,
    text: null,
    structured: null,
    detail: null,
    ms: 1,
    created_at: '',
    settled_at: null,
  };
}

describe('the consent-fatigue report (spec host §10)', () => {
  it('names yeses given in under a second, not noes, scripted ones or those of the host', () => {
    const report = consentReport([
      call('a', 'shop.pay', { ms: 999 }),
      call('b', 'shop.pay', { ms: 1_000 }),
      call('c', 'shop.pay', { ms: 10, answer: 'dont' }),
      call('d', 'shop.pay', { ms: 10, scripted: true }),
      call('e', 'shop.look', { ms: 0, by: 'host' }),
      call('f', 'shop.pay', null),
    ]);
    expect(report).toMatchObject({ answered: 3, declined: 1 });
    expect(report.quick).toEqual([{ call: 'a', tool: 'shop.pay', by: 'staff-0007', ms: 999 }]);
  });

  it('names a tool that was approved five times and never declined', () => {
    const pays = [1, 2, 3, 4].map((n) => call(`p${n}`, 'shop.pay', {}));
    expect(consentReport(pays).always).toEqual([]);
    const five = [...pays, call('p5', 'shop.pay', {})];
    expect(consentReport(five).always).toEqual([{ tool: 'shop.pay', times: 5 }]);
    expect(consentReport([...five, call('p6', 'shop.pay', { answer: 'dont' })]).always).toEqual([]);
  });
});
