import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../shared/contract.ts';
import type { TicketCounts, TicketRow } from '../shared/queue.ts';
import { createEvents, type Events } from './events.ts';
import { createQueueNews, type QueueNews } from './queueNews.ts';

let events: Events;
let news: QueueNews;
let heard: Change[];
let counted: number;
const said: string[] = [];
// What a row holds does not matter here.
const row = (id: string) => ({ id }) as TicketRow;
beforeEach(() => {
  events = createEvents();
  heard = [];
  counted = 0;
  events.listen((change) => heard.push(change));
  news = createQueueNews({
    events,
    row: (id) => (id === 'broken' ? Promise.reject(new Error('no disk')) : Promise.resolve(row(id))),
    counts: () => Promise.resolve({ all: ++counted } as TicketCounts), // only that it is asked for
    say: (sentence) => said.push(sentence),
  });
});
afterEach(() => news.close());

/** The next change of a feature. */
function next(feature: Change['feature']): Promise<Change> {
  return new Promise((resolve) => {
    const deaf = events.listen((change) => {
      if (change.feature !== feature) return;
      deaf();
      resolve(change);
    });
  });
}

describe('news of the queue (layout "Processes")', () => {
  it('tell a row once however often it changed, and the counts after it', async () => {
    const counts = next('views');
    for (let at = 0; at < 20; at++) news.touched('T-1');
    news.touched('T-2');
    await counts;
    expect(heard.filter(({ feature }) => feature === 'tickets').map(({ id }) => id)).toEqual(['T-1', 'T-2']);
    expect(heard.at(-1)).toMatchObject({ id: 'view.changed', entity: { all: 1 } });
  });

  it('of a batch are one event: list again', async () => {
    const first = next('tickets');
    for (let at = 0; at < 51; at++) news.touched(`T-${at}`);
    expect(await first).toMatchObject({ id: '*', gone: true });
    expect(heard).toHaveLength(1);
  });

  it('tell the counts at most every 250 ms, also of what others tell of tickets', async () => {
    const started = performance.now();
    for (let round = 0; round < 3; round++) {
      const counts = next('views');
      events.publish('tickets', '*', null);
      events.publish('tickets', '*', null);
      await counts;
    }
    expect(counted).toBe(3);
    expect(performance.now() - started).toBeGreaterThan(3 * 240);
  });

  it('go on after a row could not be read', async () => {
    news.touched('broken');
    const counts = next('views');
    events.publish('tickets', '*', null);
    await counts;
    expect(said).toEqual(['News of the queue: no disk']);
  });
});
