// Questions an older server pushes in the middle of a call (spec host §20). They end in the inbox like any other, but only
// while the desk runs: the call stays on the wire, and whoever sent it is let go as soon as its question is left there.
import type { Call } from '../shared/calls.ts';
import { Failure } from '../shared/failures.ts';
import type { Person, Role } from '../shared/people.ts';
import type { Question, QuestionAnswer } from '../shared/questions.ts';
import type { Calls } from './calls.ts';
import { readForm } from './forms.ts';
import type { GateAnswer } from './loop.ts';
import type { OnPushed, Pushed, PushedAnswer } from './mcp/exchanges.ts';
import type { Questions } from './questions.ts';

/** One exchange with an older server, from its sending to its settled end. */
interface Sent {
  /** The call, which a plain reading becomes with its first question. */
  call: () => Promise<Call>;
  /** Who may answer; `sure` false: it is not certain which call asks. */
  role: (sure: boolean) => Role;
  /** Keeps a line with the server. */
  note: (line: string) => void;
  signal: AbortSignal | undefined;
  /** Whether its run went on without it: nobody is at a view for it any more. */
  left?: () => boolean;
}
interface Live {
  whole: Promise<GateAnswer>;
  /** What happens next: it ends, or another question is left in the inbox. */
  next: PromiseWithResolvers<void>;
  /** People who wait for that. */
  heard: number;
}

/** Whoever sent the call, until a question of it is left in the inbox. */
interface View {
  there: () => boolean;
  leave: (call: string) => void;
}

/** Questions of one call that may wait in line. */
const most = 8;
const cancelled: PushedAnswer = { action: 'cancel' };
/** Who declines a form that nobody is shown. */
const itself: Person = { id: 'host', name: 'the desk', role: 'admin' };

export function createPushed(deps: {
  calls: Calls;
  questions: Questions;
  /** Puts it to the person at the view; null leaves it in the inbox. */
  put?:
    | ((question: Question, call: Call) => Promise<{ answer: QuestionAnswer; by: Person; scripted: boolean } | null>)
    | undefined;
  /** A call ended that nobody waited for any more. */
  ended?: ((call: Call) => Promise<void>) | undefined;
}) {
  const { calls, questions } = deps;
  const live = new Map<string, Live>();

  /** Stores a question and waits for its answer; `view.leave` is told where it stays in the inbox. */
  async function ask(sent: Sent, asked: Pushed, over: AbortSignal, view: View): Promise<PushedAnswer> {
    const gone = AbortSignal.any([asked.signal, over]);
    if (gone.aborted) return cancelled;
    const { id, tool } = await sent.call();
    let waits: Call;
    try {
      const inputRequests = { question: asked.request };
      waits = await calls.ask(id, { inputRequests, requestState: null, role: sent.role(asked.sure), pushed: true });
    } catch (error) {
      if (error instanceof Failure) return cancelled;
      throw error;
    }
    const question = (await questions.of(id)).find(({ state }) => state === 'open');
    if (question === undefined) return cancelled;
    const form = readForm(asked.request);
    if (form.kind === 'refused') {
      sent.note(`The desk declined what it asked during ${tool}: ${form.why}`);
      const { question: declined } = await questions.answer(question.id, {
        by: itself,
        answer: { action: 'decline' },
        scripted: false,
      });
      return declined.answer ?? cancelled;
    }
    const answer = questions.answerOf(question.id, gone);
    const there = view.there() ? show(question, waits) : Promise.resolve(false);
    void there.then((shown) => !shown && view.leave(id));
    const given = await answer;
    if (given === null && !over.aborted) await withdrawn(id);
    return given ?? cancelled;
  }

  /** Puts it to the person at the view; false where it is left to the inbox. */
  async function show(question: Question, waits: Call): Promise<boolean> {
    const given = (await deps.put?.(question, waits)) ?? null;
    if (given === null) return false;
    try {
      await questions.answer(question.id, given);
      return true;
    } catch (error) {
      if (error instanceof Failure) return error.code === 'questions.answered';
      throw error;
    }
  }

  /** The server answers, or gives up, with its question still open. */
  async function withdrawn(id: string): Promise<void> {
    try {
      if ((await calls.get(id)).state === 'asked') await calls.unask(id);
    } catch (error) {
      // Somebody answered at this very moment.
      if (!(error instanceof Failure)) throw error;
    }
  }

  /** Lets a call out; null once a question of it waits in the inbox. It goes on beside, to its settled end. */
  async function during(
    sent: Sent,
    send: (round: { onPushed: OnPushed; signal: AbortSignal }) => Promise<GateAnswer>,
  ): Promise<GateAnswer | null> {
    const stop = new AbortController();
    const over = new AbortController();
    const left = Promise.withResolvers<null>();
    const follow = () => stop.abort(sent.signal?.reason);
    let one: Live | null = null;
    let id = '';
    let line: Promise<unknown> = Promise.resolve();
    let inLine = 0;

    /** The call belongs to no view any more: one that closes does not end it. */
    function leave(call: string): void {
      sent.signal?.removeEventListener('abort', follow);
      id = call;
      one ??= { whole, next: Promise.withResolvers(), heard: 0 };
      live.set(call, one);
      const { next } = one;
      one.next = Promise.withResolvers();
      next.resolve();
      left.resolve(null);
    }
    async function end(): Promise<void> {
      over.abort();
      sent.signal?.removeEventListener('abort', follow);
      if (one === null) return;
      live.delete(id);
      one.next.resolve();
      if (one.heard === 0) await deps.ended?.(await calls.get(id));
    }

    sent.signal?.addEventListener('abort', follow, { once: true });
    if (sent.signal?.aborted === true) follow();
    const whole = send({
      signal: stop.signal,
      onPushed(asked) {
        if (inLine >= most) return Promise.resolve(cancelled);
        inLine++;
        // One after the other: a call has one question open at a time.
        const mine = line
          .then(() => ask(sent, asked, over.signal, { leave, there: () => one === null && sent.left?.() !== true }))
          .finally(() => inLine--);
        line = mine.catch(() => undefined);
        return mine;
      },
    }).finally(end);
    whole.catch(() => undefined);
    return Promise.race([whole, left.promise]);
  }

  return {
    during,
    withdrawn,
    /** To be asked before an answer is stored: settles when the call ended, or asks again. */
    async heard(call: string): Promise<void> {
      const one = live.get(call);
      if (one === undefined) return;
      one.heard++;
      await one.next.promise;
      one.heard--;
    },
    /** Settles when nothing is on the wire any more. */
    async quiet(): Promise<void> {
      await Promise.allSettled([...live.values()].map(({ whole }) => whole));
    },
  };
}
