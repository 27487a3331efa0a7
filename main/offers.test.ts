// What a person fills into a template or prompt (host §21), whatever its blanks are called and whatever is typed.
import { describe, expect, it } from 'vitest';
import type { Blank } from '../shared/attaching.ts';
import { filled, filledUri } from './offers.ts';

const blank = (name: string): Blank => ({ name, description: null, required: true });
const uriOf = (template: string, value: string): string => filledUri(template, filled([blank('a')], { a: value }));
const wrong = (words: string): unknown =>
  expect.objectContaining({ code: 'calls.arguments', message: expect.stringContaining(words) as string });

describe('a blank', () => {
  it.each(['order_id', 'constructor', 'toString', '__proto__'])('called %s is asked for, and filled in', (name) => {
    expect(() => filled([blank(name)], {})).toThrow(wrong(`Fill in ${name} first.`));
    const values = filled([blank(name)], Object.fromEntries([[name, ' O/1 ']]));
    expect(filledUri(`x://t/{${name}}`, values)).toBe('x://t/O%2F1');
  });
  it.each(['.', '..', ' .. '])('of a template does not climb by %j', (value) => {
    expect(() => uriOf('x://t/{a}', value)).toThrow(wrong('a cannot be “.'));
  });
  it.each([
    ['.a', '.a'],
    ['a..', 'a..'],
    ['../a', '..%2Fa'],
    ['%2e%2e', '%252e%252e'],
    ['😀', '%F0%9F%98%80'],
  ])('of a template takes %j as it is', (value, written) => {
    expect(uriOf('x://t/{a}/z', value)).toBe(`x://t/${written}/z`);
  });
  it('of a template is not filled with half of a character', () => {
    expect(() => uriOf('x://t/{a}', 'x\ud83d')).toThrow(wrong('a holds half of a character'));
  });
});
