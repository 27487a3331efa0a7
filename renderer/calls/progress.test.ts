import { describe, expect, it } from 'vitest';
import { countWords, percentOf, taskWords } from './progressWords.ts';

describe('how far a call is (host §22)', () => {
  it('counts where its server does, and draws no bar where there is no end', () => {
    expect(countWords({ done: 12, total: 64, message: null })).toBe('12 of 64');
    expect(countWords({ done: 12, total: null, message: null })).toBe('12');
    expect(countWords({ done: null, total: null, message: 'counting' })).toBeNull();
    expect(percentOf({ done: 16, total: 64, message: null })).toBe(25);
    expect(percentOf({ done: 70, total: 64, message: null })).toBe(100);
    expect(percentOf({ done: 3, total: 0, message: null })).toBeNull();
    expect(percentOf({ done: 3, total: null, message: null })).toBeNull();
  });

  it('says where a task runs, and that stopping it is only asked for', () => {
    const task = { since: '2026-06-30T10:12:00Z', every_ms: 2_000, stop_by: null };
    expect(taskWords('warehouse', task, '10:12', '')).toBe(
      'Runs at warehouse since 10:12, asked again every 2 s; survives a restart of the desk.',
    );
    expect(taskWords('warehouse', { ...task, every_ms: 500, stop_by: 'staff-0007' }, '10:12', 'Mara')).toBe(
      'Mara asked warehouse to stop it. It runs there until warehouse says otherwise; asked again every 0.5 s.',
    );
  });
});
