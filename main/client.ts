// How a view asks the host: over a line to it, whether the host is this process or another that holds the data folder.
import { setTimeout as sleep } from 'node:timers/promises';
import { routes, type Answer, type Event, type GivenOf, type RouteName, type ValueOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import { serveFolder, type ServingOptions } from './serving.ts';
import { dialSocket } from './socket.ts';
import { lockFolder, type FolderLock } from './store/open.ts';

export interface Desk {
  /** The route's value, or the host's Failure thrown. A request that is stopped still answers where it can. */
  request<R extends RouteName>(route: R, params: GivenOf<R>, signal?: AbortSignal): Promise<ValueOf<R>>;
  /** Every change from now on; returns how to stop listening. */
  events(listener: (event: Event) => void): () => void;
  /** Where this process is the host and others still wait for it, it ends after them, unless the signal was aborted. */
  close(): Promise<void>;
}
export interface DeskOptions extends ServingOptions {
  /** The person who acts; without one, whoever is signed in (in the sample company its first person). */
  as?: string | undefined;
}

/** What goes to the host, one JSON document at a time. */
interface Line {
  send: (text: string) => void;
  close: () => Promise<void> | void;
}
interface LineEvents {
  text: (text: string) => void;
  gone: () => void;
}

/** How long the host that has the folder may take until it listens. */
const patience = 10_000;
const pause = 50;
/** ID of the first request on every line. */
const resuming = 0;

/** Uses the host that holds the data folder, or becomes it. Failures `store.locked`, and those of `createHost`. */
export async function connectDesk(options: DeskOptions): Promise<Desk> {
  return createDesk(options.as, async (on) => {
    const until = performance.now() + patience;
    for (;;) {
      const lock = await freeLock(options.data, performance.now() < until);
      if (lock !== null) return becomeHost(lock, options, on);
      const line = await dialSocket(options.data, on);
      if (line !== null) return beside(line, options);
      options.signal.throwIfAborted();
      await sleep(pause);
    }
  });
}

/** Null while another process has it and `patient`. */
async function freeLock(data: string, patient: boolean): Promise<FolderLock | null> {
  return lockFolder(data).catch((error: unknown) => {
    if (patient && error instanceof Failure && error.code === 'store.locked') return null;
    throw error;
  });
}

async function becomeHost(lock: FolderLock, options: DeskOptions, on: LineEvents): Promise<Line> {
  const serving = await serveFolder(lock, options);
  const peer = serving.connect({ send: on.text, end: () => undefined });
  return { send: peer.receive, close: serving.close };
}

/** Another process is the host, with the playbook it began with. */
function beside(line: Line, { playbookFile, descriptionsFile, replayMode }: DeskOptions): Line {
  if (playbookFile === undefined && descriptionsFile === undefined && replayMode !== true) return line;
  void line.close();
  throw new Failure(
    'host.playbook',
    'Another desk is using this data folder with its own playbook and descriptions. Wait until it has ended, or choose another folder with --data.',
  );
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Failure) => void;
}

async function createDesk(as: string | undefined, connect: (on: LineEvents) => Promise<Line>): Promise<Desk> {
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(event: Event) => void>();
  let next = 1;
  let line: Promise<Line> | null = null;
  let closed = false;
  await opened();

  /** The line there is, else a new one. */
  function opened(): Promise<Line> {
    line ??= open().catch((error: unknown) => {
      line = null;
      throw error;
    });
    return line;
  }
  async function open(): Promise<Line> {
    for (;;) {
      const life = { dead: false, used: false };
      const resumed = Promise.withResolvers<unknown>();
      const end = (failure: Failure): void => {
        if (!life.dead && life.used) drop(failure);
        life.dead = true;
        resumed.resolve(null);
      };
      const found = await connect({
        text(text) {
          // The host is this very program: what it sends is of the contract.
          const answer = JSON.parse(text) as Answer;
          if (life.dead) return;
          if ('bye' in answer) end(notBegun());
          else take(answer);
        },
        gone: () => end(cutOff()),
      });
      // Whoever signed in before acts again; where nobody did, what needs somebody says so.
      if (!life.dead) {
        waiting.set(resuming, { resolve: resumed.resolve, reject: resumed.resolve });
        found.send(JSON.stringify({ id: resuming, route: 'people.resume', params: {} }));
        await resumed.promise;
        waiting.delete(resuming);
      }
      // The host may end in the moment it is found.
      if (life.dead) continue;
      life.used = true;
      if (listeners.size > 0) found.send(JSON.stringify({ listen: true }));
      return found;
    }
  }
  function drop(failure: Failure): void {
    line = null;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  }
  function take(answer: Exclude<Answer, { bye: true }>): void {
    if ('event' in answer) for (const listener of listeners) listener(answer.event);
    else if (answer.id !== null) {
      const request = waiting.get(answer.id);
      if (answer.ok) request?.resolve(answer.value);
      else request?.reject(new Failure(answer.failure.code, answer.failure.message, answer.failure.data));
    }
  }
  async function request(route: RouteName, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const to = await opened();
    const id = next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject });
    const stop = () => to.send(JSON.stringify({ cancel: id }));
    try {
      to.send(JSON.stringify({ id, route, params, as }));
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
      return await promise;
    } catch (error) {
      if (closed || signal?.aborted === true || !mayRepeat(error, route)) throw error;
    } finally {
      waiting.delete(id);
      signal?.removeEventListener('abort', stop);
    }
    return request(route, params, signal);
  }
  return {
    // The host answers a route with that route's value.
    request: <R extends RouteName>(route: R, params: GivenOf<R>, signal?: AbortSignal) =>
      request(route, params, signal) as Promise<ValueOf<R>>,
    events(listener) {
      if (listeners.size === 0) void line?.then((to) => to.send(JSON.stringify({ listen: true })));
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      await (await line)?.close();
    },
  };
}

function notBegun(): Failure {
  return new Failure('host.ended', 'The desk that held this data folder ended before it began with this.');
}
function cutOff(): Failure {
  return new Failure(
    'host.gone',
    'The desk that held this data folder ended in between; what was done is kept. Run the command again.',
  );
}
/** Another host may do what the last one had not begun, and may read again what the last one was reading. */
function mayRepeat(error: unknown, route: RouteName): boolean {
  if (!(error instanceof Failure)) return false;
  return error.code === 'host.ended' || (error.code === 'host.gone' && routes[route].least === null);
}
