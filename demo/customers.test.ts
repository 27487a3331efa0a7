import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  KEY,
  program,
  startApi,
  startShop,
  temporaryFolder,
  type StartedApi,
  type StartedShop,
} from './startedPrograms.ts';
import { runToEnd, startServer } from './startedServers.ts';

const folder = temporaryFolder();
const issuer = 'https://sign-in.fernhill.example';
const audience = 'https://shop.fernhill.example/mcp';
const own = generateKeyPairSync('ed25519');
const foreign = generateKeyPairSync('ed25519');
const keyFile = join(folder.path, 'sign-in.pem');

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
function token(claims: Record<string, unknown> = {}, key: KeyObject = own.privateKey, alg = 'EdDSA'): string {
  const exp = Math.trunc(Date.now() / 1_000) + 300;
  const text = `${part({ alg, typ: 'JWT' })}.${part({ iss: issuer, aud: audience, sub: 'C-0129', exp, ...claims })}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
}

let api: StartedApi;
let child: ChildProcess;
let url: URL;
/** The staff's server on the same shop: what a customer must not get is there. */
let control: StartedShop;
const env = (): Record<string, string> => ({
  SHOP_API_URL: api.url,
  SHOP_API_KEY: KEY,
  SHOP_DATA: join(folder.path, 'customers'),
  SHOP_TOKEN_KEY: keyFile,
  SHOP_TOKEN_ISSUER: issuer,
  SHOP_TOKEN_AUDIENCE: audience,
});
beforeAll(async () => {
  writeFileSync(keyFile, own.publicKey.export({ type: 'spki', format: 'pem' }));
  api = await startApi(folder.path);
  control = await startShop(api.url, folder.path);
  child = spawn(process.execPath, [program('servers/customerShop.ts'), '--http', '0'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, ...env() },
  });
  if (!child.stdout) throw new Error('the server has no stdout');
  const line: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  url = new URL(z.object({ url: z.url() }).parse(JSON.parse(String(line[0]))).url);
});
afterAll(async () => {
  await control.close();
  const closed = once(child, 'close');
  child.stdin?.end();
  await closed;
  await api.stop();
  folder.remove();
});

async function signedIn(
  given: string,
  mode: 'legacy' | { pin: '2026-07-28' } = { pin: '2026-07-28' },
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${given}` } } }),
  );
  return client;
}

function bare(authorization: string[], body: unknown = { jsonrpc: '2.0', id: 1, method: 'ping' }): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' });
  for (const one of authorization) headers.append('authorization', one);
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe.each(['legacy', { pin: '2026-07-28' }] as const)('a customer who signed in (%s)', (mode) => {
  it('finds only their own orders, and has no argument that says whose', async () => {
    const client = await signedIn(token(), mode);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['find_orders', 'get_order_status', 'quote_refund', 'check_stock']);
    expect(JSON.stringify(tools)).not.toContain('"customer_id":{"description"');
    for (const tool of tools) expect(tool.inputSchema.properties, tool.name).not.toHaveProperty('customer_id');
    const mine = await client.callTool({ name: 'find_orders', arguments: { customer_id: 'C-0127' } });
    expect(mine.structuredContent).toMatchObject({
      customer_id: 'C-0129',
      orders: [{ order_id: 'O-2456' }, { order_id: 'O-1744' }],
    });
    await client.close();
  });
  it('gets other people’s records answered as not found, in every way there is; the plain server has them', async () => {
    const client = await signedIn(token(), mode);
    const meta = { _meta: { 'example.fernhill/ticket': 'T-0028', 'example.fernhill/person': 'staff-0001' } };
    for (const name of ['get_order_status', 'quote_refund']) {
      const call = (order_id: string, from: Client) => from.callTool({ name, arguments: { order_id }, ...meta });
      const other = await call('O-1928', client);
      const missing = await call('O-7144', client);
      expect(other.isError, name).toBe(true);
      expect(JSON.stringify(other.content).replace('O-1928', 'O'), name).toBe(
        JSON.stringify(missing.content).replace('O-7144', 'O'),
      );
      const plain = await control.client.callTool({ name, arguments: { order_id: 'O-1928' } });
      expect(plain.isError, name).toBeUndefined();
    }
    for (const uri of ['shop://orders/O-1928', 'shop://orders/O-7144'])
      await expect(client.readResource({ uri, ...meta })).rejects.toMatchObject({ code: -32602, data: { uri } });
    expect((await client.readResource({ uri: 'shop://orders/O-1744' })).contents).toHaveLength(1);
    const ref = { type: 'ref/resource', uri: 'shop://orders/{order_id}' } as const;
    const completed = await client.complete({ ref, argument: { name: 'order_id', value: '' }, ...meta });
    expect(completed.completion.values).toEqual(['O-2456', 'O-1744']);
    const get = client.getPrompt({ name: 'review_refund', arguments: { order_id: 'O-1928', amount: '5.00' } });
    await expect(get).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
  it('may listen for their own orders only', async () => {
    const client = await signedIn(token(), mode);
    const listen = (uri: string) =>
      mode === 'legacy' ? client.subscribeResource({ uri }) : client.listen({ resourceSubscriptions: [uri] });
    await expect(listen('shop://orders/O-1928')).rejects.toMatchObject({ code: -32602 });
    await listen('shop://orders/O-1744');
    await client.close();
  });
});

describe('who is not signed in', () => {
  it('gets 401 from every token that is not good', async () => {
    const past = Math.trunc(Date.now() / 1_000) - 1;
    const bad: Record<string, string> = {
      'another key': token({}, foreign.privateKey),
      'no signature': `${token().split('.').slice(0, 2).join('.')}.`,
      'alg none': `${part({ alg: 'none' })}.${part({ iss: issuer, aud: audience, sub: 'C-0129', exp: past + 300 })}.`,
      'another alg': token({}, own.privateKey, 'HS256'),
      expired: token({ exp: past }),
      'another server': token({ aud: 'https://other.fernhill.example/mcp' }),
      'another issuer': token({ iss: `${issuer}/` }),
      'not yet': token({ nbf: past + 600 }),
      'no customer': token({ sub: 'staff-0001' }),
      'a part more': `${token()}.x`,
      'not a token': 'x',
    };
    for (const [name, given] of Object.entries(bad)) {
      const answer = await bare([`Bearer ${given}`]);
      expect([answer.status, answer.headers.get('www-authenticate')], name).toEqual([
        401,
        'Bearer error="invalid_token"',
      ]);
    }
    const none = await bare([]);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    // Control: the very same request with a good token is answered.
    expect((await bare([`Bearer ${token()}`])).status).not.toBe(401);
  });
  it('gets 400 for two Authorization headers', async () => {
    expect((await bare([`Bearer ${token()}`, `Bearer ${token({ sub: 'C-0127' })}`])).status).toBe(400);
  });
  it('finds nobody else’s session of 2025-11-25', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const opened = await bare([`Bearer ${token()}`], { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    await opened.text();
    const session = opened.headers.get('mcp-session-id') ?? '';
    const status = async (sub: string): Promise<number> => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': session,
        authorization: `Bearer ${token({ sub })}`,
      };
      const answer = await fetch(url, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":2,"method":"ping"}' });
      await answer.text();
      return answer.status;
    };
    expect([await status('C-0129'), await status('C-0127')]).toEqual([200, 404]);
  });
});

describe('over stdio', () => {
  it('the process is started for one customer', async () => {
    const started = await startServer('customerShop', { env: { ...env(), SHOP_TOKEN: token({ sub: 'C-0127' }) } });
    const found = await started.call('get_order_status', { order_id: 'O-2476' });
    expect([
      found.structured.customer_id,
      (await started.call('get_order_status', { order_id: 'O-1744' })).isError,
    ]).toEqual(['C-0127', true]);
    await started.close();
  });
  it('is refused in one sentence without a good token', () => {
    const why = 'customer shop: SHOP_TOKEN is missing or not valid: over stdio it says whose records are shown.';
    expect(runToEnd('customerShop', env())).toMatchObject({ status: 2, stderr: why });
    expect(runToEnd('customerShop', { ...env(), SHOP_TOKEN: token({}, foreign.privateKey) })).toMatchObject({
      status: 2,
      stderr: why,
    });
  });
});
