// The open ticket of this page: what the place says is open, following the host.
import { useStore } from 'zustand';
import { usePlace } from '../place.ts';
import { desk } from '../session.ts';
import { createOpen, type OpenState } from './open.ts';

export const opened = createOpen(desk);

export function useOpened<Part>(pick: (state: OpenState) => Part): Part {
  return useStore(opened.store, pick);
}

function follow(): void {
  const { screen, open } = usePlace.getState();
  if (screen === 'queue') opened.show(open);
}
usePlace.subscribe(follow);
desk.follow('tickets', {
  list: () => {
    follow();
    void opened.read();
  },
  change: (change) => opened.row(change),
});
desk.follow('drafts', { list: () => undefined, change: (change) => opened.draft(change) });
desk.follow('calls', { list: () => undefined, change: (change) => opened.call(change) });
