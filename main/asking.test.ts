// Questions servers ask inside a call, over a real server process and a real database (spec host §§17–20).
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
import type { GateAnswer } from './loop.ts';
import { createConnection } from './mcp/connection.ts';
import { createValidator, type Validator } from './mcp/validator.ts';
import { admin, lead, staff, ticket } from './oneTicket.ts';
import { createPins, type Pins } from './pins.ts';
import { createQuestions, type Questions } from './questions.ts';
import { createServers, type Servers } from './servers.ts';
import { openStore, type Store } from './store/open.ts';
import { wireOf } from './store/wire.ts';
import { createTracing } from './trace.ts';

const program = fileURLToPath(new URL('../e2e/hostile/asks.mjs', import.meta.url));
const of = { run: 'r1', ticket };
const clock = { now: () => 1_700_000_000_000 };
const yes = { action: 'accept', content: { release: true } } as const;
const odd = 's-\ud83d"\u0000\u200b-1';

let folder: string;
let log: string;
let store: Store;
let calls: Calls;
let questions: Questions;
let pins: Pins;
let validator: Validator;
let servers: Servers;
let count = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-asking-'));
  log = join(folder, 'calls.log');
  validator = createValidator({ ms: 5_000 });
  await open();
});
afterEach(async () => {
  await shut();
  await validator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A desk on the folder: store, server process and all. */
async function open(): Promise<void> {
  store = await openStore(join(folder, 'desk.db'));
  calls = createCalls({ store, clock, random: { hex: (n) => (++count).toString(16).padStart(n * 2, '0') } });
  questions = createQuestions({ store, clock });
  pins = createPins({ store, clock });
  const config = serverConfig.parse({
    prefix: 'shop',
    kind: 'stdio',
    command: process.execPath,
    args: [program, log],
    question_roles: { confirm: 'lead' },
    context: { 'example.com/person': 'person.id' },
  });
  servers = createServers([config], {
    pins,
    connect: (one) => createConnection(one, { clock, eras: new Map<string, Json>() }),
  });
}
async function shut(): Promise<void> {
  await servers.close();
  await store.close();
}
async function restart(): Promise<void> {
  await shut();
  await open();
  await servers.review('shop');
  await calls.recover();
}
function gateOf(put?: PutQuestion): Gate {
  const playbook = playbookSchema.parse({
    format: 'desk-playbook/1',
    company: 'Test',
    language: 'en',
    currency: 'EUR',
    systems: [],
    tools: {},
  });
  const ask = () => Promise.resolve({ answer: 'run', by: staff, scripted: false } as const);
  const trace = createTracing(store, clock);
  return createGate({ calls, questions, pins, servers, validator, playbook, clock, trace, ask, ...(put && { put }) });
}
async function run(tool: string, put?: PutQuestion, listed = false): Promise<GateAnswer> {
  const seen = (await servers.review('shop')).find((one) => one.definition.name === tool);
  const hash = seen?.definition.hash ?? '';
  const decision = { by: admin, decision: 'approved', hash, why: null, noSideEffects: listed } as const;
  await pins.decide({ prefix: 'shop', tool, ...decision });
  const offered = (await servers.offered()).tools.find((one) => one.tool === tool);
  if (offered === undefined) throw new Error(`${tool} is not offered`);
  return gateOf(put).propose({ n: 1, offered, arguments: { word: 'plate' }, origins: {} }, of);
}
function received(): { id: unknown; requestState?: string; inputResponses?: Json; given: Json; person?: string }[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as ReturnType<typeof received>[number]); // written by asks.mjs
}
async function only(): Promise<{ call: Call; question: Question }> {
  const [call] = await calls.list({});
  const [question] = await questions.open();
  if (call === undefined || question === undefined) throw new Error('nothing waits');
  return { call, question };
}

describe('a question outlives the process (spec host §19)', () => {
  it('waits for the role the configuration names, and answering resumes the same call after a restart', async () => {
    expect(await run('confirm')).toMatchObject({ outcome: 'waiting', consent: { by: 'staff-0007' } });
    expect(await questions.open('staff')).toEqual([]);
    expect(await questions.open('lead')).toHaveLength(1);
    await restart();
    const { question } = await only();
    const byStaff = questions.answer(question.id, { by: staff, answer: yes, scripted: false });
    await expect(byStaff).rejects.toMatchObject({ code: 'questions.role' });
    expect(await questions.answer(question.id, { by: lead, answer: yes, scripted: false })).toMatchObject({
      complete: true,
      question: { by: 'staff-0002' },
    });
    const call = await calls.get(question.call);
    expect(await gateOf().resume(call, of)).toMatchObject({
      outcome: 'result',
      content: 'answered {"action":"accept","content":{"release":true}}',
      questions: [{ key: 'sure', by: 'staff-0002', action: 'accept', content: { release: true } }],
    });
  });

  it('sends the state back as the same UTF-16 units, the same arguments, under a new id', async () => {
    await run('confirm', () => Promise.resolve({ answer: yes, by: lead, scripted: false }));
    const [first, second] = received();
    expect(second?.requestState).toBe(odd);
    expect(second?.given).toEqual(first?.given);
    expect(second?.id).not.toBe(first?.id);
    expect(first).not.toHaveProperty('requestState');
  });

  it('goes on under the person who made the call, whoever answers, also after a restart (host §19)', async () => {
    await run('confirm');
    await restart();
    const { call, question } = await only();
    await questions.answer(question.id, { by: lead, answer: yes, scripted: false });
    await gateOf().resume(await calls.get(call.id), of);
    expect(received().map(({ person }) => person)).toEqual(['staff-0007', 'staff-0007']);
  });

  it('where the host’s list spared the consent, who answered acts from then on', async () => {
    const put: PutQuestion = () => Promise.resolve({ answer: yes, by: lead, scripted: false });
    expect(await run('pair', put, true)).toMatchObject({ outcome: 'result' });
    expect(received().map(({ person }) => person)).toEqual([undefined, 'staff-0002', 'staff-0002']);
  });

  it('keeps no state once the call is settled (trust 9)', async () => {
    await run('confirm', () => Promise.resolve({ answer: yes, by: lead, scripted: false }));
    const kept = await store.db.selectFrom('call_secrets').selectAll().execute();
    expect(kept).toEqual([]);
    const logged = await store.db.selectFrom('call_events').select('payload').execute();
    expect(logged.some(({ payload }) => payload?.includes('s-') === true)).toBe(false);
  });

  it('keeps the messages of both rounds for a look, without state and answers (host §24, trust 9)', async () => {
    await run('confirm', () => Promise.resolve({ answer: yes, by: lead, scripted: false }));
    const [call] = await calls.list({});
    const messages = await wireOf(store.db, call?.id ?? '');
    expect(messages.map(({ round, direction }) => [round, direction])).toEqual([
      [1, 'out'],
      [1, 'in'],
      [2, 'out'],
      [2, 'in'],
    ]);
    const all = messages.map(({ text }) => text).join('\n');
    expect(all).toContain('Release the refund?');
    expect(all).toContain('"word":"plate"');
    expect(all).not.toContain('s-');
    expect(messages[2]?.text).not.toContain('"release":true');
  });

  it('answering twice says who was first and sends nothing', async () => {
    await run('confirm');
    const { question } = await only();
    await questions.answer(question.id, { by: lead, answer: yes, scripted: false });
    const again = questions.answer(question.id, { by: lead, answer: { action: 'decline' }, scripted: false });
    await expect(again).rejects.toThrow('was already answered by staff-0002 (accept). Nothing was sent now.');
    expect(received()).toHaveLength(1);
  });

  it('of two answers at once one wins, and the call is sent on once', async () => {
    await run('confirm');
    const { call, question } = await only();
    const answers = await Promise.allSettled(
      [lead, admin].map((by) => questions.answer(question.id, { by, answer: yes, scripted: false })),
    );
    expect(answers.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    const answered = await calls.get(call.id);
    const sent = await Promise.all([gateOf().resume(answered, of), gateOf().resume(answered, of)]);
    expect(sent.filter((one) => one.outcome === 'result')).toHaveLength(1);
    expect(received()).toHaveLength(2);
  });
});

describe('rounds (spec host §§19–20)', () => {
  it('go back when every question is answered, and a round with a state only is retried', async () => {
    const asked: string[] = [];
    const answer = await run('pair', (question) => {
      asked.push(question.key);
      return Promise.resolve({ answer: yes, by: staff, scripted: false });
    });
    expect(answer).toMatchObject({ outcome: 'result', content: 'both answered, then waited' });
    expect(asked.sort()).toEqual(['one', 'two']);
    const [first, second, third] = received();
    expect(first).not.toHaveProperty('inputResponses');
    expect(second).not.toHaveProperty('requestState');
    expect(third).toMatchObject({ requestState: 'between' });
    expect(third).not.toHaveProperty('inputResponses');
  });

  it('wait while one question of the round is open', async () => {
    const answer = await run('pair', (question) =>
      Promise.resolve(question.key === 'one' ? { answer: yes, by: staff, scripted: false } : null),
    );
    expect(answer).toMatchObject({ outcome: 'waiting' });
    expect(received()).toHaveLength(1);
  });

  it('go back when others answer from their inbox what the person here was not asked yet', async () => {
    const answer = await run('pair', async (question, call) => {
      for (const other of await questions.of(call.id))
        if (other.id !== question.id) await questions.answer(other.id, { by: lead, answer: yes, scripted: false });
      return { answer: yes, by: staff, scripted: false };
    });
    expect(answer).toMatchObject({ outcome: 'result', content: 'both answered, then waited' });
  });

  it('keep an answer while the server is down, and send it when it is back', async () => {
    const down = await run('confirm', async () => {
      await servers.close();
      return { answer: yes, by: lead, scripted: false };
    });
    expect(down).toMatchObject({
      outcome: 'waiting',
      asked: expect.stringContaining('kept and not sent yet') as string,
    });
    const [call] = await calls.list({ states: ['answered'] });
    await restart();
    expect(await gateOf().resume(await calls.get(call?.id ?? ''), of)).toMatchObject({
      outcome: 'result',
      content: 'answered {"action":"accept","content":{"release":true}}',
    });
    expect(received()).toHaveLength(2);
    expect(await calls.verifyChain()).toEqual([]);
  });

  it('end as failed after ten', async () => {
    const answer = await run('endless', () => Promise.resolve({ answer: yes, by: staff, scripted: false }));
    expect(answer).toMatchObject({ outcome: 'failed', detail: 'The server asked more than 10 times.' });
    expect(received()).toHaveLength(11);
  });

  it('with neither question nor state are an error in words', async () => {
    const answer = await run('empty');
    expect(answer).toMatchObject({ outcome: 'unknown' });
    expect(answer.detail).toMatch(/without a question or a state|cannot be used/);
  });

  it('whose state is refused end the call as failed with the words of the server', async () => {
    const answer = await run('refuses', () => Promise.resolve({ answer: yes, by: staff, scripted: false }));
    expect(answer.outcome).toBe('failed');
    expect(answer.detail).toContain('The state is not valid. Look it up');
  });
});

describe('an answer (spec host §17)', () => {
  it('that does not fit the form is refused with every field named, and the question stays open', async () => {
    await run('confirm');
    const { question } = await only();
    const wrong = { action: 'accept', content: { release: 'yes', more: 1 } } as const;
    const given = questions.answer(question.id, { by: lead, answer: wrong, scripted: false });
    await expect(given).rejects.toMatchObject({ code: 'questions.invalid' });
    await expect(given).rejects.toThrow(/release.*more|more.*release/s);
    expect(await questions.open()).toHaveLength(1);
  });

  it('out of a file that does not fit leaves the call waiting and says why', async () => {
    const answer = await run('confirm', () =>
      Promise.resolve({ answer: { action: 'accept', content: {} }, by: lead, scripted: true }),
    );
    expect(answer.outcome).toBe('waiting');
    expect(answer.asked).toContain('release');
  });

  it('to a form that asks for a password can only be no', async () => {
    await run('secret');
    const { question } = await only();
    const content = { password: 'x' };
    const given = questions.answer(question.id, { by: staff, answer: { action: 'accept', content }, scripted: false });
    await expect(given).rejects.toMatchObject({ code: 'questions.refused' });
    const no = questions.answer(question.id, { by: staff, answer: { action: 'decline' }, scripted: false });
    expect(await no).toMatchObject({ complete: true });
  });

  it.each(['decline', 'cancel'] as const)('%s goes back as itself, without content', async (action) => {
    const answer = await run('confirm', () =>
      Promise.resolve({ answer: { action, content: { release: true } }, by: lead, scripted: false }),
    );
    expect(answer).toMatchObject({ outcome: 'result', content: `answered {"action":"${action}"}` });
  });
});
