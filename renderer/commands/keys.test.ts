// Presses as the table of commands writes them.
import { expect, test } from 'vitest';
import { combinationOf } from './keys.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.each([
  [{ ...plain, key: 'j' }, false, 'J'],
  [{ ...plain, key: 'D', shiftKey: true }, false, 'Shift+D'],
  [{ ...plain, key: '?', shiftKey: true }, false, '?'],
  [{ ...plain, key: 'Enter', ctrlKey: true }, false, 'Mod+Enter'],
  [{ ...plain, key: 'Enter', metaKey: true }, true, 'Mod+Enter'],
  [{ ...plain, key: 'k', metaKey: true }, false, null],
  [{ ...plain, key: 'Shift', shiftKey: true }, false, null],
])('%o on a Mac: %s is %s', (press, mac, wanted) => {
  expect(combinationOf(press, mac)).toBe(wanted);
});
