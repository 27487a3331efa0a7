import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { checkSchema, checkTool } from './toolCheck.ts';
import { createValidator } from './validator.ts';

/** What is no runaway has seconds: a stall is not to be taken for one. */
const validator = createValidator({ ms: 5_000 });
/** With the usual time, for what does run away. */
const strict = createValidator();
afterAll(() => Promise.all([validator.close(), strict.close()]));

describe('foreign schemas (spec trust, "Foreign data inside the host")', () => {
  it('says in sentences what is wrong with a value', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, day: { type: 'string', format: 'date' } },
      required: ['b'],
    };
    const result = await validator.validate(schema, { a: 1, day: '2026-02-31' });
    expect(result).toEqual({
      ok: false,
      problems: ["must have required property 'b'", '/a must be string', '/day must match format "date"'],
    });
    expect(await validator.validate(schema, { b: null })).toEqual({ ok: true });
  });

  it('reads a schema by the dialect it declares, else by 2020-12', async () => {
    const tuple = { items: [{ type: 'string' }], prefixItems: [{ type: 'number' }] };
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple };
    expect(await validator.validate(draft7, ['a'])).toEqual({ ok: true });
    expect(await validator.validate({ prefixItems: [{ type: 'number' }] }, ['a'])).toMatchObject({ ok: false });
    expect(
      await validator.validate(
        { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] },
        [1],
      ),
    ).toMatchObject({
      ok: false,
    });
    expect(await validator.compile({ $schema: 'https://example.com/mine' })).toContain('dialect');
  });

  it('kills the thread of a catastrophic pattern; the host is not stalled and the next schema is judged', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    let beats = 0;
    const heart = setInterval(() => beats++, 20);
    const result = await strict.validate(schema, 'a'.repeat(40) + '!');
    clearInterval(heart);
    expect(result).toMatchObject({ ok: false, parked: expect.stringContaining('longer than 250 ms') as string });
    expect(beats).toBeGreaterThan(5);
    expect(await strict.validate({ type: 'number' }, 1)).toEqual({ ok: true });
  });

  it('holds nobody up a second time with a schema that ran away (spec trust §1)', async () => {
    const schema = { type: 'string', pattern: '^(b+)+$' };
    const word = 'b'.repeat(40) + '!';
    const first = strict.validate(schema, word);
    const other = strict.validate({ type: 'number' }, 1).then(() => performance.now());
    // Whoever waits is served before a slow schema gets its second try.
    expect(await Promise.race([first, other])).toBe(await other);
    await first;
    // Known by now, and said without a thread.
    const again = strict.validate(schema, word);
    expect(await Promise.race([again, strict.validate({ type: 'number' }, 1)])).toHaveProperty('parked');
  });

  it('parks a schema that refers only to itself, and takes one that nests by reference', async () => {
    const circle = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };
    expect(await validator.validate(circle, 1)).toHaveProperty('parked');
    const list: JsonObject = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false };
    expect(await validator.validate(list, { next: { next: {} } })).toEqual({ ok: true });
    expect(await validator.validate(list, { next: { wrong: 1 } })).toMatchObject({ ok: false });
  });

  it('keeps one schema out of another that names the same $id', async () => {
    const id = 'https://example.com/same';
    expect(await validator.validate({ $id: id, type: 'string' }, 'a')).toEqual({ ok: true });
    expect(await validator.validate({ $id: id, type: 'number' }, 'a')).toMatchObject({ ok: false });
  });
});

describe('limits of a schema (spec trust, "Limits")', () => {
  const nested = (n: number): JsonObject => (n === 0 ? {} : { properties: { a: nested(n - 1) } });
  it('takes 32 levels and refuses 33', () => {
    expect(checkSchema(nested(31))).toBeNull();
    expect(checkSchema(nested(32))).toContain('32 levels');
  });
  it('refuses 2,001 schemas and 256 KiB', () => {
    const properties = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`p${n}`, {}]));
    expect(checkSchema({ properties })).toContain('2000 schemas');
    expect(checkSchema({ description: 'x'.repeat(256 * 1024) })).toContain('bytes');
  });
  it('refuses other documents and references to nothing, not keys that merely look alike', () => {
    expect(checkSchema({ properties: { a: { $ref: 'other.json#/a' } } })).toContain('another document');
    expect(checkSchema({ $ref: '#/$defs/none' })).toContain('nothing');
    expect(checkSchema({ $ref: '#/$defs/a~1b', $defs: { 'a/b': {} } })).toBeNull();
    expect(checkSchema({ properties: { $ref: { type: 'string' } }, enum: [{ $ref: 'x' }] })).toBeNull();
  });
});

describe('checking a tool', () => {
  const good = { name: 'a', inputSchema: { type: 'object' } };
  it.each([
    [{ ...good, inputSchema: true }, 'not an object'],
    [{ ...good, inputSchema: { type: 'string' } }, '"type": "object"'],
    [{ ...good, inputSchema: { anyOf: [] } }, '"type": "object"'],
    [{ ...good, outputSchema: 7 }, 'outputSchema'],
    [{ ...good, description: {} }, 'description'],
    [{ ...good, name: 'a b' }, 'name'],
    [{ ...good, name: 'a'.repeat(129) }, '128'],
    [{ inputSchema: {} }, 'no name'],
    [[], 'no tool'],
  ])('gives a reason for %j', (raw, reason) => {
    expect(checkTool(raw)).toContain(reason);
  });
  it('has nothing against a good one', () => {
    expect(checkTool({ ...good, name: 'a'.repeat(128), outputSchema: { type: 'array' } })).toBeNull();
  });
});
