// Replies on their way: the host has the word on what became of each.
import { beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../../shared/failures.ts';
import type { LeavingReply, OpenTicket, ReplyDraft, TicketRow } from '../../shared/queue.ts';
import type { Desk } from '../desk.ts';
import { createLeaving } from './leaving.ts';

const hour = 3_600_000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const until = at(hour);
const sent = until;
const tag = { id: 'T-1', revision: 1 };

/** What the host holds of T-1, and what is on its way of who asks; null: it is not reached. */
let held: { draft: Partial<ReplyDraft> | null; replies: string[] } | null;
let own: LeavingReply[];
let told: string[];
let replies: ReturnType<typeof createLeaving>;
beforeEach(() => {
  held = { draft: { state: 'sending', version: 3, undo_until: until }, replies: [] };
  own = [];
  told = [];
  const ask = ((route: string) => {
    if (held === null) return Promise.reject(new Failure('desk.lost', ''));
    if (route === 'drafts.leaving') return Promise.resolve(own);
    const thread = held.replies.map((at) => ({ kind: 'reply', at }));
    return Promise.resolve({ draft: held.draft, thread } as OpenTicket); // all of it that is looked at
    // Only these two routes are asked here.
  }) as unknown as Desk['ask'];
  replies = createLeaving({ ask }, ({ ticket }) => told.push(ticket));
});
const draft = (more: Partial<ReplyDraft>) =>
  ({ ticket: 'T-1', version: 3, state: 'sending', undo_until: until, ...more }) as ReplyDraft; // all of it that is looked at
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}
async function goesOn(version: number): Promise<void> {
  replies.row({ feature: 'tickets', ...tag, entity: { id: 'T-1', version } as TicketRow }); // all of it that is looked at
  await settled();
}
const leaving = () => replies.store.getState().leaving.map(({ ticket, stopped }) => [ticket, stopped]);

describe('a reply on its way', () => {
  test('is stopped where the thread goes on first, which is told once and stays until it is read', async () => {
    replies.add(draft({}), 'Clara');
    await goesOn(3);
    expect(leaving()).toEqual([['T-1', false]]);
    held = { draft: { state: 'retired', version: 3 }, replies: [at(0)] };
    await goesOn(4);
    await goesOn(5);
    expect(leaving()).toEqual([['T-1', true]]);
    expect(told).toEqual(['T-1']);
    replies.forget('T-1');
    expect(leaving()).toEqual([]);
  });

  test('is sent or taken back without a word', async () => {
    replies.add(draft({}), 'Clara');
    held = { draft: null, replies: [sent] };
    replies.draft({ feature: 'drafts', ...tag, gone: true });
    await settled();
    expect(leaving()).toEqual([]);
    replies.add(draft({}), 'Clara');
    held = { draft: { state: 'open', version: 3 }, replies: [] };
    replies.draft({ feature: 'drafts', ...tag, entity: draft({ state: 'open' }) });
    await settled();
    expect(leaving()).toEqual([]);
    expect(told).toEqual([]);
  });

  test('that was sent is not called stopped by what was drafted after it', async () => {
    replies.add(draft({}), 'Clara');
    held = { draft: { state: 'retired', version: 5 }, replies: [sent] };
    await goesOn(6);
    expect(leaving()).toEqual([]);
    expect(told).toEqual([]);
  });

  test('is there after a reload; after a lost line it is asked what became of it', async () => {
    own = [{ ticket: 'T-1', customer: 'Clara', version: 3, undo_until: until }];
    await replies.list();
    expect(replies.store.getState().leaving).toEqual([
      { ticket: 'T-1', customer: 'Clara', version: 3, until: Date.parse(until), stopped: false },
    ]);
    held = null;
    replies.draft({ feature: 'drafts', ...tag, gone: true });
    await replies.list();
    expect(leaving()).toEqual([['T-1', false]]);
    own = [];
    held = { draft: { state: 'retired', version: 3 }, replies: [] };
    await replies.list();
    await settled();
    expect(leaving()).toEqual([['T-1', true]]);
  });

  test('that was sent again goes out later; who acts after somebody else sees none of theirs', () => {
    replies.add(draft({}), 'Clara');
    const later = at(2 * hour);
    replies.draft({ feature: 'drafts', ...tag, entity: draft({ undo_until: later }) });
    expect(replies.store.getState().leaving[0]?.until).toBe(Date.parse(later));
    replies.clear();
    expect(leaving()).toEqual([]);
  });
});
