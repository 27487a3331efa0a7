// Calls that go on at their server as tasks (spec host §22). A task is a call in `sending` with a stored handle: the states of
// a call stay those there are, its consent is spent once, and a restart of the desk only asks on.
import type { Call } from '../shared/calls.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import { blotOutcome, blotText } from './blot.ts';
import type { Calls } from './calls.ts';
import { contextOf, type Context } from './exchange.ts';
import type { OnPushed, OnWire } from './mcp/exchanges.ts';
import type { WireOutcome } from './mcp/connection.ts';
import { defaultLimits, type Limits } from './mcp/limits.ts';
import type { Begun, TaskSeen } from './mcp/tasks.ts';
import type { Clock } from './ports.ts';
import type { Progress } from './progress.ts';
import type { Questions } from './questions.ts';
import type { Server, Servers } from './servers.ts';
import type { Store } from './store/open.ts';
import { callsWithTasks, findTask, type Task } from './store/tasks.ts';
import type { Trace } from './trace.ts';

/** For whom a task is asked after, as its call was made, and who is shown what it pushes. */
interface Asking {
  context: Context;
  onPushed?: OnPushed;
}

interface Bringing {
  context: Context;
  onWire?: OnWire;
}

/** Answers in a row that cannot be used before the desk stops asking. */
const mostUnreadable = 5;

interface Deps {
  store: Store;
  calls: Calls;
  questions: Questions;
  servers: Servers;
  progress: Progress;
  clock: Clock;
  trace?: ((call: Call) => Trace) | undefined;
  limits?: Partial<Limits>;
}
export type Tasks = ReturnType<typeof createTasks>;

export function createTasks(deps: Deps) {
  const { store, calls, servers, clock, progress } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const closing = new AbortController();
  /** Ends the pause of a task that is to be asked after now. */
  const nudges = new Map<string, () => void>();
  /** Tasks the desk gave up, by call, with what they came to. */
  const givenUp = new Map<string, WireOutcome>();
  /** Answers this process brought, by call: a server may take them and still name the question for a while. */
  const brought = new Map<string, Set<string>>();

  function closed(): boolean {
    return closing.signal.aborted;
  }
  function bounded(everyMs: number | null): number {
    return Math.min(limits.taskMostMs, Math.max(limits.taskLeastMs, everyMs ?? limits.taskEveryMs));
  }

  /** Stores the handle, before anything is asked of the task. */
  async function hold(call: Call, begun: Begun): Promise<void> {
    const at = clock.now();
    await calls.hold({
      call: call.id,
      handle: begun.handle,
      began_at: new Date(at).toISOString(),
      ends_at: new Date(at + limits.taskMs).toISOString(),
      every_ms: bounded(begun.everyMs),
      stop_by: null,
    });
    say(call, begun, begun.handle);
  }
  function say(call: Call, { message }: { message: string | null }, handle: string): void {
    if (message !== null) progress.tell(call.id, { message: blotText(message, [handle]) });
  }

  /** How it ended, or what it asks; null where the desk ends first. */
  async function follow(call: Call, round: Asking): Promise<WireOutcome | null> {
    const task = await findTask(store.db, call.id);
    if (task === undefined) return { kind: 'unknown', reason: 'its task is not kept any more' };
    const trace = deps.trace?.(call);
    const outcome = await followed(call, task, round, trace);
    await trace?.stored();
    await progress.kept(call.id);
    return outcome && blotOutcome(outcome, [task.handle]);
  }

  async function followed(
    call: Call,
    task: Task,
    round: Asking,
    trace: Trace | undefined,
  ): Promise<WireOutcome | null> {
    let every = task.every_ms;
    let silent = 0;
    let unreadable = 0;
    let kind = '';
    for (;;) {
      const left = Date.parse(task.ends_at) - clock.now();
      if (left <= 0) return tooLong(call, task, round.context);
      await pause(call.id, Math.min(left, waitAfter(every, silent)));
      if (closed()) return null;
      const ended = givenUp.get(call.id);
      if (ended !== undefined) return ended;
      const lines = createLines(task.handle);
      const seen = await look(call, task.handle, { ...round, onWire: lines.add });
      if (closed()) return null;
      // Asked a thousand times, it is kept once how it stands.
      if (seen.kind !== kind) lines.into(trace);
      kind = seen.kind;
      silent = seen.kind === 'silent' ? silent + 1 : 0;
      unreadable = seen.kind === 'unreadable' ? unreadable + 1 : 0;
      if ('everyMs' in seen) {
        say(call, seen, task.handle);
        if (bounded(seen.everyMs) !== every)
          await calls.changeTask(call.id, { every_ms: (every = bounded(seen.everyMs)) });
      }
      const outcome =
        seen.kind === 'asks' ? await asked(call, task.handle, seen, round.context) : endOf(call, seen, unreadable);
      if (outcome !== null) return outcome;
    }
  }

  /** Never to a server that is set up otherwise than the one that gave the handle. */
  async function look(
    call: Call,
    handle: string,
    { context, ...round }: Asking & { onWire: OnWire },
  ): Promise<TaskSeen> {
    const server = servers.get(call.prefix);
    if (server === undefined) return { kind: 'silent', reason: `${call.prefix} is switched off or gone` };
    if (server.configuration !== call.configuration)
      return { kind: 'gone', reason: `${call.prefix} is set up otherwise since this task began` };
    const as = await server.connection.signedInAs();
    // A server that knows people knows the task of another no more than one that never was.
    if (as !== null && call.consent !== null && call.consent.by !== 'host' && call.consent.by !== as)
      return { kind: 'silent', reason: `it waits until ${call.consent.by} is signed in to ${call.prefix} again` };
    return server.connection.task(handle, { ...round, meta: contextOf(server, context), signal: closing.signal });
  }

  /** What is asked anew goes to people; what was answered already is brought once more, as after a restart. */
  async function asked(
    call: Call,
    handle: string,
    { inputRequests }: Extract<TaskSeen, { kind: 'asks' }>,
    context: Context,
  ): Promise<WireOutcome | null> {
    const known = await deps.questions.of(call.id);
    const fresh = Object.entries(inputRequests).filter(([key]) => !known.some((one) => one.key === key));
    if (fresh.length > 0) return { kind: 'input required', inputRequests: Object.fromEntries(fresh) };
    const again: [string, JsonObject][] = known.flatMap(({ key, answer }) =>
      Object.hasOwn(inputRequests, key) && answer !== null && !brought.get(call.id)?.has(key)
        ? [[key, { ...answer }]]
        : [],
    );
    const server = servers.get(call.prefix);
    if (again.length === 0 || server === undefined) return null;
    const taken = await bring(call, server, handle, Object.fromEntries(again), { context });
    return taken.kind === 'protocol error' ? taken : null;
  }

  async function bring(
    call: Call,
    server: Server,
    handle: string,
    answers: JsonObject,
    { context, ...wire }: Bringing,
  ): Promise<WireOutcome> {
    const taken = await server.connection.answerTask(handle, answers, { meta: contextOf(server, context), ...wire });
    if (taken.kind === 'result') {
      const all = brought.get(call.id) ?? new Set();
      for (const key of Object.keys(answers)) all.add(key);
      brought.set(call.id, all);
    }
    return taken;
  }

  /** Waits until its next turn, a nudge or the end of the desk. */
  async function pause(id: string, ms: number): Promise<void> {
    if (closed() || givenUp.has(id)) return;
    const { promise, resolve } = Promise.withResolvers<null>();
    const end = () => resolve(null);
    const timer = setTimeout(end, ms);
    nudges.set(id, end);
    closing.signal.addEventListener('abort', end, { once: true });
    await promise;
    clearTimeout(timer);
    nudges.delete(id);
    closing.signal.removeEventListener('abort', end);
  }

  function waitAfter(every: number, silent: number): number {
    return silent === 0 ? every : Math.min(limits.taskMostMs, Math.max(every, limits.taskLeastMs * 2 ** silent));
  }

  function stopped(server: Server, handle: string, context: Context): Promise<WireOutcome> {
    return server.connection.stopTask(handle, { meta: contextOf(server, context) });
  }
  async function tooLong(call: Call, { handle }: Task, context: Context): Promise<WireOutcome> {
    const server = servers.get(call.prefix);
    const told = server && (await stopped(server, handle, context));
    const stop = told?.kind === 'result' ? '; its server was asked to stop it' : '';
    return { kind: 'unknown', reason: `its task had not ended after ${words(limits.taskMs)}${stop}` };
  }

  return {
    patienceMs: limits.taskPatienceMs,
    hold,
    follow,
    /** Calls with a task that are on their way, the oldest first. */
    async open(): Promise<Call[]> {
      const all = await Promise.all((await callsWithTasks(store.db)).map((id) => calls.get(id)));
      return all.filter(({ state }) => state === 'sending');
    },
    /** Brings a person's answers to the task, which then goes on; null where it has none. */
    async answer(
      call: Call,
      server: Server,
      answers: JsonObject,
      { context, onWire }: Bringing,
    ): Promise<WireOutcome | null> {
      const task = await findTask(store.db, call.id);
      if (task === undefined) return null;
      if (server.configuration !== call.configuration)
        return { kind: 'unknown', reason: `${call.prefix} is set up otherwise since this task began` };
      const add =
        onWire && ((direction: 'in' | 'out', text: string) => onWire(direction, blotText(text, [task.handle])));
      const brought = await bring(call, server, task.handle, answers, { context, ...(add && { onWire: add }) });
      return blotOutcome(brought, [task.handle]);
    },
    /**
     * Asks the server to stop a task, which goes on until the server says otherwise; null where the call has none. One whose
     * server cannot be asked is given up: what becomes of it is not known (spec trust, invariant 2).
     */
    async stop(call: Call, by: Person, context: Context): Promise<'asked' | 'given up' | null> {
      const task = await findTask(store.db, call.id);
      if (task === undefined) return null;
      const server = servers.get(call.prefix);
      const told =
        server?.configuration === call.configuration ? await stopped(server, task.handle, context) : undefined;
      const lost = told?.kind === 'not sent' || told?.kind === 'unknown' ? told.reason : null;
      const reached = told !== undefined && lost === null;
      if (!reached) {
        const why = lost ?? 'it is switched off, gone, or set up otherwise';
        const reason = `${by.id} stopped it, but ${call.prefix} could not be asked to stop its task (${why}): it may go on there`;
        givenUp.set(call.id, { kind: 'unknown', reason: blotText(reason, [task.handle]) });
      } else await calls.changeTask(call.id, { stop_by: by.id });
      nudges.get(call.id)?.();
      return reached ? 'asked' : 'given up';
    },
    /** Nothing is asked any more; what goes on goes on at its server. */
    close(): void {
      closing.abort();
    },
  };
}

/** How a call ends by what its task came to; null where it goes on. */
function endOf(call: Call, seen: Exclude<TaskSeen, { kind: 'asks' }>, unreadable: number): WireOutcome | null {
  switch (seen.kind) {
    case 'working':
    case 'silent':
      return null;
    case 'unreadable':
      return unreadable < mostUnreadable ? null : { kind: 'unknown', reason: seen.reason };
    case 'gone':
      return { kind: 'unknown', reason: `${seen.reason}: what it did is not known` };
    case 'cancelled':
      // Stopped is not undone: a person looks up how far it came, unless it can have no effect.
      return {
        kind: 'unknown',
        reason: `${call.prefix} stopped its task before its end${seen.message === null ? '' : ` (${seen.message.slice(0, 200)})`}: what it had done by then stays`,
      };
    case 'ended':
      // A task that began has run: what is an error at the door of a call says nothing of effects here.
      return seen.outcome.kind === 'protocol error' && seen.outcome.code !== -32602
        ? {
            ...seen.outcome,
            kind: 'unknown',
            reason: `its task failed with error ${seen.outcome.code}: ${seen.outcome.message.slice(0, 600)}`,
          }
        : seen.outcome;
  }
}

/** Messages of one asking, which are kept only where they say something new. */
function createLines(handle: string) {
  const lines: Parameters<OnWire>[] = [];
  return {
    add: (...[direction, text]: Parameters<OnWire>) => void lines.push([direction, blotText(text, [handle])]),
    into(trace: Trace | undefined): void {
      for (const [direction, text] of lines) trace?.message(direction, text);
    },
  };
}

function words(ms: number): string {
  return ms < 3_600_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 3_600_000)} h`;
}
