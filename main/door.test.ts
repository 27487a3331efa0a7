// A send refused at the server's door (spec host §3, oauth §§6, 7), over real HTTP and a real database: one call, two sends
// in its log, held against pin and consent again, and never a third.
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../shared/json.ts';
import { playbookSchema } from '../shared/playbook.ts';
import { serverConfig } from '../shared/servers.ts';
import { createCalls, type Calls } from './calls.ts';
import type { AskSignIn } from './door.ts';
import { createGate, type Gate } from './gate.ts';
import type { GateAnswer } from './loop.ts';
import { createConnection } from './mcp/connection.ts';
import { defaultLimits } from './mcp/limits.ts';
import { createSignIn, type SignIn } from './mcp/oauth.ts';
import { createValidator, type Validator } from './mcp/validator.ts';
import { memorySecrets } from './ports.ts';
import { admin, staff, ticket } from './oneTicket.ts';
import { createPins, type Pins } from './pins.ts';
import { createQuestions } from './questions.ts';
import { createServers, type Servers } from './servers.ts';
import { openStore, type Store } from './store/open.ts';

const of = { run: 'r1', ticket };
const clock = { now: () => 1_700_000_000_000 };
const meta = 'io.modelcontextprotocol/protocolVersion';

/** How the server answers a call: an error, an HTTP status with a challenge, or the result. */
type Way = { error: JsonObject; status?: number } | { status: number; challenge: string } | 'good';
let ways: Way[];
let schema: JsonObject;
/** What the schema becomes with the next refusal. */
let swap: JsonObject | null;
let ran: JsonObject[];
let discovered: number;
let http: HttpServer;
let url: string;

let folder: string;
let store: Store;
let calls: Calls;
let pins: Pins;
let validator: Validator;
let servers: Servers;

async function body(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const part of request) text += String(part);
  return JSON.parse(text === '' ? '{}' : text) as JsonObject; // the desk sends JSON
}
function listed(): JsonObject {
  return { ttlMs: 0, cacheScope: 'private', tools: [{ name: 'send', description: 'Sends.', inputSchema: schema }] };
}

beforeEach(async () => {
  ways = [];
  ran = [];
  discovered = 0;
  swap = null;
  schema = { type: 'object', properties: { to: { type: 'string' } } };
  http = createServer((request, response) => {
    void body(request).then(({ id = null, method }) => {
      const say = (more: JsonObject, status = 200) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...more }));
      const complete = (result: JsonObject) => say({ result: { resultType: 'complete', ...result } });
      if (method === 'server/discover') {
        discovered++;
        complete({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' });
      } else if (method === 'tools/list') complete(listed());
      else {
        const way = ways.shift() ?? 'good';
        schema = swap ?? schema;
        if (way !== 'good' && 'challenge' in way)
          response.writeHead(way.status, { 'www-authenticate': way.challenge }).end();
        else if (way !== 'good') say({ error: way.error }, way.status ?? 400);
        else {
          ran.push({ headers: request.headers['mcp-param-to'] ?? null });
          complete({ content: [{ type: 'text', text: 'sent' }] });
        }
      }
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`; // it listens on a port
  folder = mkdtempSync(join(tmpdir(), 'desk-door-'));
  store = await openStore(join(folder, 'desk.db'));
  let count = 0;
  calls = createCalls({ store, clock, random: { hex: (n) => (++count).toString(16).padStart(n * 2, '0') } });
  pins = createPins({ store, clock });
  validator = createValidator({ ms: 5_000 });
  start();
});
afterEach(async () => {
  await servers.close();
  await validator.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
  http.closeAllConnections();
  http.close();
});

function start(signIn?: SignIn): void {
  servers = createServers([serverConfig.parse({ prefix: 'far', kind: 'http', url })], {
    pins,
    connect: (one) =>
      createConnection(one, {
        clock,
        eras: new Map<string, Json>(),
        limits: { backoffMs: 1 },
        ...(signIn && { signIn }),
      }),
  });
}
function gateOf(signIn?: AskSignIn): Gate {
  const playbook = playbookSchema.parse({
    format: 'desk-playbook/1',
    company: 'Test',
    language: 'en',
    currency: 'EUR',
    systems: [],
    tools: {},
  });
  return createGate({
    calls,
    pins,
    servers,
    validator,
    playbook,
    clock,
    questions: createQuestions({ store, clock }),
    ask: () => Promise.resolve({ answer: 'run', by: staff, scripted: false }),
    ...(signIn && { signIn }),
  });
}
async function run(gate: Gate): Promise<GateAnswer> {
  const [seen] = await servers.review('far');
  const hash = seen?.definition.hash ?? '';
  await pins.decide({ prefix: 'far', tool: 'send', by: admin, decision: 'approved', hash, why: null });
  const [offered] = (await servers.offered()).tools;
  if (offered === undefined) throw new Error('nothing is offered');
  return gate.propose({ n: 1, offered, arguments: { to: 'Ana' }, origins: {} }, of);
}
async function log(): Promise<string[]> {
  const [call] = await calls.list({});
  return (await calls.events(call?.id ?? '')).map((event) => event.to);
}
const mismatch: Way = { error: { code: -32020, message: 'Header mismatch' } };
const wants: Way = { status: 403, challenge: 'Bearer error="insufficient_scope", scope="refunds:write"' };

describe('headers the server does not take (-32020)', () => {
  it('the list is read again and the call goes out once more, as one call', async () => {
    ways = [mismatch];
    expect(await run(gateOf())).toMatchObject({ outcome: 'result', content: 'sent' });
    expect(ran).toHaveLength(1);
    expect(await log()).toEqual(['proposed', 'asking', 'consented', 'sending', 'sending', 'result']);
    expect(await calls.verifyChain()).toEqual([]);
  });
  it('not where the definition is another one by then: the consent was for the old', async () => {
    swap = { type: 'object', properties: { to: { type: 'string', 'x-mcp-header': 'To' } } };
    ways = [mismatch];
    expect(await run(gateOf())).toMatchObject({
      outcome: 'failed',
      detail: expect.stringMatching(/changed between consent and sending; it was not sent/) as string,
    });
    expect(ran).toEqual([]);
  });
  it('a server that refuses twice is not asked a third time', async () => {
    ways = [mismatch, mismatch, 'good'];
    expect(await run(gateOf())).toMatchObject({
      outcome: 'unknown',
      detail: expect.stringMatching(/^far does not take the headers/) as string,
    });
    expect(ran).toEqual([]);
    expect((await log()).filter((state) => state === 'sending')).toHaveLength(2);
  });
});

it('a revision it does not speak any more (-32022): asked anew, and the call goes out once more', async () => {
  const data = { supported: ['2026-07-28'], requested: meta };
  ways = [{ error: { code: -32022, message: 'Unsupported protocol version', data } }];
  expect(await run(gateOf())).toMatchObject({ outcome: 'result' });
  expect(discovered).toBe(2);
  expect((await log()).filter((state) => state === 'sending')).toHaveLength(2);
});

it('what a server wants that the desk does not offer (-32021) is named; what the call did is not known', async () => {
  const data = { requiredCapabilities: { sampling: {} } };
  ways = [{ error: { code: -32021, message: 'Missing capability', data } }];
  expect(await run(gateOf())).toMatchObject({
    outcome: 'unknown',
    detail: 'far wants sampling of the desk, which it does not offer (error -32021): Missing capability',
  });
  expect((await log()).filter((state) => state === 'sending')).toHaveLength(1);
});

describe('a sign-in that is wanted', () => {
  it('once somebody signed in the call goes out once more, as one call with two sends', async () => {
    ways = [wants];
    let asked = 0;
    const answer = await run(
      gateOf((server) => {
        asked++;
        return Promise.resolve(server.config.prefix === 'far');
      }),
    );
    expect(answer).toMatchObject({ outcome: 'result', content: 'sent' });
    expect(asked).toBe(1);
    expect(await log()).toEqual(['proposed', 'asking', 'consented', 'sending', 'sending', 'result']);
  });
  it('is asked for once a send; refused again it waits', async () => {
    ways = [wants, wants];
    let asked = 0;
    await run(gateOf(() => Promise.resolve(++asked > 0)));
    expect(asked).toBe(1);
    expect(await calls.list({ states: ['consented'] })).toHaveLength(1);
  });
  it('with nobody there the call waits with its consent, and is sent after the sign-in (oauth §6)', async () => {
    ways = [{ status: 401, challenge: 'Bearer' }];
    const gate = gateOf();
    expect(await run(gate)).toMatchObject({
      outcome: 'waiting',
      asked: expect.stringMatching(/waits for a sign-in: .* It was not run/) as string,
    });
    expect(ran).toEqual([]);
    const [waiting] = await calls.list({ states: ['consented'] });
    if (waiting === undefined) throw new Error('nothing waits');
    expect(waiting).toMatchObject({ round: 0, consent: { by: 'staff-0007', answer: 'run' } });
    expect(await gate.send(waiting, of)).toMatchObject({ outcome: 'result', content: 'sent' });
    expect(ran).toHaveLength(1);
    await expect(calls.begin(waiting.id, { ...waiting })).rejects.toMatchObject({ code: 'calls.spent' });
  });
});

it('a server that knows people is asked under the one who consented, or not at all (oauth §8)', async () => {
  const secrets = memorySecrets();
  const kept = { token: 't', issuer: 'i', resource: url, scope: null, until: null, client: 'metadata document' };
  await secrets.set(`oauth person ${url}`, 'staff-0002');
  await secrets.set(`oauth issuer ${url} staff-0002`, 'i');
  await secrets.set(`oauth token i ${url} staff-0002`, JSON.stringify(kept));
  const config = { issuers: ['i'], registration: false };
  const visit = () => Promise.reject(new Error('nobody is there'));
  const random = { hex: () => 'aa' };
  start(createSignIn({ url, config, limits: defaultLimits, secrets, clock, random, visit }));
  expect(await run(gateOf())).toMatchObject({
    outcome: 'waiting',
    asked: expect.stringMatching(/far is asked as staff-0002 now, and staff-0007 consented/) as string,
  });
  expect(ran).toEqual([]);
  expect(await calls.list({ states: ['consented'] })).toHaveLength(1);
});
