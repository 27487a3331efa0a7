import { describe, expect, it } from 'vitest';
import { textDifference, valueDifference, valueWords } from './textDifference.ts';

describe('where two texts differ', () => {
  it('is the first word of the first line that does, or that its spaces do', () => {
    expect(textDifference('a b c', 'a b c')).toBeNull();
    expect(textDifference('a b c', 'a x c')).toBe('word 2: “b” recorded, “x” now');
    expect(textDifference('one\ntwo more', 'one\ntwo')).toBe('line 2, word 2: “more” recorded, nothing now');
    expect(textDifference('one', 'one\ntwo')).toBe('line 2, word 1: nothing recorded, “two” now');
    expect(textDifference('a b', 'a  b')).toBe('its spaces or line ends');
  });
});

describe('where two values differ', () => {
  it('is the first pointer, in the recorded order of members', () => {
    expect(valueDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBeNull();
    expect(valueDifference({ a: 1, b: 2 }, { b: 2, a: 1 })).toBeNull();
    expect(valueDifference({ a: [1, { 'b/c': 2 }] }, { a: [1, { 'b/c': 3 }] })).toEqual({
      field: '/a/1/b~1c',
      recorded: 2,
      now: 3,
    });
    expect(valueDifference({ a: 1 }, {})).toMatchObject({ field: '/a', now: undefined });
    expect(valueDifference([1], { 0: 1 })).toMatchObject({ field: '' });
  });
  it('is told by words for texts and by both values else', () => {
    expect(valueWords({ field: '', recorded: 'to pay back', now: 'to pay out' })).toBe(
      'differs at word 3: “back” recorded, “out” now',
    );
    expect(valueWords({ field: '', recorded: '1.00', now: undefined })).toBe('is not there, recorded was "1.00"');
  });
});
