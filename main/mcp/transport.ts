/** Our own framing under the SDK's client: one stdio server, its lines counted and judged before anything parses them. */
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { createExchanges, type OnWire } from './exchanges.ts';
import { createFraming } from './framing.ts';
import { createInbound } from './inbound.ts';
import type { Limits } from './limits.ts';
import { startProcess, stopped, type ServerProcess } from './serverProcess.ts';
import type { ServerTransport } from './serverTransport.ts';

export function createTransport(options: {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  limits: Limits;
  signal?: AbortSignal | undefined;
  onWire?: OnWire | undefined;
  onChanged: (method: string) => void;
  onAsked?: ((method: string) => void) | undefined;
}): ServerTransport {
  const { limits } = options;
  let server: ServerProcess | null = null;
  const exchanges = createExchanges(options.onWire);
  let closed = false;

  const inbound = createInbound({
    limits,
    deliver(message) {
      // A server that asks but does not read would have our answers pile up here.
      const asks = 'method' in message && 'id' in message;
      if (asks && (server?.stdin.writableLength ?? 0) > 1024 * 1024) return;
      transport.onmessage?.(message);
    },
    onWire: exchanges.in,
    onChanged: options.onChanged,
    onAsked: options.onAsked,
  });

  function down() {
    if (closed) return;
    closed = true;
    transport.onclose?.();
  }

  const transport: ServerTransport = {
    get stderr() {
      return server?.stderr() ?? '';
    },
    get pid() {
      return server?.pid ?? null;
    },
    get ended() {
      return server?.ended() ?? null;
    },
    dropped: inbound.dropped,
    watch: exchanges.watch,
    unwatch: exchanges.unwatch,
    asker: () => exchanges.asker(),
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
    send(message: JSONRPCMessage, sending?: TransportSendOptions) {
      if (closed || !server || server.ended() !== null) return Promise.reject(new Error('the server is not running'));
      const text = JSON.stringify(message);
      inbound.sent(message);
      const exchange = exchanges.out(message, text, sending);
      if (exchange) exchange.written = true;
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
