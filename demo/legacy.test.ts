import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rawServer, type RawServer } from './rawServer.ts';
import { KEY, program, startApi, temporaryFolder, type StartedApi } from './startedPrograms.ts';
import { runToEnd } from './startedServers.ts';

const folder = temporaryFolder();
const exported = join(folder.path, 'exports');
let api: StartedApi;
beforeAll(async () => {
  mkdirSync(exported);
  api = await startApi(folder.path);
});
afterAll(async () => {
  await api.stop();
  folder.remove();
});

interface Older {
  client: Client;
  questions: string[];
  notices: unknown[];
}

/** A host of 2025: it answers what is pushed, as told. */
async function older(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  answer: { release: boolean },
  capabilities: Record<string, unknown> = { elicitation: { form: {} }, sampling: {}, roots: {} },
): Promise<Older> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } });
  const questions: string[] = [];
  const notices: unknown[] = [];
  if ('elicitation' in capabilities)
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action: 'accept', content: answer };
    });
  if ('sampling' in capabilities)
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      questions.push(JSON.stringify(params.messages));
      return { role: 'assistant', model: 'small', content: { type: 'text', text: 'get_order_status' } };
    });
  if ('roots' in capabilities)
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(exported).href, name: 'exports' }] }));
  client.setNotificationHandler('notifications/message', ({ params }) => void notices.push(params.data));
  await client.connect(transport);
  return { client, questions, notices };
}

const env = () => ({ LEGACY_API_URL: api.url, LEGACY_API_KEY: KEY });
const overStdio = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program('servers/legacy.ts')],
    stderr: 'ignore',
    env: env(),
  });

async function call({ client }: Older, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  return { isError: isError === true, text: first?.type === 'text' ? first.text : '' };
}

describe('legacy over stdio', () => {
  it('speaks 2025-11-25 and nothing newer, with notices over the protocol', async () => {
    const host = await older(overStdio(), { release: true });
    expect([host.client.getProtocolEra(), host.client.getNegotiatedProtocolVersion()]).toEqual([
      'legacy',
      '2025-11-25',
    ]);
    // As the SDK of that time writes definitions, and no later one.
    const { tools } = await host.client.listTools();
    for (const { name, inputSchema, execution } of tools)
      expect([inputSchema.$schema, execution], name).toEqual([
        'http://json-schema.org/draft-07/schema#',
        { taskSupport: 'forbidden' },
      ]);
    expect(tools).toHaveLength(4);
    expect(JSON.parse((await call(host, 'quote_refund', { order_id: 'O-2289' })).text)).toEqual({
      order_id: 'O-2289',
      amount: '180.00',
    });
    await expect.poll(() => host.notices).toEqual(['quoted 180.00 for O-2289']);
    const refund = JSON.parse((await call(host, 'issue_refund')).text) as Record<string, unknown>;
    expect(refund).toMatchObject({ order_id: 'O-2289', amount: '180.00', status: 'requested' });
    expect(host.questions).toEqual([expect.stringContaining('pay 180.00 back for order O-2289')]);
    // The quote is spent, and with it what the session remembered.
    expect(await call(host, 'issue_refund')).toMatchObject({
      isError: true,
      text: expect.stringContaining('no open quote') as string,
    });
    await host.client.close();
  });
  it('asks the host’s model and writes to the host’s first folder', async () => {
    const host = await older(overStdio(), { release: true });
    expect((await call(host, 'triage_ticket', { text: 'where is my order 2496' })).text).toBe('get_order_status');
    expect(host.questions[0]).toContain('where is my order 2496');
    expect((await call(host, 'save_restock_report')).text).toBe('Saved 5 products to restock.csv.');
    expect(readFileSync(join(exported, 'restock.csv'), 'utf8')).toMatch(/^sku,units\nKG-1018,2\n(KG-\d{4},\d+\n){4}$/);
    await host.client.close();
  });
  it('tells a host that offers none of these what it needed, and holds what it could not ask about', async () => {
    const host = await older(overStdio(), { release: true }, {});
    for (const name of ['triage_ticket', 'save_restock_report'])
      expect((await call(host, name, { text: 'x' })).isError, name).toBe(true);
    await call(host, 'quote_refund', { order_id: 'O-1145' });
    expect((await call(host, 'issue_refund')).isError).toBe(true);
    expect((await api.ask('/refunds?order_id=O-1145')).body.refunds).toMatchObject([{ status: 'needs_confirmation' }]);
    await host.client.close();
  });
});

describe('legacy over HTTP', () => {
  it('keeps quotes by session, refuses 2026-07-28, and leaves a refund held when it is not released', async () => {
    const child = spawn(process.execPath, [program('servers/legacy.ts'), '--http', '0'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, ...env() },
    });
    const line: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
    const url = new URL(z.object({ url: z.url() }).parse(JSON.parse(String(line[0]))).url);
    const one = await older(new StreamableHTTPClientTransport(url), { release: false });
    const other = await older(new StreamableHTTPClientTransport(url), { release: true });
    expect(one.client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    await call(one, 'quote_refund', { order_id: 'O-1928' });
    expect((await call(other, 'issue_refund')).text).toContain('no open quote');
    expect(JSON.parse((await call(one, 'issue_refund')).text)).toMatchObject({
      order_id: 'O-1928',
      status: 'needs_confirmation',
    });
    const modern = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    expect(modern.status).toBe(400);
    const elsewhere = await fetch(url, { method: 'POST', headers: { origin: 'https://elsewhere.example' } });
    expect(elsewhere.status).toBe(403);
    // Its notices go over the session's own stream, which its client opens in its own time.
    async function quotedAgain(): Promise<unknown[]> {
      await call(other, 'quote_refund', { order_id: 'O-1640' });
      return other.notices;
    }
    await expect.poll(quotedAgain).toContainEqual(expect.stringMatching(/^quoted \d+\.\d\d for O-1640$/));
    await Promise.all([one.client.close(), other.client.close()]);
    const closed = once(child, 'close');
    child.stdin.end();
    await closed;
  });
  it('says that it speaks nothing else', () => {
    expect(runToEnd('legacy', env(), ['--no-2025'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('speaks 2025-11-25 and nothing else') as string,
    });
  });
});

describe('its migrated twin', () => {
  let twin: RawServer;
  const outside = join(folder.path, 'outside');
  beforeAll(async () => {
    mkdirSync(join(exported, 'june'));
    mkdirSync(outside);
    symlinkSync(outside, join(exported, 'way-out'));
    symlinkSync(join(outside, 'restock.csv'), join(exported, 'june', 'restock.csv'));
    const shop = {
      SHOP_API_URL: api.url,
      SHOP_API_KEY: KEY,
      SHOP_DATA: join(folder.path, 'twin'),
      SHOP_EXPORT_DIRS: exported,
    };
    twin = await rawServer('migrated', { env: shop, capabilities: { elicitation: { form: {} } } });
  });
  afterAll(() => twin.stop());
  const save = async (export_dir: string) =>
    (await twin.ask('tools/call', { name: 'save_restock_report', arguments: { export_dir } })).result;

  it('asks by a result and takes the quote as an argument, with no sampling and no roots', async () => {
    const { result } = await twin.ask('tools/list');
    expect(
      z
        .object({ tools: z.array(z.object({ name: z.string() })) })
        .parse(result)
        .tools.map((tool) => tool.name),
    ).toEqual(['quote_refund', 'issue_refund', 'save_restock_report']);
    const quoted = await twin.ask('tools/call', { name: 'quote_refund', arguments: { order_id: 'O-1085' } });
    const { quote_id } = z.object({ quote_id: z.string() }).parse(quoted.result?.structuredContent);
    const asked = await twin.ask('tools/call', { name: 'issue_refund', arguments: { quote_id } });
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { confirm: { method: 'elicitation/create' } },
    });
  });
  it('writes into its own folders, and logs that on stderr, not to the client', async () => {
    for (const [given, file] of [
      ['exports', 'restock.csv'],
      [exported, 'restock.csv'],
      ['june', 'june/restock.csv'],
      ['./june/../june', 'june/restock.csv'],
    ] as const) {
      expect((await save(given))?.structuredContent, given).toMatchObject({ products: 5, file: 'restock.csv' });
      expect(readFileSync(join(exported, file), 'utf8'), given).toContain('KG-1018,2\n');
    }
    await expect.poll(() => twin.log()).toContain('save_restock_report: wrote 5 products');
    expect(twin.notices).toEqual([]);
    // The link that stood there is replaced, not followed.
    expect(existsSync(join(outside, 'restock.csv'))).toBe(false);
  });
  it.each([
    '..',
    'exports/../..',
    '../outside',
    'way-out',
    'june/../../outside',
    '/',
    '/etc',
    'june\0',
    'nowhere',
    '~',
  ])('refuses %j once it is resolved, naming the folders it allows', async (given) => {
    const refused = await save(given);
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused?.content)).toContain(
      'is not a folder for exports. Send one of these instead: exports.',
    );
  });
});
