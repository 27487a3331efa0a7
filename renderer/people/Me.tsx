// Who is at the desk, at the foot of the rail: changing over in the sample company, signing out, people for an admin.
import { useEffect, useState } from 'react';
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';
import type { PersonRow } from '../../shared/people.ts';
import { useAsked } from '../asked.ts';
import { reason } from '../../shared/failures.ts';
import { runCommand, useCommand } from '../commands/registry.ts';
import { announce } from '../parts/announce.ts';
import { Button as PlainButton } from '../parts/Button.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { becomeMe, desk, useMay, useMe } from '../session.ts';
import styles from './Me.module.css';
import { OwnPassphrase, People, WhoDidWhat } from './People.tsx';

export function Me() {
  const { person, sample } = useMe();
  const { value: people = [] } = useAsked('people.list', {}, { follow: ['people'] });
  useWhoIAm();
  const admin = useMay('admin');
  const [dialog, setDialog] = useState<'people' | 'acts' | 'passphrase' | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  useCommand('people.me', () => setOpen(true), person !== null);
  useCommand('people.roles', () => setDialog('people'), admin);
  useCommand('people.acts', () => setDialog('acts'), admin);
  if (person === null) return null;
  const others = sample ? people.filter(({ id, open }) => open && id !== person.id) : [];
  const self = people.find(({ id }) => id === person.id);
  const attempt = (work: () => Promise<void>): void =>
    void work().catch((error: unknown) => setWrong(`You are still ${person.name}. ${reason(error)}`));
  function act(key: string): void {
    setWrong(null);
    const next = others.find(({ id }) => key === `as ${id}`);
    if (next !== undefined) attempt(() => changeOver(next));
    else if (key === 'people' || key === 'acts' || key === 'passphrase') setDialog(key);
    else if (key === 'import') runCommand('tickets.import');
    else if (key === 'export') runCommand('tickets.export');
    else if (key === 'out') attempt(async () => becomeMe(await desk.ask('people.signout', {})));
  }
  return (
    <>
      <MenuTrigger isOpen={open} onOpenChange={setOpen}>
        <Button className={styles.me ?? ''} aria-label={`${initials(person.name)}: ${person.name}, ${person.role}`}>
          {initials(person.name)}
        </Button>
        <Popover placement="right bottom" className={styles.popover ?? ''}>
          <Menu className={styles.menu ?? ''} aria-label="People" onAction={(key) => act(String(key))}>
            <MenuSection>
              <Header className={styles.head ?? ''}>
                {drawn(person.name)}, {person.role}
              </Header>
              {self?.signs_in === true ? (
                <MenuItem id="passphrase" className={styles.item ?? ''}>
                  Change your passphrase…
                </MenuItem>
              ) : null}
              {admin ? (
                <MenuItem id="people" className={styles.item ?? ''}>
                  People and roles…
                </MenuItem>
              ) : null}
              {admin ? (
                <MenuItem id="acts" className={styles.item ?? ''}>
                  Who did what…
                </MenuItem>
              ) : null}
              <MenuItem id="import" className={styles.item ?? ''}>
                Bring tickets in…
              </MenuItem>
              <MenuItem id="export" className={styles.item ?? ''}>
                Take data out…
              </MenuItem>
              <MenuItem id="out" className={styles.item ?? ''}>
                Sign out
              </MenuItem>
            </MenuSection>
            {others.length > 0 ? (
              <MenuSection>
                <Header className={styles.head ?? ''}>In the sample company, be</Header>
                {others.map(({ id, name, role }) => (
                  <MenuItem key={id} id={`as ${id}`} textValue={name} className={styles.item ?? ''}>
                    <span>{drawn(name)}</span>
                    <span className={styles.role}>{role}</span>
                  </MenuItem>
                ))}
              </MenuSection>
            ) : null}
          </Menu>
        </Popover>
      </MenuTrigger>
      {wrong !== null && (
        <div className={styles.failed} role="alert">
          <Foreign as="p" text={wrong} />
          <PlainButton look="quiet" onPress={() => setWrong(null)}>
            Close
          </PlainButton>
        </div>
      )}
      {dialog === 'people' && <People close={() => setDialog(null)} people={people} />}
      {dialog === 'acts' && <WhoDidWhat close={() => setDialog(null)} />}
      {dialog === 'passphrase' && <OwnPassphrase close={() => setDialog(null)} id={person.id} />}
    </>
  );
}

/** An admin may have given another role, or another passphrase, which ends the session. */
function useWhoIAm(): void {
  const { value: now } = useAsked('people.me', {}, { follow: ['people'] });
  useEffect(() => {
    const { person } = useMe.getState();
    if (now === undefined || person === null) return;
    if (now.person === null || (now.person.id === person.id && now.person.role !== person.role)) {
      becomeMe(now);
      announce(now.person === null ? 'You are signed out.' : `You are ${now.person.role} now.`);
    }
  }, [now]);
}

async function changeOver({ id, name, role }: PersonRow): Promise<void> {
  becomeMe(await desk.ask('people.signin', { id }));
  announce(`You are ${name}, ${role}.`);
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}
