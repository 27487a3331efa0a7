/** Starts the sample company's programs as a host would, for the tests: real processes, real pipes, real HTTP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { checkPublished } from './publishedTools.ts';

export const KEY = 'key-for-tests';
const NOW = '2026-06-30T09:00:00Z';

export interface StartedApi {
  url: string;
  child: ChildProcess;
  /** Asks the API with its key; the status and the parsed body. */
  ask(path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  stop(): Promise<void>;
}

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'fernhill-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function program(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

export async function startApi(folder: string, env: Record<string, string> = {}): Promise<StartedApi> {
  const child = spawn(process.execPath, [program('api.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      SHOP_DB: join(folder, 'shop.db'),
      SHOP_KEY: KEY,
      SHOP_CLOCK: NOW,
      SHOP_RECOUNT_MS: '0',
      ...env,
    },
  });
  const lines = createInterface({ input: child.stdout });
  const line: unknown[] = await once(lines, 'line');
  // The one line the program promises; anything else fails the test here.
  const { url } = JSON.parse(String(line[0])) as { url: string };
  return {
    url,
    child,
    ask: async (path, body) => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await fetch(url + path, { ...init, headers: { 'x-api-key': KEY } });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

export interface StartedShop {
  client: Client;
  transport: StdioClientTransport;
  /** What the server wrote to its stderr so far. */
  log(): string;
  close(): Promise<void>;
}

export interface ShopOptions {
  env?: Record<string, string>;
  capabilities?: Record<string, unknown>;
  mode?: 'legacy' | { pin: '2026-07-28' };
  /** The name the client gives itself. */
  name?: string;
}

/** A client that answers no question by itself: rounds are driven by the test. */
function manualClient(options: ShopOptions): Client {
  return new Client(
    { name: options.name ?? 'test', version: '1.0.0' },
    {
      capabilities: options.capabilities ?? { elicitation: { form: {} } },
      versionNegotiation: { mode: options.mode ?? { pin: '2026-07-28' } },
      inputRequired: { autoFulfill: false },
    },
  );
}

function shopEnvironment(apiUrl: string, folder: string, env: Record<string, string> = {}): Record<string, string> {
  return { SHOP_API_URL: apiUrl, SHOP_API_KEY: KEY, SHOP_DATA: join(folder, 'shop'), SHOP_CLOCK: NOW, ...env };
}

export interface ServedShop {
  /** The address it printed. */
  url: URL;
  child: ChildProcess;
  log(): string;
  connect(options?: ShopOptions & { headers?: Record<string, string> }): Promise<Client>;
  /** Ends its stdin; the code it exits with. */
  stop(): Promise<number | null>;
}

/** The shop over Streamable HTTP, on any free port. */
export async function serveShop(
  apiUrl: string,
  folder: string,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: string[] } = {},
): Promise<ServedShop> {
  const child = spawn(process.execPath, [program('servers/shop.ts'), '--http', '0', ...args], {
    stdio: 'pipe',
    env: { PATH: process.env.PATH, ...shopEnvironment(apiUrl, folder, env) },
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  const line: unknown[] = await once(lines, 'line');
  // The one line the program promises; anything else fails the test here.
  const url = new URL((JSON.parse(String(line[0])) as { url: string }).url);
  return {
    url,
    child,
    log: () => log,
    connect: async ({ headers = {}, ...options } = {}) => {
      const client = manualClient(options);
      const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
      await client.connect(transport);
      checkPublished(transport);
      return client;
    },
    stop: async () => {
      if (child.exitCode !== null) return child.exitCode;
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
      return child.exitCode;
    },
  };
}

/** A client of the shop server over stdio. */
export async function startShop(apiUrl: string, folder: string, options: ShopOptions = {}): Promise<StartedShop> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program('servers/shop.ts')],
    stderr: 'pipe',
    env: shopEnvironment(apiUrl, folder, options.env),
  });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const client = manualClient(options);
  await client.connect(transport);
  checkPublished(transport);
  return { client, transport, log: () => log, close: () => client.close() };
}
