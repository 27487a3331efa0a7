// The host's one door for views: parses what they send by the contract, checks who may, runs it, answers with a value or a
// coded failure. What the contract does not list is refused and counted (spec trust, invariant 8).
import {
  message,
  type Message,
  routes,
  type Answer,
  type CodedFailure,
  type Event,
  type RouteName,
} from '../shared/contract.ts';
import { Failure, reason } from '../shared/failures.ts';
import type { Json } from '../shared/json.ts';
import { may, type Person } from '../shared/people.ts';
import type { Asked, Handlers } from './asked.ts';
import type { Host } from './host.ts';
import type { Session } from './people.ts';

/** One view. `send` takes one JSON document; `end` closes the connection. */
export interface Port {
  send(text: string): void;
  end(): void;
}
export interface Peer {
  receive: (text: string) => void;
  /** Something that is no message came: it is refused and counted. */
  refuse: (why: string) => void;
  /** The view is gone: what it asked for is stopped, except what must end by itself. */
  gone: () => void;
}

/** Refusals without a good message between, after which the connection is closed. */
const mostRefusals = 20;
const mostAtOnce = 64;

export type Router = ReturnType<typeof createRouter>;

export function createRouter(deps: {
  host: Host;
  handlers: Handlers;
  /** Messages refused so far, for `doctor`. */
  refused: { count: number };
  say: (sentence: string) => void;
}) {
  const { host } = deps;
  const pending = new Set<Promise<void>>();
  const ports = new Set<Port>();
  const closing = new AbortController();
  let ended = false;

  async function actor(name: RouteName, as: string | undefined, session: Session): Promise<Person | null> {
    const { least } = routes[name];
    if (least === null) return null;
    const person = await host.signing.acting(session, as, least.does);
    if (may(person.role, least.role)) return person;
    const able = (await host.signing.list()).find((one) => one.open && may(one.role, least.role));
    throw new Failure(
      'people.role',
      `Only ${least.role === 'admin' ? 'an admin' : `a ${least.role}`} ${least.does}; ${person.id} is ${person.role}.${able === undefined ? '' : ` In the sample company: --as ${able.id}`}`,
    );
  }

  async function run(
    name: RouteName,
    given: Json,
    { signal, as, session }: { signal: AbortSignal; as: string | undefined; session: Session },
  ): Promise<unknown> {
    const parsed = routes[name].params.safeParse(given);
    if (!parsed.success) {
      deps.refused.count++;
      const problems = parsed.error.issues.map((issue) => `${issue.path.join('/') || '(all)'}: ${issue.message}`);
      throw new Failure('host.params', `${name} was asked wrongly: ${problems.slice(0, 5).join('; ')}.`, problems);
    }
    const by = await actor(name, as, session);
    if (routes[name].servers) await host.startServers();
    signal.throwIfAborted();
    // The parameters were parsed by the schema of this very route, which a union of routes cannot express.
    const handler = deps.handlers[name] as (params: unknown, asked: Asked) => Promise<unknown>;
    const asked: Asked = {
      signal,
      session,
      by() {
        if (by === null) throw new Error(`${name} acts for somebody, but the contract names no role for it`);
        return by;
      },
    };
    return host.acts.keep(name, by, parsed.data, () => handler(parsed.data, asked));
  }

  function failureOf(error: unknown, name: string): CodedFailure {
    if (error instanceof Failure)
      return { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) };
    deps.say(`Fault in ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return { code: 'internal', message: reason(error) };
  }

  function connect(port: Port): Peer {
    const mine = new Map<number, AbortController>();
    const left = new AbortController();
    const session: Session = { signedIn: null };
    let inRow = 0;
    let seq = 0;
    let deaf: (() => void) | null = null;
    if (ended) goodbye(port);
    ports.add(port);

    function send(answer: Answer): void {
      if (!left.signal.aborted) port.send(JSON.stringify(answer));
    }
    function refuse(why: string, id: number | null, code: string): void {
      if (inRow >= mostRefusals) return;
      deps.refused.count++;
      inRow++;
      send({ id, ok: false, failure: { code, message: why } });
      if (inRow === mostRefusals) port.end();
    }
    function listen(): void {
      deaf ??= host.events.listen((change) => {
        const event: Event = { ...change, seq: ++seq };
        send({ event });
      });
    }
    async function answer(id: number, name: RouteName, params: Json, as: string | undefined): Promise<void> {
      const stop = new AbortController();
      mine.set(id, stop);
      const ends = [stop.signal, closing.signal, ...(routes[name].outlives ? [] : [left.signal])];
      const signal = AbortSignal.any(ends);
      try {
        const value = await run(name, params, { signal, as, session });
        // What a stopped request still has to say is for the person who stopped it, not for those it was taken from.
        closing.signal.throwIfAborted();
        send({ id, ok: true, value: value ?? null });
      } catch (error) {
        send({ id, ok: false, failure: failureOf(signal.aborted ? signal.reason : error, name) });
      } finally {
        mine.delete(id);
      }
    }
    /** Acts on a message, or says why it is refused. */
    function take(got: Message | undefined): { why: string; id: number | null; code: string } | null {
      if (got === undefined) return { why: 'This is no message of the contract.', id: null, code: 'host.malformed' };
      if ('listen' in got) listen();
      else if ('cancel' in got) mine.get(got.cancel)?.abort(new Failure('stopped', 'Stopped: what was done is kept.'));
      else {
        const { id, route: name } = got;
        if (!isRoute(name)) return { why: `There is no request "${name}".`, id, code: 'host.route' };
        if (mine.has(id)) return { why: `Request ${id} is under way.`, id: null, code: 'host.malformed' };
        if (mine.size >= mostAtOnce) return { why: `More than ${mostAtOnce} requests at once.`, id, code: 'host.busy' };
        const done = answer(id, name, got.params, got.as);
        pending.add(done);
        void done.finally(() => pending.delete(done));
      }
      return null;
    }
    return {
      receive(text) {
        // After the goodbye nothing is begun: the view asks again elsewhere.
        if (ended || closing.signal.aborted || left.signal.aborted || inRow >= mostRefusals) return;
        const wrong = take(message.safeParse(jsonOf(text)).data);
        if (wrong === null) inRow = 0;
        else refuse(wrong.why, wrong.id, wrong.code);
      },
      refuse: (why) => refuse(why, null, 'host.malformed'),
      gone() {
        left.abort(new Failure('host.gone', 'Whoever asked went away.'));
        deaf?.();
        ports.delete(port);
      },
    };
  }
  return {
    connect,
    /**
     * Waits for what is under way (`waits` is called where there is something), or stops it when `stop` is aborted; then
     * says goodbye to every view.
     */
    async close(stop: AbortSignal, waits: () => void): Promise<void> {
      const end = () =>
        closing.abort(new Failure('host.closed', 'The desk that did this was stopped; what was done is kept.'));
      if (stop.aborted) end();
      else stop.addEventListener('abort', end, { once: true });
      if (pending.size > 0 && !stop.aborted) waits();
      while (pending.size > 0) await Promise.allSettled(pending);
      ended = true;
      for (const port of ports) goodbye(port);
    },
  };
}

function goodbye(port: Port): void {
  port.send(JSON.stringify({ bye: true } satisfies Answer));
  port.end();
}
function isRoute(name: string): name is RouteName {
  return Object.hasOwn(routes, name);
}
/** Nesting of a message, as of a server's (spec trust, "Limits"): what checks it deeper down would run out of stack. */
const deepest = 64;

function tooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') quoted = !quoted;
    else if (quoted) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth > deepest) return true;
  }
  return false;
}
/** Undefined where it is no JSON, or nested too deep. */
function jsonOf(text: string): unknown {
  try {
    if (tooDeep(text)) return undefined;
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
