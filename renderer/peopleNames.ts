// Names of the people of the desk by ID, wherever one is spoken of.
import { create } from 'zustand';
import { desk } from './session.ts';

const useNames = create<{ names: Readonly<Record<string, string>> }>(() => ({ names: {} }));

function read(): void {
  desk.ask('people.list', {}).then(
    (people) => useNames.setState({ names: Object.fromEntries(people.map(({ id, name }) => [id, name])) }),
    // The IDs are shown until the next listing.
    () => undefined,
  );
}
desk.follow('people', { list: read, change: read });

/** The name of a person, the ID where none is known. */
export function usePeople(): (id: string | null) => string {
  const names = useNames((state) => state.names);
  return (id) => (id === null ? 'Nobody' : (names[id] ?? id));
}
