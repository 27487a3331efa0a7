// Servers of 2025-11-25 (spec host §20): what they push in the middle of a call waits in the inbox while the desk runs, what
// they want lent is refused. Over a real process and a real database.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { Json } from '../shared/json.ts';
import { playbookSchema } from '../shared/playbook.ts';
import type { Question } from '../shared/questions.ts';
import { serverConfig } from '../shared/servers.ts';
import { createCalls, type Calls } from './calls.ts';
import { createGate, type Gate, type PutQuestion } from './gate.ts';
import { createHost } from './host.ts';
import { answerQuestion, inboxOf } from './inbox.ts';
import type { GateAnswer } from './loop.ts';
import { createConnection } from './mcp/connection.ts';
import { startHttp } from './mcp/startedHttp.ts';
import { createValidator, type Validator } from './mcp/validator.ts';
import { admin, lead, staff, ticket } from './oneTicket.ts';
import { createPins, type Pins } from './pins.ts';
import { createQuestions, type Questions } from './questions.ts';
import { createServers, type Servers } from './servers.ts';
import { openStore, type Store } from './store/open.ts';
import { wireOf } from './store/wire.ts';
import { createTracing } from './trace.ts';
import { createWork } from './work.ts';

const program = fileURLToPath(new URL('../e2e/hostile/pushes.mjs', import.meta.url));
const clock = { now: () => 1_700_000_000_000 };
const yes = { action: 'accept', content: { release: true } } as const;
const playbook = playbookSchema.parse({
  format: 'desk-playbook/1',
  company: 'Test',
  language: 'en',
  currency: 'EUR',
  systems: [],
  tools: {},
});

let folder: string;
let log: string;
let store: Store;
let calls: Calls;
let questions: Questions;
let pins: Pins;
let validator: Validator;
let servers: Servers;
let gate: Gate;
let ended: Call[] = [];
let count = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-older-'));
  log = join(folder, 'calls.log');
  validator = createValidator({ ms: 5_000 });
  ended = [];
  store = await openStore(join(folder, 'desk.db'));
  calls = createCalls({ store, clock, random: { hex: (n) => (++count).toString(16).padStart(n * 2, '0') } });
  questions = createQuestions({ store, clock });
  pins = createPins({ store, clock });
  servers = createServers([config()], {
    pins,
    connect: (one) =>
      createConnection(one, {
        ...{ clock, eras: new Map<string, Json>() },
        onFinished: (elicitation) => void questions.finished(one.prefix, elicitation),
      }),
  });
  gate = gateOf();
});
afterEach(async () => {
  await servers.close();
  await gate.quiet();
  await store.close();
  await validator.close();
  rmSync(folder, { recursive: true, force: true });
});

function config(more: object = {}) {
  return serverConfig.parse({
    prefix: 'till',
    kind: 'stdio',
    command: process.execPath,
    args: [program, log],
    question_roles: { form: 'lead' },
    ...more,
  });
}
function gateOf(put?: PutQuestion, asked: Questions = questions): Gate {
  const ask = () => Promise.resolve({ answer: 'run', by: staff, scripted: false } as const);
  const trace = createTracing(store, clock);
  return createGate({
    ...{ calls, questions: asked, pins, servers, validator, playbook, clock, trace, ask, ...(put && { put }) },
    ended: (call) => Promise.resolve(void ended.push(call)),
  });
}
async function run(
  tool: string,
  { by = gate, n = 1, listed = false, word = 'x', prefix = 'till' } = {},
): Promise<GateAnswer> {
  const seen = (await servers.review(prefix)).find((one) => one.definition.name === tool);
  const hash = seen?.definition.hash ?? '';
  const decision = { by: admin, decision: 'approved', hash, why: null, noSideEffects: listed } as const;
  await pins.decide({ prefix, tool, ...decision });
  const offered = (await servers.offered()).tools.find((one) => one.tool === tool);
  if (offered === undefined) throw new Error(`${tool} is not offered`);
  return by.propose({ n, offered, arguments: prefix === 'far' ? {} : { word }, origins: {} }, { run: 'r1', ticket });
}
function lines(): Json[] {
  if (!existsSync(log)) return [];
  const text = readFileSync(log, 'utf8').trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Json); // written by pushes.mjs
}
async function open(): Promise<Question> {
  const [question] = await questions.open();
  if (question === undefined) throw new Error('nothing waits');
  return question;
}
const settled = async (id: string) => (await calls.get(id)).state;

describe('a question pushed in the middle of a call (spec host §20)', () => {
  it('waits in the inbox for its role, lets the run go, and its answer reaches the server', async () => {
    expect(await run('form')).toMatchObject({
      outcome: 'waiting',
      consent: { by: 'staff-0007' },
      asked: 'till.form asked a question that waits for a lead: desk questions; it waits only while the desk runs',
    });
    const question = await open();
    expect(question).toMatchObject({ pushed: true, role: 'lead', request: { params: { message: 'Release it?' } } });
    const byStaff = questions.answer(question.id, { by: staff, answer: yes, scripted: false });
    await expect(byStaff).rejects.toMatchObject({ code: 'questions.role' });
    const heard = gate.heard(question.call);
    const wrong = { action: 'accept', content: { release: 'perhaps' } } as const;
    const given = questions.answer(question.id, { by: lead, answer: wrong, scripted: false });
    await expect(given).rejects.toMatchObject({ code: 'questions.invalid' });
    await questions.answer(question.id, { by: lead, answer: yes, scripted: false });
    await heard;
    expect(await gate.answer(await calls.get(question.call))).toMatchObject({
      outcome: 'result',
      content: 'got {"action":"accept","content":{"release":true}}',
      questions: [{ by: 'staff-0002', action: 'accept' }],
    });
    expect(lines()).toEqual([{ called: 'form', keys: expect.anything() as Json }, { answer: yes }]);
    expect((await calls.events(question.call)).map(({ to, by }) => `${to} ${by}`).slice(3)).toEqual([
      ...['sending host', 'asked host', 'answered staff-0002', 'sending host', 'result host'],
    ]);
    expect(await calls.verifyChain()).toEqual([]);
    expect(ended).toEqual([]);
    const wire = (await wireOf(store.db, question.call)).map(({ text }) => text).join('\n');
    expect(wire).toContain('"word":"x"');
  });

  it('answered the moment it is stored, before its call waits for the answer, reaches the server too', async () => {
    const of: Questions['of'] = async (call) => {
      const found = await questions.of(call);
      for (const { id, state } of found)
        if (state === 'open') await questions.answer(id, { by: lead, answer: yes, scripted: false });
      return found;
    };
    await run('form', { by: gateOf(undefined, { ...questions, of }) });
    const [call] = await calls.list({});
    await expect.poll(() => settled(call?.id ?? '')).toBe('result');
    expect(lines()).toContainEqual({ answer: yes });
  });

  it.each(['decline', 'cancel'] as const)('%s reaches the server as itself', async (action) => {
    const put: PutQuestion = () => Promise.resolve({ answer: { action }, by: lead, scripted: false });
    expect(await run('form', { by: gateOf(put) })).toMatchObject({ content: `got {"action":"${action}"}` });
    const url: PutQuestion = () => Promise.resolve({ answer: { action: 'accept' }, by: lead, scripted: false });
    expect(await run('url', { by: gateOf(url) })).toMatchObject({ content: 'got {"action":"accept"}' });
  });

  it('of two at once, one after the other is put', async () => {
    const put: PutQuestion = async (question) => {
      expect(await questions.open()).toHaveLength(1);
      return { answer: yes, by: lead, scripted: false, ...(question.round > 1 && { answer: { action: 'decline' } }) };
    };
    expect(await run('two', { by: gateOf(put) })).toMatchObject({ content: 'got accept and decline' });
  });

  it('with a form nobody may fill in is declined by the desk, and the server’s page says why', async () => {
    expect(await run('secret')).toMatchObject({
      outcome: 'result',
      content: 'got decline',
      questions: [{ by: 'host', action: 'decline' }],
    });
    expect(servers.get('till')?.connection.status().log).toMatch(
      /declined what it asked during till\.secret.*password/,
    );
  });

  it('is cancelled after ten, and the call ends as its server says', async () => {
    const put: PutQuestion = () => Promise.resolve({ answer: yes, by: lead, scripted: false });
    expect(await run('endless', { by: gateOf(put) })).toMatchObject({ content: 'cancelled after 10' });
  });

  it.each(['said', 'unsaid'])(
    'that the server gives up (%s) closes, and the call ends with its result',
    async (word) => {
      expect(await run('withdraws', { word })).toMatchObject({ outcome: 'waiting' });
      const question = await open();
      writeFileSync(`${log}.go`, '');
      await expect.poll(() => settled(question.call)).toBe('result');
      expect(await questions.open()).toEqual([]);
      const late = questions.answer(question.id, { by: lead, answer: yes, scripted: false });
      await expect(late).rejects.toThrow('is closed: its call ended meanwhile');
      expect(ended.map(({ id }) => id)).toEqual([question.call]);
    },
  );

  it('leaves the server to other calls, and its answer goes to the call that asked', async () => {
    await run('form');
    const question = await open();
    expect(await run('quick', { n: 2 })).toMatchObject({ outcome: 'result', content: 'quick' });
    const heard = gate.heard(question.call);
    await questions.answer(question.id, { by: lead, answer: yes, scripted: false });
    await heard;
    expect((await calls.get(question.call)).text).toContain('"release":true');
  });
});

describe('the end of process or connection with a question open (spec host §20)', () => {
  it.each([
    ['unknown', false],
    ['failed', true],
  ] as const)('closes it, and its call is %s', async (state, listed) => {
    await run('form', { listed });
    const question = await open();
    const pid = servers.get('till')?.connection.status().pid;
    if (typeof pid !== 'number') throw new Error('the server does not run');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => settled(question.call)).toBe(state);
    expect(await questions.open()).toEqual([]);
    expect(ended.map((call) => call.state)).toEqual([state]);
    expect(lines()).toHaveLength(1);
  });

  it('an answer that was on its way when the desk ended is never sent again by the next start', async () => {
    await run('form');
    const question = await open();
    await questions.answer(question.id, { by: lead, answer: yes, scripted: false });
    const now = (await calls.get(question.call)).state;
    expect(now).not.toBe('answered');
    await servers.close();
    await gate.quiet();
    expect(['result', 'unknown']).toContain(await settled(question.call));
  });
});

describe('a page to be visited first (-32042 of 2025-11-25)', () => {
  it('is a question of its own; the same request goes out again by the person’s word, with nothing added', async () => {
    expect(await run('page')).toMatchObject({ outcome: 'waiting' });
    const question = await open();
    expect(question).toMatchObject({ pushed: false, key: 'flow-1', request: { params: { mode: 'url' } } });
    await questions.answer(question.id, { by: staff, answer: { action: 'accept' }, scripted: false });
    const answer = await gate.resume(await calls.get(question.call), { run: 'r1', ticket });
    expect(answer).toMatchObject({ outcome: 'result', content: 'paid' });
    const [first, second] = lines();
    expect(second).toEqual(first);
  });
  it('not visited, the call ends as failed and nothing goes out', async () => {
    await run('page');
    const question = await open();
    await questions.answer(question.id, { by: staff, answer: { action: 'decline' }, scripted: false });
    const answer = await gate.resume(await calls.get(question.call), { run: 'r1', ticket });
    expect(answer).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('said no') as string });
    expect(lines()).toHaveLength(1);
  });
});

describe('a page that its server says is finished (2025-11-25)', () => {
  it.each(['url', 'page'])(
    'is said beside the question (%s), which stays open: of that server, by its own ID',
    async (tool) => {
      servers.add(config({ prefix: 'other' }));
      expect(await run(tool)).toMatchObject({ outcome: 'waiting' });
      const { id, call } = await open();
      expect(await run('done', { n: 2, word: 'flow-1', prefix: 'other' })).toMatchObject({ content: 'told' });
      expect(await run('done', { n: 3, word: 'flow-9' })).toMatchObject({ content: 'told' });
      expect((await open()).finished).toBeUndefined();
      expect(await run('done', { n: 4, word: 'flow-1' })).toMatchObject({ content: 'told' });
      await expect.poll(async () => (await open()).finished).toBe(true);
      expect([(await open()).state, await settled(call)]).toEqual(['open', 'asked']);
      await questions.answer(id, { by: staff, answer: { action: 'accept' }, scripted: false });
      expect(await questions.of(call)).toMatchObject([{ state: 'answered', by: staff.id }]);
    },
  );
});

describe('a session over HTTP that its server lost (spec host §3)', () => {
  it('is begun anew once for a reading; a call is not sent again, and the person reads why', async () => {
    const server = await startHttp('startHttp', ['sessions']);
    servers.add(serverConfig.parse({ prefix: 'far', kind: 'http', url: server.url }));
    const reading = { prefix: 'far', method: 'resources/read', name: 'far:day', arguments: {} } as const;
    expect(await gate.read(reading)).toMatchObject({ outcome: 'result', content: 'kept' });
    expect(await run('bad', { prefix: 'far' })).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('does not know this session any more; the request was not run') as string,
    });
    // What it prints comes on a pipe of its own, after its answer.
    await expect
      .poll(() => server.lines.map((line) => JSON.parse(line) as Json))
      .toEqual([{ read: 's1' }, { read: 's2' }, { called: 's2', revision: '2025-11-25' }]);
    await server.kill();
  });
});

describe('what an older server wants lent', () => {
  it('is refused in words and counted on its page', async () => {
    expect(await run('lends')).toMatchObject({ content: '-32601 Not offered: the desk does not lend its model.' });
    expect(servers.get('till')?.connection.status().notes).toEqual([
      'It asked for sampling 2 times: the desk does not lend its model.',
      'It asked for roots once: the desk lends no folders.',
    ]);
  });
  it('its log is kept a line each, and its ping is answered', async () => {
    expect(await run('logs')).toMatchObject({ content: 'pinged {}' });
    await expect
      .poll(() => servers.get('till')?.connection.status().log)
      .toBe('[info] till: line 0 more\n[info] till: line 1 more\n[info] till: line 2 more\n');
  });
});

describe('the inbox of a whole desk', () => {
  it('answers a reading an older server asks about, and quitting says what ends with it', async () => {
    const profile = join(folder, 'profile.json');
    writeFileSync(join(folder, 'playbook.json'), JSON.stringify(playbook));
    const written = { format: 'desk-profile/1', company: 'Test', people: [admin, lead, staff], open_sign_in: true };
    writeFileSync(profile, JSON.stringify({ ...written, playbook: 'playbook.json', servers: [config()] }));
    const said: string[] = [];
    const options = { data: join(folder, 'data'), profileFile: profile, servers: true };
    const host = await createHost({ ...options, say: (words) => said.push(words) });
    const work = createWork({ host: () => host, models: () => ({}) as never }); // no ticket is worked
    const read = () => host.gate.read({ prefix: 'till', method: 'resources/read', name: 'till:day', arguments: {} });
    const { signal } = new AbortController();
    expect(await read()).toMatchObject({ outcome: 'waiting' });
    const [entry] = (await inboxOf(host, staff)).questions;
    expect(entry).toMatchObject({ question: { pushed: true }, form: { kind: 'form' } });
    const id = entry?.question.id ?? '';
    const given = { id, ...yes, watch: '' };
    expect(await answerQuestion({ host, work }, given, staff, signal)).toMatchObject({
      call: { state: 'result', text: 'shown: accept' },
      run: null,
    });
    expect(await read()).toMatchObject({ outcome: 'waiting' });
    await host.close();
    expect(said.join('\n')).toContain('1 question of an older server was open and ended with the desk');
    const after = await openStore(join(folder, 'data', 'desk.db'));
    const rows = await after.db.selectFrom('calls').select('state').execute();
    await after.close();
    expect(rows.map(({ state }) => state).sort()).toEqual(['failed', 'result']);
  });
});
