// The queue of this page, following the host.
import { useStore } from 'zustand';
import { usePlace } from '../place.ts';
import { desk, useMe } from '../session.ts';
import { createQueue, type QueueState } from './queue.ts';

export const queue = createQueue({
  desk,
  me: () => useMe.getState().person?.id ?? null,
  open: () => usePlace.getState().open,
});

export function useQueue<Part>(pick: (state: QueueState) => Part): Part {
  return useStore(queue.store, pick);
}

desk.follow('tickets', { list: () => void queue.list(), change: (change) => queue.change(change) });
desk.follow('views', {
  list: () => void queue.count(),
  change: (change) => ('entity' in change ? queue.counted(change.entity) : void queue.count()),
});
usePlace.subscribe((now, before) => {
  if (now.open !== before.open) queue.settle();
});
