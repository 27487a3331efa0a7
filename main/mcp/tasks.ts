/**
 * Tasks on the wire (spec host §22): those of the extension for 2026-07-28, where the server alone decides to answer with
 * one, and those of 2025-11-25, which the caller asks for. Both come out here as one thing that is asked after until it ends.
 */
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import type { Question, Round, Unfinished } from './ask.ts';
import { callOutcome, type WireOutcome } from './invoke.ts';
import type { Limits } from './limits.ts';
import type { Session } from './session.ts';

const extension = 'io.modelcontextprotocol/tasks';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const longestHandle = 2_048;

/** A call that goes on at the server; the handle is a secret, good at this server only. */
export interface Begun {
  kind: 'task';
  handle: string;
  everyMs: number | null;
  message: string | null;
}
interface Going {
  /** How long the server wants to be left alone, as it said last. */
  everyMs: number | null;
  message: string | null;
}
/** How a task stands. */
export type TaskSeen =
  | ({ kind: 'working' } & Going)
  | ({ kind: 'asks'; inputRequests: JsonObject } & Going)
  | { kind: 'ended'; outcome: WireOutcome }
  | { kind: 'cancelled'; message: string | null }
  /** The server does not know it, or not any more. */
  | { kind: 'gone'; reason: string }
  /** Nobody answered; it may still go on. */
  | { kind: 'silent'; reason: string }
  /** What came cannot be used. */
  | { kind: 'unreadable'; reason: string };

/** What a call declares so that its server may answer with a task; null where none was agreed on. */
export interface TaskOffer {
  era: 'modern' | 'legacy';
  params: JsonObject;
  meta: JsonObject;
}

/** Whether the server of a session knows tasks of tools at all. */
function knowsTasks({ offers, era }: Session): boolean {
  // Members of extensions and later revisions, which the SDK's types may not name.
  const { extensions, tasks } = offers as JsonObject;
  if (era === 'modern') return isObject(extensions) && isObject(extensions[extension]);
  const requests = isObject(tasks) ? tasks.requests : undefined;
  return isObject(requests) && isObject(requests.tools) && requests.tools.call !== undefined;
}

/** Per request, so that whoever makes a call without following tasks never gets one. */
function declared(session: Session): JsonObject {
  const { extensions, ...rest } = session.capabilities;
  const all = { ...(isObject(extensions) ? extensions : {}), [extension]: {} };
  return { [capabilitiesKey]: { ...rest, extensions: all } };
}

/** `raw` is the tool as it is listed: an older server says there whether it can be run as a task. */
export async function taskOffer(
  session: Session,
  raw: () => Promise<JsonObject | undefined>,
  limits: Limits,
): Promise<TaskOffer | null> {
  if (!knowsTasks(session)) return null;
  if (session.era === 'modern') return { era: 'modern', params: {}, meta: declared(session) };
  const execution = (await raw().catch(() => undefined))?.execution;
  const support = isObject(execution) ? execution.taskSupport : undefined;
  if (support !== 'required' && support !== 'optional') return null;
  return { era: 'legacy', params: { task: { ttl: limits.taskMs } }, meta: {} };
}

/** The task a call was answered with; null where it was answered otherwise. */
export function begunOf(result: JsonObject, offer: TaskOffer | null, prefix: string): Begun | Unfinished | null {
  const modern = result.resultType === 'task';
  const older = offer?.era === 'legacy' && isObject(result.task) && none(result.content) ? result.task : null;
  if (!modern && older === null) return null;
  if (offer === null || (modern && offer.era !== 'modern'))
    return { kind: 'unknown', reason: `${prefix} answers with a task, which this call did not ask for` };
  const { taskId, ...task } = older ?? result;
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > longestHandle)
    return { kind: 'unknown', reason: `${prefix} answers with a task that has no usable name` };
  return { kind: 'task', handle: taskId, ...goingOf(task) };
}

function none(content: Json | undefined): boolean {
  return content === undefined || (Array.isArray(content) && content.length === 0);
}
function goingOf(task: JsonObject): Going {
  const every = task.pollIntervalMs ?? task.pollInterval;
  return {
    everyMs: typeof every === 'number' && Number.isFinite(every) ? every : null,
    message: typeof task.statusMessage === 'string' ? task.statusMessage : null,
  };
}

export interface TaskAsking {
  /** How a task stands now. Always settles, never throws for what a server did. */
  task(handle: string, round?: TaskRound): Promise<TaskSeen>;
  /** Brings answers to what a task asks (2026-07-28); `result`: taken. */
  answerTask(
    handle: string,
    inputResponses: JsonObject,
    round?: Pick<TaskRound, 'meta' | 'onWire' | 'around'>,
  ): Promise<WireOutcome>;
  /** Asks the server to stop a task; `result`: it was told. */
  stopTask(handle: string, round?: Pick<TaskRound, 'meta' | 'around'>): Promise<WireOutcome>;
}
interface TaskRound extends Pick<Round, 'meta' | 'signal' | 'onWire' | 'onPushed'> {
  around?: AroundTask;
}
type Answered = { kind: 'answer'; result: JsonObject } | Unfinished;
/** What is done around every single request about a task, which says more of itself in the `_meta` it is sent with. */
export type AroundTask = (
  method: 'tasks/get' | 'tasks/result' | 'tasks/update' | 'tasks/cancel',
  send: (more: JsonObject) => Promise<Answered>,
) => Promise<Answered>;

interface Put {
  (round: Round, question: (running: Session) => Question): Promise<{ answer: Answered; running: Session | null }>;
}

export function createTaskAsking({ put, limits, prefix }: { put: Put; limits: Limits; prefix: string }): TaskAsking {
  type Method = Parameters<AroundTask>[0];
  type About = Round & { around?: AroundTask };

  async function about(method: Method, handle: string, { around, ...round }: About, params: JsonObject = {}) {
    let running: Session | null = null;
    async function send(more: JsonObject): Promise<Answered> {
      const sent = await put({ ...round, meta: { ...round.meta, ...more } }, (session) => ({
        method,
        params: { taskId: handle, ...params },
        ...(session.era === 'modern' && { meta: declared(session) }),
      }));
      running = sent.running;
      return sent.answer;
    }
    const answer = await (around === undefined ? send({}) : around(method, send));
    // Set by `send`, which the compiler does not follow.
    return { answer, running: running as Session | null };
  }
  async function told(method: Method, handle: string, round: About, params?: JsonObject) {
    const { answer } = await about(method, handle, round, params);
    return answer.kind === 'answer' ? callOutcome(answer.result) : answer;
  }

  async function task(handle: string, round: TaskRound = {}): Promise<TaskSeen> {
    const { answer, running } = await about('tasks/get', handle, { ...round, hardMs: limits.taskAnswerMs });
    if (answer.kind !== 'answer') return unanswered(answer, prefix);
    const { taskId, status, inputRequests } = answer.result;
    if (taskId !== undefined && taskId !== handle)
      return { kind: 'unreadable', reason: `${prefix} answers about another task than it was asked about` };
    const going = goingOf(answer.result);
    if (status === 'working') return { kind: 'working', ...going };
    if (status === 'cancelled') return { kind: 'cancelled', message: going.message };
    if (running?.era === 'legacy') return older(handle, status, going, round);
    if (status === 'completed') return { kind: 'ended', outcome: completed(answer.result.result, prefix) };
    if (status === 'failed') return { kind: 'ended', outcome: failure(answer.result.error, going.message) };
    if (status !== 'input_required') return unreadable(prefix, status);
    const count = isObject(inputRequests) ? Object.keys(inputRequests).length : 0;
    if (!isObject(inputRequests) || count === 0 || count > limits.questions)
      return {
        kind: 'unreadable',
        reason: `the task at ${prefix} asks ${count} questions; 1 to ${limits.questions} can be put`,
      };
    return { kind: 'asks', inputRequests, ...going };
  }

  /** An older server hands over the result, and pushes what it asks, on a request of its own. */
  async function older(handle: string, status: Json | undefined, going: Going, round: TaskRound): Promise<TaskSeen> {
    if (status !== 'completed' && status !== 'failed' && status !== 'input_required') return unreadable(prefix, status);
    const hardMs = limits.taskAnswerMs;
    const { answer } = await about('tasks/result', handle, { ...round, hardMs, timeoutMs: hardMs });
    if (answer.kind === 'answer') return { kind: 'ended', outcome: callOutcome(answer.result) };
    if (status === 'failed' && answer.kind === 'protocol error') return { kind: 'ended', outcome: answer };
    // It may go on after its question, longer than one request is let wait: asked after again.
    if (status === 'input_required' && answer.kind === 'unknown') return { kind: 'working', ...going };
    return unanswered(answer, prefix);
  }

  return {
    task,
    answerTask: (handle, inputResponses, round = {}) => told('tasks/update', handle, round, { inputResponses }),
    stopTask: (handle, round = {}) => told('tasks/cancel', handle, { ...round, hardMs: limits.taskAnswerMs }),
  };
}

function unanswered(answer: Unfinished, prefix: string): TaskSeen {
  switch (answer.kind) {
    case 'protocol error':
      // Not found, no such method, not declared: asking again would not find it.
      return [-32602, -32601, -32021].includes(answer.code)
        ? { kind: 'gone', reason: `${prefix} does not know this task any more` }
        : { kind: 'silent', reason: `${prefix} answered with error ${answer.code}` };
    case 'input required':
      return { kind: 'unreadable', reason: `${prefix} asks something where it was only asked how a task stands` };
    case 'not sent':
    case 'unknown':
      return { kind: 'silent', reason: answer.reason };
  }
}

function unreadable(prefix: string, status: Json | undefined): TaskSeen {
  return {
    kind: 'unreadable',
    reason: `${prefix} says of its task that it is ${JSON.stringify(status ?? null).slice(0, 80)}, which the desk does not know`,
  };
}

/** A task that ended well may still hold the error of its tool. */
function completed(result: Json | undefined, prefix: string): WireOutcome {
  return isObject(result)
    ? callOutcome(result)
    : { kind: 'unknown', reason: `the task at ${prefix} ended without a result` };
}
function failure(error: Json | undefined, message: string | null): WireOutcome {
  const told = isObject(error) ? error : {};
  return {
    kind: 'protocol error',
    code: Number.isInteger(told.code) ? Number(told.code) : -32603,
    message: typeof told.message === 'string' ? told.message : (message ?? 'its task failed'),
  };
}
