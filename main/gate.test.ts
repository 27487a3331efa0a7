import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call, Origins } from '../shared/calls.ts';
import type { Json, JsonObject } from '../shared/json.ts';
import { playbookSchema } from '../shared/playbook.ts';
import { serverConfig, type ServerConfig } from '../shared/servers.ts';
import { createCalls, type Calls } from './calls.ts';
import { createGate, type AskPerson, type Gate } from './gate.ts';
import type { GateAnswer } from './loop.ts';
import { createConnection } from './mcp/connection.ts';
import { createValidator, type Validator } from './mcp/validator.ts';
import { admin, staff, ticket } from './oneTicket.ts';
import { createPins, type Pins } from './pins.ts';
import { createQuestions } from './questions.ts';
import { createServers, type Servers } from './servers.ts';
import type { OfferedTool } from './slots/plan.ts';
import { openStore, type Store } from './store/open.ts';

const program = fileURLToPath(new URL('../e2e/hostile/outcomes.mjs', import.meta.url));
const fromTicket: Origins = { '/word': { from: 'ticket.text', trust: 'untrusted' } };
const clock = { now: () => 1_700_000_000_000 };

let folder: string;
let store: Store;
let calls: Calls;
let pins: Pins;
let validator: Validator;
let servers: Servers;
let log: string;
let swapped: string;
let closing: (() => Promise<unknown>)[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-gate-'));
  log = join(folder, 'calls.log');
  swapped = join(folder, 'swapped');
  store = await openStore(join(folder, 'desk.db'));
  let count = 0;
  calls = createCalls({ store, clock, random: { hex: (n) => (++count).toString(16).padStart(n * 2, '0') } });
  pins = createPins({ store, clock });
  validator = createValidator({ ms: 5_000 });
  closing = [() => validator.close()];
  servers = start([config('shop')]);
});
afterEach(async () => {
  for (const close of closing) await close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function config(prefix: string, env: Record<string, string> = {}): ServerConfig {
  const context = { 'example.com/ticket': 'ticket.id', 'example.com/person': 'person.id' };
  const args = [program, log, swapped];
  return serverConfig.parse({ prefix, kind: 'stdio', command: process.execPath, args, env, context });
}
function start(configs: ServerConfig[]): Servers {
  const made = createServers(configs, {
    pins,
    connect: (one) => createConnection(one, { clock, eras: new Map<string, Json>() }),
  });
  closing.push(() => made.close());
  return made;
}
function gateOf(
  of: Servers,
  ask?: AskPerson,
  tools: JsonObject = {},
  more: Partial<Parameters<typeof createGate>[0]> = {},
): Gate {
  const playbook = playbookSchema.parse({
    format: 'desk-playbook/1',
    company: 'Test',
    language: 'en',
    currency: 'EUR',
    systems: [],
    tools,
  });
  const questions = createQuestions({ store, clock });
  return createGate({
    calls,
    questions,
    pins,
    servers: of,
    validator,
    playbook,
    clock,
    ...(ask === undefined ? {} : { ask }),
    ...more,
  });
}
/** Approves one tool as an admin does and gives it as the loop sees it. */
async function approved(tool: string, listed: boolean, of: Servers = servers, prefix = 'shop'): Promise<OfferedTool> {
  const seen = (await of.review(prefix)).find((one) => one.definition.name === tool);
  const hash = seen?.definition.hash ?? '';
  await pins.decide({ prefix, tool, by: admin, decision: 'approved', hash, why: null, noSideEffects: listed });
  const offered = (await of.offered()).tools.find((one) => one.name === `${prefix}.${tool}`);
  if (offered === undefined) throw new Error(`${tool} is not offered`);
  return offered;
}
/** What reached the server, one entry a call. */
function received(): unknown[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}
const of = { run: 'r1', ticket };
function propose(
  gate: Gate,
  offered: OfferedTool,
  args: JsonObject = {},
  origins: Origins = {},
  n = 1,
): Promise<GateAnswer> {
  return gate.propose({ n, offered, arguments: args, origins }, of);
}
/** A call that waits for consent, then the person's yes to exactly what was shown. */
async function consented(offered: OfferedTool, gate = gateOf(servers)): Promise<Call> {
  expect(await propose(gate, offered, { word: 'plate' }, fromTicket)).toMatchObject({ outcome: 'waiting' });
  const [call] = await calls.waiting();
  if (call === undefined) throw new Error('nothing waits');
  return calls.answer(call.id, { by: staff, answer: 'run', hash: call.hash, scripted: false });
}

describe('who is asked (spec host §9)', () => {
  it('asks although the server claims that the tool only reads', async () => {
    const ping = await approved('ping', false);
    const answer = await propose(gateOf(servers), ping, { word: 'plate' }, fromTicket);
    expect(answer).toMatchObject({ outcome: 'waiting' });
    expect(received()).toEqual([]);
    expect((await calls.waiting())[0]).toMatchObject({ state: 'asking', arguments: { word: 'plate' }, listed: false });
  });

  it("spares the question for a tool on the host's own list, and says so in the log", async () => {
    const ping = await approved('ping', true);
    const answer = await propose(gateOf(servers), ping, { word: 'plate' }, fromTicket);
    expect(answer).toMatchObject({ outcome: 'result', content: 'ping done', consent: { by: 'host', answer: 'run' } });
    expect(received()).toEqual([{ name: 'ping', given: { word: 'plate' }, ticket: 'T-1' }]);
  });

  it.each([
    ['the model’s own', { from: 'model', trust: 'untrusted' }],
    ['the definition’s example', { from: 'example', trust: 'untrusted' }],
    ['typed by a person', { from: 'person', trust: 'trusted' }],
  ] as const)('asks for a listed tool with a value that is %s', async (_, origin) => {
    const ping = await approved('ping', true);
    const answer = await propose(gateOf(servers), ping, { word: 'plate' }, { '/word': origin });
    expect(answer).toMatchObject({ outcome: 'waiting' });
    expect(received()).toEqual([]);
  });

  it("asks for a listed tool with a value of another server's result, not for one of its own", async () => {
    const both = start([config('shop'), config('partner')]);
    const theirs = await approved('ping', true, both, 'partner');
    const ours = await approved('ping', true, both, 'shop');
    const gate = gateOf(both);
    await propose(gate, theirs, { word: 'a' }, fromTicket, 1);
    await propose(gate, ours, { word: 'b' }, fromTicket, 2);
    expect(received()).toHaveLength(2);
    const foreign: Origins = { '/word': { from: 'result', call: 1, field: '/x', trust: 'bound' } };
    const own: Origins = { '/word': { from: 'result', call: 2, field: '/x', trust: 'bound' } };
    expect(await propose(gate, ours, { word: 'c' }, own, 3)).toMatchObject({ outcome: 'result' });
    expect(await propose(gate, ours, { word: 'd' }, foreign, 4)).toMatchObject({ outcome: 'waiting' });
    expect((await calls.waiting())[0]?.asks).toContain("another server's result");
    expect(received()).toHaveLength(3);
  });

  it('logs who answered and sends nothing after a no', async () => {
    const ping = await approved('ping', false);
    const gate = gateOf(servers, () => Promise.resolve({ answer: 'dont', by: staff, scripted: false }));
    const answer = await propose(gate, ping, { word: 'plate' }, fromTicket);
    expect(answer).toMatchObject({ outcome: 'declined', consent: { by: 'staff-0007', answer: 'dont' } });
    expect(received()).toEqual([]);
  });

  it('sends what the person saw, once, after a yes', async () => {
    const ping = await approved('ping', false);
    const call = await consented(ping);
    expect(await gateOf(servers).send(call, of)).toMatchObject({ outcome: 'result' });
    // Who consented is named to the server; where the host's own list spared the question, nobody is.
    expect(received()).toEqual([{ name: 'ping', given: { word: 'plate' }, ticket: 'T-1', person: 'staff-0007' }]);
    const again = await gateOf(servers).send(call, of);
    expect(again.detail).toContain('was used or is void');
    expect(received()).toHaveLength(1);
  });
});

describe('what is refused before anyone is asked (spec host §9)', () => {
  it('an argument that the schema does not name', async () => {
    const ping = await approved('ping', false);
    const answer = await propose(gateOf(servers), ping, { word: 'plate', colour: 'red' }, fromTicket);
    expect(answer).toMatchObject({ outcome: 'tool error' });
    expect(answer.content).toContain('"colour"');
    expect(await calls.list({})).toEqual([]);
    expect(received()).toEqual([]);
  });

  it('a name that every object has', async () => {
    const ping = await approved('ping', true);
    const args: JsonObject = JSON.parse('{"constructor": "x"}') as JsonObject; // plain JSON by construction
    expect(await propose(gateOf(servers), ping, args)).toMatchObject({ outcome: 'tool error' });
    expect(received()).toEqual([]);
  });

  it('an argument of the wrong type, named with its place', async () => {
    const ping = await approved('ping', false);
    const answer = await propose(gateOf(servers), ping, { size: 'big' }, {});
    expect(answer).toMatchObject({ outcome: 'tool error' });
    expect(answer.content).toContain('/size');
    expect(await calls.list({})).toEqual([]);
  });

  it('a sensitive argument from the words of a ticket, until it is bound to the customer’s record', async () => {
    const ping = await approved('ping', true);
    const gate = gateOf(servers, undefined, { 'shop.ping': { sensitive: ['/word'] } });
    expect(await propose(gate, ping, { word: 'O-1' }, fromTicket)).toMatchObject({ outcome: 'tool error' });
    expect(received()).toEqual([]);
    const known: Origins = { '/word': { from: 'ticket.text', trust: 'bound' } };
    expect(await propose(gate, ping, { word: 'O-1' }, known)).toMatchObject({ outcome: 'result' });
  });
});

describe('arguments a person edits (spec host §§9, 11)', () => {
  it('are held against the definition, and the call waits as it was where they do not fit', async () => {
    const ping = await approved('ping', false);
    const gate = gateOf(servers);
    await propose(gate, ping, { word: 'plate' }, fromTicket);
    const [call] = await calls.waiting();
    if (call === undefined) throw new Error('nothing waits');
    for (const [args, says] of [
      [{ word: 'cup', colour: 'red' }, '"colour"'],
      [{ size: 'big' }, '/size'],
    ] as const) {
      await expect(gate.edit(call, staff, args)).rejects.toMatchObject({ code: 'calls.arguments' });
      await expect(gate.edit(call, staff, args)).rejects.toThrow(says);
    }
    expect(await calls.waiting()).toEqual([call]);
    const next = await gate.edit(call, staff, { word: 'cup' });
    expect(next).toMatchObject({
      state: 'asking',
      arguments: { word: 'cup' },
      origins: { '/word': { from: 'person' } },
    });
    expect(await calls.get(call.id)).toMatchObject({ state: 'declined' });
    expect(received()).toEqual([]);
  });
});

describe('a change between consent and sending voids the consent (spec host §9, trust 3)', () => {
  it('of the arguments in what is sent', async () => {
    const call = await consented(await approved('ping', false));
    const answer = await gateOf(servers).send({ ...call, arguments: { word: 'vault' } }, of);
    expect(answer).toMatchObject({ outcome: 'failed' });
    expect(received()).toEqual([]);
    expect(await calls.get(call.id)).toMatchObject({ state: 'failed' });
  });

  it('of the arguments in the database', async () => {
    const call = await consented(await approved('ping', false));
    await sql`update calls set arguments = ${'{"word":"vault"}'} where id = ${call.id}`.execute(store.db);
    expect(await gateOf(servers).send(await calls.get(call.id), of)).toMatchObject({ outcome: 'failed' });
    expect(received()).toEqual([]);
  });

  it('of the definition', async () => {
    const call = await consented(await approved('ping', false));
    writeFileSync(swapped, '');
    await servers.review('shop');
    const answer = await gateOf(servers).send(call, of);
    expect(answer).toMatchObject({ outcome: 'failed' });
    expect(answer.detail).toContain('nothing was sent');
    expect(received()).toEqual([]);
  });

  it('of the definition, even where the new one is approved meanwhile', async () => {
    const call = await consented(await approved('ping', false));
    writeFileSync(swapped, '');
    await approved('ping', false);
    expect(await gateOf(servers).send(call, of)).toMatchObject({ outcome: 'failed' });
    expect(received()).toEqual([]);
  });

  it('of the server configuration', async () => {
    const call = await consented(await approved('ping', false));
    const other = start([config('shop', { SHOP_URL: 'http://127.0.0.1:1' })]);
    await other.review('shop');
    expect(await gateOf(other).send(call, of)).toMatchObject({ outcome: 'failed' });
    await approved('ping', false, other);
    expect(await gateOf(other).send(call, of)).toMatchObject({ outcome: 'failed' });
    expect(received()).toEqual([]);
  });

  it('of the servers there are', async () => {
    const call = await consented(await approved('ping', false));
    expect(await gateOf(start([])).send(call, of)).toMatchObject({ outcome: 'failed' });
    expect(received()).toEqual([]);
  });
});

describe('outcomes (spec host §13)', () => {
  async function outcomeOf(tool: string, listed: boolean): Promise<GateAnswer> {
    const yes: AskPerson = () => Promise.resolve({ answer: 'run', by: staff, scripted: false });
    const answer = await propose(gateOf(servers, yes), await approved(tool, listed));
    expect(received()).toHaveLength(1);
    const [call] = await calls.list({});
    if (answer.outcome !== 'waiting') expect(call?.state).toBe(answer.outcome);
    return answer;
  }

  it('invalid parameters reach the model as a tool error, cut', async () => {
    const answer = await outcomeOf('refuses', true);
    expect(answer.outcome).toBe('tool error');
    expect(answer.content).toMatch(/^word is wrong x+$/);
    expect(answer.content?.length).toBeLessThanOrEqual(600);
  });

  it('a tool’s own error is a tool error', async () => {
    expect(await outcomeOf('fails', false)).toMatchObject({ outcome: 'tool error', content: 'fails done' });
  });

  it.each([
    [true, 'failed'],
    [false, 'unknown'],
  ] as const)('a protocol error (listed: %s) is %s, its words for the person only', async (listed, outcome) => {
    const answer = await outcomeOf('breaks', listed);
    expect(answer.outcome).toBe(outcome);
    expect(answer.content).toBeUndefined();
    expect(answer.detail).toContain('secret path');
  });

  it('of a kind that says the server changed has its list read again, so a swapped definition is out at once', async () => {
    await approved('ping', true);
    const refuses = await approved('refuses', true);
    writeFileSync(swapped, '');
    await propose(gateOf(servers), refuses);
    const seen = await store.db.selectFrom('pin_seen').selectAll().where('tool', '=', 'ping').executeTakeFirst();
    expect(seen?.raw).toContain('forgets to ask');
  });

  it('a method nobody has surely did nothing', async () => {
    expect((await outcomeOf('missing', false)).outcome).toBe('failed');
  });

  it.each([
    ['shifty', true, 'failed'],
    ['silent', true, 'failed'],
    ['shifty', false, 'unknown'],
  ] as const)('an answer that breaks the pinned output schema: %s, listed %s, is %s', async (tool, listed, outcome) => {
    const answer = await outcomeOf(tool, listed);
    expect(answer.outcome).toBe(outcome);
    expect(answer.structured).toBeUndefined();
    expect(answer.content).toBeUndefined();
    expect(answer.detail).toContain('shop changed its answer');
  });

  it.each([
    [true, 'failed'],
    [false, 'unknown'],
  ] as const)('a server that exits mid-call (listed: %s) leaves it %s', async (listed, outcome) => {
    expect((await outcomeOf('exits', listed)).outcome).toBe(outcome);
  });

  it('a question of the server leaves the call waiting under the spent consent', async () => {
    expect(await outcomeOf('asks', false)).toMatchObject({ outcome: 'waiting', consent: { by: 'staff-0007' } });
    expect(await calls.list({ states: ['asked'] })).toHaveLength(1);
  });

  it('names no ticket that came from elsewhere, and nobody where nobody acted (spec host §4)', async () => {
    const ping = await approved('ping', true);
    const imported = { run: 'r1', ticket: { ...ticket, source: 'import' as const } };
    await gateOf(servers).propose({ n: 1, offered: ping, arguments: {}, origins: {} }, imported);
    expect(received()).toEqual([{ name: 'ping', given: {} }]);
  });
});

describe('a call that takes long (spec trust §1)', () => {
  it('lets its run go where somebody goes on with it later; its end is told, also when the view has closed', async () => {
    const ended: Call[] = [];
    const more = { lasting: () => true, ended: (call: Call) => Promise.resolve(void ended.push(call)) };
    const gate = gateOf(servers, undefined, {}, more);
    const view = new AbortController();
    const proposal = { n: 1, offered: await approved('held', true), arguments: { word: 'plate' }, origins: fromTicket };
    expect(await gate.propose(proposal, { ...of, signal: view.signal })).toMatchObject({
      outcome: 'waiting',
      asked: 'shop.held takes its time at shop: other tickets go on, and this one when it has ended',
    });
    view.abort(new Error('the view closed'));
    expect(ended).toEqual([]);
    writeFileSync(swapped, '');
    await expect.poll(() => ended).toMatchObject([{ tool: 'shop.held', state: 'result', text: 'held done' }]);
    expect(await gate.answer(await calls.get(ended[0]?.id ?? ''))).toMatchObject({ outcome: 'result' });
  });
  it('is waited for where nobody would', async () => {
    const answer = propose(gateOf(servers), await approved('held', true), { word: 'plate' }, fromTicket);
    await expect.poll(received).toHaveLength(1);
    writeFileSync(swapped, '');
    expect(await answer).toMatchObject({ outcome: 'result', content: 'held done' });
  });
});
