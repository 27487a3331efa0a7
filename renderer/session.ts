// The one desk of this page: its line, and who acts over it. In the sample company a connection begins as who acts on this
// page, a new page as who acted last in this browser, else as its first person; elsewhere a person signs in.
import { create, useStore } from 'zustand';
import type { Me, Role } from '../shared/people.ts';
import { may } from '../shared/people.ts';
import { createDesk, type LineState } from './desk.ts';
import { dial, noticesFor } from './line.ts';

export const desk = createDesk(dial);
const storedUnder = 'desk.person';

export function useLine(): LineState {
  return useStore(desk.state);
}

export const useMe = create<Me>(() => ({ person: null, sample: false, first: false }));
useMe.subscribe(({ person }) => noticesFor(person?.role ?? null));

/** Someone else acts from now on: everything is listed again with what they may see. */
export function becomeMe(me: Me): void {
  useMe.setState(me);
  if (me.person !== null) {
    localStorage.setItem(storedUnder, me.person.id);
    sessionStorage.removeItem(storedUnder);
  }
  desk.listAll();
}
// Somebody changed over on another page of this browser: this one stays who it is, also when it is loaded again.
window.addEventListener('storage', ({ key }) => {
  const { person } = useMe.getState();
  if (key === storedUnder && person !== null) sessionStorage.setItem(storedUnder, person.id);
});
/** Whether who acts has a role, or more. */
export function useMay(least: Role): boolean {
  return useMe(({ person }) => person !== null && may(person.role, least));
}

desk.onOpen(async (ask) => {
  let me = await ask('people.me', {});
  if (me.person === null && me.sample) {
    const people = await ask('people.list', {});
    const here = useMe.getState().person?.id ?? sessionStorage.getItem(storedUnder);
    const last = here ?? localStorage.getItem(storedUnder);
    const who = people.find((one) => one.id === last) ?? people.find((one) => one.open);
    if (who !== undefined) me = await ask('people.signin', { id: who.id });
  }
  useMe.setState(me);
});
