import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Json, JsonObject } from '../../shared/json.ts';
import { serverConfig } from '../../shared/servers.ts';
import { createConnection, type Connection, type ConnectionDeps } from './connection.ts';
import { startHttp, type StartedHttp } from './startedHttp.ts';
import { createValidator } from './validator.ts';
import { stepClock } from './stepClock.ts';

const clock = { now: () => Date.now() };
// Nothing runs away here: a stall is not to be taken for it.
const validator = createValidator({ ms: 5_000 });
const open: Connection[] = [];
const started: StartedHttp[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((one) => one.close()));
  await Promise.all(started.splice(0).map((one) => one.kill()));
});
afterAll(() => validator.close());

function at(url: string, deps: Partial<ConnectionDeps> = {}): Connection {
  const config = serverConfig.parse({ prefix: 'far', kind: 'http', url });
  const one = createConnection(config, { clock, eras: new Map<string, Json>(), validator, ...deps });
  open.push(one);
  return one;
}
/** One process has all the bad ways, each at its path; a test that reads what it printed has one of its own. */
const shared = new Map<string, Promise<StartedHttp>>();
afterAll(async () => {
  for (const server of shared.values()) await (await server).kill();
});
async function connect(script: string, kind: string, deps: Partial<ConnectionDeps> = {}): Promise<Connection> {
  const server = shared.get(script) ?? startHttp(script);
  shared.set(script, server);
  return at(`${(await server).url}/${kind}`, deps);
}
async function alone(script: string, kind: string, deps: Partial<ConnectionDeps> = {}) {
  const server = await startHttp(script, [kind]);
  started.push(server);
  return { server, one: at(server.url, deps) };
}
const bad = { tool: 'bad', arguments: {} };
const ping = { tool: 'ping', arguments: {} };
const pong = { kind: 'result', text: 'pong' };
const words = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describe('a start that goes wrong is told in words (spec host §2)', () => {
  it.each([
    ['silent', /did not start: .*timed out/],
    ['html', /did not start: .*"text\/html" instead of JSON: "<html>Welcome<\/html>"/],
    ['down', /HTTP 503/],
    ['signIn', /asks for sign-in, which is not set up for it \(HTTP 401\)/],
    ['forbidden', /refuses this desk \(HTTP 403\) and does not say how to be let in/],
    ['loop', /sends the desk elsewhere, more than 3 times/],
    ['away', /to another origin \(https:\/\/example\.com\)/],
  ])('%s', async (kind, pattern) => {
    // Only silence is to run out of time; whoever answers may take long.
    const one = await connect('startHttp', kind, { limits: kind === 'silent' ? { httpProbeMs: 400 } : {} });
    await expect(one.start()).rejects.toThrow(pattern);
    expect(one.status()).toMatchObject({ state: 'failed', era: null, problem: words(pattern) });
  });
  it.each([
    ['http://127.0.0.1:1/mcp', /nothing answers at its address/],
    ['https://no-such-host.invalid/mcp', /its host name/],
    ['http://example.com/mcp', /only "https:" is allowed/],
    ['ftp://127.0.0.1/mcp', /only "https:" is allowed/],
    ['https://me:secret@example.com/mcp', /holds a user name or password/],
    [`https://example.com/${'x'.repeat(2_048)}`, /longer than 2048 characters/],
  ])('%s', async (url, pattern) => {
    await expect(at(url).start()).rejects.toThrow(pattern);
    expect(await at(url, { limits: { backoffMs: 1 } }).call(ping)).toMatchObject({
      kind: 'not sent',
      reason: words(pattern),
    });
  });
});

describe('what listens there is no server over HTTP', () => {
  it.each([
    ['banner', /does not speak HTTP as it should/],
    ['headers', /does not speak HTTP as it should/],
    ['hangsUp', /the connection broke/],
    ['mute', /timed out/],
  ])('%s', async (kind, pattern) => {
    const { one } = await alone('rawHttp', kind, { limits: kind === 'mute' ? { httpProbeMs: 300 } : {} });
    await expect(one.start()).rejects.toThrow(pattern);
  });
});

describe('an answer that cannot be used ends its call as unknown, and only its call (spec trust §§1, 2)', () => {
  it.each([
    ['endless', /longer than the 8388608 bytes allowed/],
    ['endlessEvent', /longer than the 8388608 bytes allowed/],
    ['huge', /longer than the 8388608 bytes allowed/],
    ['hugeEvent', /longer than the 8388608 bytes allowed/],
    ['hugeState', /longer than the 8388608 bytes allowed/],
    ['bomb', /longer than the 8388608 bytes allowed/],
    ['oddlyPacked', /packed as "gzip, gzip"/],
    ['deep', /nested deeper than 64 levels/],
    ['deepEvent', /nested deeper than 64 levels/],
    ['breaks', /the connection broke/],
    ['cuts', /without a reply to this request/],
    ['both', /a result and an error at once/],
    ['neither', /neither a result nor an error/],
    ['strange', /without a reply to this request/],
    ['asText', /without a reply to this request/],
    ['batch', /without a reply to this request/],
    ['html', /"text\/html" instead of JSON: "<html><script>/],
    ['lies', /without a reply to this request/],
    ['empty', /without a reply to this request/],
    ['accepted', /instead of JSON/],
    ['gateway', /HTTP 502/],
    ['loop', /more than 3 times/],
    ['away', /to another origin/],
    ['longAway', /without a usable address/],
    ['becomesGet', /HTTP 303/],
    ['unknownType', /answers with a task, which this call did not ask for/],
    ['emptyRound', /cannot be used|neither a question nor a state/],
    ['bigState', /state of more than 65536 bytes/],
    ['manyQuestions', /asks 1000 questions at once; 8 are allowed/],
  ])('%s', async (kind, pattern) => {
    const one = await connect('wireHttp', kind);
    expect(await one.call(bad)).toEqual({ kind: 'unknown', reason: words(pattern) });
    expect(await one.call(ping)).toMatchObject(pong);
    expect(one.status()).toMatchObject({ state: 'ready', restarts: 0 });
  });
  it.each(['slow', 'never', 'half', 'progress', 'flood', 'comments'])(
    '%s: no answer within the idle time',
    async (kind) => {
      const one = await connect('wireHttp', kind);
      await one.start();
      expect(await one.call({ ...bad, timeoutMs: 700 })).toEqual({
        kind: 'unknown',
        reason: 'no answer and no progress for 0.7 s',
      });
      expect(await one.call(ping)).toMatchObject(pong);
    },
  );
  it('an exit under the call: unknown; not sent while it is away; when it is back it is used again', async () => {
    const { one, server } = await alone('wireHttp', 'exits', { limits: { backoffMs: 1 } });
    expect(await one.call(bad)).toMatchObject({ kind: 'unknown', reason: words(/connection broke/) });
    await server.gone;
    expect(await one.call(ping)).toMatchObject({ kind: 'not sent', reason: words(/nothing answers at its address/) });
    await expect.poll(() => one.status()).toMatchObject({ state: 'failed', problem: words(/nothing answers/) });
    started.push(await startHttp('wireHttp', ['exits'], new URL(server.url).port));
    expect(await one.call(ping)).toMatchObject(pong);
  });
  it('a refusal for want of sign-in is not sent', async () => {
    const one = await connect('wireHttp', 'signIn');
    expect(await one.call(bad)).toMatchObject({
      kind: 'not sent',
      reason: words(/not set up for it/),
      challenge: { kind: 'sign-in' },
    });
  });
});

describe('a call goes out once, whatever comes back (spec host §3)', () => {
  it.each(['counts', 'resumable'])('%s: never sent again, never resumed', async (kind) => {
    const { one, server } = await alone('wireHttp', kind);
    await one.start();
    expect((await one.call(bad)).kind).toBe('unknown');
    expect(await one.call(ping)).toMatchObject(pong);
    expect(server.lines).toHaveLength(1);
    expect(server.lines[0]).toContain('ran');
  });
  it('a stop closes the stream, and the outcome is unknown (spec host §22, trust §2)', async () => {
    const { one, server } = await alone('wireHttp', 'growing');
    const stop = new AbortController();
    const outcome = one.call({
      ...bad,
      signal: stop.signal,
      onProgress: ({ progress }) => progress > 3 && stop.abort(),
    });
    expect(await outcome).toEqual({ kind: 'unknown', reason: 'it was stopped by a person' });
    await expect.poll(() => server.lines).toContain('"closed"');
  });
  it('growing progress counts as life, up to the hard limit', async () => {
    const one = await connect('wireHttp', 'growing');
    await one.start();
    const { steps, onProgress } = stepClock(100);
    expect(await one.call({ ...bad, timeoutMs: 400, hardMs: 1_000, onProgress })).toEqual({
      kind: 'unknown',
      reason: 'not finished after 1 s',
    });
    expect(steps.length).toBeGreaterThanOrEqual(10);
  });
});

describe('what is odd but good', () => {
  it.each([
    ['packed', 'unpacked'],
    ['twice', 'first'],
    ['asks', 'asked'],
    ['moved', '/mcp/moved?here undefined'],
  ])('%s', async (kind, text) => {
    const one = await connect('wireHttp', kind);
    expect(await one.call(bad)).toMatchObject({ kind: 'result', text });
    expect(await one.call(ping)).toMatchObject(pong);
  });
  it('an error with HTTP 400 is the error it says', async () => {
    const one = await connect('wireHttp', 'refused');
    expect(await one.call(bad)).toEqual({ kind: 'protocol error', code: -32602, message: 'no' });
  });
  it('a state with half a surrogate pair goes back as it came, and into no trace (spec host §19, trust §9)', async () => {
    const wire: string[] = [];
    const one = await connect('wireHttp', 'oddState', { onWire: (_, text) => wire.push(text) });
    const asked = await one.call(bad);
    if (asked.kind !== 'input required') throw new Error(asked.kind);
    expect(asked.requestState).toBe('a\ud800b');
    expect(await one.call({ ...bad, requestState: asked.requestState })).toMatchObject({ text: 'same' });
    expect(wire.filter((text) => text.includes('[kept]'))).toHaveLength(2);
    expect(wire.join('')).not.toContain('ud800');
  });
  it('mirrors what a tool asks for into headers, and carries no cookie', async () => {
    const { one, server } = await alone('wireHttp', 'header');
    await one.call({ tool: 'bad', arguments: { region: 'Zürich' } });
    await expect.poll(() => server.lines).toHaveLength(1);
    expect(JSON.parse(server.lines[0] ?? '')).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': 'bad',
      'mcp-protocol-version': '2026-07-28',
      'mcp-param-region': `=?base64?${Buffer.from('Zürich').toString('base64')}?=`,
    });
    expect(server.lines[0]).not.toContain('cookie');
  });
  it('a flood is left alone until the second is over', async () => {
    let messages = 0;
    const one = await connect('wireHttp', 'flood', { onWire: () => messages++ });
    expect(await one.call({ ...bad, timeoutMs: 700 })).toMatchObject({ kind: 'unknown' });
    expect(messages).toBeLessThan(5_000);
  });
  it('ten thousand notices slow nobody else down (spec trust §1)', async () => {
    // So slow that the flood takes many seconds: no stall of the quiet one is as long.
    const noisy = await connect('wireHttp', 'notices', { limits: { linesPerSecond: 100 } });
    const quiet = await connect('wireHttp', 'twice');
    await Promise.all([noisy.start(), quiet.start()]);
    const flood = noisy.call({ ...bad, timeoutMs: 60_000 });
    expect(await Promise.race([quiet.call(ping), flood])).toMatchObject(pong);
    expect(await flood).toMatchObject({ text: 'after the flood' });
  });
});

describe('outside of calls', () => {
  it('endless pages end and say so', async () => {
    const one = await connect('startHttp', 'endless');
    expect(await one.tools()).toHaveLength(100);
    expect(one.status().problem).toMatch(/more than 100 pages/);
  });
  it('a list that never comes ends in time', async () => {
    const one = await connect('startHttp', 'slowList', { limits: { listMs: 500 } });
    await expect(one.tools()).rejects.toThrow(/far: the list of tools could not be read/);
  });
  it('a question where none may be asked is an error (spec host §19)', async () => {
    const one = await connect('startHttp', 'listAsks');
    await expect(one.tools()).rejects.toThrow(/far: the list of tools could not be read/);
  });
  it('a stream of changes is flagged once and left when the connection closes (spec host §5)', async () => {
    const changed: string[] = [];
    const { one, server } = await alone('startHttp', 'listens', { onChanged: (list) => changed.push(list) });
    await one.start();
    await expect.poll(() => changed).toEqual(['tools']);
    expect(await one.call(ping)).toMatchObject(pong);
    await one.close();
    await expect.poll(() => server.lines).toContain('"left"');
  });
  it('prompts are listed and judged one by one', async () => {
    const one = await connect('startHttp', 'prompts');
    expect(await one.prompts()).toMatchObject([
      { name: 'good', problem: null, hash: words(/^[0-9a-f]{64}$/) },
      { name: 'bad', problem: 'Its arguments are no list.' },
    ]);
  });
});

describe('resources and prompts may ask too (spec host §19)', () => {
  const answered = (asked: { requestState?: string }) => ({
    requestState: asked.requestState,
    inputResponses: { who: { action: 'accept', content: { name: 'private' } } } satisfies JsonObject,
  });
  it('a resource', async () => {
    const one = await connect('startHttp', 'asks');
    const asked = await one.read({ uri: 'x://y' });
    if (asked.kind !== 'input required') throw new Error(asked.kind);
    expect(asked).toMatchObject({ inputRequests: { who: { params: { message: 'Who?' } } }, requestState: 'a\ud800b' });
    expect(await one.read({ uri: 'x://y', ...answered(asked) })).toMatchObject({
      kind: 'result',
      text: 'read',
      mimeType: 'text/plain',
    });
    await expect(one.readResource('x://y')).rejects.toThrow('asks a question before it can be read');
  });
  it('a prompt, whose trace holds no answer and no state', async () => {
    const wire: string[] = [];
    const one = await connect('startHttp', 'asks');
    const asked = await one.getPrompt({ name: 'greet' });
    if (asked.kind !== 'input required') throw new Error(asked.kind);
    const onWire = (direction: string, text: string) => wire.push(`${direction} ${text}`);
    expect(await one.getPrompt({ name: 'greet', ...answered(asked), onWire })).toMatchObject({
      kind: 'result',
      description: 'd',
      messages: [{ content: { text: 'greet' } }],
    });
    expect(wire).toHaveLength(2);
    expect(wire[0]).toContain('"content":"[kept]"');
    expect(wire.join('')).not.toMatch(/private|ud800/);
  });
});

it('a prompt, a document and an answer against the protocol are told in words, with their server and the place', async () => {
  const one = await connect('startHttp', 'invalid');
  const outcomes = [await one.getPrompt({ name: 'greet' }), await one.read({ uri: 'x://y' }), await one.call(ping)];
  expect(outcomes.map((each) => ('reason' in each ? each.reason : each.kind))).toEqual([
    'the prompt of far is not valid by the protocol (messages.0.role)',
    'the document of far is not valid by the protocol (contents.0)',
    'the answer of far is not valid by the protocol (content)',
  ]);
});

describe('an older server with sessions (2025-11-25)', () => {
  it('keeps its session, takes its pushed notices, and connects anew when the session is forgotten', async () => {
    const changed: string[] = [];
    const { one, server } = await alone('startHttp', 'sessions', {
      limits: { backoffMs: 1 },
      onChanged: (list) => changed.push(list),
    });
    expect(await one.call(ping)).toMatchObject(pong);
    expect(one.status()).toMatchObject({ era: 'legacy', revision: '2025-11-25' });
    await expect.poll(() => changed).toEqual(['tools']);
    expect(await one.call({ tool: 'gone', arguments: {} })).toMatchObject({
      kind: 'not sent',
      reason: words(/does not know this session/),
    });
    expect(await one.call(ping)).toMatchObject(pong);
    await one.close();
    await expect
      .poll(() => server.lines.map((line) => JSON.parse(line) as Json))
      .toEqual([
        { called: 's1', revision: '2025-11-25' },
        { called: 's1', revision: '2025-11-25' },
        { called: 's2', revision: '2025-11-25' },
        { deleted: 's2' },
      ]);
  });
  it('cannot ask in a way its revision does not have (spec host §20)', async () => {
    const { one } = await alone('startHttp', 'sessions');
    expect(await one.call({ tool: 'asks', arguments: {} })).toEqual({
      kind: 'unknown',
      reason: 'The server answers in a way its revision does not have.',
    });
  });
  it('that asks the host without end is answered a little at a time', async () => {
    const { one } = await alone('startHttp', 'sessions');
    expect(await one.call({ tool: 'pesters', arguments: {} })).toMatchObject({ text: '16 at once' });
  });
  it('is told of a cancel', async () => {
    const { one, server } = await alone('startHttp', 'sessions');
    await one.start();
    expect(await one.call({ tool: 'hangs', arguments: {}, timeoutMs: 300 })).toMatchObject({ kind: 'unknown' });
    await expect.poll(() => server.lines.join()).toContain('cancelled');
  });
});

describe('the wire of one call (spec host §24)', () => {
  it('holds exactly its own messages, whatever runs beside it', async () => {
    const one = await connect('wireHttp', 'steps');
    const wires: string[][] = [[], []];
    const calls = [60, 20].map((ms, n) =>
      one.call({
        tool: 'bad',
        arguments: { n, ms },
        onWire: (direction, text) => wires[n]?.push(`${direction} ${text}`),
      }),
    );
    expect((await Promise.all(calls)).map((outcome) => outcome.kind)).toEqual(['result', 'result']);
    for (const [n, wire] of wires.entries()) {
      expect(wire).toHaveLength(4);
      const id = /"id":(\d+)/.exec(wire[0] ?? '')?.[1] ?? '';
      for (const text of wire.slice(1, 3)) expect(text).toContain(`"progressToken":${id}`);
      expect(wire[3]).toMatch(new RegExp(`^in .*"id":${id},"result":.*"text":"${n}"`));
    }
  });
});
