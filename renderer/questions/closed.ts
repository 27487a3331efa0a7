// Questions this page knows to be answered or ended, before the inbox is read anew: an answered one is not put to anyone again.
import { create } from 'zustand';
import { desk } from '../session.ts';

const useSeen = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

export function useClosed(): ReadonlySet<string> {
  return useSeen(({ ids }) => ids);
}
export function close(id: string): void {
  useSeen.setState(({ ids }) => ({ ids: new Set(ids).add(id) }));
}

desk.follow('questions', {
  list: () => undefined,
  change(change) {
    if ('entity' in change && change.entity.state !== 'open') close(change.id);
  },
});
