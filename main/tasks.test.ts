// Calls that go on at their server as tasks, over a real server process that lies where it can, and a real database (spec
// host §22). The warehouse of the sample company stands in e2e/tasks.test.ts.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { Json } from '../shared/json.ts';
import { playbookSchema } from '../shared/playbook.ts';
import { serverConfig } from '../shared/servers.ts';
import { createCalls, type Calls } from './calls.ts';
import { createGate, type Gate } from './gate.ts';
import type { GateAnswer } from './loop.ts';
import { createConnection } from './mcp/connection.ts';
import type { Limits } from './mcp/limits.ts';
import { createValidator, type Validator } from './mcp/validator.ts';
import { admin, staff, ticket } from './oneTicket.ts';
import { createPins, type Pins } from './pins.ts';
import { createProgress } from './progress.ts';
import { createQuestions, type Questions } from './questions.ts';
import { createServers, type Servers } from './servers.ts';
import { exportPart } from './exports.ts';
import { openStore, type Store } from './store/open.ts';
import { callsWithTasks } from './store/tasks.ts';
import { wireOf } from './store/wire.ts';
import { createTasks, type Tasks } from './tasks.ts';
import { createTracing } from './trace.ts';

const program = (name: string) => fileURLToPath(new URL(`../e2e/hostile/${name}.mjs`, import.meta.url));
const often = { interval: 20 };
const quick: Partial<Limits> = { taskLeastMs: 20, taskEveryMs: 20, taskPatienceMs: 15_000 };

let folder: string;
let log: string;
let store: Store;
let calls: Calls;
let questions: Questions;
let pins: Pins;
let validator: Validator;
let servers: Servers;
let tasks: Tasks;
let gate: Gate;
let now: number;
let ended: Call[];
let told: Call[];
let count = 0;
const clock = { now: () => now };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-tasks-'));
  log = join(folder, 'requests.log');
  validator = createValidator({ ms: 5_000 });
  now = 1_700_000_000_000;
  ended = [];
  told = [];
});
afterEach(async () => {
  await shut();
  await validator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A desk on the folder: store, server process and all. */
async function open(
  limits: Partial<Limits> = {},
  how: 'tasks' | 'olderTasks' | 'undeclared' | 'else' = 'tasks',
): Promise<void> {
  store = await openStore(join(folder, 'desk.db'));
  const random = { hex: (n: number) => (++count).toString(16).padStart(n * 2, '0') };
  calls = createCalls({ store, clock, random, changed: (call) => told.push(call) });
  questions = createQuestions({ store, clock });
  pins = createPins({ store, clock });
  const config = serverConfig.parse({
    prefix: 'far',
    kind: 'stdio',
    command: process.execPath,
    args: how === 'olderTasks' ? [program(how), log] : [program('tasks'), log, how],
    question_roles: { asks: 'lead' },
    context: { 'example.com/ticket': 'ticket.id', 'example.com/person': 'person.id' },
  });
  servers = createServers([config], {
    pins,
    connect: (one) => createConnection(one, { clock, eras: new Map<string, Json>() }),
  });
  const progress = createProgress(calls);
  const trace = createTracing(store, clock);
  tasks = createTasks({ store, calls, questions, servers, progress, clock, trace, limits: { ...quick, ...limits } });
  const playbook = playbookSchema.parse({
    format: 'desk-playbook/1',
    company: 'Test',
    language: 'en',
    currency: 'EUR',
    systems: [],
    tools: {},
  });
  const ask = () => Promise.resolve({ answer: 'run', by: staff, scripted: true } as const);
  gate = createGate({
    ...{ calls, questions, pins, servers, validator, playbook, clock, trace, ask, tasks, progress },
    ticket: (id) => Promise.resolve(id === ticket.id ? ticket : undefined),
    ended: (call) => Promise.resolve(void ended.push(call)),
  });
}
async function shut(): Promise<void> {
  tasks.close();
  await gate.quiet();
  await servers.close();
  await store.close();
}
/** As after the process was killed: nothing of it is left but what it stored. */
async function restart(limits?: Partial<Limits>): Promise<void> {
  await shut();
  await open(limits);
  await servers.review('far');
  await calls.recover();
}
async function run(tool: string, listed = false, n = 1): Promise<GateAnswer> {
  const seen = (await servers.review('far')).find((one) => one.definition.name === tool);
  const hash = seen?.definition.hash ?? '';
  const decision = { by: admin, decision: 'approved', hash, why: null } as const;
  await pins.decide({ prefix: 'far', tool, ...decision, noSideEffects: listed });
  const offered = (await servers.offered()).tools.find((one) => one.tool === tool);
  if (offered === undefined) throw new Error(`${tool} is not offered`);
  const origins = { '/word': { from: 'ticket.text', trust: 'untrusted' } } as const;
  return gate.propose({ n, offered, arguments: { word: 'plate' }, origins }, { run: 'r1', ticket });
}
interface Request {
  method: string;
  name?: string;
  taskId?: string;
  declares: boolean;
  ticket?: string;
  person?: string;
}
function received(method?: string): Request[] {
  if (!existsSync(log)) return [];
  const all = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Request); // written by our own script
  return all.filter((one) => method === undefined || one.method === method);
}
async function last(): Promise<Call> {
  const call = (await calls.list({})).at(-1);
  if (call === undefined) throw new Error('there is no call');
  return call;
}

describe('a call that its server answers with a task (host §22)', () => {
  it('is sent once, followed to its end, and its result arrives as any other', async () => {
    await open();
    expect(await run('report')).toMatchObject({ outcome: 'result', content: 'the report of report' });
    expect(received().map(({ method }) => method)).toEqual(['tools/call', 'tasks/get', 'tasks/get', 'tasks/get']);
    // Declared with every request that may bring or follow one.
    expect(received().every(({ declares }) => declares)).toBe(true);
    const call = await last();
    expect((await calls.events(call.id)).map(({ to }) => to)).toEqual([
      'proposed',
      'asking',
      'consented',
      'sending',
      'result',
    ]);
    expect(await calls.verifyChain()).toEqual([]);
    expect(await callsWithTasks(store.db)).toEqual([]);
  });

  it('has its handle stored before it is first asked after, and nowhere else', async () => {
    await open({ taskPatienceMs: 0 });
    expect(await run('slowly')).toMatchObject({
      outcome: 'waiting',
      asked: expect.stringContaining('as a task') as string,
    });
    const { id } = await last();
    expect(await callsWithTasks(store.db)).toEqual([id]);
    await expect.poll(async () => (await calls.get(id)).state, often).toBe('result');
    const secret = 'secret-slowly-0';
    const kept = {
      call: await calls.get(id),
      log: await calls.events(id),
      wire: await wireOf(store.db, id),
      told,
      exported: await exportPart(store, { what: 'calls', format: 'json', after: null }),
      payloads: await store.db.selectFrom('call_events').select('payload').execute(),
    };
    // The server quotes it in its result; on the wire it went out with every request.
    expect(received('tasks/get')[0]?.taskId).toBe(secret);
    expect(kept.call.text).toBe('[kept] is done');
    expect(kept.wire.some(({ text }) => text.includes('tasks/get'))).toBe(true);
    expect(JSON.stringify(kept)).not.toContain(secret);
  });

  it('tells how far it is, and of how it stands whoever looks', async () => {
    await open({ taskPatienceMs: 0 });
    await run('slowly');
    await expect.poll(() => told.some(({ progress }) => progress?.total === 12), often).toBe(true);
    await expect.poll(() => ended.length, often).toBe(1);
    const said = told.flatMap(({ progress }) => (progress ? [progress] : []));
    expect(said.at(-1)).toEqual({ done: 11, total: 12, message: 'counted 11 of 12' });
    expect(told.find(({ task }) => task !== undefined)?.task).toEqual({
      since: '2023-11-14T22:13:20.000Z',
      every_ms: 20,
      stop_by: null,
    });
    // What it said last stays; that it runs does not.
    expect(await last()).toMatchObject({ state: 'result', progress: { done: 11 } });
    expect((await last()).task).toBeUndefined();
    expect(await calls.verifyChain()).toEqual([]);
  });

  it.each([
    ['errs', 'tool error', 'The shelf is locked.'],
    ['fails', 'unknown', 'its task failed with error -32601: The lift broke.'],
    ['gone', 'unknown', 'far does not know this task any more'],
    ['other', 'unknown', 'answers about another task'],
    ['odd', 'unknown', '"resting", which the desk does not know'],
  ])('%s: ends as %s', async (tool, outcome, words) => {
    await open();
    const answer = await run(tool);
    expect(answer.outcome).toBe(outcome);
    expect(answer.detail ?? answer.content).toContain(words);
    expect(received('tools/call')).toHaveLength(1);
  });

  it('gone is gone: on the list of calls without side effects it failed, and is not asked after again', async () => {
    await open();
    expect(await run('gone', true)).toMatchObject({ outcome: 'failed' });
    expect(received('tasks/get')).toHaveLength(1);
  });

  it.each([
    ['strange', "Unsupported result type 'later'"],
    ['nameless', 'has no usable name'],
  ])('%s: a result of another kind is an error', async (tool, words) => {
    await open();
    expect(await run(tool)).toMatchObject({ outcome: 'unknown', detail: expect.stringContaining(words) as string });
    expect(received('tasks/get')).toEqual([]);
  });

  it('is never taken from a server that did not agree on tasks', async () => {
    await open({}, 'undeclared');
    expect(await run('report')).toMatchObject({
      outcome: 'unknown',
      detail: expect.stringContaining('did not ask') as string,
    });
    expect(received().map(({ method, declares }) => [method, declares])).toEqual([['tools/call', false]]);
  });
});

describe('for whom a task is asked after (host §4)', () => {
  const named = () => [...new Set(received().map(({ ticket, person }) => `${ticket} ${person}`))];

  it('is said with every request about it, as the call said it, whoever answers', async () => {
    await open();
    await run('asks');
    const { id } = await last();
    const [question] = await questions.of(id);
    const answer = { action: 'accept', content: { shelf: 'north' } } as const;
    await questions.answer(question?.id ?? '', { by: admin, answer, scripted: false });
    await gate.resume(await calls.get(id), { run: 'r1', ticket });
    expect(new Set(received().map(({ method }) => method))).toEqual(
      new Set(['tools/call', 'tasks/get', 'tasks/update']),
    );
    expect(named()).toEqual(['T-1 staff-0007']);
  });

  it('also after a restart, when it asks again, and when another person has it stopped', async () => {
    await open({ taskPatienceMs: 0 });
    await run('stops');
    await restart({ taskPatienceMs: 0 });
    const before = received('tasks/get').length;
    await gate.pickUp();
    await expect.poll(() => received('tasks/get').length, often).toBeGreaterThan(before);
    await gate.stop(await last(), admin);
    await expect.poll(() => ended.length, often).toBe(1);
    expect(received('tasks/cancel')).toHaveLength(1);
    expect(named()).toEqual(['T-1 staff-0007']);
  });
});

describe('a restart of the desk', () => {
  it('asks on where it was: one call at the server, one result, and whoever works tickets is told', async () => {
    await open({ taskPatienceMs: 0 });
    await run('slowly');
    const { id } = await last();
    await expect.poll(() => received('tasks/get').length, often).toBeGreaterThan(1);
    await restart();
    expect(await calls.get(id)).toMatchObject({ state: 'sending' });
    await gate.pickUp();
    await expect.poll(() => ended.map((call) => call.id), often).toEqual([id]);
    expect(await calls.get(id)).toMatchObject({ state: 'result', text: '[kept] is done' });
    expect(received('tools/call')).toHaveLength(1);
    expect((await calls.events(id)).filter(({ to }) => to === 'sending')).toHaveLength(1);
    expect(await calls.verifyChain()).toEqual([]);
  });

  it('brings an answer once more that the server may not have had', async () => {
    await open();
    await run('asks');
    const { id } = await last();
    const [question] = await questions.of(id);
    const answer = { action: 'accept', content: { shelf: 'north' } } as const;
    await questions.answer(question?.id ?? '', { by: admin, answer, scripted: true });
    // Stored as on its way, and then the desk was gone.
    await calls.resume(id, await calls.get(id));
    await restart();
    await gate.pickUp();
    await expect.poll(async () => (await calls.get(id)).state, often).toBe('result');
    expect(received('tasks/update')).toHaveLength(1);
  });

  it('gives a handle to no server that is set up otherwise', async () => {
    await open({ taskPatienceMs: 0 });
    await run('forever');
    const { id } = await last();
    await shut();
    await open({ taskPatienceMs: 0 }, 'else');
    await servers.review('far');
    const before = received().length;
    await gate.pickUp();
    await expect.poll(async () => (await calls.get(id)).state, often).toBe('unknown');
    expect((await calls.get(id)).detail).toContain('set up otherwise');
    expect(received().slice(before)).toEqual([]);
  });
});

describe('what a task asks', () => {
  it('waits in the inbox for the right role; the answer goes out once and the task goes on', async () => {
    await open();
    expect(await run('asks')).toMatchObject({
      outcome: 'waiting',
      asked: expect.stringContaining('waits for a lead') as string,
    });
    const { id } = await last();
    const [question, ...more] = await questions.of(id);
    expect(more).toEqual([]);
    expect(question).toMatchObject({ key: 'shelf', role: 'lead', state: 'open', pushed: false });
    const answer = { action: 'accept', content: { shelf: 'north' } } as const;
    await expect(questions.answer(question?.id ?? '', { by: staff, answer, scripted: false })).rejects.toMatchObject({
      code: 'questions.role',
    });
    await questions.answer(question?.id ?? '', { by: admin, answer, scripted: false });
    const done = await gate.resume(await calls.get(id), { run: 'r1', ticket });
    expect(done).toMatchObject({ outcome: 'result', content: `began with {"shelf":${JSON.stringify(answer)}}` });
    expect(received('tasks/update')).toHaveLength(1);
    expect(received('tools/call')).toHaveLength(1);
    const sent = (await wireOf(store.db, id)).filter(({ direction }) => direction === 'out').map(({ text }) => text);
    expect(sent.filter((text) => text.includes('tasks/update'))).toHaveLength(1);
    expect(sent.join('\n')).not.toContain('north');
  });

  it('a refused answer ends the call with the server’s words', async () => {
    await open();
    await run('refuses');
    const { id } = await last();
    const [question] = await questions.of(id);
    const answer = { action: 'accept', content: { shelf: 'attic' } } as const;
    await questions.answer(question?.id ?? '', { by: admin, answer, scripted: false });
    const done = await gate.resume(await calls.get(id), { run: 'r1', ticket });
    expect(done).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('[kept] has no such shelf') as string,
    });
  });
});

describe('stopping', () => {
  async function goesOn(tool: string): Promise<Call> {
    await run(tool);
    await expect.poll(() => received('tasks/get').length, often).toBeGreaterThan(1);
    return last();
  }

  it('a task is asked to stop, and said so; what it had done stays unknown until a person looks it up', async () => {
    await open({ taskPatienceMs: 0 });
    const call = await goesOn('stops');
    expect(await gate.stop(call, staff)).toMatchObject({ state: 'sending', task: { stop_by: 'staff-0007' } });
    await expect.poll(async () => (await calls.get(call.id)).state, often).toBe('unknown');
    expect((await calls.get(call.id)).detail).toContain('far stopped its task before its end (stopped after 12)');
    expect(received('tasks/cancel')).toHaveLength(1);
    // A task is not a request: nothing else is cancelled.
    expect(received('notifications/cancelled')).toEqual([]);
  });

  it('a server that does not stop says what became of it', async () => {
    await open({ taskPatienceMs: 0 });
    const call = await goesOn('deaf');
    await gate.stop(call, staff);
    await expect.poll(async () => (await calls.get(call.id)).state, often).toBe('result');
    await expect(gate.stop(await calls.get(call.id), staff)).rejects.toMatchObject({ code: 'calls.state' });
  });

  it('trust 2: where the server cannot be asked, the log says that the outcome is not known', async () => {
    await open({ taskPatienceMs: 0 });
    const call = await goesOn('forever');
    await servers.remove('far');
    expect(await gate.stop(call, staff)).toMatchObject({
      state: 'unknown',
      detail: expect.stringMatching(/^staff-0007 stopped it, but far could not be asked/) as string,
    });
    expect(ended).toHaveLength(1);
  });

  it('a plain call is cancelled at its server, with its progress kept, and its outcome is not known', async () => {
    await open();
    const answer = run('endless');
    await expect.poll(async () => (await calls.list({})).at(-1)?.progress?.done, often).toBe(3);
    const stopped = await gate.stop(await last(), staff);
    expect(stopped).toMatchObject({
      state: 'unknown',
      progress: { done: 3, total: 64, message: 'counting' },
      detail: expect.stringMatching(/^staff-0007 stopped it while it ran/) as string,
    });
    expect(await answer).toMatchObject({ outcome: 'unknown' });
    await expect.poll(() => received('notifications/cancelled').length, often).toBe(1);
    await expect(gate.stop(stopped, staff)).rejects.toMatchObject({ code: 'calls.state' });
  });

  it('a plain call without side effects failed', async () => {
    await open();
    const answer = run('endless', true);
    await expect.poll(async () => (await calls.list({})).at(-1)?.progress?.done, often).toBe(3);
    expect(await gate.stop(await last(), staff)).toMatchObject({ state: 'failed' });
    expect(await answer).toMatchObject({ outcome: 'failed' });
  });
});

describe('a server that lies about its task', () => {
  it('is asked no more often than the desk asks, whatever interval it names', async () => {
    await open({ taskLeastMs: 100, taskPatienceMs: 0 });
    const began = performance.now();
    await run('forever');
    await expect.poll(() => received('tasks/get').length, often).toBeGreaterThan(4);
    const gets = received('tasks/get').length;
    expect((performance.now() - began) / gets).toBeGreaterThanOrEqual(95);
    expect((await last()).task?.every_ms).toBe(100);
  });

  it('works without end: the desk’s own maximum ends it, and the server is asked to stop', async () => {
    await open({ taskMs: 3_600_000, taskPatienceMs: 0 });
    await run('forever');
    await expect.poll(() => received('tasks/get').length, often).toBeGreaterThan(2);
    now += 3_600_000;
    await expect.poll(() => ended.length, often).toBe(1);
    expect(ended[0]).toMatchObject({
      state: 'unknown',
      detail: 'its task had not ended after 1 h; its server was asked to stop it',
    });
    expect(received('tasks/cancel')).toHaveLength(1);
  });

  it('goes backwards, and works again once it ended: the first end counts, once', async () => {
    await open();
    expect(await run('back')).toMatchObject({ outcome: 'result', content: 'the report of back' });
    expect(received('tasks/get')).toHaveLength(4);
    await expect(gate.send(await last(), { run: 'r1', ticket })).resolves.toMatchObject({ outcome: 'result' });
    expect(received('tools/call')).toHaveLength(1);
  });
});

describe('tasks of 2025-11-25', () => {
  it('a tool that runs only as a task is asked for one; its result is fetched', async () => {
    await open({}, 'olderTasks');
    expect(await run('report')).toMatchObject({ outcome: 'result', content: 'the report of report' });
    expect(received().map(({ method }) => method)).toEqual([
      'tools/call',
      'tasks/get',
      'tasks/get',
      'tasks/get',
      'tasks/result',
    ]);
    expect(JSON.stringify(await wireOf(store.db, (await last()).id))).not.toContain('secret-report');
    expect(await run('plain', false, 2)).toMatchObject({ outcome: 'result', content: 'plain, at once' });
    expect(await run('breaks', false, 3)).toMatchObject({
      outcome: 'unknown',
      detail: 'its task failed with error -32603: The lift broke.',
    });
  });

  it('what it pushes waits in the same inbox, while the desk runs; the task ends with the answer', async () => {
    await open({ taskPatienceMs: 0 }, 'olderTasks');
    await run('asks');
    const { id } = await last();
    await expect.poll(async () => (await questions.of(id)).length, often).toBe(1);
    const [question] = await questions.of(id);
    expect(question).toMatchObject({ pushed: true, state: 'open', role: 'lead' });
    expect((await calls.get(id)).state).toBe('asked');
    const answer = { action: 'accept', content: { shelf: 'north' } } as const;
    await questions.answer(question?.id ?? '', { by: admin, answer, scripted: false });
    await expect.poll(async () => (await calls.get(id)).state, often).toBe('result');
    expect((await calls.get(id)).text).toBe('asks heard accept');
  });

  it('is asked to stop', async () => {
    await open({ taskPatienceMs: 0 }, 'olderTasks');
    await run('stops');
    await gate.stop(await last(), staff);
    await expect.poll(async () => (await last()).state, often).toBe('unknown');
    expect(received('tasks/cancel')).toHaveLength(1);
  });
});

it('a server that went away is waited for, and asked again when it is back', async () => {
  await open({ taskPatienceMs: 0 });
  await run('slowly');
  await expect.poll(() => received('tasks/get').length, often).toBeGreaterThan(1);
  const pid = servers.get('far')?.connection.status().pid;
  if (typeof pid !== 'number') throw new Error('the server does not run');
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => ended.length, often).toBe(1);
  expect(ended[0]).toMatchObject({ state: 'result' });
  expect(received('tools/call')).toHaveLength(1);
});
