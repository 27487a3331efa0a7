// Consent at the bar (ui "Consent"): the first 700 ms, the second step of money, what a change voids.
import { expect, test } from 'vitest';
import type { Desk } from '../desk.ts';
import { createConsent, unarmedMs } from './consent.ts';
import { moneyWords } from './money.ts';

function bar(
  call: { state: string; ticket: string; detail: string | null } = { state: 'result', ticket: 'T-1', detail: null },
) {
  const asked: unknown[] = [];
  const ask = ((_: string, params: unknown) => {
    asked.push(params);
    return Promise.resolve({ call, run: null });
    // Only calls.consent is asked here.
  }) as unknown as Desk['ask'];
  const timers = new Map<number, () => void>();
  let at = 0;
  const consent = createConsent({ ask }, 'page', (ms, then) => {
    const id = ++at;
    expect(ms).toBe(unarmedMs);
    timers.set(id, then);
    return () => void timers.delete(id);
  });
  return {
    consent,
    asked,
    /** 700 ms pass. */
    pass: () => {
      for (const then of timers.values()) then();
      timers.clear();
    },
  };
}

test('ui, Consent: no key counts in the first 700 ms, nor after the call changed', async () => {
  const { consent, asked, pass } = bar();
  consent.show({ id: 'a', hash: 'h1' });
  await consent.yes(false);
  await consent.no();
  expect(asked).toEqual([]);
  pass();
  consent.show({ id: 'a', hash: 'h2' });
  await consent.yes(false);
  expect(asked).toEqual([]);
  pass();
  await consent.yes(false);
  expect(asked).toEqual([{ id: 'a', hash: 'h2', answer: 'run', watch: 'page' }]);
});

test('ui, Consent: what moves money takes Y and then the amount; Y twice is not enough', async () => {
  const { consent, asked, pass } = bar();
  consent.show({ id: 'a', hash: 'h' });
  pass();
  await consent.amount();
  await consent.yes(true);
  await consent.yes(true);
  expect(asked).toEqual([]);
  await consent.amount();
  expect(asked).toEqual([{ id: 'a', hash: 'h', answer: 'run', watch: 'page' }]);
});

test('ui, Consent: while one answer is on its way, the call shown next is asked, not said to run', async () => {
  let settle: (value: unknown) => void = () => undefined;
  const ask = (() => new Promise((resolve) => (settle = resolve))) as unknown as Desk['ask']; // only calls.consent
  const consent = createConsent({ ask }, 'page', (_, then) => (then(), () => undefined));
  consent.show({ id: 'a', hash: 'h1' });
  const sent = consent.yes(false);
  expect(consent.store.getState()).toMatchObject({ stage: 'sending', given: 'run' });
  consent.show({ id: 'b', hash: 'h2' });
  expect(consent.store.getState()).toMatchObject({ stage: 'ask', given: null });
  settle({ call: { state: 'result' }, run: null });
  await sent;
  expect(consent.store.getState()).toMatchObject({ shown: { id: 'b' }, stage: 'ask', given: null });
});

test('ui, Consent: another call begins at the question again', async () => {
  const { consent, asked, pass } = bar();
  consent.show({ id: 'a', hash: 'h' });
  pass();
  await consent.yes(true);
  consent.show({ id: 'b', hash: 'h' });
  pass();
  await consent.amount();
  expect(asked).toEqual([]);
});

test('host §13: a yes by which nothing happened says why, and of which ticket', async () => {
  const { consent, pass } = bar({ state: 'failed', ticket: 'T-1', detail: 'The playbook changed.' });
  consent.show({ id: 'a', hash: 'h' });
  pass();
  await expect(consent.yes(false)).rejects.toThrow('T-1: The playbook changed.');
  expect(consent.store.getState()).toMatchObject({ stage: 'ask', given: null });
  await expect(consent.no()).resolves.toBeUndefined();
});

test('the money a call moves is said with the digits of its record and its currency', () => {
  const money = { amount: '23.98', currency: 'EUR', call: 2 };
  expect(moneyWords(money)).toBe('€23.98');
  expect(moneyWords({ ...money, currency: 'CHF' })).toBe('CHF 23.98');
  expect(moneyWords({ ...money, currency: '£' })).toBe('£23.98');
  expect(moneyWords({ ...money, currency: null })).toBe('23.98');
  expect(moneyWords({ ...money, amount: null })).toBeNull();
});

test('a change of person goes back to the question, and nothing counts for 700 ms', async () => {
  const { consent, asked, pass } = bar();
  consent.show({ id: 'a', hash: 'h' });
  pass();
  await consent.yes(true);
  expect(consent.store.getState().stage).toBe('amount');
  consent.anew();
  expect(consent.store.getState()).toMatchObject({ stage: 'ask', armed: false });
  await consent.amount();
  await consent.yes(true);
  pass();
  await consent.amount();
  expect(asked).toEqual([]);
});
