// One key never means two things on one screen (ui, "Queue").
import { expect, test } from 'vitest';
import { commands } from './commands.ts';

const places = [...new Set(commands.map(({ where }) => where))];

test.each(places)('on one screen a key never means two things: %s', (place) => {
  // The consent bar lies over the queue: its keys are none of the queue's either.
  const over = place === 'consent' ? ['queue'] : [];
  const reachable = commands.filter(({ where }) => where === 'everywhere' || where === place || over.includes(where));
  const keys = reachable.flatMap(({ key }) => (key === null ? [] : [key]));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  // Nor is one the beginning of a longer one.
  expect(keys.filter((key) => keys.some((other) => other.startsWith(`${key} `)))).toEqual([]);
});

test('every command has words and an ID of its own', () => {
  expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
  expect(commands.filter(({ title }) => title.trim() === '')).toEqual([]);
});
