// The ticket that is open, with the calls made for it: asked for once, then kept true by events. A slow answer for a ticket
// that is no longer open is dropped.
import { createStore } from 'zustand/vanilla';
import type { Call } from '../../shared/calls.ts';
import type { Change } from '../../shared/contract.ts';
import { reason } from '../../shared/failures.ts';
import type { OpenTicket, ReplyDraft, TicketRow } from '../../shared/queue.ts';
import type { Desk } from '../desk.ts';

function withCall(calls: readonly Call[], call: Call): readonly Call[] {
  return calls.some((one) => one.id === call.id)
    ? calls.map((one) => (one.id === call.id ? call : one))
    : [...calls, call];
}

/** What events said since a reading began: its answer may be older. */
interface Heard {
  calls: Map<string, Call>;
  ticket: boolean;
}
const silence = (): Heard => ({ calls: new Map(), ticket: false });

export interface OpenState {
  id: string | null;
  ticket: OpenTicket | null;
  calls: readonly Call[];
  failed: string | null;
}

export function createOpen(desk: Pick<Desk, 'ask'>) {
  const store = createStore<OpenState>(() => ({ id: null, ticket: null, calls: [], failed: null }));
  let turn = 0;
  let heard = silence();

  async function read(): Promise<void> {
    const { id } = store.getState();
    const mine = ++turn;
    if (id === null) return;
    const since = (heard = silence());
    try {
      const [ticket, calls] = await Promise.all([
        desk.ask('tickets.get', { id }),
        desk.ask('calls.list', { ticket: id }),
      ]);
      if (mine !== turn) return;
      const shown = store.getState().ticket;
      // Older than what is shown where an event came meanwhile: that stays until it was read again.
      store.setState({
        ticket: since.ticket ? (shown ?? ticket) : ticket,
        calls: [...since.calls.values()].reduce(withCall, calls),
        failed: null,
      });
      if (since.ticket) await read();
    } catch (error) {
      if (mine === turn) store.setState({ failed: reason(error) });
    }
  }
  return {
    store,
    read,
    show(id: string | null): void {
      if (store.getState().id === id) return;
      store.setState({ id, ticket: null, calls: [], failed: null });
      void read();
    },
    /** The row changed: only a new thread or run needs the whole ticket again. */
    row(change: Change<'tickets'>): void {
      const { id, ticket } = store.getState();
      if (!('entity' in change)) return void read();
      if (change.entity.id !== id) return;
      heard.ticket = true;
      if (ticket !== null) {
        const row: TicketRow = change.entity;
        store.setState({ ticket: { ...ticket, row } });
        if (row.version !== ticket.row.version || row.state !== ticket.row.state || row.draft !== ticket.row.draft)
          void read();
      }
    },
    draft(change: Change<'drafts'>): void {
      const { id, ticket } = store.getState();
      if (change.id !== id) return;
      heard.ticket = true;
      if (ticket === null) return;
      if ('entity' in change) store.setState({ ticket: { ...ticket, draft: change.entity } });
      else void read();
    },
    call(change: Change<'calls'>): void {
      if (!('entity' in change) || change.entity.ticket !== store.getState().id) return;
      const call: Call = change.entity;
      heard.calls.set(call.id, call);
      store.setState(({ calls }) => ({ calls: withCall(calls, call) }));
    },
    /** What the host gave back for a change of the draft, before its event comes. */
    drafted(draft: ReplyDraft): void {
      const { ticket } = store.getState();
      if (ticket?.id === draft.ticket) store.setState({ ticket: { ...ticket, draft } });
    },
  };
}
