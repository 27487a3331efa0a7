// The replies of whoever acts here that are on their way, and what became of each: sent, taken back, or stopped because the
// thread went on. The host has the word: after a reload, a lost line or a change of the thread it is asked again.
import { createStore } from 'zustand/vanilla';
import type { Change } from '../../shared/contract.ts';
import type { OpenTicket, ReplyDraft } from '../../shared/queue.ts';
import type { Desk } from '../desk.ts';

export interface Leaving {
  ticket: string;
  customer: string | null;
  /** Of the thread it is for. */
  version: number;
  /** When it goes out, in milliseconds of this clock. */
  until: number;
  /** It was not sent: the thread went on before. */
  stopped: boolean;
}
interface State {
  /** Newest last. */
  leaving: readonly Leaving[];
}

/** `stopped` is told once of each reply that was not sent. */
export function createLeaving(desk: Pick<Desk, 'ask'>, stopped: (reply: Leaving) => void) {
  const store = createStore<State>(() => ({ leaving: [] }));
  let turn = 0;

  function find(ticket: string): Leaving | undefined {
    return store.getState().leaving.find((one) => one.ticket === ticket);
  }
  function put(reply: Leaving): void {
    const { leaving } = store.getState();
    store.setState({ leaving: [...leaving.filter(({ ticket }) => ticket !== reply.ticket), reply] });
    if (!reply.stopped) setTimeout(() => void look(reply), Math.max(0, reply.until - Date.now()));
  }
  function forget(ticket: string): void {
    store.setState(({ leaving }) => ({ leaving: leaving.filter((one) => one.ticket !== ticket) }));
  }
  /** What became of it; where the desk is not reached that stays open until it is. */
  async function look(reply: Leaving): Promise<void> {
    const now = await desk.ask('tickets.get', { id: reply.ticket }).catch(() => null);
    if (now === null || find(reply.ticket) !== reply) return;
    if (now.draft?.state === 'sending') goesOn(reply, now.draft);
    else if (isSent(reply, now) || isBack(reply, now.draft)) forget(reply.ticket);
    else {
      const one = { ...reply, stopped: true };
      put(one);
      stopped(one);
    }
  }
  /** It was taken back and sent again meanwhile: it goes out later. */
  function goesOn(reply: Leaving, draft: ReplyDraft): void {
    const until = Date.parse(draft.undo_until ?? '');
    if (until > reply.until) put({ ...reply, version: draft.version, until });
  }
  function lookAt(ticket: string): void {
    const reply = find(ticket);
    if (reply?.stopped === false) void look(reply);
  }

  return {
    store,
    forget,
    /** It was sent here: it is on its way now. */
    add(draft: ReplyDraft, customer: string | null): void {
      const until = Date.parse(draft.undo_until ?? '');
      if (!Number.isNaN(until)) put({ ticket: draft.ticket, customer, version: draft.version, until, stopped: false });
    },
    /** Somebody else acts here. */
    clear(): void {
      turn++;
      store.setState({ leaving: [] });
    },
    /** After a reload or a lost line. */
    async list(): Promise<void> {
      const mine = ++turn;
      const all = await desk.ask('drafts.leaving', {}).catch(() => null);
      if (all === null || mine !== turn) return;
      for (const { undo_until, ...one } of all)
        if (find(one.ticket)?.stopped !== false) put({ ...one, until: Date.parse(undo_until), stopped: false });
      for (const { ticket } of store.getState().leaving) if (!all.some((one) => one.ticket === ticket)) lookAt(ticket);
    },
    draft(change: Change<'drafts'>): void {
      const reply = find(change.id);
      if (!('entity' in change) || change.entity.state !== 'sending') lookAt(change.id);
      else if (reply?.stopped === false) goesOn(reply, change.entity);
    },
    row(change: Change<'tickets'>): void {
      if (!('entity' in change)) for (const { ticket } of store.getState().leaving) lookAt(ticket);
      else if (find(change.id)?.version !== change.entity.version) lookAt(change.id);
    },
  };
}

function isSent({ until }: Leaving, { thread }: OpenTicket): boolean {
  return thread.some(({ kind, at }) => kind === 'reply' && Date.parse(at) >= until);
}
function isBack({ version }: Leaving, draft: ReplyDraft | null): boolean {
  return draft?.state === 'open' && draft.version === version;
}
