// Calls as a view is told of them: once they ended, in the form of a server's own result. Why a person said no is not its matter.
import type { Call } from '../../shared/calls.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { OpenState } from '../tickets/open.ts';

interface Store {
  getState: () => Pick<OpenState, 'calls'>;
  subscribe: (listener: () => void) => () => void;
}

/** The call once it ended; one whose arguments a person edited goes on as another of the same number. */
export function ended(store: Store, id: string, signal: AbortSignal): Promise<Call> {
  return new Promise((resolve) => {
    let stop: () => void = () => undefined;
    const look = (): void => {
      const { calls } = store.getState();
      const one = calls.find((call) => call.id === id);
      const now = calls.findLast((call) => call.run === one?.run && call.n === one.n);
      if (now === undefined || resultOf(now) === null) return;
      stop();
      resolve(now);
    };
    stop = store.subscribe(look);
    signal.addEventListener('abort', stop, { once: true });
    look();
  });
}

/** Null while it goes on. */
export function resultOf(call: Call): JsonObject | null {
  switch (call.state) {
    case 'result':
    case 'tool error':
      return {
        content: [{ type: 'text', text: call.text ?? '' }],
        ...(call.structured !== null && { structuredContent: call.structured }),
        ...(call.state === 'tool error' && { isError: true }),
      };
    case 'declined':
      return failure('A person did not let it run.');
    case 'failed':
      return failure('It was not run.');
    case 'unknown':
      return failure('Whether it was run is not known.');
    case 'proposed':
    case 'asking':
    case 'consented':
    case 'sending':
    case 'asked':
    case 'answered':
      return null;
  }
}

/** As a server says that a call failed. */
export function failure(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true };
}
