// How far calls are (spec host §22): kept and told at most four times a second a call, however often its server says so, and
// the last word always.
import type { CallProgress } from '../shared/calls.ts';
import type { Calls } from './calls.ts';

const everyMs = 250;
const longest = 300;

interface Open {
  next: CallProgress | null;
  /** The call ends: what is left is kept at once. */
  hurried: boolean;
  /** Ends the wait between two. */
  wake: () => void;
  done: Promise<void>;
}
export type Progress = ReturnType<typeof createProgress>;

export function createProgress(calls: Calls) {
  const open = new Map<string, Open>();

  async function run(id: string, one: Open): Promise<void> {
    while (one.next !== null) {
      const { next } = one;
      one.next = null;
      await calls.tellProgress(id, next);
      if (!one.hurried) await pause(one);
    }
    open.delete(id);
  }

  return {
    /** `done` and `total` as the server counts; where it only speaks, a count in its words ("12 of 64") is taken. */
    tell(id: string, said: { done?: number | undefined; total?: number | undefined; message?: string | null }): void {
      const message = said.message == null ? null : said.message.toWellFormed().slice(0, longest);
      const counted =
        said.done === undefined ? countIn(message) : { done: finite(said.done), total: finite(said.total) };
      const one = open.get(id);
      if (one !== undefined) {
        one.next = { ...counted, message };
        return;
      }
      const made: Open = {
        next: { ...counted, message },
        hurried: false,
        wake: () => undefined,
        done: Promise.resolve(),
      };
      open.set(id, made);
      // It is only shown: what cannot be kept of it keeps no call from ending.
      made.done = run(id, made).catch(() => void open.delete(id));
    },
    /** Settles when all that was told is kept; to be asked before a call is settled. */
    async kept(id: string): Promise<void> {
      const one = open.get(id);
      if (one === undefined) return;
      one.hurried = true;
      one.wake();
      await one.done;
    },
  };
}

async function pause(one: Open): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), everyMs);
  one.wake = () => resolve(null);
  await promise;
  clearTimeout(timer);
}
function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
function countIn(message: string | null): Pick<CallProgress, 'done' | 'total'> {
  const [, done, total] = /^\D*\b(\d{1,9}) of (\d{1,9})\b\D*$/.exec(message ?? '') ?? [];
  return done !== undefined && total !== undefined && Number(done) <= Number(total)
    ? { done: Number(done), total: Number(total) }
    : { done: null, total: null };
}
