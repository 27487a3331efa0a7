/**
 * The host's connection to one configured server (spec host §§1–5): starts it when it is needed, again when it went
 * away, reads its lists and sends its calls. What a server does wrong ends here, in words.
 */
import { UnsupportedProtocolVersionError } from '@modelcontextprotocol/client';
import { Failure, reason } from '../../shared/failures.ts';
import type { Definition } from '../../shared/pins.ts';
import type { ServerConfig, ServerState, ServerStatus } from '../../shared/servers.ts';
import type { Clock } from '../ports.ts';
import { createBudget } from './budget.ts';
import { configurationHash } from './configuration.ts';
import { readEra, writeEra, type EraStore } from './eras.ts';
import type { OnWire } from './exchanges.ts';
import { isClosed } from './ask.ts';
import { createAsking, type Asking } from './asking.ts';
import { completed, type Completed, type Completion } from './completing.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createFollowed } from './followed.ts';
import { createInstructions } from './instructions.ts';
import { keepListening } from './listen.ts';
import type { SignIn } from './oauth.ts';
import { challengeOf } from './oauthChallenge.ts';
import { readFailure } from './listing.ts';
import { createReader, type List } from './reader.ts';
import type { ListedResource } from './lists.ts';
import { createRequestCounts } from './requestCounts.ts';
import { createRing } from './ring.ts';
import { openSession, printed, type Session } from './session.ts';
import type { ServerTransport } from './serverTransport.ts';
import type { Validator } from './validator.ts';

export type { WireOutcome } from './invoke.ts';

export interface ConnectionDeps {
  clock: Clock;
  eras: EraStore;
  /** Compiles the schemas of listed tools; without one they are only checked in shape. Closed by whoever made it. */
  validator?: Validator;
  onWire?: OnWire;
  onStatus?: (status: ServerStatus) => void;
  /** A list changed: read it again between tickets. Said once until it is read. */
  onChanged?: (list: List) => void;
  /** A resource that is followed changed: read it again. */
  onUpdated?: (uri: string) => void;
  /** An older server says that what a page of its was for is done there, by its own ID of the question. */
  onFinished?: (elicitation: string) => void;
  /** How a person signs in to it; without one a server that asks for that is not let at. */
  signIn?: SignIn;
  limits?: Partial<Limits>;
}

export interface Connection extends Asking {
  prefix: string;
  status(): ServerStatus;
  /** Starts the server now, whatever its budget says. Failure `servers.start` with the cause in words. */
  start(signal?: AbortSignal): Promise<void>;
  /** All tools, broken ones with their `problem`. `refresh` reads even where the server's `ttlMs` would allow the old list. */
  tools(options?: { refresh?: boolean }): Promise<Definition[]>;
  resources(): Promise<ListedResource[]>;
  /** Prompts, broken ones with their `problem`; only a person picks one. */
  prompts(): Promise<Definition[]>;
  /** Templates of resources by their `uriTemplate`, broken ones with their `problem`; only a person fills one. */
  templates(): Promise<Definition[]>;
  /** What an argument of a prompt or template may be, as far as it is typed. Failure `servers.read`. */
  complete(asked: Completion, signal?: AbortSignal): Promise<Completed>;
  /** Listens for changes of a resource that is shown. */
  follow(uri: string): void;
  /** What it says of itself as a whole: one definition, or none. */
  instructions(): Promise<Definition[]>;
  /** Keeps a line among what the server said. */
  note: (line: string) => void;
  /** Takes a person through the sign-in the server asked for, by their word. Failures of `oauth.ts`. */
  signIn(by: string, signal?: AbortSignal): Promise<void>;
  /** Under whom the server is asked; null where it asks for nobody, or nobody is signed in. */
  signedInAs(): Promise<string | null>;
  close(): Promise<void>;
}

export function createConnection(config: ServerConfig, deps: ConnectionDeps): Connection {
  const { clock, eras } = deps;
  const { prefix } = config;
  const limits: Limits = { ...defaultLimits, ...deps.limits };
  const budget = createBudget(clock, limits);
  const eraKey = `${prefix}:${configurationHash(config)}`;
  const reader = createReader({
    prefix,
    limits,
    clock,
    validator: deps.validator,
    overHttp: config.kind === 'http',
    ensure,
    onChanged: (list) => deps.onChanged?.(list),
    onUpdated: (uri) => deps.onUpdated?.(uri),
  });
  const followed = createFollowed();
  const instructions = createInstructions(clock);
  let session: Session | null = null;
  let transport: ServerTransport | null = null;
  let starting: Promise<Session> | null = null;
  let state: ServerState = 'stopped';
  let problem: string | null = null;
  let seen: Pick<Session, 'revision' | 'era'> | null = null;
  let used = false;
  let reprobe = false;
  let closing: AbortController = new AbortController();
  /** What it asked of the host since the desk started, by method. */
  const asked = new Map<string, number>();
  const log = createRing(limits.logBytes);
  const requests = createRequestCounts(clock);
  const note = (line: string) => {
    log.add(Buffer.from(`${line}\n`));
  };

  function status(): ServerStatus {
    return {
      prefix,
      state,
      revision: seen?.revision ?? null,
      era: seen?.era ?? null,
      problem: problem ?? reader.problem(),
      restarts: budget.total(),
      pid: state === 'ready' || state === 'starting' ? (transport?.pid ?? null) : null,
      stderr: transport?.stderr ?? '',
      log: log.text(),
      notes: askedNotes(asked),
      requests: requests.counts(),
    };
  }
  function become(next: ServerState, sentence: string | null) {
    state = next;
    problem = sentence;
    deps.onStatus?.(status());
  }

  /** The running session; starts one, within the budget, when there is none. */
  async function ensure(signal?: AbortSignal): Promise<Session> {
    if (session?.alive()) return session;
    starting ??= restart().finally(() => {
      starting = null;
    });
    return await raced(starting, signal);
  }

  async function restart(): Promise<Session> {
    if (closing.signal.aborted) throw new Failure('servers.start', `${prefix} is stopped: start it first.`);
    if (used) {
      const wait = budget.wait();
      if (wait === Infinity)
        throw new Failure(
          'servers.start',
          `${prefix} went away ${limits.restarts} times within ${limits.restartWindowMs / 60_000} minutes and is not started again by itself. ${problem ?? ''} Look at its stderr, then start it.`,
        );
      if (wait > limits.backoffWaitMs)
        throw new Failure(
          'servers.start',
          `${prefix} went away; it may be started again in ${Math.ceil(wait / 1_000)} s. ${problem ?? ''}`,
        );
      await sleep(wait, closing.signal);
      budget.restarted();
    }
    used = true;
    return await open(closing.signal);
  }

  async function open(signal: AbortSignal): Promise<Session> {
    become('starting', null);
    const slow = setTimeout(() => {
      const local = config.kind === 'stdio' ? 'A first start may download what it needs.' : '';
      const hint = (transport && printed(transport)) ?? local;
      become(
        'starting',
        `${prefix} has not answered for ${limits.slowMs / 1_000} s; the desk waits up to ${limits.startMs / 1_000} s. ${hint}`,
      );
    }, limits.slowMs);
    const known = readEra(eras, eraKey, clock, limits.eraMs);
    const prior = known && !known.stale && !reprobe ? known.prior : undefined;
    try {
      let next = await life(signal, prior);
      // A reused verdict costs no round trip, so only a first answer shows that it still holds.
      if (prior?.kind === 'modern' && !(await reader.holds(next))) {
        await next.close();
        next = await life(signal, undefined);
      }
      reprobe = false;
      session = next;
      seen = { era: next.era, revision: next.revision };
      const older = known?.prior.kind === 'modern' && next.era === 'legacy';
      if (!older) writeEra(eras, eraKey, next.verdict, clock);
      else reprobe = true;
      become(
        'ready',
        older
          ? `${prefix} spoke a newer revision before and came back with ${next.revision}; it is asked again at the next start.`
          : null,
      );
      void keepListening(next, limits, { reader, followed });
      return next;
    } catch (error) {
      // A server that asks for sign-in is well: it is asked again as soon as somebody signed in.
      if (challengeOf(error) === undefined) budget.ended();
      else used = false;
      become(closing.signal.aborted ? 'stopped' : 'failed', reason(error));
      throw error;
    } finally {
      clearTimeout(slow);
    }
  }

  async function life(signal: AbortSignal, prior: Parameters<typeof openSession>[0]['prior']) {
    const next = await openSession({
      config,
      limits,
      signal,
      prior,
      onWire: deps.onWire,
      access: deps.signIn,
      onChanged: reader.changed,
      onAsked(method) {
        if (!(method in unlent)) return;
        const times = (asked.get(method) ?? 0) + 1;
        asked.set(method, times);
        // Once: a server that asks without end is no reason to tell every view without end.
        if (times === 1) deps.onStatus?.(status());
      },
      onSaid: note,
      onFinished: (elicitation) => deps.onFinished?.(elicitation),
      onTransport(next) {
        transport = next;
      },
      onExit(ended) {
        if (session !== ended) return;
        session = null;
        if (closing.signal.aborted) return;
        budget.ended();
        become(
          'failed',
          `${prefix} went away: ${ended.transport.ended ?? 'the connection closed'}. It is started again when it is needed.`,
        );
      },
    });
    requests.watch(next);
    return next;
  }

  /** Reads may be retried once where the process went away under them; calls never are. */
  async function read<T>(
    what: string,
    signal: AbortSignal | undefined,
    run: (running: Session) => Promise<T>,
  ): Promise<T> {
    for (let again = true; ; again = false) {
      const running = await ensure(signal);
      try {
        return await run(running);
      } catch (error) {
        noteVersion(error);
        if (!again || !isClosed(error, running) || signal?.aborted) throw readFailure(prefix, what, error);
      }
    }
  }

  /** A server that refuses our revision is asked anew which it speaks. */
  function noteVersion(error: unknown) {
    if (!(error instanceof UnsupportedProtocolVersionError)) return;
    reprobe = true;
    void session?.close();
  }

  const asking = createAsking({
    config,
    limits,
    ensure,
    reader,
    async onOldRevision(running) {
      reprobe = true;
      await running.close();
    },
  });

  return {
    ...asking,
    prefix,
    status,
    async start(signal) {
      if (session?.alive()) return;
      if (closing.signal.aborted) closing = new AbortController();
      budget.reset();
      await ensure(signal);
    },
    tools: (options) => read('the list of tools', undefined, () => reader.tools(options?.refresh ?? false)),
    resources: () => read('the list of resources', undefined, () => reader.resources()),
    prompts: () => read('the list of prompts', undefined, () => reader.prompts()),
    templates: () => read('the list of templates', undefined, () => reader.templates()),
    complete: (asked, signal) => read('what may be typed', signal, (running) => completed(running, asked, signal)),
    follow: (uri) => followed.add(uri),
    note,
    instructions: () => read('what it says of itself', undefined, instructions),
    signedInAs: async () => (await deps.signIn?.as())?.person ?? null,
    async signIn(by, signal) {
      if (deps.signIn === undefined)
        throw new Failure('servers.oauth', `Signing in is not set up for ${prefix}. An admin does that.`);
      await deps.signIn.signIn(by, signal);
    },
    async close() {
      closing.abort();
      await starting?.catch(() => undefined);
      await session?.close();
      session = null;
      if (state !== 'stopped') become('stopped', null);
    },
  };
}

const unlent: Record<string, [string, string]> = {
  'sampling/createMessage': ['sampling', 'the desk does not lend its model'],
  'roots/list': ['roots', 'the desk lends no folders'],
};

/** What it asked of the host in vain. */
function askedNotes(asked: ReadonlyMap<string, number>): string[] {
  return Object.entries(unlent).flatMap(([method, [name, why]]) => {
    const times = asked.get(method) ?? 0;
    return times === 0 ? [] : [`It asked for ${name} ${times === 1 ? 'once' : `${times} times`}: ${why}.`];
  });
}

async function raced<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Failure('servers.start', 'The start was stopped.'));
    signal.addEventListener('abort', stop, { once: true });
  });
  work.catch(() => undefined);
  return await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}

async function sleep(ms: number, signal: AbortSignal) {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
