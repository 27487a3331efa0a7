/** Calls, reads and prompts of one server: each settles with its outcome, and goes out at most once where it may do something. */
import { Failure, reason } from '../../shared/failures.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import { ask, type Question, type Round, type Unfinished } from './ask.ts';
import { parameterHeaders } from './httpHeaders.ts';
import {
  callOutcome,
  callQuestion,
  promptOutcome,
  promptQuestion,
  readOutcome,
  readQuestion,
  type CallRequest,
  type PromptOutcome,
  type PromptRequest,
  type ReadOutcome,
  type ReadRequest,
  type WireOutcome,
} from './invoke.ts';
import type { Limits } from './limits.ts';
import { challengeOf } from './oauthChallenge.ts';
import type { Reader } from './reader.ts';
import type { Session } from './session.ts';
import { begunOf, createTaskAsking, taskOffer, type Begun, type TaskAsking, type TaskOffer } from './tasks.ts';

export interface Asking extends TaskAsking {
  /** Always settles, never throws for what a server did. Never sent twice. A task only where the request follows it. */
  call(request: CallRequest & { tasks: true }): Promise<WireOutcome | Begun>;
  call(request: CallRequest): Promise<WireOutcome>;
  /** Like `call`: may come back with questions. Tried once more where the server went away under a first reading. */
  read(request: ReadRequest): Promise<ReadOutcome>;
  getPrompt(request: PromptRequest): Promise<PromptOutcome>;
  /** The text of a resource. Failure `servers.read` where there is none, or the server asks something first. */
  readResource(uri: string, signal?: AbortSignal): Promise<{ uri: string; text: string; mimeType?: string }>;
}

export function createAsking(deps: {
  config: ServerConfig;
  limits: Limits;
  ensure: (signal?: AbortSignal) => Promise<Session>;
  reader: Reader;
  /** The server does not speak our revision any more. */
  onOldRevision: (session: Session) => Promise<void>;
}): Asking {
  const { config, limits } = deps;
  const { prefix } = config;

  /** Sends one request that may come back with questions. Always settles. */
  async function put(round: Round, question: (running: Session) => Question | Promise<Question>) {
    let running: Session;
    try {
      round.signal?.throwIfAborted();
      running = await deps.ensure(round.signal);
    } catch (error) {
      const why = round.signal?.aborted ? 'it was stopped before it was sent' : reason(error);
      const challenge = challengeOf(error);
      return {
        answer: { kind: 'not sent', reason: why, ...(challenge && { challenge }) } satisfies Unfinished,
        again: false,
        running: null,
      };
    }
    // An older revision has no way to take the answers: it would begin anew, and do again what it did.
    if (running.era === 'legacy' && (round.inputResponses ?? round.requestState) !== undefined) {
      const why = `${prefix} came back with ${running.revision}, which cannot take the answer`;
      return { answer: { kind: 'not sent', reason: why } satisfies Unfinished, again: false, running };
    }
    const answer = await ask(running, await question(running), round, limits, prefix);
    if (answer.kind === 'protocol error' && answer.code === -32022) {
      await deps.onOldRevision(running);
    }
    const gone = (answer.kind === 'unknown' || answer.kind === 'not sent') && !running.alive();
    // A round with an answer in it is no plain reading any more: it goes out once.
    const plain = round.inputResponses === undefined && round.requestState === undefined;
    return { answer, again: gone && plain && !round.signal?.aborted, running };
  }
  async function putRead(round: Round, question: Question) {
    const first = await put(round, () => question);
    return first.again ? (await put(round, () => question)).answer : first.answer;
  }
  async function readResourceOf(request: ReadRequest): Promise<ReadOutcome> {
    const answer = await putRead(request, readQuestion(request));
    return answer.kind === 'answer' ? readOutcome(request.uri, answer.result) : answer;
  }
  /** Over HTTP a tool may want some of its arguments in headers as well. */
  async function headersOf(running: Session, request: CallRequest): Promise<Record<string, string>> {
    if (config.kind !== 'http' || running.era !== 'modern') return {};
    return parameterHeaders(
      await deps.reader.schemaOf(running, request.tool).catch(() => undefined),
      request.arguments,
    );
  }
  async function call(request: CallRequest & { tasks: true }): Promise<WireOutcome | Begun>;
  async function call(request: CallRequest): Promise<WireOutcome>;
  async function call(request: CallRequest): Promise<WireOutcome | Begun> {
    let offer: TaskOffer | null = null;
    const { answer } = await put(request, async (running) => {
      const question = callQuestion(request, await headersOf(running, request));
      if (request.tasks !== true) return question;
      offer = await taskOffer(running, () => deps.reader.rawOf(running, request.tool), limits);
      return offer === null
        ? question
        : { ...question, params: { ...question.params, ...offer.params }, meta: offer.meta };
    });
    if (answer.kind !== 'answer') return answer;
    return begunOf(answer.result, offer, prefix) ?? callOutcome(answer.result);
  }

  return {
    ...createTaskAsking({ put, limits, prefix }),
    call,
    read: readResourceOf,
    async getPrompt(request) {
      const answer = await putRead(request, promptQuestion(request));
      return answer.kind === 'answer' ? promptOutcome(answer.result) : answer;
    },
    async readResource(uri, signal) {
      const outcome = await readResourceOf({ uri, signal });
      if (outcome.kind !== 'result') throw notRead(prefix, uri, outcome);
      const { text, mimeType } = outcome;
      if (text === null) throw new Failure('servers.read', `The resource ${uri.slice(0, 200)} holds no text.`);
      return { uri, text, ...(mimeType !== undefined && { mimeType }) };
    },
  };
}

function notRead(prefix: string, uri: string, outcome: Unfinished): Failure {
  const why =
    outcome.kind === 'input required'
      ? 'the server asks a question before it can be read'
      : outcome.kind === 'protocol error'
        ? outcome.message
        : outcome.reason;
  return new Failure(
    'servers.read',
    `${prefix}: the resource ${uri.slice(0, 200)} could not be read: ${why.slice(0, 300)}`,
  );
}
