import { describe, expect, it } from 'vitest';
import { canonical, definitionHash, parseStrict, sha256 } from './canonical.ts';
import { cutList, deeper } from './jsonText.ts';

describe('canonical JSON (RFC 8785)', () => {
  it('writes the sample of RFC 8785 §3.2.2 as the RFC does', () => {
    const source = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
    const wanted = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    expect(canonical(parseStrict(source))).toBe(wanted);
  });

  it('sorts keys by UTF-16 code units', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const text = canonical(Object.fromEntries(keys.map((key) => [key, 0])));
    expect(text).toBe(`{${sorted.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`);
  });

  it('writes minus zero as zero and refuses numbers that are not finite', () => {
    expect(canonical(-0)).toBe('0');
    expect(() => canonical(Infinity)).toThrow('number');
  });

  it('keeps a member named __proto__', () => {
    expect(canonical(parseStrict('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}');
  });

  it('hashes UTF-8 bytes', () => {
    expect(sha256('€')).toBe('c4cc90ed3d26f12d4b08a75140970a7904035c31cbb4515a83f19b9003c00d1d');
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('strict JSON (spec host §6)', () => {
  it('refuses a key that stands twice, also when spelt with an escape', () => {
    expect(() => parseStrict('{"a":1,"b":{"a":2},"\\u0061":3}')).toThrow('twice');
    expect(parseStrict('{"a":[{"a":1},{"a":2}],"b":"a"}')).toEqual({ a: [{ a: 1 }, { a: 2 }], b: 'a' });
  });

  it('refuses half of a surrogate pair in values and keys', () => {
    expect(() => parseStrict('["\\ud800"]')).toThrow('surrogate');
    expect(() => parseStrict('{"\\udc00":1}')).toThrow('surrogate');
    expect(parseStrict('["\\ud83d\\ude00"]')).toEqual(['😀']);
  });

  it('refuses nesting over 64 levels and takes 64', () => {
    const nested = (n: number) => '['.repeat(n) + ']'.repeat(n);
    expect(parseStrict(nested(64))).toBeInstanceOf(Array);
    expect(() => parseStrict(nested(65))).toThrow('64 levels');
    expect(parseStrict(JSON.stringify('['.repeat(100)))).toBe('['.repeat(100));
  });

  it('refuses numbers out of range, and text that is no JSON', () => {
    expect(() => parseStrict('[1e999]')).toThrow('out of range');
    expect(() => parseStrict('{"a":1,}')).toThrow('not valid JSON');
  });

  it('takes time in proportion to the text, whatever the text', () => {
    const hard = [
      `["${'\\\\'.repeat(2_000_000)}"]`,
      `["${'\\"'.repeat(2_000_000)}"]`,
      `{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
    ];
    for (const text of hard) parseStrict(text);
    expect(deeper('['.repeat(8_000_000), 64)).toBe(true);
  });
});

describe('the hash of a definition', () => {
  it('covers members nobody knows and leaves pictures out', () => {
    const base = { name: 'a', inputSchema: { type: 'object' } };
    expect(definitionHash({ ...base, icons: [{ src: 'x' }] })).toBe(definitionHash(base));
    expect(definitionHash({ ...base, 'x-new': 1 })).not.toBe(definitionHash(base));
    expect(definitionHash({ inputSchema: { type: 'object' }, name: 'a' })).toBe(definitionHash(base));
  });
});

describe('cutting a list out of a message', () => {
  it('gives each element as it came and an envelope without them', () => {
    const text =
      '{"id":1,"x":{"tools":[9]},"result":{"a":"\\"tools\\":[","tools":[ {"n":[1,2]} , 3,"]" ],"nextCursor":"c"}}';
    const list = cutList(text, ['tools']);
    expect(list?.elements).toEqual(['{"n":[1,2]}', '3', '"]"']);
    expect(JSON.parse(list?.envelope ?? '')).toMatchObject({ id: 1, result: { tools: [], nextCursor: 'c' } });
    expect(cutList('{"result":{"tools":[]}}', ['tools'])?.elements).toEqual([]);
    expect(cutList('{"params":{"tools":[1]}}', ['tools'])).toBeNull();
  });

  it('counts a list that stands twice', () => {
    expect(cutList('{"result":{"tools":[1],"tools":[2]}}', ['tools'])?.found).toBe(2);
  });
});
