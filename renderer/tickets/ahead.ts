// The next three tickets of the open view are drafted ahead, once a person stays on a ticket they went to themselves; on
// battery only what is asked for is drafted. One ticket at a time, so that what a person asks for waits for one at most.
import { usePlace } from '../place.ts';
import { desk } from '../session.ts';
import { draft, stopDrafting, useDrafting } from './drafting.ts';
import { opened } from './openTicket.ts';
import { queue } from './store.ts';

/** Milliseconds on a ticket after which it counts as being read. */
const stay = 4_000;
const ahead = 3;

interface Battery {
  charging: boolean;
}

async function onMains(): Promise<boolean> {
  // Not every engine has it; those without run on what cannot be known, which counts as mains.
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  return getBattery === undefined || (await getBattery.call(navigator)).charging;
}
async function hasModel(): Promise<boolean> {
  return (await desk.ask('models.list', {})).some((one) => one.present && (one.in_use || one.role === 'starter'));
}

function nextToDraft(): string | undefined {
  const rows = queue.rows();
  const at = rows.findIndex((row) => row.id === opened.store.getState().id);
  return at === -1
    ? undefined
    : rows
        .slice(at + 1, at + 1 + ahead)
        .find(
          (row) =>
            !tried.has(row.id) && row.status === 'open' && row.draft === 'none' && row.state === 'open' && !row.machine,
        )?.id;
}

let timer: ReturnType<typeof setTimeout> | undefined;
let mine: string | null = null;
/** What was stopped, or did not work, is not tried again by itself. */
const tried = new Set<string>();

async function goOn(): Promise<void> {
  if (mine !== null || useDrafting.getState().asked.size > 0) return;
  try {
    if (!(await onMains()) || !(await hasModel())) return;
    for (let next = nextToDraft(); next !== undefined; next = nextToDraft()) {
      // A person asked for something meanwhile: that goes first.
      if (useDrafting.getState().asked.size > 0) return;
      mine = next;
      tried.add(next);
      await draft([next], { ahead: true }).finally(() => (mine = null));
    }
  } catch {
    // Ahead is a favour: whoever asks for the draft is told what is wrong.
  }
}

/** Begins with the next move of the person. */
export function draftAhead(): void {
  usePlace.subscribe(({ screen, open }, before) => {
    if (open === before.open || before.open === null) return;
    clearTimeout(timer);
    if (screen === 'queue' && open !== null) timer = setTimeout(() => void goOn(), stay);
  });
  useDrafting.subscribe(({ asked }) => {
    // A person asked for something: it goes first.
    if (mine !== null && asked.size > 1) void stopDrafting(mine).catch(() => undefined);
  });
}
