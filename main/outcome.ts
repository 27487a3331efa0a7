// What an exchange with a server came to: how a call is settled by it, and what the loop is told. `failed` is said only of
// calls that surely had no effect (spec host §13).
import type { Call, Outcome } from '../shared/calls.ts';
import { isObject, type JsonObject } from '../shared/json.ts';
import type { Question } from '../shared/questions.ts';
import type { AskedQuestion } from '../shared/runs.ts';
import type { Settlement } from './calls.ts';
import { errorWords } from './door.ts';
import type { GateAnswer } from './loop.ts';
import type { WireOutcome } from './mcp/connection.ts';

type Questions = Extract<WireOutcome, { kind: 'input required' }>;
type Ended = Exclude<WireOutcome, Questions>;

const errorCharacters = 600;
const lookUp = 'Look it up: an earlier round may have left something.';

/** How a call is settled; `problem`: its result does not fit the pinned output schema. */
export function settlementOf(call: Call, outcome: Ended, problem: string | null, ms: number): Settlement {
  const open = call.listed ? 'failed' : 'unknown';
  switch (outcome.kind) {
    case 'result':
      if (problem !== null) return { outcome: open, detail: `${call.prefix} changed its answer: ${problem}`, ms };
      return { outcome: 'result', text: outcome.text, structured: outcome.structured ?? null, ms };
    case 'tool error':
      return { outcome: 'tool error', text: outcome.text.slice(0, errorCharacters), ms };
    case 'protocol error': {
      const { code } = outcome;
      const message = outcome.message.slice(0, errorCharacters);
      if (code === -32602 && call.round > 1)
        return { outcome: 'failed', detail: `${call.prefix} refused the answer: ${message} ${lookUp}`, ms };
      if (code === -32602) return { outcome: 'tool error', text: message, ms };
      const detail = errorWords(call.prefix, outcome);
      return { outcome: code === -32601 ? 'failed' : open, detail, ms };
    }
    case 'not sent':
      return { outcome: 'failed', detail: outcome.reason, ms };
    case 'unknown':
      return { outcome: open, detail: outcome.reason, ms };
  }
}

const mark = 'again';

/** Questions by the server's own keys, or in words why they cannot be asked. */
export function requestsOf(outcome: Questions): Record<string, JsonObject> | string {
  const all = Object.entries(outcome.inputRequests);
  if (all.length === 0 && outcome.requestState === undefined) return 'asked for input without a question or a state';
  const requests = all.flatMap(([key, request]) => {
    if (!isObject(request)) return [];
    // The mark is ours: a server does not set it.
    const asked = Object.fromEntries(Object.entries(request).filter(([name]) => name !== mark));
    return [[key, outcome.plain === true ? { ...asked, [mark]: 'plain' } : asked] as const];
  });
  return requests.length < all.length ? 'asked something that is no question' : Object.fromEntries(requests);
}

/** A page an older server wanted visited before it ran anything: the request goes out again without an answer. */
export function isPlain(request: JsonObject): boolean {
  return request[mark] === 'plain';
}

/** What the loop is told of a stored call. */
export function answerOfCall(call: Call, questions: Question[], ms: number): GateAnswer {
  const outcome = outcomeOf(call);
  const content = outcome === 'declined' ? 'A person declined this call.' : call.text;
  return {
    ...(call.consent === null ? {} : { consent: call.consent }),
    ...(questions.length > 0 && { questions: questions.map(askedOf) }),
    outcome,
    ms,
    ...(content !== null && { content }),
    ...(call.structured !== null && { structured: call.structured }),
    ...(call.detail !== null && outcome !== 'declined' && { detail: call.detail }),
  };
}

/** How a reading ended that asked nothing. */
export function plainAnswer(outcome: Ended, ms: number): GateAnswer {
  switch (outcome.kind) {
    case 'result':
      return {
        outcome: 'result',
        content: outcome.text,
        ...(outcome.structured !== undefined && { structured: outcome.structured }),
        ms,
      };
    case 'tool error':
      return { outcome: 'failed', detail: outcome.text, ms };
    case 'protocol error':
      return { outcome: 'failed', detail: outcome.message, ms };
    case 'not sent':
    case 'unknown':
      return { outcome: 'failed', detail: outcome.reason, ms };
  }
}

/** The outcome a settled call ended with. */
function outcomeOf(call: Call): Outcome {
  switch (call.state) {
    case 'result':
    case 'tool error':
    case 'declined':
    case 'failed':
    case 'unknown':
      return call.state;
    case 'proposed':
    case 'asking':
    case 'consented':
    case 'sending':
    case 'asked':
    case 'answered':
      return 'waiting';
  }
}

function askedOf(question: Question): AskedQuestion {
  const message = isObject(question.request['params']) ? question.request['params']['message'] : undefined;
  return {
    round: question.round,
    key: question.key,
    message: typeof message === 'string' ? message : '',
    role: question.role,
    by: question.by,
    action: question.answer?.action ?? null,
    ...(question.answer?.content && { content: question.answer.content }),
  };
}
