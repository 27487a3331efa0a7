// Having the model draft: which tickets it works on for this page, what it does right now in words, and stopping it. The next
// tickets of the view are drafted ahead while the machine is on mains power.
import { create } from 'zustand';
import { Failure, reason } from '../../shared/failures.ts';
import { announce } from '../parts/announce.ts';
import { desk } from '../session.ts';

interface Drafting {
  /** The step of each ticket that is being worked, in words. */
  steps: Readonly<Record<string, string>>;
  /** What the host said last about what this page asked for: a model being loaded. */
  says: string | null;
  /** The desk makes the model ready, for the first draft. */
  preparing: boolean;
  /** Asked for by this page and not done yet. */
  asked: ReadonlySet<string>;
  /** Why drafting a ticket did not work, until it is tried again. */
  failed: Readonly<Record<string, string>>;
}
export const useDrafting = create<Drafting>(() => ({
  steps: {},
  says: null,
  preparing: false,
  asked: new Set(),
  failed: {},
}));

/** Under which name news of what this page asked for come. */
export const watch = `page-${Math.random().toString(36).slice(2)}`;

function without<Value>(from: Readonly<Record<string, Value>>, ids: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([id]) => !ids.includes(id)));
}

desk.follow('runs', {
  list: () => useDrafting.setState({ steps: {} }),
  change(change) {
    if (!('entity' in change)) return;
    const { news } = change.entity;
    if (news.kind === 'step') useDrafting.setState(({ steps }) => ({ steps: { ...steps, [news.ticket]: news.words } }));
    else if (news.kind === 'says' && change.entity.watch === watch) useDrafting.setState({ says: news.words });
    else if (news.kind === 'preparing') useDrafting.setState({ preparing: !news.done });
    else if (news.kind === 'finished') {
      useDrafting.setState(({ steps }) => ({ steps: without(steps, [news.ticket.id]) }));
      if (change.entity.watch === watch) announce(`${news.ticket.id}: ${news.run.why}`);
    } else if (news.kind === 'left') useDrafting.setState(({ steps }) => ({ steps: without(steps, [news.ticket]) }));
  },
});

/** Drafts these tickets, in this order; resolves when done or stopped. What fails is said at the tickets, but not `ahead`. */
export async function draft(tickets: readonly string[], { ahead = false } = {}): Promise<void> {
  const wanted = tickets.filter((id) => !useDrafting.getState().asked.has(id));
  if (wanted.length === 0) return;
  useDrafting.setState(({ asked, failed }) => ({
    asked: new Set([...asked, ...wanted]),
    failed: without(failed, wanted),
  }));
  if (!ahead) announce(wanted.length === 1 ? `Drafting ${wanted[0] ?? ''}` : `Drafting ${wanted.length} tickets`);
  try {
    await desk.ask('tickets.draft', { tickets: [...wanted], ahead, watch }, { deadline: null });
  } catch (error) {
    // On a lost line it goes on without this page.
    if (!ahead && !(error instanceof Failure && ['stopped', 'desk.lost'].includes(error.code)))
      useDrafting.setState(({ failed }) => ({
        failed: { ...failed, ...Object.fromEntries(wanted.map((id) => [id, reason(error)])) },
      }));
  } finally {
    useDrafting.setState(({ asked, steps }) => ({
      asked: new Set([...asked].filter((id) => !wanted.includes(id))),
      steps: without(steps, wanted),
      says: null,
    }));
  }
}

/** Stops what drafts a ticket, whoever asked for it, and with it the others of the same go. */
export async function stopDrafting(ticket: string): Promise<void> {
  if (!(await desk.ask('tickets.stop', { id: ticket }))) announce('It goes on with an answer that was given.');
}
