// The parts of the queue of one data folder, wired: search thread, rows, drafts, outbox and the timers that wake them.
import { createAlarm } from './alarm.ts';
import { createDrafts } from './drafts.ts';
import type { Events } from './events.ts';
import { createOutbox } from './outbox.ts';
import type { Random } from './ports.ts';
import { createQueue } from './queue.ts';
import type { QueueNews } from './queueNews.ts';
import type { RecheckDeps } from './recheck.ts';
import { nextWaking } from './store/queue.ts';
import { createSearching } from './store/searching.ts';
import type { Clock } from './ports.ts';
import type { ReplyDraft } from '../shared/queue.ts';

/** Sends what an earlier end of the desk left in the outbox. `close()` leaves no timer and no thread. */
export async function openQueue(
  deps: RecheckDeps & {
    clock: Clock;
    random: Random;
    events: Events;
    news: QueueNews;
    say: (sentence: string) => void;
  },
) {
  const { store, clock, random, news, say } = deps;
  const searching = createSearching(store.file);
  const queue = createQueue({ store, clock, random, searching, touched: news.touched, snoozed: () => waking.set() });
  const waking = createAlarm({ clock, next: () => nextWaking(store.db), ring: () => queue.wake(), say });
  function changed(ticket: string, draft: ReplyDraft | null): void {
    deps.events.publish('drafts', ticket, draft);
    news.touched(ticket);
  }
  const drafts = createDrafts({ ...deps, changed });
  const outbox = createOutbox({ store, playbook: deps.playbook, clock, random, changed, say });
  await outbox.start();
  await waking.set();
  return {
    queue,
    drafts,
    outbox,
    close: async (): Promise<void> => {
      await outbox.close();
      await waking.close();
      await news.close();
      await searching.close();
    },
  };
}
