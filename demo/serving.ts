/**
 * How every server of the sample company is served, from one factory: over stdio, or with `--http [PORT]` over Streamable
 * HTTP on 127.0.0.1 (0 or none: any free port; the address is one JSON line on stdout). `--host NAME…` listens on every
 * interface, for requests to these names; `--no-2025` speaks 2026-07-28 alone. Ends with its stdin, and on SIGTERM.
 */
import type { ServerNotifier } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { both, notifierOf, type Connected } from './changes.ts';
import { createClientLog } from './clientLog.ts';
import { serveHttp } from './httpServing.ts';
import { followSubscriptions, guardedWire } from './listening.ts';
import { offered, type OlderServer, type Served, type ServerFactory, type ServingOptions } from './servingOptions.ts';

/** Whatever still hangs, the process is gone within two seconds of its stdin. */
const PATIENCE_MS = 1_500;

/**
 * Serves until stdin ends or SIGTERM comes, then calls `close` and exits with 0. What it returns tells every listening
 * client of a change, over either transport and at every replica on the same bus; the factory is given the same.
 */
export function serve(
  program: string,
  options: ServingOptions,
  made: ServerFactory | OlderServer,
  close: () => unknown,
  more: Served = {},
): ServerNotifier {
  const served = offered(more);
  const { bus } = served;
  const create: ServerFactory | OlderServer =
    typeof made === 'function' ? (local) => made(both(local, bus.notifier)) : made;
  const serving =
    options.port === undefined ? stdio(program, options, served, create) : serveHttp(program, options, served, create);
  const changes = both(serving.local, bus.notifier);
  bus.listen(serving.local);
  let stopping = false;
  function stop(): void {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), PATIENCE_MS).unref();
    void serving.close().finally(async () => {
      bus.close();
      await close();
      process.exit(0);
    });
  }
  process.stdin.on('end', stop).on('error', stop).resume();
  process.on('SIGTERM', stop);
  return changes;
}

interface Serving {
  /** Tells the clients of this process. */
  local: ServerNotifier;
  close(): Promise<void>;
}

function stdio(
  program: string,
  options: ServingOptions,
  { mayListen }: Required<Served>,
  factory: ServerFactory | OlderServer,
): Serving {
  const made = new Set<Connected>();
  const local = notifierOf(made);
  const heard = createClientLog(program);
  if (typeof factory !== 'function') {
    const serving = factory.stdio(heard);
    return { local, close: async () => (await serving).close() };
  }
  const onerror = (error: Error): void => console.error(error.message);
  const transport = guardedWire(new StdioServerTransport(), mayListen, heard);
  const serving = serveStdio(
    ({ era }) => {
      const server = factory(local);
      made.add({ server, subscribed: era === 'legacy' ? followSubscriptions(server, mayListen) : undefined });
      return server;
    },
    { legacy: options.older ? 'serve' : 'reject', onerror, transport },
  );
  return { local, close: () => serving.close() };
}
