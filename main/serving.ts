// A data folder's host as a whole: socket, host, model and router, for the process that holds the folder's lock. It ends
// after the last view that still waits for something.
import { Failure, reason } from '../shared/failures.ts';
import { createHandlers } from './handlers.ts';
import { createHost, type HostOptions } from './host.ts';
import { createModelChoice } from './modelChoice.ts';
import { getStarter, pauseDownloads } from './models.ts';
import { createRouter, type Peer, type Port, type Router } from './router.ts';
import { serveSocket } from './socket.ts';
import type { FolderLock } from './store/open.ts';
import { createWork } from './work.ts';

export interface ServingOptions extends Omit<HostOptions, 'locked' | 'servers' | 'ask' | 'put' | 'events' | 'signal'> {
  signal: AbortSignal;
}
export interface Serving {
  connect: (port: Port) => Peer;
  /** Makes the model ready; with `fetch` the starter is got first where there is none. Progress comes as events. */
  prepare: (signal: AbortSignal, fetch: boolean) => Promise<void>;
  /** How many open questions end with it: those of older servers, which wait on the wire (spec host §20). */
  ending: () => Promise<number>;
  /** Waits for other views, unless the signal is aborted; then leaves nothing. */
  close: () => Promise<void>;
}

/** Takes over the lock, whatever happens. */
export async function serveFolder(lock: FolderLock, options: ServingOptions): Promise<Serving> {
  const { promise: ready, resolve, reject } = Promise.withResolvers<Router>();
  ready.catch(() => undefined);
  const socket = await serveSocket(options.data, (port) =>
    connectLater(
      ready.then((router) => router.connect(port)),
      port,
    ),
  ).catch((error: unknown) => {
    options.say(`No other desk can use this one: ${reason(error)}`);
    return null;
  });
  try {
    const work = createWork({ host: () => host, models: () => models });
    const host = await createHost({
      ...options,
      locked: true,
      servers: false,
      ask: work.ask,
      put: work.put,
      ended: work.wake,
      lasting: work.lasting,
    });
    const models = createModelChoice(options.data, host.settings);
    const refused = { count: 0 };
    const handlers = createHandlers({ host, models, work, refused });
    const router = createRouter({ host, handlers, refused, say: options.say });
    resolve(router);
    const ends = new AbortController();
    let prepared: Promise<void> = Promise.resolve();
    async function prepare(signal: AbortSignal, fetch: boolean): Promise<void> {
      if (fetch) await getStarter(models, host.events, signal);
      await work.prepare(AbortSignal.any([signal, ends.signal]));
    }
    return {
      connect: router.connect,
      prepare: (signal, fetch) => (prepared = prepare(signal, fetch)),
      ending: async () => (await host.questions.open()).filter(({ pushed }) => pushed).length,
      async close() {
        await router.close(options.signal, () =>
          options.say(
            'Another desk still works through this one: ending after it. Ctrl-C stops it; what was done is kept.',
          ),
        );
        // Who comes now finds no socket and waits for the lock.
        await socket?.close();
        await pauseDownloads(models.folder);
        ends.abort(new Failure('host.closed', 'The desk ended.'));
        await prepared.catch(() => undefined);
        await work.close();
        await host.close();
        lock.release();
      },
    };
  } catch (error) {
    reject(error);
    await socket?.close();
    lock.release();
    throw error;
  }
}

/** A view that comes while its host is still looked for: what it says waits. Where there is none, it looks for itself. */
export function connectLater(peer: Promise<Peer>, port: Port): Peer {
  peer.catch(() => {
    port.send(JSON.stringify({ bye: true }));
    port.end();
  });
  const then = (act: (peer: Peer) => void): unknown => peer.then(act, () => undefined);
  return {
    receive: (text) => then((one) => one.receive(text)),
    refuse: (why) => then((one) => one.refuse(why)),
    gone: () => then((one) => one.gone()),
  };
}
