// News of the queue for whoever looks at it: rows that changed, gathered for a moment, and the counts of the views at most
// four times a second (spec layout, "Processes").
import { reason } from '../shared/failures.ts';
import type { TicketCounts, TicketRow } from '../shared/queue.ts';
import type { Events } from './events.ts';

const gather = 40;
const countPause = 250;
/** More rows at once are one event: list again. */
const mostRows = 50;

export interface QueueNews {
  touched: (ticket: string) => void;
  close: () => Promise<void>;
}

export function createQueueNews(deps: {
  events: Events;
  row: (ticket: string) => Promise<TicketRow | undefined>;
  counts: () => Promise<TicketCounts>;
  say: (sentence: string) => void;
}): QueueNews {
  const { events } = deps;
  const waiting = new Set<string>();
  let rows: NodeJS.Timeout | undefined;
  let counts: NodeJS.Timeout | undefined;
  let closed = false;
  let running: Promise<unknown> = Promise.resolve();

  function later(ms: number, act: () => Promise<void>): NodeJS.Timeout {
    const timer = setTimeout(() => {
      running = running.then(act).catch((error: unknown) => deps.say(`News of the queue: ${reason(error)}`));
    }, ms);
    timer.unref();
    return timer;
  }
  async function tellRows(): Promise<void> {
    rows = undefined;
    const ids = [...waiting];
    waiting.clear();
    if (ids.length > mostRows) events.publish('tickets', '*', null);
    else for (const id of ids) events.publish('tickets', id, (await deps.row(id)) ?? null);
  }
  async function tellCounts(): Promise<void> {
    counts = undefined;
    events.publish('views', 'view.changed', await deps.counts());
  }
  // Whoever tells of tickets (an import too) changes the counts.
  const deaf = events.listen(({ feature }) => {
    if (feature === 'tickets' && !closed) counts ??= later(countPause, tellCounts);
  });

  return {
    touched(ticket) {
      if (closed || ticket === '') return;
      waiting.add(ticket);
      rows ??= later(gather, tellRows);
    },
    async close() {
      closed = true;
      deaf();
      clearTimeout(rows);
      clearTimeout(counts);
      await running;
    },
  };
}
