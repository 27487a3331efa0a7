// Consent as a person gives it at the bar: nothing counts in the first 700 ms after the call appeared or changed, and a call
// that moves money takes a second step on its amount. Kept apart from the drawing, so that it can be tested.
import { createStore } from 'zustand/vanilla';
import type { Call } from '../../shared/calls.ts';
import { Failure } from '../../shared/failures.ts';
import type { Desk } from '../desk.ts';

export const unarmedMs = 700;

export interface ConsentState {
  /** What is shown: the call by its ID and hash. */
  shown: { id: string; hash: string } | null;
  /** Keys and buttons count. */
  armed: boolean;
  /** `amount`: Y was given, the amount waits for Enter. `sending`: answered, on its way. */
  stage: 'ask' | 'amount' | 'edit' | 'sending';
  /** What was answered, while it is on its way. */
  given: 'run' | 'dont' | null;
}

/** `watch`: under which name news of what goes on after the answer come. */
export function createConsent(
  desk: Pick<Desk, 'ask'>,
  watch: string,
  wait: (ms: number, then: () => void) => () => void = timer,
) {
  const store = createStore<ConsentState>(() => ({ shown: null, armed: false, stage: 'ask', given: null }));
  let stop: () => void = () => undefined;

  /** Failure `calls.unsent`: a yes by which nothing happened. */
  async function answer(given: 'run' | 'dont'): Promise<void> {
    const { shown } = store.getState();
    if (shown === null) return;
    store.setState({ stage: 'sending', given });
    try {
      // The answer goes on with the ticket, which takes as long as it takes.
      const { call } = await desk.ask('calls.consent', { ...shown, answer: given, watch }, { deadline: null });
      // Where its ticket was drafted anew, another call may be in sight by now.
      if (given === 'run' && call.state === 'failed')
        throw new Failure('calls.unsent', `${call.ticket}: ${call.detail ?? 'The call failed, nothing came back.'}`);
    } finally {
      if (store.getState().shown?.hash === shown.hash) store.setState({ stage: 'ask', given: null });
    }
  }
  function begin(next: ConsentState['shown']): void {
    stop();
    store.setState({ shown: next, armed: false, stage: 'ask', given: null });
    if (next !== null) stop = wait(unarmedMs, () => store.setState({ armed: true }));
  }
  return {
    store,
    /** The call that waits now; another call, or the same with another hash, begins anew. */
    show(call: Pick<Call, 'id' | 'hash'> | null): void {
      const { shown } = store.getState();
      if (shown?.id === call?.id && shown?.hash === call?.hash) return;
      begin(call === null ? null : { id: call.id, hash: call.hash });
    },
    /** Somebody else acts now: what was begun was not theirs. */
    anew(): void {
      const { shown, stage } = store.getState();
      if (shown !== null && stage !== 'sending') begin(shown);
    },
    /** Y: runs it, or where it moves money asks for the amount first. */
    yes(money: boolean): Promise<void> {
      const { armed, stage } = store.getState();
      if (!armed || stage !== 'ask') return Promise.resolve();
      if (!money) return answer('run');
      store.setState({ stage: 'amount' });
      return Promise.resolve();
    },
    /** Enter on the amount. */
    amount(): Promise<void> {
      const { armed, stage } = store.getState();
      return armed && stage === 'amount' ? answer('run') : Promise.resolve();
    },
    no(): Promise<void> {
      const { armed, stage } = store.getState();
      return armed && stage !== 'sending' ? answer('dont') : Promise.resolve();
    },
    edit(): void {
      const { armed, stage } = store.getState();
      if (armed && stage !== 'sending') store.setState({ stage: 'edit' });
    },
    /** Back to the question. */
    back: () => store.setState(({ stage }) => ({ stage: stage === 'sending' ? stage : 'ask' })),
  };
}

function timer(ms: number, then: () => void): () => void {
  const id = setTimeout(then, ms);
  return () => clearTimeout(id);
}
