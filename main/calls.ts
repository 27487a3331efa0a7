/**
 * The life of a tool call (spec host §13): each step is one transaction with a condition on the state before, and a row
 * in the chained log. A consent is bound to server, definition, arguments and call, and is spent by the first sending.
 */
import type { Call, CallProgress, CallState, Money } from '../shared/calls.ts';
import { Failure } from '../shared/failures.ts';
import type { Json, JsonObject } from '../shared/json.ts';
import { limitEntries } from '../shared/limits.ts';
import { may, type Person, type Role } from '../shared/people.ts';
import { canonical, sha256 } from './mcp/canonical.ts';
import { editedOrigins } from './callOrigins.ts';
import { iso, type Clock, type Random } from './ports.ts';
import type { Executor, Store } from './store/open.ts';
import {
  chainProblems,
  dropRequestStates,
  erasePayloads,
  eventsOf,
  findCall,
  insertCall,
  insertConsent,
  latestCall,
  listCalls,
  moveCall,
  requestStateOf,
  restoreConsent,
  saveRequestState,
  spendConsent,
  type CallChange,
  type CallEvent,
} from './store/calls.ts';
import { nameOf } from './store/people.ts';
import { closeQuestions, insertQuestion, listQuestions } from './store/questions.ts';
import { callsWithTasks, dropTask, insertTask, saveProgress, updateTask, type Task } from './store/tasks.ts';

/** The only steps there are; `store/calls.ts` moves a row only from the state it is given. */
const steps: Record<CallState, readonly CallState[]> = {
  proposed: ['asking', 'consented'],
  asking: ['consented', 'declined'],
  consented: ['sending', 'failed'],
  // Back to `answered`, or to `consented`, where it surely did not run; `sending` again where it was refused at the door.
  sending: ['consented', 'sending', 'asked', 'answered', 'result', 'tool error', 'failed', 'unknown'],
  // Back to `sending` where an older server does not want the answer to what it pushed any more.
  asked: ['answered', 'sending', 'failed', 'unknown'],
  answered: ['sending', 'failed', 'unknown'],
  result: [],
  'tool error': [],
  declined: [],
  failed: [],
  // Only a person who looked it up knows better.
  unknown: ['result', 'failed'],
};

/** What a call begins with; the rest of it is made here. */
export type Proposal = Pick<
  Call,
  | 'method'
  | 'run'
  | 'ticket'
  | 'n'
  | 'prefix'
  | 'tool'
  | 'arguments'
  | 'origins'
  | 'configuration'
  | 'definition'
  | 'listed'
  | 'asks'
> &
  Partial<Pick<Call, 'money'>>;
/** What the consent was bound to, as it stands at the moment of sending. */
export interface Bound {
  configuration: string;
  definition: string;
  arguments: JsonObject;
}
export interface Settlement {
  outcome: 'result' | 'tool error' | 'failed' | 'unknown';
  text?: string | null;
  structured?: Json | null;
  detail?: string | null;
  /** Milliseconds on the wire. */
  ms?: number | null;
}
export interface RoundAsked {
  /** The server's requests by its own keys; empty where it only gave a state. */
  inputRequests: Record<string, JsonObject>;
  requestState: string | null;
  /** The least role that may answer. */
  role: Role;
  /** An older server pushed it: it ends with the connection. */
  pushed?: boolean;
}
export interface Resumed {
  call: Call;
  inputResponses: Record<string, JsonObject>;
  /** Sent back as it came; null: none was given and none is sent. */
  requestState: string | null;
}

function callHash(id: string, bound: Bound): string {
  const { configuration, definition } = bound;
  return sha256(canonical({ configuration, definition, arguments: bound.arguments, call: id }));
}

interface Deps {
  store: Store;
  clock: Clock;
  random: Random;
  /** How many rounds of questions a server may ask inside one call; the usual limit without. */
  rounds?: () => number;
  /** Told of every call that changed, after its transaction. */
  changed?: (call: Call) => void;
}

export type Calls = ReturnType<typeof createCalls>;

export function createCalls({ store, clock, random, changed, rounds = () => limitEntries.rounds.usual }: Deps) {
  async function inOne(work: (trx: Executor) => Promise<Call>): Promise<Call> {
    const call = await store.db.transaction().execute(work);
    changed?.(call);
    return call;
  }
  function move(trx: Executor, call: Call, to: CallState, by: string, change: CallChange = {}): Promise<Call> {
    return step(trx, call, to, { by, at: iso(clock), change });
  }

  /** Stores a call; it waits for a person unless it is listed and nothing speaks for asking. `by`: whose own doing it is. */
  async function propose(proposal: Proposal, by = 'host'): Promise<Call> {
    return inOne((trx) => put(trx, proposal, by));
  }
  async function put(trx: Executor, proposal: Proposal, by: string): Promise<Call> {
    const at = iso(clock);
    const id = random.hex(16);
    const hash = callHash(id, proposal);
    const call = await insertCall(trx, { money: null, ...proposal, ...fresh, id, hash, created_at: at }, by);
    if (!proposal.listed || proposal.asks !== null) return move(trx, call, 'asking', 'host');
    await insertConsent(trx, { call: id, hash, at, by: 'host', answer: 'run', ms: 0, scripted: false });
    return move(trx, call, 'consented', 'host');
  }

  /** A person's answer. `hash` is the one that was shown; Failures `calls.hash`, `calls.answered`. */
  async function answer(
    id: string,
    given: { by: Person; answer: 'run' | 'dont'; hash: string; scripted: boolean },
  ): Promise<Call> {
    return inOne(async (trx) => {
      const call = await asking(trx, id);
      if (given.hash !== call.hash || callHash(id, call) !== call.hash)
        throw new Failure(
          'calls.hash',
          `What was shown is not what call ${id} would send now. Look at it again, then answer.`,
        );
      const at = iso(clock);
      const { by, hash, scripted } = given;
      const ms = Math.max(0, clock.now() - Date.parse(call.created_at));
      await insertConsent(trx, { call: id, hash, at, by: by.id, answer: given.answer, ms, scripted });
      if (given.answer === 'run') return move(trx, call, 'consented', by.id);
      return move(trx, call, 'declined', by.id, { settled_at: at });
    });
  }

  async function asking(trx: Executor, id: string): Promise<Call> {
    const call = await need(trx, id);
    if (call.state === 'asking') return call;
    const { consent } = call;
    const who = consent
      ? ` by ${await nameOf(trx, consent.by)} (${consent.answer === 'run' ? 'run' : "don't run"})`
      : '';
    throw new Failure('calls.answered', `${call.tool} was already answered${who}; it is ${call.state}.`, call);
  }

  /** Closes the question and asks anew with the person's arguments; the new call has the same number in its run. */
  async function edit(id: string, by: Person, given: JsonObject, money?: Money | null): Promise<Call> {
    let closed: Call | undefined;
    const next = await inOne(async (trx) => {
      const call = await asking(trx, id);
      const origins = editedOrigins(call.arguments, call.origins, given);
      const asks = `The arguments were edited by ${by.id}.`;
      const moved = money === undefined ? call.money : money;
      const made = await put(trx, { ...call, arguments: given, origins, asks, money: moved }, by.id);
      closed = await move(trx, call, 'declined', by.id, {
        detail: `Edited; goes on as call ${made.id}.`,
        settled_at: iso(clock),
      });
      return made;
    });
    if (closed) changed?.(closed);
    return next;
  }

  /** Takes back a call nobody sent: its run ended, or the person stopped it. */
  async function withdraw(id: string, why: string, by: string): Promise<Call> {
    return inOne(async (trx) => {
      const call = await need(trx, id);
      return move(trx, call, call.state === 'consented' ? 'failed' : 'declined', by, {
        detail: why,
        settled_at: iso(clock),
      });
    });
  }

  /**
   * At the moment of sending: compares what was consented to with what stands now and spends the consent. Failures
   * `calls.changed` (the call is then failed, nothing was sent), `calls.spent`, `calls.waiting`.
   */
  async function begin(id: string, now: Bound): Promise<Call> {
    const call = await inOne(async (trx) => {
      const before = await need(trx, id);
      if (before.state === 'asking') throw new Failure('calls.waiting', `Call ${id} waits for a person's answer.`);
      if (before.state !== 'consented')
        throw new Failure(
          'calls.spent',
          `The consent for call ${id} was used or is void; the call is ${before.state}.`,
        );
      if (stands(before, now)) {
        if (!(await spendConsent(trx, id, before.hash, iso(clock))))
          throw new Failure('calls.spent', `There is no unused consent for call ${id}. Propose it again.`);
        return move(trx, before, 'sending', 'host', { round: 1 });
      }
      const detail = 'It changed between consent and sending, so it was not sent.';
      return move(trx, before, 'failed', 'host', { detail, settled_at: iso(clock) });
    });
    return sent(call);
  }

  /** The next round of an answered call, covered by the consent already spent. Failures `calls.changed`, `calls.state`. */
  async function resume(id: string, now: Bound): Promise<Resumed> {
    let requestState: string | null = null;
    const responses: [string, JsonObject][] = [];
    const call = await inOne(async (trx) => {
      const before = await need(trx, id);
      // `sending` can also be reached by `begin`, which spends a consent: this door is for answered calls only.
      if (before.state !== 'answered')
        throw new Failure('calls.state', `Call ${id} is ${before.state}: it has no answered question to send.`, before);
      if (!stands(before, now)) {
        const detail = 'It changed while its question was open, so the answer was not sent. Look it up.';
        return settleIn(trx, before, { outcome: before.listed ? 'failed' : 'unknown', detail });
      }
      requestState = await requestStateOf(trx, id, before.round);
      for (const question of await listQuestions(trx, { call: id, round: before.round }))
        if (question.answer) responses.push([question.key, { ...question.answer }]);
      return move(trx, before, 'sending', 'host', { round: before.round + 1 });
    });
    return { call: sent(call), inputResponses: Object.fromEntries(responses), requestState };
  }

  /**
   * A round that surely did not run: its consent or its answers are kept for another try. Failure `calls.state`.
   */
  async function unsend(id: string): Promise<Call> {
    return inOne(async (trx) => {
      const call = await need(trx, id);
      if (call.state !== 'sending') throw wrongStep(call, 'answered');
      if (call.round > 1) return move(trx, call, 'answered', 'host', { round: call.round - 1 });
      await restoreConsent(trx, id, call.hash);
      return move(trx, call, 'consented', 'host', { round: 0 });
    });
  }

  /**
   * The same round once more, where the server refused it at its door: one call, two sends in the log, held against what
   * stands now (spec host §3). Failure `calls.changed`: it changed meanwhile and is settled.
   */
  async function resend(id: string, now: Bound): Promise<Call> {
    const call = await inOne(async (trx) => {
      const before = await need(trx, id);
      if (before.state !== 'sending') throw wrongStep(before, 'sending');
      if (stands(before, now)) return move(trx, before, 'sending', 'host');
      const detail = 'It changed after the server refused it at its door, so it was not sent again.';
      return settleIn(trx, before, { outcome: before.listed || before.round === 1 ? 'failed' : 'unknown', detail });
    });
    return sent(call);
  }

  function settleIn(trx: Executor, call: Call, settlement: Settlement): Promise<Call> {
    const { outcome, ...change } = settlement;
    if (call.state === 'unknown') throw wrongStep(call, outcome); // only by `settleUnknown`
    return finish(trx, call, outcome, { by: 'host', at: iso(clock), change });
  }
  /** How a sent call ended. Failure `calls.state` when it is not under way. */
  async function settle(id: string, settlement: Settlement): Promise<Call> {
    return inOne(async (trx) => settleIn(trx, await need(trx, id), settlement));
  }

  /**
   * What a person found out about a call whose outcome is not known. Failures `calls.state` (nothing to settle),
   * `calls.why` (a reason is kept with it).
   */
  async function settleUnknown(id: string, found: { by: Person; happened: boolean; why: string }): Promise<Call> {
    const why = found.why.trim();
    if (why === '') throw new Failure('calls.why', 'Say how you know: the reason is kept with the call.');
    return inOne(async (trx) => {
      const call = await need(trx, id);
      if (call.state !== 'unknown')
        throw new Failure('calls.state', `Call ${id} is ${call.state}; only one whose outcome is unknown is settled.`);
      const says = found.happened ? 'It happened' : 'It did not happen';
      const words = `${says}, as ${found.by.id} found: ${why}`;
      return finish(trx, call, found.happened ? 'result' : 'failed', {
        by: found.by.id,
        at: iso(clock),
        change: found.happened ? { text: words, detail: words } : { detail: words },
      });
    });
  }

  /**
   * The server asks a person: its questions are stored and wait. With a state only, the call is answered at once. After
   * as many rounds as are allowed the call fails. Failures `calls.empty` when there is neither question nor state,
   * `calls.rounds` for what is pushed after that: the call is still under way.
   */
  async function ask(id: string, asked: RoundAsked): Promise<Call> {
    const requests = Object.entries(asked.inputRequests);
    if (requests.length === 0 && asked.requestState === null)
      throw new Failure('calls.empty', `The server asked for input in call ${id} without a question or a state.`);
    return inOne(async (trx) => {
      const call = await need(trx, id);
      const mostRounds = rounds();
      if (asked.pushed === true && call.round > mostRounds)
        throw new Failure('calls.rounds', `The server asked more than ${mostRounds} times in call ${id}.`);
      if (call.state === 'sending' && call.round > mostRounds)
        return settleIn(trx, call, { outcome: 'failed', detail: `The server asked more than ${mostRounds} times.` });
      const waits = await move(trx, call, 'asked', 'host');
      await saveRequestState(trx, id, call.round, asked.requestState);
      for (const [key, request] of requests)
        await insertQuestion(trx, {
          id: random.hex(16),
          call: id,
          round: call.round,
          key,
          request,
          role: asked.role,
          pushed: asked.pushed ?? false,
          at: iso(clock),
        });
      return requests.length > 0 ? waits : move(trx, waits, 'answered', 'host');
    });
  }

  /**
   * The server answered with a task: its handle is stored before anything is asked of it. A task is a call in `sending`
   * with a handle, so the states stay those there are. Failure `calls.state` where the call ended meanwhile.
   */
  async function hold(task: Task): Promise<Call> {
    return inOne(async (trx) => {
      if (await insertTask(trx, task)) return need(trx, task.call);
      throw wrongStep(await need(trx, task.call), 'sending');
    });
  }
  /** What changed of a task, told to those who look. */
  async function changeTask(id: string, change: Partial<Pick<Task, 'every_ms' | 'stop_by'>>): Promise<Call> {
    return inOne(async (trx) => {
      await updateTask(trx, id, change);
      return need(trx, id);
    });
  }
  /** How far a call on its way is; of one that ended, what it said last stays. */
  async function tellProgress(id: string, progress: CallProgress): Promise<void> {
    const call = await store.db.transaction().execute(async (trx) => {
      const before = await findCall(trx, id);
      if (before?.state !== 'sending') return undefined;
      await saveProgress(trx, id, progress, iso(clock));
      return { ...before, progress };
    });
    if (call) changed?.(call);
  }

  /** An older server does not want the answer any more: its question closes, its call goes on. Failure `calls.state`. */
  async function unask(id: string): Promise<Call> {
    return inOne(async (trx) => {
      const call = await need(trx, id);
      if (call.state !== 'asked') throw wrongStep(call, 'sending');
      await closeQuestions(trx, id);
      return move(trx, call, 'sending', 'host', { round: call.round + 1 });
    });
  }

  /** An admin erases what old calls held; that it happened stays in the log (spec trust, invariant 6). */
  async function erase(given: { before: string; by: Person }): Promise<number> {
    if (!may(given.by.role, 'admin'))
      throw new Failure('calls.role', `Only an admin erases what calls held; ${given.by.id} is ${given.by.role}.`);
    return store.db
      .transaction()
      .execute((trx) => erasePayloads(trx, given.before, { by: given.by.id, at: iso(clock) }));
  }

  /**
   * At start: what was on the wire when the process ended is never sent again (spec host §13); a task goes on at its server
   * and is asked after. Returns what changed.
   */
  async function recover(): Promise<Call[]> {
    const detail = 'The desk ended while the call was under way.';
    const lost = await store.db.transaction().execute(async (trx) => {
      const done: Call[] = [];
      const pushed = new Set<string>();
      const tasks = new Set(await callsWithTasks(trx));
      for (const question of await listQuestions(trx, { state: 'open' }))
        if (question.pushed) pushed.add(question.call);
      for (const call of await listCalls(trx, { states: ['consented'] }))
        if (call.consent?.by === 'host')
          done.push(await settleIn(trx, call, { outcome: 'failed', detail: 'The desk ended before it was sent.' }));
      for (const call of await listCalls(trx, { states: ['sending', 'asked'] }))
        if ((call.state === 'sending' && !tasks.has(call.id)) || pushed.has(call.id))
          done.push(await settleIn(trx, call, { outcome: call.listed ? 'failed' : 'unknown', detail }));
      return done;
    });
    for (const call of lost) changed?.(call);
    return lost;
  }

  return {
    propose,
    answer,
    edit,
    withdraw,
    begin,
    resume,
    settle,
    unsend,
    resend,
    settleUnknown,
    erase,
    ask,
    unask,
    hold,
    changeTask,
    tellProgress,
    recover,
    personOf: (call: Call) => personOf(store.db, call),
    get: (id: string) => need(store.db, id),
    /** The call that holds a number now, after edits; undefined where none does. */
    latest: (run: string, n: number): Promise<Call | undefined> => latestCall(store.db, run, n),
    /** Calls that wait for a person's consent, the oldest first, with all there is to show. */
    waiting: (): Promise<Call[]> => listCalls(store.db, { states: ['asking'] }),
    list: (by: { states?: CallState[]; run?: string; ticket?: string; tool?: string }): Promise<Call[]> =>
      listCalls(store.db, by),
    events: (id: string): Promise<CallEvent[]> => eventsOf(store.db, id),
    /** Empty where the log is whole; else what is wrong, one sentence each. */
    verifyChain: (): Promise<string[]> => chainProblems(store.db),
  };
}

const fresh = {
  state: 'proposed',
  round: 0,
  consent: null,
  text: null,
  structured: null,
  detail: null,
  ms: null,
  settled_at: null,
} as const;

async function need(executor: Executor, id: string): Promise<Call> {
  const call = await findCall(executor, id);
  if (!call) throw new Failure('calls.none', `There is no call ${id}.`);
  return call;
}

/**
 * The person a call is made for, the same in all its rounds (spec host §19): who consented; where the host's list spared
 * that, who had it made, else who first answered a question of it. Null: nobody yet.
 */
export async function personOf(executor: Executor, call: Call): Promise<string | null> {
  const isPerson = (by: string | null | undefined) => by != null && by !== 'host';
  if (isPerson(call.consent?.by)) return call.consent?.by ?? null;
  const [first] = await eventsOf(executor, call.id);
  if (isPerson(first?.by)) return first?.by ?? null;
  const answered = (await listQuestions(executor, { call: call.id })).filter(({ by }) => isPerson(by));
  return answered[0]?.by ?? null;
}

function stands(call: Call, now: Bound): boolean {
  return callHash(call.id, now) === call.hash && callHash(call.id, call) === call.hash;
}
function sent(call: Call): Call {
  if (call.state === 'sending') return call;
  throw new Failure('calls.changed', `Call ${call.id} changed between consent and sending; it was not sent.`, call);
}

interface Step {
  by: string;
  at: string;
  change?: CallChange;
}
/** One legal step inside a transaction. Failure `calls.state` when the call is elsewhere. */
export async function step(trx: Executor, call: Call, to: CallState, with_: Step): Promise<Call> {
  const moved = steps[call.state].includes(to) ? await moveCall(trx, call.id, call.state, to, with_) : undefined;
  if (moved) return moved;
  throw wrongStep(call, to);
}
function wrongStep(call: Call, to: CallState): Failure {
  return new Failure('calls.state', `Call ${call.id} is ${call.state} and cannot become ${to}.`, call);
}
async function finish(trx: Executor, call: Call, to: CallState, with_: Step): Promise<Call> {
  await dropTask(trx, call.id);
  const done = await step(trx, call, to, { ...with_, change: { ...with_.change, settled_at: with_.at } });
  await dropRequestStates(trx, call.id);
  await closeQuestions(trx, call.id);
  return done;
}
