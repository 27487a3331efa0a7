/** Speaks 2026-07-28 with a server of the sample company by hand, for the tests: what the SDK's client would not send or read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { program } from './startedPrograms.ts';

const message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});
type Message = z.infer<typeof message>;

export interface RawServer {
  /** The answer, whatever it is. `meta` goes beside the envelope. */
  ask(method: string, params?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Message>;
  /** Every notification so far. */
  notices: Message[];
  log(): string;
  /** As a crash would end it. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

interface RawOptions {
  env?: Record<string, string>;
  args?: string[];
  http?: boolean;
  /** What every request declares. */
  capabilities?: Record<string, unknown>;
  headers?: Record<string, string>;
}

function envelope(capabilities: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

export async function rawServer(name: string, options: RawOptions = {}): Promise<RawServer> {
  const { env = {}, args = [], http = false, capabilities, headers = {} } = options;
  const more = http ? ['--http', '0'] : [];
  const child = spawn(process.execPath, [program(`servers/${name}.ts`), ...args, ...more], {
    stdio: 'pipe',
    env: { PATH: process.env.PATH, ...env },
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const notices: Message[] = [];
  const waiting = new Map<unknown, (answer: Message) => void>();
  const lines = createInterface({ input: child.stdout });
  let url: string | undefined;
  if (http) {
    const line: unknown[] = await once(lines, 'line');
    ({ url } = z.object({ url: z.url() }).parse(JSON.parse(String(line[0]))));
  }
  lines.on('line', (line) => {
    const said = message.parse(JSON.parse(line));
    if (said.id === undefined) notices.push(said);
    else waiting.get(said.id)?.(said);
  });

  async function posted(to: string, request: { method: string; params: Record<string, unknown> }): Promise<Message> {
    const { method, params } = request;
    const subject = params.name ?? params.uri ?? params.taskId;
    const response = await fetch(to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof subject === 'string' ? { 'mcp-name': subject } : {}),
        ...headers,
      },
      body: JSON.stringify(request),
    });
    return message.parse(await response.json());
  }

  let id = 0;
  async function end(how: () => void): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    how();
    await closed;
  }
  return {
    notices,
    log: () => log,
    ask: async (method, params = {}, meta = {}) => {
      const request = {
        jsonrpc: '2.0',
        id: ++id,
        method,
        params: { ...params, _meta: { ...envelope(capabilities), ...meta } },
      };
      if (url !== undefined) return await posted(url, request);
      const answered = new Promise<Message>((resolve) => waiting.set(request.id, resolve));
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return await answered;
    },
    kill: () => end(() => child.kill('SIGKILL')),
    stop: () => end(() => child.stdin.end()),
  };
}
