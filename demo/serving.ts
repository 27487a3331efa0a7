/**
 * How every server of the sample company is served, from one factory: over stdio, or with `--http [PORT]` over Streamable
 * HTTP on 127.0.0.1 (0 or none: any free port; the address is one JSON line on stdout). `--host NAME…` listens on every
 * interface, for requests to these names; `--no-2025` speaks 2026-07-28 alone. Ends with its stdin, and on SIGTERM.
 */
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { notifierOf } from './changes.ts';
import { serveHttp } from './httpServing.ts';
import type { ServerFactory, ServingOptions } from './servingOptions.ts';

/** Whatever still hangs, the process is gone within two seconds of its stdin. */
const PATIENCE_MS = 1_500;

/**
 * Serves until stdin ends or SIGTERM comes, then calls `close` and exits with 0. The factory is given what tells every
 * listening client of a change, over either transport.
 */
export function serve(program: string, options: ServingOptions, factory: ServerFactory, close: () => void): void {
  const serving = options.port === undefined ? stdio(options, factory) : serveHttp(program, options, factory);
  let stopping = false;
  function stop(): void {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), PATIENCE_MS).unref();
    void serving.close().finally(() => {
      close();
      process.exit(0);
    });
  }
  process.stdin.on('end', stop).on('error', stop).resume();
  process.on('SIGTERM', stop);
}

function stdio({ older }: ServingOptions, factory: ServerFactory): { close(): Promise<void> } {
  const made = new Set<McpServer>();
  const serving = serveStdio(
    () => {
      const server = factory(notifierOf(made));
      made.add(server);
      return server;
    },
    { legacy: older ? 'serve' : 'reject', onerror: (error) => console.error(error.message) },
  );
  return serving;
}
