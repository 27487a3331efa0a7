import { expect, test } from 'vitest';
import { partsOf } from './quoted.ts';

const kinds = (body: string) => partsOf(body).map(({ kind, text }) => [kind, text.split('\n').length]);

test.each([
  [
    'lines with >',
    'New\n\n> old\n> older',
    [
      ['own', 1],
      ['quoted', 2],
    ],
  ],
  [
    'the line before a quote',
    'New\n\nOn Thu, 26 Nov 2026 at 10:00, Help wrote:\nold',
    [
      ['own', 1],
      ['quoted', 2],
    ],
  ],
  [
    'dashes around',
    'New\n-----Original Message-----\nFrom: Help\nold',
    [
      ['own', 1],
      ['quoted', 3],
    ],
  ],
  [
    'a head alone',
    'New\n\nFrom: Help <h@x.example>\nSent: Thursday\nTo: Ines\nSubject: Pan\n\nold',
    [
      ['own', 1],
      ['quoted', 6],
    ],
  ],
  [
    'a German head',
    'Neu\n\nVon: Hilfe\nGesendet: Donnerstag\nAn: Ines\nBetreff: Topf\n\nalt',
    [
      ['own', 1],
      ['quoted', 6],
    ],
  ],
])('a whole thread that is quoted is folded: %s', (_, body, expected) => {
  expect(kinds(body)).toEqual(expected);
});
test('a line that only looks like a head is the customer’s own', () => {
  expect(kinds('From: the shop on Main Street\nI bought a pan\nTo: cook')).toEqual([['own', 3]]);
});
