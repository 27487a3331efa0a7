// How many things wait in the inbox, for the rail; and what is new among them, said aloud wherever the person is.
import { useEffect, useRef } from 'react';
import { useAsked } from '../asked.ts';
import { announce } from '../parts/announce.ts';
import { useClosed } from './closed.ts';
import { groupsOf } from './inbox.ts';

export function useInboxWaiting(): number {
  const { value } = useAsked('questions.list', {}, { follow: ['questions', 'calls', 'people'] });
  const closed = useClosed();
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (value === undefined) return;
    const items = groupsOf(value, closed).flatMap((group) => group.items);
    // Consents are announced at their bar; what was there on arrival is no news.
    const news = items.filter(({ id, kind }) => known.current?.has(id) === false && kind !== 'consent');
    known.current = new Set(items.map(({ id }) => id));
    const [first, ...more] = news;
    if (first === undefined) return;
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    announce(`New in the inbox: ${first.title}, ${first.who}${others}.`);
  }, [value, closed]);
  const groups = value === undefined ? [] : groupsOf(value, closed);
  return groups.reduce((sum, { items }) => sum + items.length, 0);
}
