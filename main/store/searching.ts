// Full-text search in a worker thread that is killed when one search takes too long (spec layout, "Processes"). Searches run
// one by one; one that is stopped before its turn never runs.
import { Worker } from 'node:worker_threads';
import { Failure } from '../../shared/failures.ts';
import type { FoundTickets, SearchQuery } from './search.ts';
import type { Searched } from './searchWorker.ts';

export interface Searching {
  /** Failures `tickets.slow`, `tickets.search`. */
  search(query: SearchQuery, signal?: AbortSignal): Promise<FoundTickets>;
  /** Starts the thread, so that the first search does not wait for it. */
  warm(): void;
  close(): Promise<void>;
}

type Answer = Searched | 'slow' | 'ended';

/** `ms`: how long one search may take. */
export function createSearching(file: string, { ms = 2_000 }: { ms?: number } = {}): Searching {
  let worker: Promise<Worker> | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  /** Threads that were killed. */
  let ending: Promise<unknown> = Promise.resolve();
  let settle: (answer: Answer) => void = () => undefined;

  /** The clock of a search starts when the thread is up. */
  function ready(): Promise<Worker> {
    worker ??= new Promise((resolve, reject) => {
      const started = new Worker(new URL('searchWorker.ts', import.meta.url), {
        execArgv: [],
        env: {},
        workerData: { file },
        resourceLimits: { maxOldGenerationSizeMb: 256 },
      });
      started.on('message', (message: Searched | 'ready') => {
        if (message === 'ready') {
          started.unref();
          resolve(started);
        } else settle(message);
      });
      started.on('error', (error) => {
        reject(error instanceof Error ? error : new Error(String(error)));
        settle('ended');
      });
      started.on('exit', () => settle('ended'));
    });
    worker.catch(() => (worker = null));
    return worker;
  }

  async function once(query: SearchQuery, signal: AbortSignal | undefined): Promise<FoundTickets> {
    signal?.throwIfAborted();
    const thread = await ready();
    thread.ref();
    const clock = setTimeout(() => settle('slow'), ms);
    const answer = await new Promise<Answer>((resolve) => {
      settle = resolve;
      thread.postMessage(query);
    });
    clearTimeout(clock);
    settle = () => undefined;
    thread.unref();
    if (typeof answer === 'object') {
      if ('found' in answer) return answer.found;
      throw new Failure('tickets.search', `The search failed: ${answer.problem}. Try other words.`);
    }
    worker = null;
    ending = Promise.all([ending, thread.terminate()]);
    throw new Failure(
      'tickets.slow',
      `The search was stopped after ${ms / 1000} s. Write longer words, or choose a smaller view.`,
    );
  }

  return {
    search(query, signal) {
      const turn = queue.then(() => once(query, signal));
      queue = turn.catch(() => undefined);
      return turn;
    },
    warm() {
      void ready().catch(() => undefined);
    },
    async close() {
      await queue;
      const thread = await worker?.catch(() => null);
      worker = null;
      await Promise.all([ending, thread?.terminate()]);
    },
  };
}
