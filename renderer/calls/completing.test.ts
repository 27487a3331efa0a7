// Completion while somebody types (host §21): debounced, and cancelled when typing goes on.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Completed } from '../../shared/attaching.ts';
import { createCompleting } from './completing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function begin() {
  const asked: { value: string; signal: AbortSignal; answer: (completed: Completed) => void }[] = [];
  const told: (string | undefined)[] = [];
  const completing = createCompleting({
    ask: (value, signal) =>
      new Promise<Completed>((answer) => {
        asked.push({ value, signal, answer });
      }),
    tell: (completed) => told.push(completed?.values[0]),
  });
  return { asked, told, completing };
}
const of = (value: string): Completed => ({ values: [value], total: 1, more: false });

it('asks once, 200 ms after the last letter', () => {
  const { asked, completing } = begin();
  for (const value of ['O', 'O-', 'O-2']) {
    completing.typed(value);
    vi.advanceTimersByTime(199);
  }
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(asked.map(({ value }) => value)).toEqual(['O-2']);
});

it('stops what is on its way when typing goes on, and shows nothing of it', async () => {
  const { asked, told, completing } = begin();
  completing.typed('O');
  vi.advanceTimersByTime(200);
  completing.typed('O-2');
  expect(asked[0]?.signal.aborted).toBe(true);
  vi.advanceTimersByTime(200);
  asked[0]?.answer(of('old'));
  asked[1]?.answer(of('new'));
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual(['new']);
  completing.typed('O-24');
  completing.stop();
  vi.advanceTimersByTime(1_000);
  expect(asked).toHaveLength(2);
});
