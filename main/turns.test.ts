import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

const never = new AbortController().signal;

it('one works at a time, in the order of asking', async () => {
  const turns = createTurns();
  const seen: string[] = [];
  const gates = ['a', 'b'].map(() => Promise.withResolvers<null>());
  const work = (name: string, gate: Promise<null>) => async () => {
    seen.push(`${name} begins`);
    await gate;
    seen.push(`${name} ends`);
  };
  const [a, b] = gates;
  if (a === undefined || b === undefined) throw new Error('two gates');
  const both = [turns.take(never, work('a', a.promise)), turns.take(never, work('b', b.promise))];
  expect(turns.busy()).toBe(true);
  b.resolve(null);
  a.resolve(null);
  await Promise.all(both);
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  expect(turns.busy()).toBe(false);
});

it('who gives up while waiting holds up nobody, and nobody overtakes the one who works', async () => {
  const turns = createTurns();
  const gate = Promise.withResolvers<null>();
  const seen: string[] = [];
  const first = turns.take(never, async () => {
    await gate.promise;
    seen.push('first');
  });
  const stop = new AbortController();
  const second = turns.take(stop.signal, () => Promise.resolve(seen.push('second')));
  const third = turns.take(never, () => Promise.resolve(seen.push('third')));
  stop.abort(new Error('given up'));
  await expect(second).rejects.toThrow('given up');
  expect(seen).toEqual([]);
  gate.resolve(null);
  await Promise.all([first, third]);
  expect(seen).toEqual(['first', 'third']);
});

it('a turn that fails passes on to the next', async () => {
  const turns = createTurns();
  await expect(turns.take(never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await turns.take(never, () => Promise.resolve(7))).toBe(7);
});

it('leaves nothing at a signal that many turns are taken with', async () => {
  const turns = createTurns();
  const { signal } = new AbortController();
  await turns.take(signal, () => Promise.resolve(1));
  await turns.take(signal, () => Promise.resolve(2));
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
