// The queue run that this page started: how far it is, what came of each ticket. It goes on while other screens are looked at.
import { create } from 'zustand';
import type { GivenOf } from '../../shared/contract.ts';
import { Failure, reason } from '../../shared/failures.ts';
import type { TicketRun } from '../../shared/runs.ts';
import { announce } from '../parts/announce.ts';
import { desk } from '../session.ts';
import { inWindow } from './runWords.ts';

interface Working {
  state: 'idle' | 'working' | 'pausing' | 'paused' | 'failed' | 'done';
  watch: string;
  /** When it was started (ISO 8601); empty before. */
  began: string;
  n: number;
  of: number;
  /** The ticket under way and its step in words. */
  ticket: string | null;
  step: string;
  /** Notices of the host, the newest last. */
  says: string[];
  /** The newest of the finished ones, and how many there are in all. */
  finished: { subject: string; run: TicketRun }[];
  done: number;
  /** Of those, the ones that wait for a person. */
  waiting: number;
  failed: string | null;
}
const idle: Working = {
  state: 'idle',
  watch: '',
  began: '',
  n: 0,
  of: 0,
  ticket: null,
  step: '',
  says: [],
  finished: [],
  done: 0,
  waiting: 0,
  failed: null,
};
/** So many finished tickets are kept for the table of a run that goes on. */
const mostKept = 200;

export const useWorking = create<Working>(() => idle);
let stop: AbortController | null = null;

desk.follow('runs', {
  list: () => undefined,
  change(change) {
    if (!('entity' in change) || change.entity.watch === '' || change.entity.watch !== useWorking.getState().watch)
      return;
    const { news } = change.entity;
    if (news.kind === 'says') useWorking.setState(({ says }) => ({ says: [...says, inWindow(news.words)].slice(-6) }));
    if (news.kind === 'step') useWorking.setState({ n: news.n, of: news.of, ticket: news.ticket, step: news.words });
    if (news.kind === 'finished')
      useWorking.setState(({ finished, done, waiting }) => ({
        done: done + 1,
        waiting: waiting + (news.run.state === 'waiting' ? 1 : 0),
        finished: [
          ...finished,
          { subject: news.ticket.subject || news.ticket.body.slice(0, 120), run: news.run },
        ].slice(-mostKept),
        ticket: null,
      }));
    if (news.kind === 'left') useWorking.setState({ ticket: null });
  },
});

export type Choice = Pick<GivenOf<'runs.work'>, 'select' | 'model'>;

/** Works tickets until they are through, or it is paused. */
export async function workQueue(choice: Choice): Promise<void> {
  if (stop !== null) return;
  stop = new AbortController();
  const watch = crypto.randomUUID();
  useWorking.setState({ ...idle, state: 'working', watch, began: new Date().toISOString() });
  try {
    const { stopped, report } = await desk.ask(
      'runs.work',
      { ...choice, watch },
      { deadline: null, signal: stop.signal },
    );
    useWorking.setState({ state: stopped ? 'paused' : 'done' });
    announce(`The run is through: ${report.tickets} tickets.`);
  } catch (error) {
    const paused = error instanceof Failure && error.code === 'stopped';
    useWorking.setState(paused ? { state: 'paused' } : { state: 'failed', failed: reason(error) });
    announce(paused ? 'Paused. What was done is kept.' : 'The run failed.', paused ? 'polite' : 'urgent');
  } finally {
    stop = null;
  }
}

/** The ticket under way is given up, what was done is kept. */
export function pauseQueue(): void {
  useWorking.setState({ state: 'pausing' });
  stop?.abort();
}
