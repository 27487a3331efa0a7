// What the host does for the requests about people: short words to `people.ts`, which holds the rules.
import type { Acts } from './acts.ts';
import type { Handlers } from './asked.ts';
import type { People } from './people.ts';

type Routes = Extract<keyof Handlers, `people.${string}`>;

export function createPeopleHandlers({
  signing: people,
  acts,
}: {
  signing: People;
  acts: Acts;
}): Pick<Handlers, Routes> {
  return {
    'people.list': () => people.list(),
    'people.me': (_, { session }) => people.me(session),
    'people.signin': (given, { session, signal }) => people.signIn(session, given, signal),
    'people.signout': (_, { session }) => people.signOut(session),
    'people.resume': (_, { session }) => people.resume(session),
    'people.begin': (given, { session }) => people.begin(session, given),
    'people.add': (given) => people.add(given),
    'people.role': (given) => people.role(given),
    'people.acts': (given) => acts.list(given),
    'people.passphrase': (given, { by, signal }) => people.passphrase(given, by(), signal),
  };
}
