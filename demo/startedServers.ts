/** Starts a smaller server of the sample company for its tests: a real process, rounds driven by the test. */
import {
  Client,
  isInputRequiredResult,
  specTypeSchemas,
  StreamableHTTPClientTransport,
  withInputRequired,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { program } from './startedPrograms.ts';

export interface StartOptions {
  args?: string[];
  env?: Record<string, string>;
  capabilities?: Record<string, unknown>;
  mode?: 'legacy' | { pin: '2026-07-28' };
  /** Over Streamable HTTP, on any free port, instead of stdio. */
  http?: boolean;
}

export interface Answered {
  asked: boolean;
  isError: boolean;
  /** Every text of the result, a line each. */
  text: string;
  structured: Record<string, unknown>;
  /** What is asked: the form by its key. */
  forms: Record<string, { message: string; schema: Record<string, unknown> }>;
  state: string;
}

export interface StartedServer {
  client: Client;
  /** One round of a call as it goes over the wire. */
  call(name: string, args: Record<string, unknown>, more?: Record<string, unknown>): Promise<Answered>;
  log(): string;
  close(): Promise<void>;
}

const fields = z.record(z.string(), z.unknown());
const asked = z.record(
  z.string(),
  z.object({
    method: z.literal('elicitation/create'),
    params: z.object({ mode: z.literal('form'), message: z.string(), requestedSchema: fields }),
  }),
);

interface Wire {
  transport: StdioClientTransport | StreamableHTTPClientTransport;
  log: () => string;
  /** After the client is closed. */
  stop(): Promise<void>;
}

function overStdio(args: string[], env: Record<string, string>): Wire {
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe', env });
  let log = '';
  transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  return { transport, log: () => log, stop: () => Promise.resolve() };
}

async function overHttp(args: string[], env: Record<string, string>): Promise<Wire> {
  const child = spawn(process.execPath, [...args, '--http', '0'], {
    stdio: 'pipe',
    env: { PATH: process.env.PATH, ...env },
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const line: unknown[] = await once(createInterface({ input: child.stdout }), 'line');
  const { url } = z.object({ url: z.url() }).parse(JSON.parse(String(line[0])));
  const transport = new StreamableHTTPClientTransport(new URL(url));
  async function stop(): Promise<void> {
    const closed = once(child, 'close');
    child.stdin.end();
    await closed;
  }
  return { transport, log: () => log, stop };
}

export async function startServer(name: string, options: StartOptions = {}): Promise<StartedServer> {
  const args = [program(`servers/${name}.ts`), ...(options.args ?? [])];
  const wire = await (options.http ? overHttp : overStdio)(args, options.env ?? {});
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: options.capabilities ?? { elicitation: { form: {} } },
      versionNegotiation: { mode: options.mode ?? { pin: '2026-07-28' } },
      inputRequired: { autoFulfill: false },
    },
  );
  await client.connect(wire.transport);
  async function call(tool: string, args: Record<string, unknown>, more: Record<string, unknown> = {}) {
    const result = await client.request(
      { method: 'tools/call', params: { name: tool, arguments: args, ...more } },
      withInputRequired(specTypeSchemas.CallToolResult),
      { allowInputRequired: true },
    );
    const nothing: Answered = { asked: false, isError: false, text: '', structured: {}, forms: {}, state: '' };
    if (isInputRequiredResult(result)) {
      const requests = Object.entries(asked.parse(result.inputRequests));
      const forms: Answered['forms'] = {};
      for (const [key, { params }] of requests)
        forms[key] = { message: params.message, schema: params.requestedSchema };
      return { ...nothing, asked: true, forms, state: result.requestState ?? '' };
    }
    const texts = result.content.map((part) => (part.type === 'text' ? part.text : ''));
    const structured = fields.parse(result.structuredContent ?? {});
    return { ...nothing, isError: result.isError === true, text: texts.join('\n'), structured };
  }
  async function close(): Promise<void> {
    await client.close();
    await wire.stop();
  }
  return { client, call, log: wire.log, close };
}

/** The parameters of the round that brings an answer back. */
export function answering(state: string, key: string, said: unknown): Record<string, unknown> {
  return { requestState: state, inputResponses: { [key]: said } };
}

export const accepting = (content: Record<string, unknown>): unknown => ({ action: 'accept', content });

/** The state with one letter exchanged in the middle of what it hides. */
export function changed(state: string): string {
  return state.slice(0, 40) + (state[40] === 'A' ? 'B' : 'A') + state.slice(41);
}

/** What every refused state is answered with, whatever was wrong with it. */
export const refusedState = {
  code: -32602,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};

/** Runs a server with nothing on its stdin until it ends. */
export function runToEnd(name: string, env: Record<string, string>, args: string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(`servers/${name}.ts`), ...args], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    input: '',
    timeout: 30_000,
  });
  return { status, stdout, stderr: stderr.trim() };
}
