// The gate every call passes (spec host §§9–13): schema, the host's own list, a person's consent bound to a hash, pin and
// configuration checked again at the moment of sending, and an outcome that never says more than is known.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../shared/failures.ts';
import type { Call, Origins } from '../shared/calls.ts';
import { isObject, type Json, type JsonObject } from '../shared/json.ts';
import { may, type Person, type Role } from '../shared/people.ts';
import type { Question, QuestionAnswer } from '../shared/questions.ts';
import type { Ticket } from '../shared/tickets.ts';
import { editedOrigins } from './callOrigins.ts';
import type { Bound, Calls } from './calls.ts';
import type { GateAnswer, Proposal } from './loop.ts';
import { blotOutcome, blotText } from './blot.ts';
import { createBehind } from './behind.ts';
import { letIn, type AskSignIn, type Door } from './door.ts';
import { exchange, ownName, type Context } from './exchange.ts';
import { answerOfCall, isPlain, plainAnswer, requestsOf, settlementOf } from './outcome.ts';
import type { WireOutcome } from './mcp/connection.ts';
import type { OnPushed } from './mcp/exchanges.ts';
import type { CallRequest } from './mcp/invoke.ts';
import type { Validator } from './mcp/validator.ts';
import { moneyOf } from './money.ts';
import type { Pins } from './pins.ts';
import { createPushed } from './pushed.ts';
import type { Questions } from './questions.ts';
import type { Clock } from './ports.ts';
import type { Playbook } from '../shared/playbook.ts';
import type { Server, Servers } from './servers.ts';
import type { Progress } from './progress.ts';
import type { Tasks } from './tasks.ts';
import type { Trace } from './trace.ts';

/** Asks a person now; null leaves the call waiting. */
export type AskPerson = (call: Call) => Promise<{ answer: 'run' | 'dont'; by: Person; scripted: boolean } | null>;
/** Puts a server's question to a person now; null leaves it in the inbox. */
export type PutQuestion = (
  question: Question,
  call: Call,
) => Promise<{ answer: QuestionAnswer; by: Person; scripted: boolean } | null>;

export interface GateDeps {
  calls: Calls;
  pins: Pins;
  servers: Servers;
  validator: Validator;
  playbook: Playbook;
  clock: Clock;
  questions: Questions;
  /** The ticket of a call that nobody brings it for: its task of an earlier desk, or one to be stopped. */
  ticket?: (id: string) => Promise<Ticket | undefined>;
  ask?: AskPerson;
  put?: PutQuestion;
  /** Asks a person now to sign in to a server; without one a call that needs it waits. */
  signIn?: AskSignIn;
  /** Follows calls that their servers answer with a task; without it no server is told that it may. */
  tasks?: Tasks;
  /** Keeps how far calls are. */
  progress?: Progress;
  /** Keeps the messages of a call. */
  trace?: (call: Call) => Trace;
  /** A call ended that waited in the inbox for the answer to what an older server pushed, and nobody waited for its end. */
  ended?: (call: Call) => Promise<void>;
  /** Whether somebody goes on with a run whose call ends later: then a slow server holds up no other ticket (spec trust §1). */
  lasting?: () => boolean;
}
interface RunOf {
  run: string;
  /** Null where a person or the host's rule reads something, for no ticket. */
  ticket: Ticket | null;
  signal?: AbortSignal;
  /** The tool whose view asks (spec host §22): it waits for a person, whoever works tickets meanwhile. */
  view?: string;
  /** Nobody is at a view for it any more: what it asks waits in the inbox. */
  behind?: boolean;
}
/** A resource by its URI, or a prompt by its name. */
interface Reading {
  prefix: string;
  method: 'resources/read' | 'prompts/get';
  name: string;
  arguments: JsonObject;
  /** For which ticket: some servers answer by its customer. */
  ticket?: Ticket;
  /** Whose doing it is; the host's rule has none. */
  by?: Person;
  signal?: AbortSignal;
}
export interface Gate {
  /** Stores a proposed call, asks where it must, sends it. */
  propose(proposal: Proposal, of: RunOf & { ticket: Ticket }): Promise<GateAnswer>;
  /** Sends a call a person consented to. */
  send(call: Call, of: RunOf): Promise<GateAnswer>;
  /** Sends the next round of a call whose questions are all answered. */
  resume(call: Call, of: RunOf): Promise<GateAnswer>;
  /** Reads a resource or gets a prompt. One whose server asks something waits like a call (spec host §19). */
  read(request: Reading): Promise<GateAnswer>;
  /** Closes a waiting call and asks anew with a person's arguments. Failure `calls.arguments` where they do not fit. */
  edit(call: Call, by: Person, args: JsonObject): Promise<Call>;
  /** What a stored call came to so far. */
  answer(call: Call): Promise<GateAnswer>;
  /** Asks after every task that an earlier desk left (spec host §22). */
  pickUp(): Promise<void>;
  /**
   * Has a call stopped: one on the wire settles, the server of a task is asked to and says what becomes of it. Failure
   * `calls.state` where nothing goes on.
   */
  stop(call: Call, by: Person): Promise<Call>;
  /** Settles when a call on the wire ended, or asks again; to be asked before an answer is stored. */
  heard(call: string): Promise<void>;
  /** Settles when no call is on the wire any more. */
  quiet: () => Promise<void>;
}

/** Why the person is asked before this call, or null where the host's own list spares the question (spec host §9). */
function asksFor(
  listed: boolean,
  prefix: string,
  origins: Origins,
  prefixOf: (n: number) => string | undefined,
): string | null {
  if (!listed) return 'It is not on the list of calls without side effects.';
  for (const [pointer, origin] of Object.entries(origins)) {
    const name = pointer.slice(1);
    if (origin.from === 'result' && origin.call !== undefined && prefixOf(origin.call) !== prefix)
      return `“${name}” comes from another server's result.`;
    if (origin.from === 'model') return `“${name}” is the model's own.`;
    if (origin.from === 'example') return `“${name}” is the definition's own example.`;
    if (origin.from === 'person') return `“${name}” was typed by a person.`;
  }
  return null;
}

/** The gate of one host. */
export function createGate(deps: GateDeps): Gate {
  const { calls, servers } = deps;
  const pushed = createPushed({ calls, questions: deps.questions, put: deps.put, ended: deps.ended });
  const behind = createBehind({ calls, ended: deps.ended });
  /** Calls on the wire: what stops them, and when they are settled. */
  const onWire = new Map<string, { stop: AbortController; settled: Promise<null> }>();
  const door: Door = { relist: (prefix) => servers.relist(prefix), signIn: deps.signIn };

  async function propose(proposal: Proposal, of: RunOf & { ticket: Ticket }): Promise<GateAnswer> {
    const { offered } = proposal;
    const refused = await refusal(offered.name, offered.inputSchema, proposal);
    if (refused !== null) return { outcome: 'tool error', content: refused, ms: 0 };
    const earlier = await earlierIn(of.run);
    const prefixOf = (n: number) => earlier.find((call) => call.n === n)?.prefix;
    const asks =
      of.view === undefined
        ? asksFor(offered.listed, offered.prefix, proposal.origins, prefixOf)
        : `The view of ${of.view} asks for it.`;
    const call = await calls.propose({
      method: 'tools/call',
      run: of.run,
      ticket: of.ticket.id,
      n: proposal.n,
      prefix: offered.prefix,
      tool: offered.name,
      arguments: proposal.arguments,
      origins: proposal.origins,
      configuration: offered.configuration,
      definition: offered.definition,
      listed: offered.listed,
      asks,
      money: await moneyIn(
        { ...proposal, method: 'tools/call', tool: offered.name, listed: offered.listed },
        offered.prefix,
        earlier,
      ),
    });
    return call.state === 'consented' ? send(call, of) : ask(call, of);
  }

  /** What the schema refuses before anyone is asked. */
  async function refusal(
    tool: string,
    schema: JsonObject,
    { arguments: args, origins }: Pick<Proposal, 'arguments' | 'origins'>,
  ): Promise<string | null> {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const unnamed = Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
    if (unnamed.length > 0)
      return `The tool does not know the argument ${unnamed.map((name) => `"${name}"`).join(', ')}.`;
    const loose = (deps.playbook.tools[tool]?.sensitive ?? []).find(
      (pointer) => origins[pointer]?.trust === 'untrusted',
    );
    if (loose !== undefined) return `"${loose.slice(1)}" is not bound to a record of this customer.`;
    const checked = await deps.validator.validate(schema, args);
    if (checked.ok) return null;
    return 'parked' in checked
      ? `The tool's schema cannot be applied: ${checked.parked}`
      : `The arguments do not fit the tool: ${checked.problems.join('; ')}`;
  }

  async function edit(call: Call, by: Person, args: JsonObject): Promise<Call> {
    const server = servers.get(call.prefix);
    const pin = server && (await deps.pins.approved(call.prefix, ownName(call), server.configuration));
    const schema = pin?.raw['inputSchema'];
    if (!pin || !isObject(schema))
      throw new Failure('calls.changed', `${call.tool} changed or its server is gone: work the ticket again.`);
    // What a person types is theirs: trusted, and shown as typed.
    const refused = await refusal(call.tool, schema, { arguments: args, origins: {} });
    if (refused !== null) throw new Failure('calls.arguments', `${refused} The call waits as it was.`);
    const earlier = await earlierIn(call.run);
    const money = await moneyIn(
      { ...call, arguments: args, origins: editedOrigins(call.arguments, call.origins, args) },
      call.prefix,
      earlier,
    );
    // Other arguments do not make it move nothing.
    const unsaid = call.money === null ? null : { amount: null, currency: null, call: null };
    return calls.edit(call.id, by, args, money ?? unsaid);
  }

  /** What is of no run has nothing before it. */
  function earlierIn(run: string): Promise<Call[]> {
    return run === '' ? Promise.resolve([]) : calls.list({ run });
  }

  async function moneyIn(call: Parameters<typeof moneyOf>[0], prefix: string, earlier: Call[]): Promise<Call['money']> {
    const of = (tool: string): string => tool.slice(tool.indexOf('.') + 1);
    const said = servers.get(prefix)?.config.moves_money;
    return moneyOf(call, said?.[of(call.tool)], {
      earlier,
      async outputOf(tool) {
        const source = servers.get(tool.slice(0, tool.indexOf('.')));
        const pin = source && (await deps.pins.approved(source.config.prefix, of(tool), source.configuration));
        const output = pin?.raw['outputSchema'];
        return isObject(output) ? output : null;
      },
    });
  }

  async function ask(call: Call, of: RunOf): Promise<GateAnswer> {
    const person = deps.ask === undefined || of.view !== undefined ? null : await deps.ask(call);
    if (person === null)
      return {
        ...(await answerOf(call)),
        asked: `${call.tool} waits for a person's consent: desk consent ${call.id} --run or --dont`,
      };
    const answered = await calls.answer(call.id, {
      by: person.by,
      answer: person.answer,
      hash: call.hash,
      scripted: person.scripted,
    });
    if (person.answer === 'run') return send(answered, of);
    return answerOf(answered);
  }

  async function read(request: Reading): Promise<GateAnswer> {
    const server = servers.get(request.prefix);
    if (server === undefined) throw new Failure('servers.unknown', `There is no server "${request.prefix}".`);
    const { signal, name, ticket = null, by, ...rest } = request;
    const { configuration } = server;
    const about = { ...rest, tool: `${request.prefix}.${name}` };
    const of = { run: '', ticket, ...(signal === undefined ? {} : { signal }) };
    const started = deps.clock.now();
    let asking: Promise<Call> | null = null;
    // A plain reading is no call; one that asks becomes one, because a person's answer must find it again.
    const call = () => (asking ??= begun());
    async function begun(): Promise<Call> {
      const kept = await calls.propose(
        {
          ...about,
          run: '',
          ticket: ticket?.id ?? '',
          n: 1,
          origins: {},
          configuration,
          definition: '',
          listed: true,
          asks: null,
        },
        by?.id,
      );
      return calls.begin(kept.id, kept);
    }
    const answer = await pushed.during(sentOf(server, about, call, signal), async (round) => {
      const out = () => exchange(server, about, { ticket, person: by?.id ?? null }, round);
      let outcome = await out();
      if ((await letIn(server, outcome, door, round.signal)) === true) outcome = await out();
      const ms = deps.clock.now() - started;
      if (outcome.kind !== 'input required' && asking === null) return plainAnswer(outcome, ms);
      return record(await call(), server, outcome, ms, of);
    });
    return answer ?? left(await call(), server);
  }

  function sentOf(server: Server, of: Pick<Call, 'prefix' | 'tool'>, call: () => Promise<Call>, signal?: AbortSignal) {
    const { question_roles: roles } = server.config;
    const own = roles[of.tool.slice(of.prefix.length + 1)] ?? 'staff';
    return {
      call,
      signal,
      role: (sure: boolean): Role => (sure ? own : [own, ...Object.values(roles)].reduce(higher)),
      note: (line: string) => server.connection.note(line),
    };
  }

  /** A call whose question was left in the inbox, only while the desk runs. */
  async function left(call: Call, server: Server): Promise<GateAnswer> {
    const role = server.config.question_roles[ownName(call)] ?? 'staff';
    const asked = `${askedWords(call, role)}; it waits only while the desk runs`;
    return { ...(await answerOf(await calls.get(call.id))), asked };
  }

  async function send(call: Call, of: RunOf): Promise<GateAnswer> {
    return guarded(call, of, async (now) => {
      await calls.begin(call.id, now);
      return {};
    });
  }

  async function resume(call: Call, of: RunOf): Promise<GateAnswer> {
    await backOff(call, of.signal);
    // An older server wanted a page visited first: it takes no answer, the request goes out again as it was.
    const pages = (await deps.questions.of(call.id)).filter((one) => one.round === call.round && isPlain(one.request));
    if (pages.some(({ answer }) => answer?.action !== 'accept')) {
      const detail = `${call.prefix} wanted a page visited first, and a person said no: it was not sent again.`;
      return answerOf(await calls.settle(call.id, { outcome: 'failed', detail }));
    }
    return guarded(call, of, async (now) => {
      const { inputResponses, requestState } = await calls.resume(call.id, now);
      if (pages.length > 0) return {};
      return {
        ...(Object.keys(inputResponses).length > 0 && { inputResponses }),
        ...(requestState !== null && { requestState }),
      };
    });
  }

  /** A round with a state and no question is retried, a little later each time (spec host §20). */
  async function backOff(call: Call, signal: AbortSignal | undefined): Promise<void> {
    const asked = await deps.questions.of(call.id);
    if (asked.some((question) => question.round === call.round)) return;
    await sleep(Math.min(250 * 2 ** call.round, 8_000), undefined, signal === undefined ? {} : { signal });
  }

  /** Holds a call against what stands now, takes the step that lets it out, and sends it. */
  async function guarded(
    call: Call,
    of: RunOf,
    step: (now: Bound) => Promise<Pick<CallRequest, 'inputResponses' | 'requestState'>>,
  ): Promise<GateAnswer> {
    const server = servers.get(call.prefix);
    const stored = await current(call, server);
    if (server === undefined && call.state === 'answered')
      return { ...(await answerOf(call)), asked: unsentWords(call, 'its server is switched off or gone') };
    if (server === undefined || stored === null) {
      const settled = await calls.settle(call.id, {
        outcome: call.round > 0 && !call.listed ? 'unknown' : 'failed',
        detail: `The tool changed or its server is gone since this call was prepared; nothing was sent${call.round > 0 ? ' now, an earlier round may have left something: look it up' : ''}.`,
      });
      return answerOf(settled);
    }
    const as = await server.connection.signedInAs();
    // A server that knows people is asked under the one who consented, or not at all (spec oauth §8).
    if (as !== null && call.consent !== null && call.consent.by !== 'host' && call.consent.by !== as)
      return { ...(await answerOf(call)), asked: otherWords(call, call.consent.by, as) };
    let round: Awaited<ReturnType<typeof step>>;
    try {
      round = await step({ configuration: server.configuration, definition: stored, arguments: call.arguments });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ...(await answerOf(await calls.get(call.id))), detail: error.message };
    }
    const started = deps.clock.now();
    const sent = await calls.get(call.id);
    const trace = deps.trace?.(sent);
    const states = round.requestState === undefined ? [] : [round.requestState];
    const context = await contextFor(sent, of);
    const onlyCall = () => Promise.resolve(sent);
    const view = viewOf(of);
    const from = { ...sentOf(server, call, onlyCall, view.signal), left: () => view.of.behind === true };
    const whole = pushed.during(from, async (live) => {
      const wire = trace && { onWire: (to: 'in' | 'out', text: string) => trace.message(to, blotText(text, states)) };
      const told =
        round.inputResponses && (await deps.tasks?.answer(sent, server, round.inputResponses, { context, ...wire }));
      // Whatever else was said to the answer, the task itself tells what became of it.
      if (told != null)
        return told.kind === 'not sent' ? record(sent, server, told, 0, view.of) : goesOn(sent, view.of);
      const stop = stoppable(call.id);
      const out = () =>
        exchange(server, call, context, {
          ...round,
          ...live,
          ...wire,
          signal: AbortSignal.any([live.signal, stop.signal]),
          tasks: deps.tasks !== undefined,
          onProgress: ({ progress: done, total, message = null }) =>
            deps.progress?.tell(call.id, { done, total, message }),
        });
      try {
        let raw = await out();
        const inside = await letIn(server, raw, door, live.signal);
        if (inside === true) {
          try {
            const definition = (await current(call, server)) ?? '';
            await calls.resend(call.id, { ...server, definition, arguments: call.arguments });
          } catch (error) {
            if (!(error instanceof Failure)) throw error;
            return { ...(await answerOf(await calls.get(call.id))), detail: error.message };
          }
          raw = await out();
        } else if (raw.kind === 'not sent' && typeof inside === 'string') raw = { ...raw, reason: inside };
        await trace?.stored();
        if (raw.kind === 'task') {
          await deps.tasks?.hold(sent, raw);
          // Nothing of it is on the wire any more: from here its server is asked to stop.
          stop.over();
          return await goesOn(sent, view.of);
        }
        await deps.progress?.kept(call.id);
        const outcome = stop.told(blotOutcome(raw, states));
        return await record(sent, server, outcome, deps.clock.now() - started, view.of);
      } finally {
        stop.over();
      }
    });
    void whole.then(view.over, view.over);
    if (deps.lasting?.() !== true || call.run === '') return (await whole) ?? left(sent, server);
    const ms = deps.tasks?.patienceMs ?? 0;
    const answer = await behind.wait(call.id, whole, { ms, left: view.leave });
    if (answer !== null) return answer;
    return view.of.behind === true
      ? { ...(await answerOf(await calls.get(call.id))), asked: slowWords(sent) }
      : left(sent, server);
  }

  /** The view a call is made for, until the call is left to go on behind: one that closes does not end it then. */
  function viewOf({ signal, ...of }: RunOf) {
    const stop = new AbortController();
    const follow = () => stop.abort(signal?.reason);
    const over = () => signal?.removeEventListener('abort', follow);
    const mine: RunOf = { ...of, signal: stop.signal };
    if (signal?.aborted === true) follow();
    signal?.addEventListener('abort', follow, { once: true });
    return {
      of: mine,
      signal: stop.signal,
      leave: () => {
        mine.behind = true;
        over();
      },
      over,
    };
  }

  /** Follows a task: for as long as a call may take while its run waits, then behind it. */
  async function goesOn(call: Call, of: RunOf, ms = deps.tasks?.patienceMs ?? 0): Promise<GateAnswer> {
    const server = servers.get(call.prefix);
    const later = { ...of };
    const context = await contextFor(call, of);
    const follow = async (live: { onPushed?: OnPushed }): Promise<GateAnswer> => {
      const outcome = await deps.tasks?.follow(call, { context, ...live });
      if (outcome == null) return answerOf(await calls.get(call.id));
      const now = servers.get(call.prefix);
      const { task } = await calls.get(call.id);
      const took = deps.clock.now() - Date.parse(task?.since ?? call.created_at);
      if (now !== undefined) return record(call, now, outcome, took, later);
      const gone = { kind: 'unknown', reason: `${call.prefix} is switched off or gone` } as const;
      return answerOf(
        await calls.settle(call.id, settlementOf(call, outcome.kind === 'input required' ? gone : outcome, null, took)),
      );
    };
    const onlyCall = () => Promise.resolve(call);
    const whole = server === undefined ? follow({}) : pushed.during(sentOf(server, call, onlyCall), follow);
    const left = () => (later.behind = true);
    const answer = await behind.wait(call.id, whole, { ms, signal: of.signal, left });
    return answer ?? { ...(await answerOf(await calls.get(call.id))), asked: taskWords(call) };
  }

  /** For whom a call is made, the same in all its rounds. */
  async function contextFor(call: Call, { ticket }: { ticket: Ticket | null }): Promise<Context> {
    return { ticket, person: await calls.personOf(call) };
  }
  async function ofTicket(call: Call): Promise<RunOf> {
    return { run: call.run, ticket: (await deps.ticket?.(call.ticket)) ?? null };
  }

  /** Lets a person stop a call while it is on the wire. */
  function stoppable(id: string) {
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<null>();
    const mine = { stop, settled: promise };
    onWire.set(id, mine);
    return {
      signal: stop.signal,
      /** Who stopped it belongs to what is not known of it. */
      told: (outcome: WireOutcome): WireOutcome =>
        stop.signal.aborted && outcome.kind === 'unknown'
          ? { ...outcome, reason: String(stop.signal.reason) }
          : outcome,
      over() {
        if (onWire.get(id) === mine) onWire.delete(id);
        resolve(null);
      },
    };
  }
  async function stop(call: Call, by: Person): Promise<Call> {
    const live = onWire.get(call.id);
    if (live !== undefined) {
      live.stop.abort(`${by.id} stopped it while it ran: its server was told, what it had done by then is not known`);
      await live.settled;
      return calls.get(call.id);
    }
    const of = await ofTicket(call);
    const task = call.state === 'sending' ? await deps.tasks?.stop(call, by, await contextFor(call, of)) : null;
    if (task == null)
      throw new Failure('calls.state', `Call ${call.id} is ${call.state}: there is nothing to stop.`, call);
    // Its follower settles it; where none is there, it begins here.
    if (task === 'given up' && !(await behind.end(call.id))) await goesOn(call, of);
    return calls.get(call.id);
  }

  /** The definition hash that stands approved now, or null. Resources and prompts have none: the configuration stands for them. */
  async function current(call: Call, server: Server | undefined): Promise<string | null> {
    if (server === undefined) return null;
    if (call.method !== 'tools/call') return call.definition;
    const pin = await deps.pins.approved(call.prefix, ownName(call), server.configuration);
    return pin?.hash ?? null;
  }

  async function record(call: Call, server: Server, outcome: WireOutcome, ms: number, of: RunOf): Promise<GateAnswer> {
    // It may have ended with a question still open.
    await pushed.withdrawn(call.id);
    if (outcome.kind === 'not sent' && outcome.challenge && call.round === 1 && !call.listed) {
      // It waits for somebody to sign in, and so does the person's consent (spec oauth §6).
      const kept = await calls.unsend(call.id);
      return { ...(await answerOf(kept, ms)), asked: signInWords(call, outcome.reason) };
    }
    if (outcome.kind === 'not sent' && call.round > 1) {
      // The answer is as good as before: it goes out when the server is back (spec host §19).
      const kept = await calls.unsend(call.id);
      return { ...(await answerOf(kept, ms)), asked: unsentWords(call, outcome.reason) };
    }
    if (outcome.kind === 'input required') return asked(call, server, outcome, ms, of);
    const problem = outcome.kind === 'result' ? await mismatch(call, server, outcome.structured) : null;
    const strange = outcome.kind === 'protocol error' && (outcome.code === -32601 || outcome.code === -32602);
    // It may have changed what it offers: the list is read again, through the pins, for the next ticket (spec host §§5, 13).
    if ((problem !== null || strange) && call.method === 'tools/call') await servers.relist(call.prefix);
    return answerOf(await calls.settle(call.id, settlementOf(call, outcome, problem, ms)), ms);
  }

  async function answerOf(call: Call, ms = call.ms ?? 0): Promise<GateAnswer> {
    return answerOfCall(call, await deps.questions.of(call.id), ms);
  }

  /** Stores what the server asks; goes on at once where every question is answered there and then. */
  async function asked(
    call: Call,
    server: Server,
    outcome: Extract<WireOutcome, { kind: 'input required' }>,
    ms: number,
    of: RunOf,
  ): Promise<GateAnswer> {
    const inputRequests = requestsOf(outcome);
    if (typeof inputRequests === 'string')
      return answerOf(
        await calls.settle(call.id, {
          outcome: call.listed ? 'failed' : 'unknown',
          detail: `${call.prefix} ${inputRequests}; what the call did is not known.`,
          ms,
        }),
      );
    const role = server.config.question_roles[ownName(call)] ?? 'staff';
    const waits = await calls.ask(call.id, {
      inputRequests,
      requestState: outcome.requestState ?? null,
      role,
    });
    if (waits.state === 'answered') return resume(waits, of);
    if (waits.state !== 'asked') return answerOf(waits, ms);
    let wrong = '';
    const put = new Set<string>();
    for (;;) {
      // Read anew each time: others answer from their inbox while a person here thinks.
      const open = (await deps.questions.of(call.id)).filter(({ state, id }) => state === 'open' && !put.has(id));
      const [question] = open;
      if (question === undefined) break;
      put.add(question.id);
      const given = (of.behind === true ? null : await deps.put?.(question, waits)) ?? null;
      if (given === null) continue;
      try {
        await deps.questions.answer(question.id, given);
      } catch (error) {
        // The question stays open, or was answered elsewhere: a person reads what was wrong with this answer.
        if (!(error instanceof Failure)) throw error;
        wrong = error.code === 'questions.answered' ? wrong : ` ${error.message}`;
      }
    }
    const answered = await calls.get(call.id);
    if (answered.state === 'answered') return resume(answered, of);
    return { ...(await answerOf(answered, ms)), asked: `${askedWords(call, role)}${wrong === '' ? '' : `.${wrong}`}` };
  }

  async function mismatch(call: Call, server: Server, structured: Json | undefined): Promise<string | null> {
    const pin = await deps.pins.approved(call.prefix, ownName(call), server.configuration);
    const schema = pin?.raw['outputSchema'];
    if (!isObject(schema)) return null;
    if (structured === undefined) return 'no structured content, though its definition promises it';
    const checked = await deps.validator.validate(schema, structured);
    return checked.ok ? null : 'parked' in checked ? checked.parked : checked.problems.join('; ');
  }

  async function pickUp(): Promise<void> {
    const open = (await deps.tasks?.open()) ?? [];
    await Promise.all(open.map(async (call) => goesOn(call, await ofTicket(call), 0)));
  }
  async function quiet(): Promise<void> {
    await pushed.quiet();
    await behind.quiet();
  }

  return { propose, send, resume, read, edit, answer: answerOf, heard: (id) => pushed.heard(id), quiet, pickUp, stop };
}

function higher(one: Role, other: Role): Role {
  return may(one, other) ? one : other;
}

function taskWords(call: Call): string {
  return `${call.tool} runs at ${call.prefix} as a task: the ticket goes on when it has ended, also after a restart of the desk`;
}

function slowWords(call: Call): string {
  return `${call.tool} takes its time at ${call.prefix}: other tickets go on, and this one when it has ended`;
}

function askedWords(call: Call, role: Role): string {
  return `${call.tool} asked a question that waits for a ${role === 'staff' ? 'person' : role}: desk questions`;
}

function otherWords(call: Call, by: string, as: string): string {
  return `${call.tool} waits: ${call.prefix} is asked as ${as} now, and ${by} consented. ${by} signs in with "desk servers sign-in ${call.prefix}", then sends it: desk consent ${call.id} --run`;
}

function signInWords(call: Call, why: string): string {
  return `${call.tool} waits for a sign-in: ${why.replace(/\.$/, '')}. It was not run. Sign in with "desk servers sign-in ${call.prefix}", then send it: desk consent ${call.id} --run`;
}

function unsentWords(call: Call, why: string): string {
  return `The answer to ${call.tool} is kept and not sent yet: ${why.replace(/\.$/, '')}. It is sent when ${call.prefix} runs again.`;
}
