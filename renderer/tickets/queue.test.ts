// The queue of a view: pages that come and go, rows that events move.
import { describe, expect, test } from 'vitest';
import type { TicketRow } from '../../shared/queue.ts';
import type { Desk } from '../desk.ts';
import { createQueue } from './queue.ts';

function row(n: number, more: Partial<TicketRow> = {}): TicketRow {
  return {
    id: `T-${n}`,
    customer: null,
    customer_name: null,
    machine: false,
    subject: '',
    words: '',
    received_at: '2026-06-01T00:00:00Z',
    since: '2026-06-01T00:00:00Z',
    status: 'open',
    snoozed_until: null,
    state: 'open',
    draft: 'none',
    waits: null,
    unbacked: 0,
    owner: null,
    priority: 'normal',
    version: 1,
    edition: 1,
    ...more,
  };
}

/** A host with so many tickets, which gives pages by where they begin. */
function queueOf(total: number, open: () => string | null = () => null) {
  const asked: string[] = [];
  const failing = { why: null as string | null };
  const gone = new Set<string>();
  const ask = ((route: string, { after, limit }: { after: string | null; limit: number }) => {
    asked.push(`${route} ${after ?? 'first'}`);
    if (failing.why !== null) return Promise.reject(new Error(failing.why));
    const from = Number(after ?? 0);
    const all = Array.from({ length: Math.min(limit, total - from) }, (_, index) => row(from + index));
    const rows = all.filter(({ id }) => !gone.has(id));
    return Promise.resolve({ rows, after: from + limit < total ? String(from + limit) : null });
    // Only the routes of the queue are asked here, and they answer like that.
  }) as unknown as Desk['ask'];
  const soon: (() => void)[] = [];
  const queue = createQueue({ desk: { ask }, me: () => 'me', open, soon: (work) => soon.push(work) });
  return { queue, asked, soon, failing, gone };
}
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
function ids(queue: ReturnType<typeof queueOf>['queue']): string[] {
  return queue.rows().map(({ id }) => id);
}

describe('pages (layout: pages of 200, at most 2,000 rows)', () => {
  test('going down holds 2,000 rows at most, and going up brings the first back', async () => {
    const { queue } = queueOf(5_000);
    await queue.list();
    for (let page = 0; page < 14; page++) {
      queue.down();
      await settled();
    }
    expect(queue.rows()).toHaveLength(2_000);
    expect(ids(queue)[0]).toBe('T-1000');
    for (let page = 0; page < 5; page++) {
      queue.up();
      await settled();
    }
    expect(queue.rows()).toHaveLength(2_000);
    expect(ids(queue)[0]).toBe('T-0');
    queue.up();
    await settled();
    expect(ids(queue)[0]).toBe('T-0');
  });

  test('listing again reads as many pages as are held, from where they begin', async () => {
    const { queue, asked } = queueOf(5_000);
    await queue.list();
    queue.down();
    await settled();
    asked.length = 0;
    await queue.list();
    expect(asked).toEqual(['tickets.page first', 'tickets.page 200']);
  });
});

describe('another list', () => {
  test('is read from its beginning, though an event has it listed once more meanwhile', async () => {
    const { queue, asked, soon } = queueOf(5_000);
    await queue.list();
    for (let page = 0; page < 12; page++) {
      queue.down();
      await settled();
    }
    expect(queue.store.getState().pages.above).toHaveLength(3);
    asked.length = 0;
    queue.show({ filter: { priorities: ['normal'] } });
    queue.change({ feature: 'tickets', id: '*', revision: 1, gone: true });
    soon.at(-1)?.();
    await queue.loaded();
    expect(asked).toEqual(['tickets.page first', 'tickets.page first']);
    expect(queue.store.getState()).toMatchObject({ state: 'ready', shown: 1, pages: { above: [] } });
    expect(ids(queue)).toHaveLength(200);
  });

  test('that cannot be read leaves no rows of the one before, and is read from its beginning again', async () => {
    const desk = queueOf(500);
    await desk.queue.list();
    desk.queue.down();
    await settled();
    desk.failing.why = 'too slow';
    desk.queue.show({ filter: { text: 'order' } });
    await desk.queue.loaded();
    expect(desk.queue.store.getState()).toMatchObject({ state: 'failed', failed: 'too slow' });
    expect(ids(desk.queue)).toEqual([]);
    desk.failing.why = null;
    desk.queue.show({ filter: {} });
    await desk.queue.loaded();
    desk.failing.why = 'line lost';
    await desk.queue.list();
    expect(ids(desk.queue)).toHaveLength(200);
  });
});

describe('marked tickets', () => {
  const chosen = (queue: ReturnType<typeof queueOf>['queue'], open?: TicketRow) =>
    queue.chosen(open).map(({ id, edition }) => [id, edition]);

  test('are what an act is for, also those whose page is held no longer, by the edition seen last', async () => {
    const { queue } = queueOf(5_000);
    await queue.list();
    queue.mark(row(3));
    queue.mark(row(4));
    for (let page = 0; page < 12; page++) {
      queue.down();
      await settled();
    }
    expect(ids(queue)).not.toContain('T-3');
    queue.take(row(4, { edition: 2, owner: 'me' }));
    expect(chosen(queue, row(900))).toEqual([
      ['T-3', 1],
      ['T-4', 2],
    ]);
  });

  test('are no longer once done; only then an act is for the open ticket', async () => {
    const { queue } = queueOf(5);
    await queue.list();
    queue.mark(row(1));
    queue.mark(row(2));
    queue.unmark(['T-1']);
    expect(chosen(queue, row(4))).toEqual([['T-2', 1]]);
    queue.unmark(['T-2']);
    expect(chosen(queue, row(4))).toEqual([['T-4', 1]]);
    expect(chosen(queue)).toEqual([]);
  });

  test('move a person on only with the open one among them, to one that stays', async () => {
    const { queue } = queueOf(5);
    await queue.list();
    expect(queue.after(['T-0'], 'T-3')).toBeNull();
    expect(queue.after(['T-1', 'T-2'], 'T-1')).toBe('T-3');
    expect(queue.after(['T-3', 'T-4'], 'T-3')).toBe('T-2');
    expect(queue.after(['T-9'], 'T-9')).toBeNull();
  });
});

describe('events', () => {
  test('under a filter a ticket that no longer fits goes, and one that does not fit has nothing listed', async () => {
    const { queue, soon } = queueOf(5);
    queue.show({ filter: { drafts: ['none', 'working'], priorities: ['normal'] } });
    await queue.loaded();
    queue.take(row(1, { draft: 'working' }));
    queue.take(row(2, { draft: 'ready' }));
    queue.take(row(3, { priority: 'high' }));
    expect(ids(queue)).toEqual(['T-0', 'T-1', 'T-4']);
    queue.take(row(9, { draft: 'ready' }));
    expect(soon).toEqual([]);
    queue.take(row(9));
    expect(soon).toHaveLength(1);
  });

  test('a ticket that leaves the view goes; one that comes in has the view listed again', async () => {
    const { queue, soon } = queueOf(5);
    await queue.list();
    queue.take(row(2, { owner: 'me' }));
    expect(ids(queue)).toEqual(['T-0', 'T-1', 'T-3', 'T-4']);
    queue.take(row(9));
    expect(soon).toHaveLength(1);
    soon[0]?.();
    await settled();
    expect(ids(queue)).toHaveLength(5);
  });

  test('the open ticket keeps its row until the person moves on', async () => {
    let open: string | null = 'T-2';
    const { queue } = queueOf(5, () => open);
    await queue.list();
    queue.take(row(2, { status: 'done' }));
    expect(ids(queue)).toContain('T-2');
    open = 'T-3';
    queue.settle();
    expect(ids(queue)).not.toContain('T-2');
  });

  test('it keeps it also where the view is listed again without it, before or after the news of it', async () => {
    let open: string | null = 'T-2';
    const { queue, gone } = queueOf(5, () => open);
    await queue.list();
    gone.add('T-2');
    await queue.list();
    expect(ids(queue)).toEqual(['T-0', 'T-1', 'T-2', 'T-3', 'T-4']);
    queue.take(row(2, { status: 'done' }));
    await queue.list();
    expect(ids(queue)).toEqual(['T-0', 'T-1', 'T-2', 'T-3', 'T-4']);
    expect(queue.rows()[2]?.status).toBe('done');
    open = 'T-3';
    queue.settle();
    expect(ids(queue)).toEqual(['T-0', 'T-1', 'T-3', 'T-4']);
  });

  test('it goes with another view, and is not shown twice where it stands further down now', async () => {
    const { queue, gone } = queueOf(1_000, () => 'T-2');
    await queue.list();
    gone.add('T-2');
    await queue.list();
    expect(ids(queue)).not.toContain('T-2');
    queue.take(row(3, { status: 'done' }));
    queue.show({ view: 'all' });
    await queue.loaded();
    expect(ids(queue)).not.toContain('T-2');
  });
});
