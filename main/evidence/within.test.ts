import { describe, expect, it } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { checkDraft, type CheckInput } from './check.ts';
import { factsOf, type CheckedCall } from './facts.ts';
import type { ClaimRule } from './promises.ts';
import { lookThrough, textLimit, valueLimit, valuesOf } from './within.ts';

function call(n: number, tool: string, args: CheckedCall['arguments'], structured: Json): CheckedCall {
  return {
    n,
    tool: `shop.${tool}`,
    prefix: 'shop',
    outcome: 'result',
    arguments: args,
    structured,
    systemOfRecord: true,
  };
}
const order = (id: string, total: string) => ({ order_id: id, customer_id: 'C-0127', status: 'delivered', total });
const large = (rest: object = {}) => ({ notes: Array.from({ length: valueLimit }, () => 'x'), ...rest });
function judged(text: string, calls: CheckedCall[], claims: ClaimRule[] = []) {
  const input: CheckInput = {
    text,
    language: 'en',
    received_at: '2026-06-26T08:00:00Z',
    ticket: { id: 'T-0001', customer: 'C-0127', subject: 'Order', body: 'Hello.' },
    calls,
    claims,
    idPatterns: [{ kind: 'order', pattern: '^O-[0-9]{4}$' }],
    resources: [],
    statuses: ['delivered'],
    currency: 'EUR',
    hidden: [],
    slots: [],
    derived: [],
    typed: [],
  };
  return checkDraft(input).map(({ kind, verdict, why }) => ({ kind, verdict, why }));
}

describe('how much of the results is looked at', () => {
  it('no more values than the limit, however many there are', () => {
    const calls = [1, 2, 3].map((n) =>
      call(
        n,
        'list',
        {},
        Array.from({ length: 9_000 }, (_, at) => `v${at}`),
      ),
    );
    const facts = factsOf([...calls, call(4, 'huge', {}, large())], [], '2026-06-26');
    expect(facts.filter(({ pointer }) => !pointer.startsWith('arguments')).length).toBeLessThanOrEqual(valueLimit);
    expect(lookThrough([...calls, call(4, 'huge', {}, large())]).left).toEqual(new Set([3, 4]));
  });

  it('counting them ends at the limit: neither a long list, a wide record nor many lists are walked to their end', () => {
    let read = 0;
    const counted = <Value extends object>(value: Value): Value =>
      new Proxy(value, {
        get(of, key) {
          read++;
          return Reflect.get(of, key) as unknown;
        },
      });
    const long = counted(Array.from({ length: 1_000_000 }, () => 0));
    expect(valuesOf(long, 100)).toBe(101);
    const wide = counted(Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, at])));
    expect(valuesOf(wide, 100)).toBe(101);
    const many = Array.from({ length: 50 }, () => counted(Array.from({ length: 90 }, () => 0)));
    expect(valuesOf(many, 100)).toBe(101);
    expect(read).toBeLessThan(1_000);
  });

  it('long names and records of very many names count for more', () => {
    const plain = valuesOf({ a: [1, 2, 3] }, 1_000);
    expect(valuesOf({ ['a'.repeat(2_560)]: [1, 2, 3] }, 1_000)).toBeGreaterThanOrEqual(plain + 40);
    const around = Object.fromEntries(Array.from({ length: 640 }, (_, at) => [`n${at}_id`, `v${at}`]));
    expect(valuesOf({ ...around, a: [1, 2, 3] }, 100_000)).toBeGreaterThan(640 * 10);
  });

  it('words count too: of many long texts some are left out, and none is looked at beyond its beginning', () => {
    const words = (n: number, length: number): CheckedCall => ({
      ...call(n, 'read', {}, null),
      text: 'It is 12.50 EUR. '.repeat(Math.ceil(length / 17)),
    });
    const some = lookThrough([1, 2, 3, 4].map((n) => words(n, 100_000)));
    expect([some.looked.size, some.left]).toEqual([3, new Set([4])]);
    const long = lookThrough([words(1, 2 * textLimit)]);
    expect([long.looked.size, long.left]).toEqual([1, new Set([1])]);
    const json = { ...words(1, 0), text: `[${'"x",'.repeat(textLimit)}` };
    expect(lookThrough([json]).looked.size).toBe(0);
    const facts = factsOf([words(1, 2 * textLimit)], [], '2026-06-26');
    expect(facts.filter(({ pointer }) => pointer === 'text').length).toBeLessThanOrEqual(textLimit / 17);
  });

  it('the small results are looked at, whichever came first', () => {
    const text = 'Your order O-2415 came to €49.96.';
    const whole = Array.from({ length: valueLimit - 1 }, () => 'x');
    const calls = [call(1, 'list', {}, whole), call(2, 'get', { order_id: 'O-2415' }, order('O-2415', '49.96'))];
    expect(judged(text, calls).map(({ verdict }) => verdict)).toEqual(['backed', 'backed']);
  });
});

describe('a result too large to look through', () => {
  it('backs nothing, and the person is told to check it', () => {
    const text = 'Your order O-2415 came to €49.96.';
    const amount = judged(text, [call(1, 'get', {}, large(order('O-2415', '49.96')))]).find(
      ({ kind }) => kind === 'amount',
    );
    expect(amount?.verdict).toBe('no source');
    expect(amount?.why).toMatch(/shop\.get \(call 1\) is too large for the desk to look through: check it yourself\.$/);
  });

  it('may hold other records: "it" is then nobody’s', () => {
    const one = call(2, 'find', {}, order('O-2415', '49.96'));
    expect(judged('It came to €49.96.', [one])[0]?.verdict).toBe('backed');
    expect(judged('It came to €49.96.', [call(1, 'list', {}, large()), one])[0]?.verdict).toBe('no source');
  });

  it('may say whose record it is: what was only asked for backs no identifier', () => {
    const text = 'Your order is O-2999.';
    const asked = { order_id: 'O-2999' };
    expect(judged(text, [call(1, 'get', asked, {})])[0]?.verdict).toBe('backed');
    expect(judged(text, [call(1, 'get', asked, large({ customer_id: 'C-0001' }))])[0]?.verdict).toBe('no source');
  });

  it('keeps no promise, neither by having come nor by a field it seems not to have', () => {
    const rule = (backed: ClaimRule['backed_by']): ClaimRule[] => [
      { id: 'refund', kind: 'promise', words: { en: ['refunded'] }, backed_by: backed },
    ];
    const text = 'We have refunded your order O-2415.';
    const promise = (rules: ClaimRule[], structured: Json) =>
      judged(text, [call(1, 'refund', { order_id: 'O-2415' }, structured)], rules).find(
        ({ kind }) => kind === 'promise',
      );
    const came = rule([{ call: 'shop.refund', outcome: 'result' }]);
    const absent = rule([{ call: 'shop.refund', outcome: 'result', field: '/held', op: 'absent' }]);
    for (const rules of [came, absent]) {
      expect(promise(rules, { order_id: 'O-2415' })?.verdict).toBe('backed');
      expect(promise(rules, large({ held: true }))?.verdict).toBe('no source');
    }
  });
});
