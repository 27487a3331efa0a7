/** Our own framing under the SDK's client: one stdio server, its lines counted and judged before anything parses them. */
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createFraming } from './framing.ts';
import { createInbound, redacted, type Dropped } from './inbound.ts';
import type { Json } from '../../shared/json.ts';
import type { Limits } from './limits.ts';
import { startProcess, stopped, type ServerProcess } from './serverProcess.ts';

export type WireDirection = 'in' | 'out';

export interface StdioTransport extends Transport {
  /** The SDK takes a transport with `stderr` and `pid` for stdio, which decides what silence of a probe means. */
  readonly stderr: string;
  readonly pid: number | null;
  /** Requests written so far: tells a call that was never sent from one whose outcome is unknown. */
  readonly written: number;
  readonly dropped: Readonly<Dropped>;
  /** How the server ended, in words; null while it runs. */
  readonly ended: string | null;
  takeList(): string[];
  madeHere(data: unknown): boolean;
  discovered(): Json | undefined;
}

export function createTransport(options: {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  limits: Limits;
  signal?: AbortSignal | undefined;
  onWire?: ((direction: WireDirection, text: string) => void) | undefined;
  onChanged: (method: string) => void;
}): StdioTransport {
  const { limits } = options;
  let server: ServerProcess | null = null;
  let written = 0;
  let closed = false;

  const inbound = createInbound({
    limits,
    deliver(message) {
      // A server that asks but does not read would have our answers pile up here.
      const asks = 'method' in message && 'id' in message;
      if (asks && (server?.stdin.writableLength ?? 0) > 1024 * 1024) return;
      transport.onmessage?.(message);
    },
    onWire: (text) => options.onWire?.('in', text),
    onChanged: options.onChanged,
  });

  function down() {
    if (closed) return;
    closed = true;
    transport.onclose?.();
  }

  const transport: StdioTransport = {
    get stderr() {
      return server?.stderr() ?? '';
    },
    get pid() {
      return server?.pid ?? null;
    },
    get written() {
      return written;
    },
    get ended() {
      return server?.ended() ?? null;
    },
    dropped: inbound.dropped,
    takeList: inbound.takeList,
    madeHere: inbound.madeHere,
    discovered: inbound.discovered,
    async start() {
      server = await startProcess({
        command: options.command,
        args: options.args,
        env: { ...getDefaultEnvironment(), ...options.env },
        stderrBytes: limits.stderrBytes,
        signal: options.signal,
      });
      read(server, inbound, limits);
      void server.closed.then(down);
    },
    send(message: JSONRPCMessage) {
      if (closed || !server || server.ended() !== null) return Promise.reject(new Error('the server is not running'));
      const text = JSON.stringify(message);
      inbound.sent(message);
      if ('method' in message && 'id' in message) written++;
      options.onWire?.('out', text.includes('requestState') ? redacted(message as unknown as Json) : text); // JSON by its type
      const { stdin } = server;
      if (stdin.write(text + '\n')) return Promise.resolve();
      return new Promise((resolve) => {
        stdin.once('drain', resolve);
        void server?.closed.then(resolve);
      });
    },
    async close() {
      await server?.end(limits.closeMs);
      down();
    },
  };
  return transport;
}

/** Reads stdout; a server that floods is paused until the second is over, which blocks only its own pipe. */
function read(server: ServerProcess, inbound: ReturnType<typeof createInbound>, limits: Limits) {
  let lines = 0;
  let since = performance.now();
  const framing = createFraming({
    limit: limits.messageBytes,
    onLine(line) {
      lines++;
      if (server.ended() !== stopped) inbound.line(line);
    },
    onOversize: inbound.oversize,
  });
  server.stdout.on('data', (chunk: Buffer) => {
    framing.push(chunk);
    const now = performance.now();
    if (now - since >= 1_000) {
      since = now;
      lines = 0;
    } else if (lines > limits.linesPerSecond && server.ended() === null) {
      server.stdout.pause();
      setTimeout(() => server.stdout.resume(), 1_000 - (now - since));
    }
  });
}
