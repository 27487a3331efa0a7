// Inputs that broke other hosts, those no other test holds: lists of tools, names, processes and results.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { isObject, textOf, type Json, type JsonObject } from '../../shared/json.ts';
import { playbookSchema } from '../../shared/playbook.ts';
import { serverConfig } from '../../shared/servers.ts';
import type { Ticket } from '../../shared/tickets.ts';
import { factsOf } from '../evidence/facts.ts';
import { ownName } from '../exchange.ts';
import { createPins } from '../pins.ts';
import { prefixSegments } from '../prompt.ts';
import { createServers } from '../servers.ts';
import { planCall, type OfferedTool } from '../slots/plan.ts';
import { slotsOf } from '../slots/schema.ts';
import { openStore } from '../store/open.ts';
import { createConnection, type Connection, type ConnectionDeps } from './connection.ts';
import { createValidator } from './validator.ts';

const clock = { now: () => Date.now() };
// Nothing runs away here: a stall is not to be taken for it.
const validator = createValidator({ ms: 5_000 });
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => validator.close());

const odd = fileURLToPath(new URL('../../e2e/hostile/odd.mjs', import.meta.url));
function config(prefix: string, args: string[]) {
  return serverConfig.parse({ prefix, kind: 'stdio', command: process.execPath, args: [odd, ...args] });
}
function connect(args: string[], deps: Partial<ConnectionDeps> = {}): Connection {
  const one = createConnection(config('shop', args), { clock, eras: new Map<string, Json>(), validator, ...deps });
  closing.push(() => one.close());
  return one;
}
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'desk-odd-'));
  closing.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
async function pinned() {
  const store = await openStore(join(folder(), 'desk.db'));
  closing.push(() => store.close());
  return createPins({ store, clock });
}
const company = { format: 'desk-playbook/1', company: 'Test', language: 'en', currency: 'EUR', systems: [], tools: {} };
const ticket: Ticket = {
  id: 'T-1',
  customer: null,
  customer_name: null,
  machine: false,
  subject: '',
  body: 'Where is O-2415?',
  received_at: '2026-06-26T09:31:00Z',
  channel: null,
  source: 'sample',
  state: 'open',
  version: 1,
};
function tool(name: string, raw: JsonObject): OfferedTool {
  const { inputSchema, description } = raw;
  if (!isObject(inputSchema)) throw new Error(`${name} has no schema`);
  return {
    ...{ name: `shop.${name}`, prefix: 'shop', tool: name, inputSchema, marks: {}, listed: true },
    ...{ description: textOf(description ?? ''), configuration: '', definition: '' },
  };
}
const admin = { id: 'staff-0001', name: 'Mo', role: 'admin' as const };

describe('lists of tools (spec trust §1)', () => {
  it('a root of anyOf, allOf or if without type, and a string: each out alone with its reason', async () => {
    const found = await connect(['schemas']).tools();
    const problem = (name: string) => found.find((one) => one.name === name)?.problem;
    for (const name of ['any_of', 'all_of', 'if', 'string'])
      expect(problem(name)).toBe('Its inputSchema does not say "type": "object", so its arguments have no names.');
    expect(problem('dangling')).toContain('points to nothing');
    expect(found.filter((one) => one.problem === null).map((one) => one.name)).toEqual([
      'true_parameter',
      'typed_any_of',
      'referred',
      'itself',
      'draft7',
    ]);
  });
  it('a parameter of true, a reference for a required argument, a schema of itself: what is filled, and how', async () => {
    const found = await connect(['schemas']).tools();
    const slots = (name: string) => {
      const schema = found.find((one) => one.name === name)?.raw.inputSchema;
      return isObject(schema) ? slotsOf(schema, {}) : null;
    };
    expect(slots('true_parameter')).toMatchObject([{ pointer: '/a', required: true, way: 'person' }]);
    expect(slots('referred')).toMatchObject([
      { pointer: '/id', required: true, way: 'reference', pattern: '^O-[0-9]{4}$' },
    ]);
    expect(slots('itself')).toMatchObject([
      { pointer: '/next', required: false, way: 'person' },
      { pointer: '/id', required: false, way: 'reference' },
    ]);
  });
  it('arguments are held against such schemas, draft-07 by its own rules and without a network', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    closing.push(() => fetched.mockRestore());
    const found = await connect(['schemas']).tools();
    const fits = async (name: string, value: Json) => {
      const schema = found.find((one) => one.name === name)?.raw.inputSchema;
      return isObject(schema) ? (await validator.validate(schema, value)).ok : null;
    };
    expect(await fits('true_parameter', { a: [1] })).toBe(true);
    expect(await fits('true_parameter', {})).toBe(false);
    expect(await fits('typed_any_of', { b: 1 })).toBe(true);
    expect(await fits('typed_any_of', {})).toBe(false);
    expect(await fits('referred', { id: 'O-1234' })).toBe(true);
    expect(await fits('referred', { id: 'P-1' })).toBe(false);
    expect(await fits('itself', { next: { next: { id: 'O-1234' } } })).toBe(true);
    expect(await fits('itself', { next: { next: { id: 'x' } } })).toBe(false);
    expect(await fits('draft7', { a: ['b', 7] })).toBe(true);
    expect(await fits('draft7', { a: [7] })).toBe(false);
    expect(fetched).not.toHaveBeenCalled();
  });
  it('312 tools of which one is broken: 311', async () => {
    const found = await connect(['many']).tools();
    expect(found).toHaveLength(312);
    expect(found.flatMap((one) => (one.problem === null ? [] : [one.name]))).toEqual(['t150']);
  });
  it('two tools with purely Chinese names are two, each out with its reason', async () => {
    const found = await connect(['schemas']).tools();
    const chinese = found.filter((one) => /^\p{Script=Han}+$/u.test(one.name));
    expect(chinese.map((one) => one.name)).toEqual(['查找订单', '取消订单']);
    for (const one of chinese) expect(one.problem).toContain('characters other than letters');
    expect(new Set(chinese.map((one) => one.hash)).size).toBe(2);
  });
  it('a paged list that changes while it is read is read again, and then it is whole', async () => {
    let now = Date.now();
    const one = connect(['changing'], { clock: { now: () => now } });
    const problems = async () => (await one.tools()).map(({ name, problem }) => [name, problem === null]);
    expect(await problems()).toEqual([
      ['a', false],
      ['b', true],
    ]);
    now += 5_001;
    expect(await problems()).toEqual([
      ['a', true],
      ['b', true],
    ]);
  });
  it('3- and 4-byte characters split over chunks, then byte by byte, in descriptions: no change for a pin', async () => {
    const pins = await pinned();
    const one = connect(['split']);
    const review = async () => pins.review('shop', 'c'.repeat(64), await one.tools({ refresh: true }));
    const [first] = await review();
    expect(first?.definition.raw.description).toBe('Größe € 𝄞 漢字 👩‍👧');
    const hash = first?.definition.hash ?? '';
    await pins.decide({ prefix: 'shop', tool: 'one', by: admin, decision: 'approved', hash, why: null });
    for (let time = 0; time < 5; time++)
      expect((await review()).map(({ status }) => status)).toEqual(['approved', 'new']);
  });
});

describe('what the local model is asked of odd schemas (spec model, "choose, then fill")', () => {
  it('58 tools with 100 KB of schemas: none is out, and no schema is read by the model', async () => {
    const found = await connect(['heavy']).tools();
    expect(found.filter((one) => one.problem === null)).toHaveLength(58);
    const schemas = found.map((one) => JSON.stringify(one.raw.inputSchema).length);
    expect(schemas.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(100_000);
    const playbook = playbookSchema.parse(company);
    const tools = found.map(({ name, raw }) => tool(name, raw));
    const text = prefixSegments(playbook, tools, [])
      .map((segment) => segment.text)
      .join('');
    expect(text.length).toBeLessThan(3_000);
    for (const { name } of tools) expect(text).toContain(`- ${name.slice(5)}: Does ${name.slice(5)}.`);
  });
  it('properties: {}, maxLength 5,000 three deep, a pattern without anchors, a lookahead in a pattern', async () => {
    const found = await connect(['patterns']).tools();
    expect(found.map(({ name, problem }) => [name, problem])).toEqual(
      ['no_properties', 'nested', 'open_pattern', 'lookahead'].map((name) => [name, null]),
    );
    const schema = (name: string) => {
      const raw = found.find((one) => one.name === name)?.raw.inputSchema;
      if (!isObject(raw)) throw new Error(`${name} is not listed`);
      return raw;
    };
    expect(slotsOf(schema('no_properties'), {})).toEqual([]);
    expect(slotsOf(schema('nested'), {})).toMatchObject([{ pointer: '/a/b/c', way: 'reference', maxLength: 5_000 }]);
    const planned = (name: string) => {
      const offered = tool(name, { inputSchema: schema(name), description: '' });
      const plan = planCall(offered, { ticket, ledger: [], playbook: playbookSchema.parse(company) });
      return plan.slots.map(({ candidates, fill }) => [fill, candidates.map(({ value }) => value)]);
    };
    expect(planned('open_pattern')).toEqual([['candidates', ['O-2415']]]);
    // What is no simple pattern is never run here: it is filled from earlier results or by a person.
    expect(planned('lookahead')).toEqual([['out', []]]);
    expect(await validator.validate(schema('lookahead'), { id: 'O-2415' })).toEqual({ ok: true });
    expect(await validator.validate(schema('lookahead'), { id: 'O-0000' })).toMatchObject({ ok: false });
    expect(await validator.validate(schema('open_pattern'), { id: 'see O-2415!' })).toEqual({ ok: true });
  });
});

describe('names (spec host §4)', () => {
  /** Servers of one tool each, all approved: what is offered and what a call of each comes to. */
  async function offered(named: [prefix: string, tool: string][]) {
    const pins = await pinned();
    const configs = named.map(([prefix, tool]) => config(prefix, ['named', tool, prefix]));
    const servers = createServers(configs, {
      pins,
      connect: (one) => createConnection(one, { clock, eras: new Map<string, Json>(), validator }),
    });
    closing.push(() => servers.close());
    for (const [prefix, tool] of named) {
      const hash = (await servers.review(prefix))[0]?.definition.hash ?? '';
      await pins.decide({ prefix, tool, by: admin, decision: 'approved', hash, why: null });
    }
    const { tools, problems } = await servers.offered();
    const ran = tools.map(async ({ name, prefix }) => {
      const tool = ownName({ method: 'tools/call', prefix, tool: name, arguments: {} });
      const outcome = await servers.get(prefix)?.connection.call({ tool, arguments: {} });
      return [name, outcome?.kind === 'result' ? outcome.text : outcome];
    });
    return { ran: await Promise.all(ran), problems };
  }
  it('prefix and name over 64 characters are one name; over 128 the tool is out, and said', async () => {
    const long = 'n'.repeat(70);
    const longest = 'n'.repeat(128);
    const { ran, problems } = await offered([
      ['acme', long],
      ['other', longest],
    ]);
    expect(ran).toEqual([[`acme.${long}`, `acme ran ${long}`]]);
    expect(problems).toEqual([expect.stringMatching(/^other\.n+: left out, .*134 characters.*128/)]);
  });
  it('prefixes acme_ + status and acme + _status stay two tools, each call at its own server', async () => {
    const { ran, problems } = await offered([
      ['acme_', 'status'],
      ['acme', '_status'],
    ]);
    expect(ran).toEqual([
      ['acme_.status', 'acme_ ran status'],
      ['acme._status', 'acme ran _status'],
    ]);
    expect(problems).toEqual([]);
  });
});

describe('processes (spec host §3)', () => {
  it('banner and blank lines between the messages of a call are passed over', async () => {
    const one = connect(['noisy']);
    expect(await one.call({ tool: 'empty', arguments: {} })).toMatchObject({ kind: 'result' });
    expect(await one.call({ tool: 'differ', arguments: {} })).toMatchObject({ kind: 'result' });
    expect(one.status()).toMatchObject({ state: 'ready', restarts: 0 });
  });
  it('a server silent for 90 s at start is waited for, said to be slow, and keeps its era', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const awake = join(folder(), 'awake');
    const said: (string | null)[] = [];
    const sent: string[] = [];
    const one = connect(['waits', awake], {
      onStatus: ({ problem }) => said.push(problem),
      onWire: (direction, text) => {
        if (direction === 'out') sent.push(text);
      },
    });
    const started = one.start();
    while (!sent.some((text) => text.includes('server/discover'))) await turn();
    await vi.advanceTimersByTimeAsync(90_000);
    expect(said.at(-1)).toContain('has not answered for 5 s; the desk waits up to 120 s');
    expect(sent.some((text) => text.includes('"initialize"'))).toBe(true);
    vi.useRealTimers();
    writeFileSync(awake, '');
    await started;
    expect(one.status()).toMatchObject({ state: 'ready', era: 'modern', problem: null });
  });

  it.skipIf(process.platform !== 'linux')(
    'killed with -9 while five servers have children: nothing is left (spec trust §7)',
    async () => {
      const mark = randomBytes(8).toString('hex');
      const stubborn = fileURLToPath(new URL('../../e2e/hostile/start.mjs', import.meta.url));
      const host = `
        import { startProcess } from ${JSON.stringify(new URL('serverProcess.ts', import.meta.url).href)};
        const args = [${JSON.stringify(stubborn)}, 'stubborn', ${JSON.stringify(mark)}];
        const start = () => startProcess({ command: process.execPath, args, env: {}, stderrBytes: 1000 });
        await Promise.all(Array.from({ length: 5 }, start));
        setInterval(() => {}, 1000);
      `;
      const killed = spawn(process.execPath, ['--input-type=module', '-e', host], { stdio: 'ignore' });
      /** Children run a line of script, each server's own is a file. */
      const children = () => alive(mark, killed.pid).filter((command) => command.includes('SIGTERM')).length;
      try {
        await expect.poll(children).toBeGreaterThanOrEqual(10);
      } finally {
        killed.kill('SIGKILL');
      }
      await expect.poll(() => alive(mark, killed.pid)).toEqual([]);
    },
  );
});

/** Real time passes, whatever the clock says. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Command lines with a mark in them; ended processes have none. */
function alive(mark: string, but: number | undefined): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === but) return [];
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return command.includes(mark) ? [command] : [];
    } catch {
      return [];
    }
  });
}

describe('results (spec host §13)', () => {
  const call = (tool: string) => connect(['results']).call({ tool, arguments: {} });

  it('content: [] with structuredContent reads as what it holds', async () => {
    expect(await call('empty')).toEqual({
      kind: 'result',
      text: '{"paid":null,"total":"12.50"}',
      content: [],
      structured: { total: '12.50', paid: null },
    });
  });
  it('text and structuredContent that differ are both kept; a fact is what the structured one says', async () => {
    const outcome = await call('differ');
    expect(outcome).toMatchObject({ text: 'The total is 99.00.', structured: { total: '12.50' } });
    if (outcome.kind !== 'result') throw new Error(outcome.kind);
    const about = { n: 1, tool: 'shop.differ', prefix: 'shop', arguments: {}, systemOfRecord: true };
    const facts = factsOf([{ ...about, outcome: 'result', ...outcome }], [], '2026-06-26');
    expect(facts.map(({ pointer, value }) => [pointer, value])).toEqual([['/total', '12.50']]);
  });
  it('5 MB of text arrive whole and are read for facts', async () => {
    const outcome = await call('long');
    if (outcome.kind !== 'result') throw new Error(outcome.kind);
    expect(outcome.text).toHaveLength(12 * 437_000);
    const about = { n: 1, tool: 'shop.long', prefix: 'shop', arguments: {}, systemOfRecord: true };
    const facts = factsOf([{ ...about, outcome: 'result', text: outcome.text }], [], '2026-06-26');
    expect(facts[0]).toMatchObject({ pointer: 'text', amounts: [{ minor: 150, currency: 'EUR' }] });
  });
  it('a base64 image of 3 MB is no text for the model, and said to be there', async () => {
    const outcome = await call('image');
    expect(outcome).toMatchObject({ kind: 'result', text: '(image/png, not shown)' });
  });
  it('resource links are named and not followed; an embedded text is read', async () => {
    const one = connect(['results']);
    expect(await one.call({ tool: 'links', arguments: {} })).toMatchObject({
      kind: 'result',
      text: 'See both.\npolicy: file:///etc/passwd\nPaid in cash.',
    });
    // Its server would have ended at any attempt to read one.
    expect(one.status()).toMatchObject({ state: 'ready', restarts: 0 });
  });
});
