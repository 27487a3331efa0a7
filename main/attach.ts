// Connects the views of a shell (browser, window) to the host of a data folder: this process where it holds the folder's
// lock, else the one that does. Where that one ends, the next view that comes makes this process the host.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../shared/failures.ts';
import type { Peer, Port } from './router.ts';
import { connectLater, serveFolder, type Serving, type ServingOptions } from './serving.ts';
import { dialSocket, type Line } from './socket.ts';
import { lockFolder } from './store/open.ts';

export interface Attached {
  connect: (port: Port) => Peer;
  /** Where this process is the host, makes the model ready; with `fetch` the starter is got first where there is none. */
  prepare: (fetch: boolean) => Promise<void>;
  /** How many open questions end with this process; none where another one is the host. */
  ending: () => Promise<number>;
  /** Waits for views of other processes, unless the signal was aborted. */
  close: () => Promise<void>;
}
interface Found {
  connect: (port: Port) => Promise<Peer>;
  prepare: Serving['prepare'];
  ending: Serving['ending'];
  close: () => Promise<void> | void;
}

/** How long a host that is just beginning or ending may take. */
const patience = 10_000;
const pause = 50;

/** Failures as of `connectDesk`: what keeps the host from starting is said here, not in every view. */
export async function attach(options: ServingOptions): Promise<Attached> {
  let found: Promise<Found> | null = null;
  await host();

  function host(): Promise<Found> {
    found ??= look().catch((error: unknown) => {
      found = null;
      throw error;
    });
    return found;
  }
  async function look(): Promise<Found> {
    const until = performance.now() + patience;
    for (;;) {
      const lock = await lockFolder(options.data).catch((error: unknown) => {
        if (performance.now() < until && error instanceof Failure && error.code === 'store.locked') return null;
        throw error;
      });
      if (lock !== null) {
        const serving = await serveFolder(lock, options);
        const { prepare, ending, close } = serving;
        return { connect: (port) => Promise.resolve(serving.connect(port)), prepare, ending, close };
      }
      const other = await beside();
      if (other !== null) return other;
      options.signal.throwIfAborted();
      await sleep(pause);
    }
  }
  /** The host of another process; null where none listens yet. */
  async function beside(): Promise<Found | null> {
    const first = await dialSocket(options.data, { text: () => undefined, gone: () => undefined });
    if (first === null) return null;
    first.close();
    const lines = new Set<Line>();
    return {
      // That host's own matter.
      prepare: () => Promise.resolve(),
      ending: () => Promise.resolve(0),
      close: () => {
        for (const line of lines) line.close();
      },
      async connect(port) {
        const line = await dialSocket(options.data, {
          text: (text) => port.send(text),
          gone: () => {
            // It ended; whoever comes next looks again.
            found = null;
            port.end();
          },
        });
        if (line === null) {
          found = null;
          return (await host()).connect(port);
        }
        lines.add(line);
        return {
          receive: (text) => line.send(text),
          // No message of the contract either: that host counts it.
          refuse: (why) => line.send(JSON.stringify({ refused: why })),
          gone() {
            lines.delete(line);
            line.close();
          },
        };
      },
    };
  }
  return {
    connect: (port) =>
      connectLater(
        host().then((one) => one.connect(port)),
        port,
      ),
    prepare: async (fetch) => (await host()).prepare(options.signal, fetch),
    ending: async () => (await found?.catch(() => null))?.ending() ?? 0,
    async close() {
      await (await found?.catch(() => null))?.close();
    },
  };
}
