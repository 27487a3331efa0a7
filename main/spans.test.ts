// Spans over a real exporter to a receiver of the test's own, and real servers of the sample company.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Json } from '../shared/json.ts';
import { serverConfig } from '../shared/servers.ts';
import { createHost } from './host.ts';
import { createConnection } from './mcp/connection.ts';
import type { Model } from './model/model.ts';
import { serversUp } from './serversUp.ts';
import { openSession } from './session.ts';
import type { Telemetry } from './spans.ts';
import { openTelemetry, settingsOf } from './telemetry.ts';

const root = path.resolve(import.meta.dirname, '..');
const clock = { now: () => Date.now() };
const attribute = z.object({
  key: z.string(),
  value: z.union([
    z.object({ stringValue: z.string() }).transform((one) => one.stringValue),
    z.object({ boolValue: z.boolean() }).transform((one) => one.boolValue),
    z.object({ intValue: z.union([z.number(), z.string()]) }).transform((one) => Number(one.intValue)),
  ]),
});
const attributes = z.array(attribute).transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])));
const spans = z.array(
  z.object({
    traceId: z.string(),
    spanId: z.string(),
    parentSpanId: z.string().optional(),
    name: z.string(),
    kind: z.number(),
    startTimeUnixNano: z.string(),
    endTimeUnixNano: z.string(),
    attributes,
    status: z.object({ code: z.number().optional(), message: z.string().optional() }),
  }),
);
const posted = z.object({
  resourceSpans: z.array(z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans })) })),
});

let folder: string;
let receiver: Server;
let url: string;
let bodies: string[];
let connections: number;
let answer: number;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-spans-'));
  receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (more: string) => (text += more));
    request.on('end', () => {
      bodies.push(text);
      response.writeHead(answer, { 'content-type': 'application/json' }).end('{}');
    });
  });
  receiver.on('connection', () => connections++);
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  bodies = [];
  connections = 0;
  answer = 200;
});

function received() {
  const all = bodies.flatMap((body) => posted.parse(JSON.parse(body)).resourceSpans);
  return { resource: all[0]?.resource.attributes, spans: all.flatMap((one) => one.scopeSpans.flatMap((s) => s.spans)) };
}
function named(name: string) {
  const found = received().spans.filter((span) => span.name === name);
  if (found.length === 0)
    throw new Error(
      `no span "${name}" among ${received()
        .spans.map((one) => one.name)
        .join()}`,
    );
  return found;
}
async function opened(more: Record<string, string> = {}, said: string[] = []): Promise<Telemetry> {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, ...more };
  const telemetry = await openTelemetry(env, clock, (sentence) => said.push(sentence));
  if (telemetry === null) throw new Error('it is off');
  return telemetry;
}
const content = { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' };

describe('what switches spans on (host §24)', () => {
  it.each([
    [{}, null],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, null],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_SDK_DISABLED: 'true' }, null],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_TRACES_EXPORTER: 'none' }, null],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:4318/' }, 'http://a:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://b/own' }, 'https://b/own'],
  ])('%j', (env, wanted) => {
    const said: string[] = [];
    expect(settingsOf(env, (words) => said.push(words))?.url ?? null).toBe(wanted);
    expect(said).toEqual([]);
  });
  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }, 'is no http: or https: address'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTLP over HTTP'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a', OTEL_TRACES_EXPORTER: 'zipkin' }, 'knows "otlp"'],
  ])('what it cannot follow is said, and nothing is sent: %j', (env, words) => {
    const said: string[] = [];
    expect(settingsOf(env, (sentence) => said.push(sentence))).toBeNull();
    expect(said).toEqual([expect.stringContaining(words)]);
  });
});

describe('a request to a server (host §24)', () => {
  let heard: string;
  let close: (() => Promise<void>)[];
  beforeEach(() => {
    heard = path.join(mkdtempSync(path.join(folder, 'heard-')), 'heard');
    close = [];
  });
  afterEach(async () => {
    for (const one of close) await one();
  });
  /** A program whose standard input is also kept in a file. */
  function connected(telemetry: Telemetry | null, program: string, env: Record<string, string> = {}) {
    const config = serverConfig.parse({
      prefix: 'rooms',
      kind: 'stdio',
      command: 'sh',
      args: ['-c', `tee "${heard}" | "${process.execPath}" ${program}`],
      env: { ...env, ROOMS_DATA: path.join(path.dirname(heard), 'rooms') },
    });
    const plain = createConnection(config, { clock, eras: new Map<string, Json>() });
    close.push(() => plain.close());
    return telemetry?.connection(plain, config) ?? plain;
  }
  /** `tee` passes a line on before it keeps it: the answer may be here first. */
  function metaOf(method: string): Promise<unknown> {
    const message = z.object({ method: z.string(), params: z.looseObject({ _meta: z.unknown() }) });
    return vi.waitFor(
      () => {
        for (const line of readFileSync(heard, 'utf8').split('\n')) {
          const one = message.safeParse(line === '' ? null : JSON.parse(line));
          if (one.data?.method === method) return one.data.params._meta;
        }
        throw new Error(`the server heard no ${method}`);
      },
      { timeout: 30_000 },
    );
  }
  const rooms = path.join(root, 'demo/servers/rooms.ts');
  const date = '2026-08-05';

  it('is a span, which its server hears of as `traceparent`, in calls and readings alike', async () => {
    const telemetry = await opened();
    const connection = connected(telemetry, rooms);
    const outcome = await connection.call({
      tool: 'check_availability',
      arguments: { date, attendees: 2 },
      meta: { a: 1 },
    });
    expect(outcome.kind).toBe('result');
    expect((await connection.read({ uri: 'rooms://all' })).kind).toBe('result');
    await telemetry.close();
    const [call] = named('tools/call check_availability');
    expect(call).toMatchObject({
      kind: 3,
      status: { code: 0 },
      attributes: {
        'mcp.method.name': 'tools/call',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'check_availability',
        'mcp.protocol.version': '2026-07-28',
        'network.transport': 'pipe',
        'desk.server': 'rooms',
        'desk.outcome': 'result',
      },
    });
    expect(await metaOf('tools/call')).toMatchObject({ a: 1, traceparent: `00-${call?.traceId}-${call?.spanId}-01` });
    const [reading] = named('resources/read');
    expect(await metaOf('resources/read')).toMatchObject({
      traceparent: `00-${reading?.traceId}-${reading?.spanId}-01`,
    });
    expect(received().resource).toMatchObject({ 'service.name': 'desk', 'telemetry.sdk.language': 'nodejs' });
    // Neither what was asked nor what came back.
    expect(bodies.join()).not.toMatch(/2026-08-05|attendees|aurora|rooms:\/\//);
  });
  it('is one for a prompt too; what the shop refuses it with is told by its code', async () => {
    const telemetry = await opened();
    const env = { SHOP_API_URL: 'http://127.0.0.1:9', SHOP_API_KEY: 'none', SHOP_DATA: path.dirname(heard) };
    const connection = connected(telemetry, path.join(root, 'demo/servers/shop.ts'), env);
    const outcome = await connection.getPrompt({ name: 'review_refund', arguments: { order_id: 'O-9305' } });
    expect(outcome).toMatchObject({ kind: 'protocol error', code: -32602 });
    await telemetry.close();
    const [span] = named('prompts/get review_refund');
    expect(span?.attributes).toMatchObject({ 'gen_ai.prompt.name': 'review_refund', 'error.type': '-32602' });
    expect(await metaOf('prompts/get')).toMatchObject({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` });
    expect(bodies.join()).not.toMatch(/O-9305|amount/);
  });
  it('is one for each that is asked of a task, of both revisions, without its handle', async () => {
    const telemetry = await opened(content);
    const log = path.join(path.dirname(heard), 'tasks');
    const modern = connected(telemetry, `${path.join(root, 'e2e/hostile/tasks.mjs')} "${log}" none`);
    expect(await modern.call({ tool: 'stops', arguments: {}, tasks: true })).toMatchObject({
      handle: 'secret-stops-0',
    });
    const handle = 'secret-stops-0';
    expect(await modern.task(handle, { meta: { a: 1 } })).toMatchObject({ kind: 'working' });
    expect((await modern.answerTask(handle, { shelf: { action: 'decline' } })).kind).toBe('result');
    expect((await modern.stopTask(handle)).kind).toBe('result');
    expect(await modern.task('secret-gone-0')).toMatchObject({ kind: 'gone' });
    const meta = await Promise.all(['tasks/get', 'tasks/update', 'tasks/cancel'].map(metaOf));
    await modern.close();
    const older = connected(telemetry, `${path.join(root, 'e2e/hostile/olderTasks.mjs')} "${log}"`);
    expect(await older.call({ tool: 'report', arguments: {}, tasks: true })).toMatchObject({ kind: 'task' });
    const kinds: string[] = [];
    for (let n = 0; n < 3; n++) kinds.push((await older.task('secret-report-0')).kind);
    expect(kinds).toEqual(['working', 'working', 'ended']);
    await telemetry.close();
    const [get, gone, ...rest] = named('tasks/get');
    const [update] = named('tasks/update');
    const [cancel] = named('tasks/cancel');
    const [result, ...more] = named('tasks/result');
    expect([rest.length, more.length]).toEqual([3, 0]);
    const known = { 'mcp.protocol.version': '2026-07-28', 'desk.server': 'rooms', 'desk.outcome': 'result' };
    for (const [span, method] of [
      [get, 'tasks/get'],
      [update, 'tasks/update'],
      [cancel, 'tasks/cancel'],
    ] as const)
      expect(span).toMatchObject({ kind: 3, attributes: { ...known, 'mcp.method.name': method } });
    expect(result?.attributes['mcp.protocol.version']).toBe('2025-11-25');
    const carried = [get, update, cancel].map((span) => ({ traceparent: `00-${span?.traceId}-${span?.spanId}-01` }));
    expect(meta).toMatchObject([{ ...carried[0], a: 1 }, ...carried.slice(1)]);
    expect(gone).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': '-32602', 'desk.error': 'There is no task [kept].' },
    });
    expect(bodies.join()).not.toMatch(/secret-(?:stops|gone|report)/);
  });
  it('carries nothing where it is off, and nobody is connected to', async () => {
    const connection = connected(await openTelemetry({}, clock, expect.unreachable), rooms);
    await connection.call({ tool: 'check_availability', arguments: { date, attendees: 2 } });
    expect(await metaOf('tools/call')).not.toHaveProperty('traceparent');
    expect(connections).toBe(0);
  });
  it('holds arguments, URIs and texts only where the second switch is on', async () => {
    const telemetry = await opened(content);
    const connection = connected(telemetry, rooms);
    await connection.call({ tool: 'check_availability', arguments: { date, attendees: 2 } });
    await connection.read({ uri: 'rooms://all' });
    await telemetry.close();
    const [call] = named('tools/call check_availability');
    expect(call?.attributes['gen_ai.tool.call.arguments']).toBe(JSON.stringify({ date, attendees: 2 }));
    expect(call?.attributes['gen_ai.tool.call.result']).toMatch(/aurora/i);
    expect(named('resources/read')[0]?.attributes['mcp.resource.uri']).toBe('rooms://all');
  });
  it('tells by a word what went wrong: `tool_error`, the code of the server, or that nothing is known', async () => {
    const telemetry = await opened();
    const log = path.join(path.dirname(heard), 'calls');
    const connection = connected(telemetry, `${path.join(root, 'e2e/hostile/outcomes.mjs')} "${log}" none`);
    const tools = ['fails', 'refuses', 'breaks', 'exits'];
    for (const tool of tools)
      await connection.call({ tool, arguments: {}, timeoutMs: tool === 'exits' ? 500 : 10_000 });
    await telemetry.close();
    const types = tools.map((tool) => {
      const [span] = named(`tools/call ${tool}`);
      const { 'error.type': type, 'rpc.response.status_code': code } = span?.attributes ?? {};
      return [type, code, span?.status.code, span?.status.message];
    });
    expect(types).toEqual([
      ['tool_error', undefined, 2, undefined],
      ['-32602', '-32602', 2, undefined],
      ['-32603', '-32603', 2, undefined],
      ['unknown', undefined, 2, undefined],
    ]);
    expect(bodies.join()).not.toMatch(/secret path|word is wrong/);
  });
  it('goes on where the receiver takes nothing, which is said once', async () => {
    const said: string[] = [];
    const telemetry = await opened({}, said);
    answer = 400;
    const connection = connected(telemetry, rooms);
    for (const attendees of [2, 3])
      expect((await connection.call({ tool: 'check_availability', arguments: { date, attendees } })).kind).toBe(
        'result',
      );
    await telemetry.close();
    expect(said).toEqual([
      `Spans are not taken at ${new URL(url).host}; the desk goes on without. Look at OTEL_EXPORTER_OTLP_ENDPOINT.`,
    ]);
  });
});

describe('a ticket run (host §24)', () => {
  const meter = { evaluated: 41, reused: 1_808, generated: 2 };
  /** Understands a request for a refund, then takes the first step that is allowed. */
  const model: Model = {
    info: { name: 'by script', sha256: '0'.repeat(64), build: 'none', contextSize: 8_192 },
    pid: 0,
    count: () => Promise.resolve(0),
    setPrefix: () => Promise.resolve({ tokens: 0, from: 'memory', ms: 0 }),
    rewind: () => Promise.resolve(),
    read: () => Promise.resolve(meter),
    choose(_, options) {
      const wanted = options.findIndex((one) => one.trim() === 'refund it');
      const best = wanted === -1 ? 0 : wanted;
      return Promise.resolve({ probabilities: options.map((_option, at) => (at === best ? 1 : 0)), meter });
    },
    generate: () => Promise.resolve({ text: '', meter }),
    mark: () => Promise.resolve(0),
    back: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  async function refund(env: Record<string, string>) {
    const data = mkdtempSync(path.join(folder, 'data-'));
    const by = { id: 'staff-0007', name: 'Mara', role: 'staff' } as const;
    const host = await createHost({
      data,
      profileFile: path.join(root, 'demo/profile.json'),
      servers: true,
      env,
      say: () => undefined,
      ask: () => Promise.resolve({ answer: 'dont', by, scripted: false }),
    });
    try {
      await serversUp(host);
      const labels = await host.tickets.labels();
      const ticket = (await host.tickets.list()).find(({ id }) => labels.get(id)?.kind === 'issue_refund');
      if (ticket === undefined || host.telemetry === null) throw new Error('no refund to be made, or spans are off');
      const session = await openSession(host, host.telemetry.model(model), null);
      return { ticket, run: await host.telemetry.session(session).workTicket(ticket, {}) };
    } finally {
      await host.close();
    }
  }

  it('holds its decodes by their tokens, its calls and what waited for a person, all under one span', async () => {
    const { ticket, run } = await refund({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const [whole] = named('ticket run');
    expect(whole).toMatchObject({
      attributes: {
        'desk.run.state': run.state,
        'desk.run.resumed': false,
        'desk.run.calls': run.turns.filter(({ call }) => call).length,
      },
    });
    const decode = named('text_completion by script');
    expect(decode[0]?.attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 1_849,
      'gen_ai.usage.cache_read.input_tokens': 1_808,
      'gen_ai.usage.output_tokens': 2,
    });
    const wait = named('question wait');
    expect(wait[0]?.attributes).toMatchObject({
      'desk.question.kind': 'consent',
      'desk.question.action': 'decline',
      'desk.server': 'shop',
    });
    const under = [...decode, ...wait, ...named('tools/call quote_refund')];
    for (const one of under) expect(one).toMatchObject({ traceId: whole?.traceId, parentSpanId: whole?.spanId });
    const text = bodies.join();
    // Its own controls: these stand in what it is about.
    expect(ticket.id).toMatch(/^T-\d{4}$/);
    expect(JSON.stringify(run)).toMatch(/O-\d{4}/);
    expect(text).not.toMatch(/\b[TOCRQ]-\d{3,}|KG-|staff-|call-|run-[0-9a-f]|shop:\/\//);
    expect(text).not.toContain(ticket.body.slice(0, 30));
  });
});

describe('a desk by its command (host §24)', () => {
  /** Runs the desk and gives what modules it loaded. */
  async function desk(env: Record<string, string>, ...args: string[]) {
    const loaded = path.join(folder, `loaded-${connections}-${Object.keys(env).length}`);
    const hooks = path.join(folder, 'hooks.mjs');
    writeFileSync(
      hooks,
      `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(loaded)}, url + '\\n'); return next(url, context); } });`,
    );
    const data = mkdtempSync(path.join(folder, 'data-'));
    const child = spawn(
      process.execPath,
      ['--import', hooks, path.join(root, 'main/desk.ts'), '--data', data, '--as', 'staff-0007', ...args],
      { stdio: 'ignore', env: { ...process.env, ...env } },
    );
    const [code] = (await once(child, 'exit')) as [number];
    return { code, loaded: readFileSync(loaded, 'utf8') };
  }
  it('loads and connects to nothing without the variables', async () => {
    const { code, loaded } = await desk({}, 'tickets');
    expect(code).toBe(0);
    expect(loaded).toContain('main/telemetry.ts');
    expect(loaded).not.toMatch(/opentelemetry|spans\.ts/);
    expect(connections).toBe(0);
  });
  it('sends its spans with them', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SERVICE_NAME: 'desk-of-the-test' };
    const { loaded } = await desk(env, 'work', '--ticket', 'T-0001', '--model', 'none');
    expect(loaded).toMatch(/@opentelemetry\/sdk-trace/);
    // What it sent last may be read after its end is known.
    await expect.poll(() => received().spans.map(({ name }) => name)).toContain('ticket run');
    expect(received().resource).toMatchObject({ 'service.name': 'desk-of-the-test' });
    expect(named('ticket run')[0]?.attributes).toMatchObject({ 'desk.run.state': 'handed over' });
  });
});
