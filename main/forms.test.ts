import { describe, expect, it } from 'vitest';
import type { FillableForm } from '../shared/forms.ts';
import type { Json, JsonObject } from '../shared/json.ts';
import { checkAnswer } from '../shared/formAnswer.ts';
import { describeField, fromText, readForm } from './forms.ts';

function ask(properties: JsonObject, required: string[] = [], message = 'Release?'): JsonObject {
  const requestedSchema = { type: 'object', properties, required };
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}
function form(properties: JsonObject, required: string[] = []): FillableForm {
  const read = readForm(ask(properties, required));
  if (read.kind !== 'form') throw new Error(JSON.stringify(read));
  return read;
}
function why(request: JsonObject): string {
  const read = readForm(request);
  return read.kind === 'refused' ? read.why : `not refused: ${JSON.stringify(read)}`;
}
/** What is wrong with one value of a field that may be left out. */
function problem(schema: JsonObject, value: Json): string | null {
  const checked = checkAnswer(form({ x: schema }), { x: value });
  if (checked.ok) {
    expect(checked.content).toEqual({ x: value });
    return null;
  }
  expect(checked.problems).toHaveLength(1);
  return checked.problems[0]?.says ?? null;
}
function field(schema: JsonObject, required = false) {
  const [only] = form({ x: schema }, required ? ['x'] : []).fields;
  if (!only) throw new Error('no field');
  return only;
}
const typed = (schema: JsonObject, text: string, required = false) => fromText(field(schema, required), text);

const titledOne = { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g', title: 'Green' }] }; // prettier-ignore
const titledMany = { type: 'array', items: { anyOf: titledOne.oneOf } };

describe('odd inputs, forms: reading and checking (host §17)', () => {
  it('optional number left empty is absent, not null', () => {
    const asked = form({ n: { type: 'number' }, i: { type: 'integer' } });
    for (const content of [{}, { n: null, i: null }])
      expect(checkAnswer(asked, content)).toEqual({ ok: true, content: {} });
    expect(Object.keys((checkAnswer(asked, { n: null }) as { content: JsonObject }).content)).toEqual([]);
    expect(typed({ type: 'number' }, '')).toEqual({ ok: true, value: undefined });
  });

  it('optional boolean untouched is absent, not false', () => {
    expect(checkAnswer(form({ b: { type: 'boolean' } }), {})).toEqual({ ok: true, content: {} });
    const needed = checkAnswer(form({ b: { type: 'boolean' } }, ['b']), {});
    expect(needed).toEqual({ ok: false, problems: [{ field: 'b', says: 'needs an answer: yes or no.' }] });
    expect(checkAnswer(form({ b: { type: 'boolean' } }, ['b']), { b: false })).toEqual({
      ok: true,
      content: { b: false },
    });
  });

  it('defaults 0, false, "" count, are shown as defaults and give way to an answer', () => {
    const properties = {
      n: { type: 'integer', default: 0 },
      b: { type: 'boolean', default: false },
      s: { type: 'string', default: '' },
      c: { ...titledOne, default: 'g' },
      m: { ...titledMany, default: ['r'] },
    };
    const asked = form(properties, ['n', 'b', 's', 'c', 'm']);
    const content = { n: 0, b: false, s: '', c: 'g', m: ['r'] };
    expect(asked.fields.map((one) => one.default)).toEqual(Object.values(content));
    expect(checkAnswer(asked, {})).toEqual({ ok: true, content });
    const other = { n: 5, b: true, s: 'x', c: 'r', m: [] };
    expect(checkAnswer(asked, other)).toEqual({ ok: true, content: other });
    expect(asked.fields.map(describeField).map((line) => line.split('; ').at(-1))).toEqual([
      'default 0',
      'default no',
      'default the empty text',
      'default “Green”',
      'default “Red”',
    ]);
    expect(describeField(field({ type: 'boolean' }))).not.toContain('default');
  });

  it('a default that a person emptied is not put back', () =>
    expect(checkAnswer(form({ n: { type: 'number', default: 3 } }), { n: null })).toEqual({ ok: true, content: {} }));

  it('multi-select with nothing ticked', () => {
    expect(checkAnswer(form({ m: titledMany }), { m: [] })).toEqual({ ok: true, content: { m: [] } });
    const some = { m: { ...titledMany, minItems: 1, default: ['r'] } };
    expect(checkAnswer(form(some), { m: [] })).toEqual({ ok: true, content: {} });
    expect(checkAnswer(form(some, ['m']), { m: [] })).toMatchObject({
      ok: false,
      problems: [{ field: 'm', says: expect.stringContaining('at least 1 of “Red”') as string }],
    });
  });

  it('minItems and maxItems', () => {
    const schema = { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c', 'd'] }, minItems: 2, maxItems: 3 };
    expect(problem(schema, ['a', 'b'])).toBeNull();
    expect(problem(schema, ['a', 'b', 'c'])).toBeNull();
    for (const value of [['a'], ['a', 'b', 'c', 'd'], ['a', 'a'], ['a', 'z'], 'a', ['a', 1]])
      expect(problem(schema, value)).toContain('2 to 3 of “a”');
  });

  it.each([
    '2026-02-31',
    '2026-2-3',
    '2025-02-29',
    '2026-13-01',
    '26-01-01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '',
  ])('no date: %j', (text) => expect(problem({ type: 'string', format: 'date' }, text)).toContain('YYYY-MM-DD'));
  it.each(['2024-02-29', '2026-12-31', '0099-01-01'])('a date: %s', (text) =>
    expect(problem({ type: 'string', format: 'date' }, text)).toBeNull(),
  );

  it.each([
    'March 7',
    '2026-03-07',
    '2026-03-07 10:00:00Z',
    '2026-03-07T10:00:00',
    '2026-03-07T10:00Z',
    '2026-03-07T24:00:00Z',
    '2026-02-31T10:00:00Z',
    '2026-03-07T10:00:00+25:00',
    '2026-03-07T10:60:00Z',
    '2026-03-07T10:00:00Z ',
  ])('no date-time: %j', (text) =>
    expect(problem({ type: 'string', format: 'date-time' }, text)).toContain('date and time with its zone'),
  );
  it.each(['2026-03-07T10:00:00Z', '2026-03-07T10:00:00.250+01:00', '2026-03-07t23:59:59z'])(
    'a date-time: %s',
    (text) => expect(problem({ type: 'string', format: 'date-time' }, text)).toBeNull(),
  );

  it.each([
    '0x10',
    'Infinity',
    ' 5 ',
    '5 ',
    '-',
    '1e999',
    'NaN',
    '1,5',
    '05',
    '.5',
    '5.',
    '+5',
    '1_000',
    '٣',
    '12345678901234567.5',
  ])('no number: %j', (text) => {
    expect(typed({ type: 'number' }, text)).toEqual({ ok: false, says: 'Takes a number.' });
    expect(problem({ type: 'number' }, text)).toBe('takes a number.');
  });

  it('numbers as JSON has them, within their range', () => {
    expect(typed({ type: 'number' }, '-1.5e2')).toEqual({ ok: true, value: -150 });
    expect(typed({ type: 'number' }, '0.1')).toEqual({ ok: true, value: 0.1 });
    expect(typed({ type: 'integer' }, '9007199254740993').ok).toBe(false);
    expect(problem({ type: 'integer' }, 2 ** 60)).toBe('takes a whole number.');
    expect(typed({ type: 'integer' }, '1.5').ok).toBe(false);
    const schema = { type: 'integer', minimum: 1, maximum: 100 };
    for (const value of [1, 100]) expect(problem(schema, value)).toBeNull();
    for (const value of [0, 101, 1.5, '5', true, Infinity, NaN, 2 ** 60])
      expect(problem(schema, value)).toBe('takes a whole number, 1 to 100.');
    expect(problem({ type: 'number', minimum: 0 }, -0.01)).toBe('takes a number, at least 0.');
  });

  it('lengths counted in code points', () => {
    const schema = { type: 'string', minLength: 2, maxLength: 3 };
    expect(problem(schema, '😀😀😀')).toBeNull();
    expect(problem(schema, '😀')).toBe('takes text, 2 to 3 characters.');
    expect(problem(schema, 'abcd')).toBe('takes text, 2 to 3 characters.');
    expect(problem({ type: 'string' }, 'a\ud83d')).toBe('takes text.');
  });

  it('enum titles as labels, what is sent beside them', () => {
    expect(describeField(field(titledOne))).toBe('“x”: one of 1 “Red” (sends “r”), 2 “Green” (sends “g”); optional');
    const older = { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] };
    expect(field(older)).toMatchObject({ type: 'choice', choices: [{ value: 'r', title: 'Red' }, { value: 'g' }] });
    expect(field({ ...older, enumNames: ['Red'] })).toMatchObject({ choices: [{ title: 'r' }, { title: 'g' }] });
    expect(field({ ...older, enumNames: ['Red'] }).notes[0]).toContain('do not fit');
    expect(problem(titledOne, 'g')).toBeNull();
    expect(problem(titledOne, 'Green')).toContain('takes one of “Red”');
    expect(problem(titledMany, ['g', 'r'])).toBeNull();
  });

  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:x',
    'data:text/html,x',
    'file:///etc/passwd',
    'example.com',
    '/a',
    '//a.b',
    'https:a',
    'https://a b',
    'https://a/%zz',
    'https://a/ü',
  ])('no uri: %s', (text) => expect(problem({ type: 'string', format: 'uri' }, text)).toContain('full address'));
  it.each(['https://example.com/a?b=%20#c', 'mailto:a@example.com', 'urn:isbn:0451450523', 'http://[::1]/'])(
    'a uri: %s',
    (text) => expect(problem({ type: 'string', format: 'uri' }, text)).toBeNull(),
  );
  it('e-mail addresses', () => {
    for (const text of ['a@example.com', 'first.last+tag@mail.example.org'])
      expect(problem({ type: 'string', format: 'email' }, text)).toBeNull();
    for (const text of [
      'a',
      '@example.com',
      'a@b',
      'a b@example.com',
      'a@@example.com',
      'a..b@example.com',
      'A <a@example.com>',
      'a@-x.com',
    ])
      expect(problem({ type: 'string', format: 'email' }, text)).toContain('e-mail');
  });

  it('a request with no fields is a plain accept or decline', () => {
    const read = { kind: 'form', message: 'Release?', fields: [] };
    expect(readForm(ask({}))).toEqual(read);
    expect(readForm({ method: 'elicitation/create', params: { message: 'Release?' } })).toEqual(read);
    expect(checkAnswer(form({}), {})).toEqual({ ok: true, content: {} });
    expect(checkAnswer(form({}), { extra: 1 }).ok).toBe(false);
  });

  it('scalar default on a multi-select is left out and said', () => {
    const one = field({ ...titledMany, default: 'r' });
    expect(one.default).toBeNull();
    expect(one.notes).toEqual(['Its default “"r"” is no answer it allows: left out.']);
    expect(checkAnswer(form({ x: { ...titledMany, default: 'r' } }), {})).toEqual({ ok: true, content: {} });
    expect(field({ type: 'integer', maximum: 5, default: 6 }).default).toBeNull();
  });
});

describe('forms nobody is asked (host §17, trust limits)', () => {
  it('more than 20 fields', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, { type: 'boolean' }]));
    expect(form(fields(20)).fields).toHaveLength(20);
    expect(why(ask(fields(21)))).toBe('The form has 21 fields; at most 20 are shown.');
  });

  it.each<[JsonObject, RegExp]>([
    [{ x: { type: 'object', properties: {} } }, /form inside the form/],
    [{ x: { type: 'array', items: { type: 'object' } } }, /list of anything/],
    [{ x: { type: 'array' } }, /list of anything/],
    [{ x: { type: 'null' } }, /is of the type “"null"”/],
    [{ x: { type: ['string', 'null'] } }, /is of the type/],
    [{ x: { $ref: '#/$defs/a' } }, /has no type/],
    [{ x: true }, /has no schema/],
    [{ x: { type: 'string', format: 'password' } }, /asks for a password/],
    [{ x: { type: 'string', enum: [] } }, /no choice/],
    [{ x: { type: 'string', enum: ['a', 1] } }, /no text/],
    [{ x: { type: 'string', enum: ['a', 'a'] } }, /twice/],
    [{ x: { type: 'string', oneOf: [{ title: 'a' }] } }, /no text/],
    [{ x: { type: 'string', minLength: 5, maxLength: 3 } }, /cannot be answered/],
    [{ x: { type: 'string', minLength: -1 } }, /no count/],
    [{ x: { type: 'number', minimum: '1' } }, /no number/],
    [{ x: { ...titledMany, minItems: 3 } }, /cannot be answered/],
    [{ ['n'.repeat(129)]: { type: 'string' } }, /129 characters/],
    [{ x: { type: 'string', title: 'Your password' } }, /asks for a password/],
    [{ apiKey: { type: 'string' } }, /asks for a secret key/],
    [{ x: { type: 'integer', description: 'PIN of the account' } }, /asks for a PIN/],
    [{ x: { type: 'string', title: 'Card number' } }, /asks for a payment card/],
  ])('%j', (properties, words) => expect(why(ask(properties))).toMatch(words));

  it('what is no list of fields, another mode or method', () => {
    const schema = (requestedSchema: Json) => ({
      method: 'elicitation/create',
      params: { message: '', requestedSchema },
    });
    expect(why(schema({ type: 'array' }))).toContain('no list of fields');
    expect(why(schema({ type: 'object', properties: {}, anyOf: [] }))).toContain('“anyOf”');
    expect(why(schema({ type: 'object', properties: {}, required: ['ghost'] }))).toContain('ghost');
    expect(why({ method: 'elicitation/create', params: { mode: 'voice', message: '' } })).toContain('voice');
    expect(why({ method: 'sampling/createMessage', params: {} })).toContain('sampling/createMessage');
    expect(why({ method: 'elicitation/create' })).toContain('no content');
    expect(why({})).toContain('null');
  });

  it('a message that asks for a secret, unless nothing can be typed', () => {
    const message = 'Please enter your password.';
    expect(why(ask({ value: { type: 'string' } }, [], message))).toContain('asks for a password');
    expect(readForm(ask({ done: { type: 'boolean' } }, [], message)).kind).toBe('form');
  });

  it('a yes or no, a choice, a date or an address cannot take a secret', () => {
    const fields = {
      resetPassword: { type: 'boolean' },
      card: { type: 'string', enum: ['new', 'old'] },
      passwordChanged: { type: 'string', format: 'date' },
      passwordEmail: { type: 'string', format: 'email' },
    };
    expect(form(fields).fields).toHaveLength(4);
    expect(why(ask({ tokenLink: { type: 'string', format: 'uri', title: 'Link with your token' } }))).toContain(
      'token',
    );
  });

  it('URL mode: the address, or why it is refused (host §18)', () => {
    const visit = (url: Json) =>
      readForm({ method: 'elicitation/create', params: { mode: 'url', message: 'Pay', url } });
    expect(visit('https://pay.example/1')).toEqual({
      kind: 'url',
      message: 'Pay',
      url: 'https://pay.example/1',
      host: 'pay.example',
      spelled: 'pay.example',
      domain: 'pay.example',
      warnings: [],
    });
    expect(visit('javascript:alert(1)')).toMatchObject({ kind: 'refused' });
    expect(visit(null)).toEqual({ kind: 'refused', why: 'The question names no address to visit.' });
  });
});

describe('foreign words and names in forms (trust, foreign data)', () => {
  it('keeps titles and messages as they are, long ones cut at a code point and said', () => {
    const read = readForm(ask({ x: { type: 'string', title: 'a\u202eb' } }, [], `${'x'.repeat(3999)}😀😀`));
    if (read.kind !== 'form') throw new Error(read.kind);
    expect(read.fields[0]?.title).toBe('a\u202eb');
    expect(read.message).toBe(`${'x'.repeat(3999)} … (cut: 4003 characters in all)`);
    expect(field({ type: 'string', title: 'y'.repeat(301) }).title).toContain('(cut: 301');
    expect(field({ type: 'string', description: 'y'.repeat(2001) }).description).toContain('(cut: 2001');
  });

  it('a pattern is never run: it is said and left', () => {
    const schema = { type: 'string', pattern: '^(a+)+$', format: 'uuid' };
    expect(problem(schema, `${'a'.repeat(40)}!`)).toBeNull();
    expect(field(schema).notes.join(' ')).toMatch(/“"uuid"” is not checked.*“pattern” is not checked/);
    expect(field({ type: 'string', title: 'T', description: 'D', minLength: 1, 'x-a': 1 }).notes).toEqual([]);
  });

  it('all problems come at once, unknown keys by name', () => {
    const asked = form({ a: { type: 'integer' }, b: { type: 'boolean' }, c: { type: 'string' } }, ['b']);
    expect(checkAnswer(asked, { a: '1', d: 1 })).toEqual({
      ok: false,
      problems: [
        { field: 'a', says: 'takes a whole number.' },
        { field: 'b', says: 'needs an answer: yes or no.' },
        { field: 'd', says: 'is no field of this form.' },
      ],
    });
  });

  it('names of the prototype are names like any other', () => {
    const text =
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["__proto__"]}';
    const read = readForm({
      method: 'elicitation/create',
      params: { message: '', requestedSchema: JSON.parse(text) as Json },
    });
    if (read.kind !== 'form') throw new Error(JSON.stringify(read));
    expect(checkAnswer(read, {})).toMatchObject({ ok: false, problems: [{ field: '__proto__' }] });
    const checked = checkAnswer(read, JSON.parse('{"__proto__":"x"}') as JsonObject);
    expect(JSON.stringify(checked)).toBe('{"ok":true,"content":{"__proto__":"x"}}');
    const other = checkAnswer(form({ a: { type: 'string' } }), JSON.parse('{"__proto__":{"a":"x"}}') as JsonObject);
    expect(other).toEqual({ ok: false, problems: [{ field: '__proto__', says: 'is no field of this form.' }] });
    expect(why(ask({ a: { type: 'string' } }, ['toString']))).toContain('toString');
  });
});

describe('what a person types for a field', () => {
  it('yes and no', () => {
    for (const text of ['yes', 'Y', ' true '])
      expect(typed({ type: 'boolean' }, text)).toEqual({ ok: true, value: true });
    for (const text of ['no', 'N', 'false'])
      expect(typed({ type: 'boolean' }, text)).toEqual({ ok: true, value: false });
    for (const text of ['1', 'maybe', 'yess'])
      expect(typed({ type: 'boolean' }, text)).toEqual({ ok: false, says: 'Takes yes or no.' });
  });

  it('nothing typed is no answer; needed ones are asked again unless they have a default', () => {
    for (const schema of [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }, titledOne, titledMany]) {
      expect(typed(schema, '')).toEqual({ ok: true, value: undefined });
      expect(typed(schema, '', true)).toMatchObject({
        ok: false,
        says: expect.stringMatching(/^Needs an answer/) as string,
      });
    }
    expect(typed({ type: 'integer', default: 0 }, '', true)).toEqual({ ok: true, value: undefined });
  });

  it('text is kept as typed, two quotes are the empty text, formats are checked', () => {
    expect(typed({ type: 'string' }, ' a ')).toEqual({ ok: true, value: ' a ' });
    expect(typed({ type: 'string' }, '""', true)).toEqual({ ok: true, value: '' });
    expect(typed({ type: 'string', minLength: 1 }, '""').ok).toBe(false);
    expect(typed({ type: 'string', format: 'date' }, '2026-02-31')).toMatchObject({ ok: false });
  });

  it('one choice: by value, title, number', () => {
    for (const text of ['g', 'Green', 'green', 'G', '2', ' 2 '])
      expect(typed(titledOne, text)).toEqual({ ok: true, value: 'g' });
    for (const text of ['3', '0', 'blue', '-1', '1.0'])
      expect(typed(titledOne, text)).toMatchObject({
        ok: false,
        says: expect.stringContaining('none of the choices') as string,
      });
  });

  it('choices that are numbers are named by value only', () => {
    const sizes = { type: 'string', enum: ['38', '2', '1'] };
    expect(typed(sizes, '1')).toEqual({ ok: true, value: '1' });
    expect(typed(sizes, '3').ok).toBe(false);
    expect(describeField(field(sizes))).toBe('“x”: one of “38”, “2”, “1”; optional');
  });

  it('titles that are other choices’ values are not guessed at', () => {
    const crossed = { type: 'string', oneOf: [{ const: 'keep', title: 'drop' }, { const: 'drop', title: 'keep' }] }; // prettier-ignore
    expect(typed(crossed, 'keep')).toMatchObject({
      ok: false,
      says: expect.stringContaining('more than one') as string,
    });
    expect(typed(crossed, '1')).toEqual({ ok: true, value: 'keep' });
  });

  it('several choices by commas, each once, none', () => {
    expect(typed(titledMany, 'Green, 1, g')).toEqual({ ok: true, value: ['g', 'r'] });
    expect(typed(titledMany, 'none')).toEqual({ ok: true, value: [] });
    expect(typed(titledMany, 'r, blue')).toMatchObject({
      ok: false,
      says: expect.stringContaining('“blue”') as string,
    });
    expect(typed({ ...titledMany, maxItems: 1 }, 'r,g')).toMatchObject({ ok: false });
    const commas = { type: 'array', items: { type: 'string', enum: ['a, b', 'c'] } };
    expect(typed(commas, 'a, b')).toEqual({ ok: true, value: ['a, b'] });
  });
});

describe('a field in one line', () => {
  it('name, title, what is allowed, needed or not, default', () => {
    const schema = { type: 'integer', title: 'Amount\nin cents', minimum: 1, maximum: 100, default: 5 };
    expect(describeField(field(schema, true))).toBe(
      '“Amount in cents” (“x”): a whole number, 1 to 100; required; default 5',
    );
    expect(describeField(field({ type: 'boolean' }))).toBe('“x”: yes or no; optional');
    expect(describeField(field({ type: 'string', format: 'email', maxLength: 50 }))).toBe(
      '“x”: an e-mail address like name@example.com, at most 50 characters; optional',
    );
    expect(describeField(field({ ...titledMany, minItems: 1, default: ['g'] }))).toBe(
      '“x”: at least 1 of 1 “Red” (sends “r”), 2 “Green” (sends “g”); optional; default “Green”',
    );
  });
});
