import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../shared/json.ts';
import { playbookSchema } from '../../shared/playbook.ts';
import type { Ticket } from '../../shared/tickets.ts';
import type { LedgerEntry } from './candidates.ts';
import { fill, spans, type Picker } from './fill.ts';
import { planCall, type OfferedTool, type Plan } from './plan.ts';

function ticket(body: string): Ticket {
  return {
    id: 'T-1',
    customer: 'C-0071',
    customer_name: null,
    machine: false,
    subject: '',
    body,
    received_at: '2026-06-26T09:31:00Z',
    channel: null,
    source: 'sample',
    state: 'open',
    version: 1,
  };
}
function tool(properties: JsonObject, required: string[] = []): OfferedTool {
  return {
    name: 'shop.do',
    prefix: 'shop',
    tool: 'do',
    description: '',
    inputSchema: { type: 'object', properties, required },
    marks: { '/note': 'prose' },
    configuration: '',
    definition: '',
    listed: true,
  };
}
function entry(structured: Json, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    n: 1,
    tool: 'shop.quote',
    arguments: {},
    outcome: 'result',
    text: '',
    structured,
    bound: true,
    trust: 'untrusted',
    ...more,
  };
}
function plan(of: OfferedTool, body: string, ledger: LedgerEntry[] = [], rules: JsonObject = {}): Plan {
  const playbook = playbookSchema.parse({
    format: 'desk-playbook/1',
    company: 'Test',
    language: 'en',
    currency: 'EUR',
    systems: [],
    tools: { 'shop.do': rules },
  });
  return planCall(of, { ticket: ticket(body), ledger, playbook });
}
const never: Picker = {
  pick() {
    throw new Error('nothing is left to choose');
  },
};
function pickLast(asked: [string, string[]][] = []): Picker {
  return {
    pick(question, options) {
      asked.push([question, options]);
      return Promise.resolve(options.length - 1);
    },
  };
}
const order = { type: 'string', pattern: '^O-[0-9]{4}$' };

describe('filling (spec model, “choose, then fill”)', () => {
  it('a value with one source is taken, with its origin', async () => {
    const body = 'Where is o2415?';
    const filled = await fill(plan(tool({ order_id: order }, ['order_id']), body), ticket(body), never);
    expect(filled).toMatchObject({
      arguments: { order_id: 'O-2415' },
      origins: { '/order_id': { from: 'ticket.text', start: 9, end: 14, written: 'o2415', trust: 'untrusted' } },
    });
  });

  it('among several the model chooses, from the literal values only', async () => {
    const body = 'O-1111 or O-2222';
    const asked: [string, string[]][] = [];
    const filled = await fill(plan(tool({ order_id: order }, ['order_id']), body), ticket(body), pickLast(asked));
    expect(asked).toEqual([['order_id', ['O-1111', 'O-2222']]]);
    expect(filled.arguments).toEqual({ order_id: 'O-2222' });
    expect(filled.origins['/order_id']).toMatchObject({ start: 10, end: 16 });
  });

  it('without a source a required argument is missing; nothing is invented', () => {
    expect(plan(tool({ order_id: order }, ['order_id']), 'Where is it?').missing).toEqual(['/order_id']);
    expect(plan(tool({ amount: { type: 'number' } }, ['amount']), 'Some money').missing).toEqual(['/amount']);
    expect(plan(tool({ on: { type: 'string', format: 'date' } }, ['on']), 'Soon').missing).toEqual(['/on']);
    expect(plan(tool({ any: {} }, ['any']), 'x').missing).toEqual(['/any']);
  });

  it('optional arguments stay out unless the playbook has a way for them', async () => {
    const body = 'O-1111';
    const both = tool({ order_id: order, kind: { enum: ['big', 'small'] } });
    expect((await fill(plan(both, body), ticket(body), never)).arguments).toEqual({});
    const seen = plan(both, body, [], { optional: { '/order_id': 'seen' } });
    expect((await fill(seen, ticket(body), never)).arguments).toEqual({ order_id: 'O-1111' });
  });

  it('a required constant is sent as the default', async () => {
    const filled = await fill(plan(tool({ currency: { const: 'EUR' } }, ['currency']), 'x'), ticket('x'), never);
    expect(filled).toEqual({
      arguments: { currency: 'EUR' },
      origins: { '/currency': { from: 'default', trust: 'trusted' } },
    });
  });

  it('a handle comes from an earlier result, exactly, and is bound with it', async () => {
    const quote = tool({ quote_id: { type: 'string', pattern: '^Q-[0-9a-f]{4}$' } }, ['quote_id']);
    const ledger = [entry({ quote_id: 'Q-beef' })];
    const filled = await fill(plan(quote, 'Use Q-dead please', ledger), ticket(''), never);
    expect(filled).toMatchObject({
      arguments: { quote_id: 'Q-beef' },
      origins: { '/quote_id': { from: 'result', call: 1, field: '/quote_id', trust: 'bound' } },
    });
    expect(plan(quote, 'Use Q-dead please').missing).toEqual(['/quote_id']);
  });

  it('a choice the model makes is marked as its own', async () => {
    const choose = plan(tool({ kind: { enum: ['big', 'small'] } }), 'x', [], { optional: { '/kind': 'choose' } });
    const asked: [string, string[]][] = [];
    expect(await fill(choose, ticket('x'), pickLast(asked))).toEqual({
      arguments: { kind: 'small' },
      origins: { '/kind': { from: 'model', trust: 'untrusted' } },
    });
    expect(asked).toEqual([['kind', ['not said', 'big', 'small']]]);
    const unsaid: Picker = { pick: () => Promise.resolve(0) };
    expect((await fill(choose, ticket('x'), unsaid)).arguments).toEqual({});
  });

  it('an enumeration seen in one sentence of the customer’s is from the ticket', async () => {
    const reason = tool({ reason: { enum: ['damaged in transit', 'missing part'] } });
    const rules = { optional: { '/reason': 'seen' } };
    const body = 'Hello. A part is missing. Bye';
    const filled = await fill(plan(reason, body, [], rules), ticket(body), never);
    expect(filled).toMatchObject({
      arguments: { reason: 'missing part' },
      origins: { '/reason': { from: 'ticket.text', start: 7, end: 24 } },
    });
    const apart = 'It is missing. The other part is fine.';
    expect((await fill(plan(reason, apart, [], rules), ticket(apart), never)).arguments).toEqual({});
  });

  it('numbers are those the customer wrote, within the schema’s range', async () => {
    const count = tool({ count: { type: 'integer', minimum: 1, maximum: 20 } }, ['count']);
    const body = 'I paid 49.90 for 3 mugs in lot 500';
    const filled = await fill(plan(count, body), ticket(body), never);
    expect(filled.arguments).toEqual({ count: 3 });
    expect(body.slice(filled.origins['/count']?.start, filled.origins['/count']?.end)).toBe('3');
  });

  it('words are a run of the customer’s own, never of quoted history', async () => {
    const product = tool({ product: { type: 'string', maxLength: 60 } }, ['product']);
    const body = 'Do you have the bread bin?\n> secret words';
    const filled = await fill(plan(product, body), ticket(body), pickLast());
    const { start, end } = filled.origins['/product'] ?? {};
    expect(filled.arguments['product']).toBe(body.slice(start, end));
    expect(spans(body).some(({ text }) => /secret/.test(text))).toBe(false);
    expect(spans(body).map(({ text }) => text)).toContain('bread bin');
  });

  it('prose is never written here', async () => {
    const note = plan(tool({ note: { type: 'string' } }, ['note']), 'Please note this');
    expect((await fill(note, ticket('Please note this'), never)).arguments).toEqual({});
  });

  it('nested arguments and odd names are keys like any other', async () => {
    const schema = JSON.parse(
      '{"where": {"type": "object", "properties": {"order_id": {"type": "string", "pattern": "^O-[0-9]{4}$"}}, "required": ["order_id"]}, "__proto__": {"const": "x"}}',
    ) as JsonObject; // plain JSON by construction
    const filled = await fill(plan(tool(schema, ['where', '__proto__']), 'O-1111'), ticket('O-1111'), never);
    expect(JSON.stringify(filled.arguments)).toBe('{"where":{"order_id":"O-1111"},"__proto__":"x"}');
    expect(Object.getPrototypeOf(filled.arguments)).toBe(Object.prototype);
  });
});

describe('repetition', () => {
  const one = tool({ order_id: order }, ['order_id']);
  it.each(['result', 'tool error', 'failed'] as const)('the same references after a %s are one', (outcome) => {
    const done = entry(null, { tool: 'shop.do', arguments: { order_id: 'O-1111' }, outcome });
    expect(plan(one, 'O-1111', [done]).repeats).toBe(true);
    expect(plan(one, 'O-2222', [done]).repeats).toBe(false);
    expect(plan(one, 'O-1111', [{ ...done, tool: 'shop.other' }]).repeats).toBe(false);
  });
});

describe('spans', () => {
  it('neither begin nor end with a filler word, cross no clause, and are few', () => {
    const found = spans('the bread bin, and the lid').map(({ text }) => text);
    expect(found).toEqual(['bread', 'bread bin', 'bin', 'lid']);
    expect(spans('word'.repeat(3).concat(' other thing').repeat(500)).length).toBeLessThanOrEqual(160);
  });
});
