// The view's side of the contract: requests by ID with a deadline, events in sequence. After a gap or a new connection every
// feature lists again: what a view holds is what the host holds, or says that it is not.
import { createStore } from 'zustand/vanilla';
import type { Answer, Change, Event, Feature, GivenOf, Message, RouteName, ValueOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { ShellSays } from '../shared/shell.ts';

/** An open line to the host: one JSON document a message. */
export interface Line {
  send(text: string): void;
  close(): void;
}
/** Opens a line; null where nobody answers now. Failure `desk.session`: the person must open a newer address. */
export type Dial = (on: {
  text: (text: string) => void;
  gone: () => void;
  shell: (says: ShellSays) => void;
}) => Promise<Line | null>;

export interface AskOptions {
  signal?: AbortSignal;
  /** Milliseconds; null for what a person or a model may take their time over. */
  deadline?: number | null;
}
/** How a feature keeps up: `list` on every new connection and after a gap, `change` for each event. */
export interface Follower<F extends Feature> {
  list: () => void;
  change: (change: Change<F>) => void;
}
export interface LineState {
  state: 'connecting' | 'open' | 'lost';
  /** Why signing in to this desk failed for good, where it did: trying again does not help. */
  refused: string | null;
  /** What the window says about its host: it ended and is being started again, or not. */
  notice: string | null;
  /** What the window says about this page where it ended and was loaded again. */
  reloaded: string | null;
}
interface Waiting {
  resolve: (value: unknown) => void;
  reject: (failure: Failure) => void;
}

const usualDeadline = 15_000;
const pauses = [250, 500, 1_000, 2_000, 4_000];

export type Desk = ReturnType<typeof createDesk>;
export type Ask = <R extends RouteName>(route: R, params: GivenOf<R>, options?: AskOptions) => Promise<ValueOf<R>>;

export function createDesk(dial: Dial, later: (ms: number) => Promise<void> = pause) {
  const state = createStore<LineState>(() => ({ state: 'connecting', refused: null, notice: null, reloaded: null }));
  const waiting = new Map<number, Waiting>();
  const followers = new Map<Feature, Set<Follower<Feature>>>();
  let line: Line | null = null;
  let next = 0;
  let seq = 0;
  let closed = false;
  let command: (id: string, open: string | null) => void = () => undefined;
  let greet: (ask: Ask) => Promise<void> = () => Promise.resolve();
  /** Goes on while it is not yet said who acts on this line. */
  let greeting: Promise<void> | null = null;

  function post(sent: Message): void {
    line?.send(JSON.stringify(sent));
  }
  function listAll(): void {
    for (const those of followers.values()) for (const one of those) one.list();
  }
  function take(event: Event): void {
    const gap = event.seq !== seq + 1;
    seq = event.seq;
    if (gap) listAll();
    else for (const one of followers.get(event.feature) ?? []) one.change(event);
  }
  function read(text: string): void {
    // The host is the one program this page talks to; it writes by the contract.
    const answer = JSON.parse(text) as Answer;
    if ('event' in answer) take(answer.event);
    else if ('bye' in answer) line?.close();
    else if (answer.id !== null) {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.ok) one?.resolve(answer.value);
      else one?.reject(new Failure(answer.failure.code, answer.failure.message, answer.failure.data));
    }
  }
  function lose(): void {
    line = null;
    if (!closed) state.setState({ state: 'lost' });
    for (const one of waiting.values()) one.reject(lostFailure({ sent: true }));
    waiting.clear();
  }
  function refuse(why: string): void {
    closed = true;
    state.setState({ state: 'lost', refused: why });
  }
  function hear(says: ShellSays): void {
    if ('command' in says) command(says.command, says.open ?? null);
    else state.setState('gone' in says ? { notice: says.gone } : { reloaded: says.reloaded });
  }
  async function connect(): Promise<void> {
    for (let tries = 0; !closed; tries++) {
      let ended: () => void = () => undefined;
      const end = new Promise<void>((resolve) => (ended = resolve));
      const open = await dial({ text: read, gone: ended, shell: hear }).catch((error: unknown) => {
        if (error instanceof Failure) refuse(error.message);
        return null;
      });
      if (open !== null) {
        line = open;
        seq = 0;
        tries = 0;
        post({ listen: true });
        greeting = greet(askNow)
          .catch(() => undefined)
          .then(() => {
            if (line !== open) return;
            greeting = null;
            state.setState({ state: 'open', notice: null });
            listAll();
          });
        await end;
      }
      lose();
      await later(pauses[Math.min(tries, pauses.length - 1)] ?? 0);
    }
  }

  async function askNow<R extends RouteName>(
    route: R,
    params: GivenOf<R>,
    { signal, deadline = usualDeadline }: AskOptions = {},
  ): Promise<ValueOf<R>> {
    if (line === null) throw lostFailure({ sent: false });
    const id = next++;
    const stop = (why: Failure) => {
      post({ cancel: id });
      const one = waiting.get(id);
      waiting.delete(id);
      one?.reject(why);
    };
    const timer = deadline === null ? undefined : setTimeout(() => stop(slowFailure(deadline)), deadline);
    const abort = () => stop(stoppedFailure());
    signal?.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<ValueOf<R>>((resolve, reject) => {
        // Kept by ID only; what comes back under it is this route's value by the contract.
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
        // What a schema of the contract takes in is plain JSON.
        post({ id, route, params: params as never });
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  return {
    state,
    connect,
    /** Done first on every new connection, before anything else is asked: saying who acts, with the line's own `ask`. */
    onOpen(first: (ask: Ask) => Promise<void>): void {
      greet = first;
    },
    /** Who acts may see other things now. */
    listAll,
    /**
     * Asks the host, as who acts on this page: on a new line only once that is said. Rejects with a Failure: the host's own,
     * `desk.lost` (with what of it is known), `desk.slow`, or `stopped`.
     */
    async ask<R extends RouteName>(route: R, params: GivenOf<R>, options: AskOptions = {}): Promise<ValueOf<R>> {
      const mine = line;
      if (greeting !== null && mine !== null) {
        await greeting;
        if (line !== mine) throw lostFailure({ sent: false });
        if (options.signal?.aborted) throw stoppedFailure();
      }
      return await askNow(route, params, options);
    },
    /** Follows a feature from now on; lists at once where the line is open. Returns how to stop. */
    follow<F extends Feature>(feature: F, follower: Follower<F>): () => void {
      const those = followers.get(feature) ?? new Set();
      followers.set(feature, those);
      // Only events of this feature reach it, which a map over features cannot express.
      const one = follower as unknown as Follower<Feature>;
      those.add(one);
      if (state.getState().state === 'open') follower.list();
      return () => those.delete(one);
    },
    /** Commands chosen in the window's menus, or by a notice with what it is about. */
    onCommand(run: (id: string, open: string | null) => void): void {
      command = run;
    },
    /** The notice was read. */
    clearNotice: () => state.setState({ reloaded: null }),
    close(): void {
      closed = true;
      line?.close();
    },
  };
}

/** Lists are read again by themselves; what a person did is not done again by itself. Data: whether it was on its way. */
function lostFailure(data: { sent: boolean }): Failure {
  const words = data.sent
    ? 'The desk is not reached right now. Lists are read again by themselves; anything else may be done or not: look when the desk is back.'
    : 'The desk is not reached right now. Lists are read again by themselves; anything else was not done: do it again when the desk is back.';
  return new Failure('desk.lost', words, data);
}
function stoppedFailure(): Failure {
  return new Failure('stopped', 'Stopped: what was done is kept.');
}
function slowFailure(ms: number): Failure {
  return new Failure('desk.slow', `No answer after ${Math.round(ms / 1_000)} seconds. Try again, or look at Servers.`);
}
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
