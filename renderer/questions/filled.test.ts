// Forms as a person fills them on screen (host §§17, 18; odd inputs, "Forms").
import { describe, expect, it } from 'vitest';
import type { Field, FillableForm } from '../../shared/forms.ts';
import { answerOf, answerWords, contentOf, shownOf } from './filled.ts';

const plain = { title: null, description: null, required: false, notes: [] };
const text = { type: 'string', format: null, minLength: null, maxLength: null, default: null } as const;
const number = { type: 'integer', minimum: null, maximum: null, default: null } as const;
const form = (...fields: Field[]): FillableForm => ({ kind: 'form', message: '', fields });

describe('an answer on screen', () => {
  it('leaves an untouched boolean out, whatever it shows, and sends no where no was chosen', () => {
    const asked = form({ ...plain, name: 'gift', type: 'boolean', default: null });
    expect(answerOf(asked, {})).toEqual({ ok: true, content: {} });
    expect(answerOf(asked, { gift: false })).toEqual({ ok: true, content: { gift: false } });
  });
  it('takes a default for a field nobody touched and leaves out one that was cleared', () => {
    const asked = form({ ...plain, ...number, name: 'n', default: 0 }, { ...plain, ...text, name: 't', default: '' });
    expect(answerOf(asked, {})).toEqual({ ok: true, content: { n: 0, t: '' } });
    expect(contentOf(asked, { n: '', t: '' })).toEqual({ n: null, t: null });
    expect(answerOf(asked, { n: '', t: '' })).toEqual({ ok: true, content: {} });
    expect(shownOf({ ...plain, ...number, name: 'n', default: 0 }, {})).toBe('0');
  });
  it.each(['0x10', 'Infinity', ' 5', '5 ', '1.5', '5e400'])('does not take “%s” for a whole number', (typed) => {
    const asked = form({ ...plain, ...number, name: 'n' });
    expect(answerOf(asked, { n: typed })).toMatchObject({ ok: false, problems: [{ field: 'n' }] });
  });
  it('counts lengths in code points and knows the days of the calendar', () => {
    const asked = form(
      { ...plain, ...text, name: 'two', minLength: 2, maxLength: 2 },
      { ...plain, ...text, name: 'day', format: 'date' },
    );
    expect(answerOf(asked, { two: '👩🏽', day: '2026-02-28' }).ok).toBe(true);
    expect(answerOf(asked, { day: '2026-02-31' })).toMatchObject({ ok: false, problems: [{ field: 'day' }] });
  });
  it('sends what a choice stands for and shows its name', () => {
    const choices = [{ value: 'r', title: 'Red' }];
    const one: Field = { ...plain, name: 'c', type: 'choice', choices, default: null, required: true };
    expect(answerOf(form(one), { c: 'r' })).toEqual({ ok: true, content: { c: 'r' } });
    expect(answerOf(form(one), { c: null })).toMatchObject({ ok: false });
    expect(answerWords(one, 'r')).toBe('Red');
    const many: Field = {
      ...plain,
      name: 'c',
      type: 'choices',
      choices,
      minItems: null,
      maxItems: null,
      default: null,
    };
    expect(answerOf(form(many), { c: [] })).toEqual({ ok: true, content: { c: [] } });
    expect(answerWords(many, [])).toBe('nothing ticked');
  });
  it('keeps a field called __proto__ a plain field', () => {
    const asked = form({ ...plain, ...text, name: '__proto__' });
    const filled = Object.fromEntries([['__proto__', 'x']]);
    expect(Object.entries(contentOf(asked, filled))).toEqual([['__proto__', 'x']]);
  });
});
