// People and roles, for an admin; a person's own passphrase.
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { shortestPassphrase, type PersonRow, type Role } from '../../shared/people.ts';
import { useDoing } from '../asked.ts';
import { cx } from '../classes.ts';
import { announce } from '../parts/announce.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import { drawn, Foreign, spelled } from '../parts/Foreign.tsx';
import { becomeMe, desk, useMe } from '../session.ts';
import { Acts } from './Acts.tsx';
import styles from './Me.module.css';
import { RolePick } from './RolePick.tsx';

interface OverProps {
  title: string;
  close: () => void;
  wide?: boolean;
  children: React.ReactNode;
}

function Over({ title, close, wide = false, children }: OverProps) {
  return (
    <ModalOverlay className={styles.over ?? ''} isOpen onOpenChange={(open) => !open && close()} isDismissable>
      <Modal>
        <Dialog className={cx(styles.modal, wide && styles.wide)}>
          <Heading slot="title" className={styles.title ?? ''}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

export function People({ close, people }: { close: () => void; people: PersonRow[] }) {
  const { failed, run } = useDoing();
  async function change(person: PersonRow, role: Role): Promise<void> {
    if ((await run(() => desk.ask('people.role', { id: person.id, role }))) !== undefined)
      announce(`${person.name} is ${role} now.`);
  }
  return (
    <Over title="People and roles" close={close}>
      <ul>
        {people.map((person) => (
          <PersonLine key={person.id} person={person} onRole={(role) => void change(person, role)} />
        ))}
      </ul>
      {failed !== null && (
        <p role="alert" className={styles.wrong}>
          <Foreign text={failed.message} />
        </p>
      )}
      <AddPerson />
      <p className={styles.acts}>
        <Button onPress={close}>Close</Button>
      </p>
    </Over>
  );
}

interface LineProps {
  person: PersonRow;
  onRole: (role: Role) => void;
}

function PersonLine({ person, onRole }: LineProps) {
  const [giving, setGiving] = useState(false);
  const own = useMe((me) => me.person?.id === person.id);
  return (
    <li className={styles.line}>
      <div className={styles.row}>
        <span className={styles.name}>
          <Foreign text={person.name} />
          <small>
            {drawn(person.id)}
            {person.open ? ', of the sample company: acts without a passphrase' : ''}
            {!person.open && !person.signs_in ? ', cannot sign in: no passphrase' : ''}
          </small>
        </span>
        {!own && (
          <Button look="quiet" label={`Passphrase of ${spelled(person.name)}`} onPress={() => setGiving((old) => !old)}>
            Passphrase…
          </Button>
        )}
        <RolePick label={`Role of ${spelled(person.name)}`} role={person.role} onChange={onRole} />
      </div>
      {giving && <GivePassphrase person={person} done={() => setGiving(false)} />}
    </li>
  );
}

/** An admin's for somebody who lost theirs, or never had one. */
function GivePassphrase({ person: { id, name, open }, done }: { person: PersonRow; done: () => void }) {
  const [passphrase, setPassphrase] = useState('');
  const { busy, failed, run } = useDoing();
  async function give(): Promise<void> {
    const given = await run(() => desk.ask('people.passphrase', { id, passphrase }, { deadline: 30_000 }));
    if (given === undefined) return;
    announce(`${name} signs in with the new passphrase from now on.`);
    done();
  }
  return (
    <div className={styles.give}>
      <Field
        label={`New passphrase of ${name}`}
        help={`${passphraseHelp} ${open ? 'From then on it is asked of them.' : 'Where they are signed in, they are signed out.'}`}
        value={passphrase}
        onChange={setPassphrase}
        type="password"
        required
      />
      <div className={styles.acts}>
        <Button disabled={busy || passphrase.length < shortestPassphrase} onPress={() => void give()}>
          {busy ? 'Setting…' : 'Set it'}
        </Button>
        <Button look="quiet" onPress={done}>
          Leave it
        </Button>
      </div>
      {failed !== null && (
        <p role="alert" className={styles.wrong}>
          <Foreign text={failed.message} />
        </p>
      )}
    </div>
  );
}

export function WhoDidWhat({ close }: { close: () => void }) {
  return (
    <Over title="Who did what" close={close} wide>
      <p className={styles.under}>
        Changes that leave no name elsewhere. Calls, answers, decisions on tools, notes and replies carry theirs in
        their own logs.
      </p>
      <Acts />
      <p className={styles.acts}>
        <Button onPress={close}>Close</Button>
      </p>
    </Over>
  );
}

const passphraseHelp = `${shortestPassphrase} characters or more. Several words are easiest to keep.`;

function AddPerson() {
  const none = { id: '', name: '', passphrase: '' };
  const [text, setText] = useState(none);
  const [role, setRole] = useState<Role>('staff');
  const { busy, failed, run } = useDoing();
  const set = (key: keyof typeof none) => (value: string) => setText((old) => ({ ...old, [key]: value }));
  async function add(): Promise<void> {
    const { id, name, passphrase } = text;
    const given = { id: id.trim(), name: name.trim(), role, passphrase };
    const added = await run(() => desk.ask('people.add', given, { deadline: 30_000 }));
    if (added === undefined) return;
    setText(none);
    announce(`${added.name} can sign in now.`);
  }
  const ready =
    !busy && text.id.trim() !== '' && text.name.trim() !== '' && text.passphrase.length >= shortestPassphrase;
  return (
    <section className={styles.add} aria-label="Add a person">
      <h3>Add a person</h3>
      <div className={styles.two}>
        <Field label="Name" value={text.name} onChange={set('name')} required />
        <Field
          label="ID"
          help="Short and lasting: it stands in the log."
          value={text.id}
          onChange={set('id')}
          required
        />
      </div>
      <Field
        label="First passphrase"
        help={passphraseHelp}
        value={text.passphrase}
        onChange={set('passphrase')}
        type="password"
        required
      />
      <div className={styles.acts}>
        <RolePick label="Role of the new person" role={role} onChange={setRole} />
        <Button look="primary" disabled={!ready} onPress={() => void add()}>
          {busy ? 'Adding…' : 'Add'}
        </Button>
      </div>
      {failed !== null && (
        <p role="alert" className={styles.wrong}>
          <Foreign text={failed.message} />
        </p>
      )}
    </section>
  );
}

export function OwnPassphrase({ close, id }: { close: () => void; id: string }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { busy, failed, run } = useDoing();
  async function change(): Promise<void> {
    const changed = await run(() =>
      desk.ask('people.passphrase', { id, current, passphrase: next }, { deadline: 30_000 }),
    );
    if (changed === undefined) return;
    close();
    announce('Your passphrase is changed.');
    // Every session that began with the old one has ended, this one too.
    becomeMe(await desk.ask('people.signin', { id, passphrase: next }, { deadline: 30_000 }));
  }
  return (
    <Over title="Change your passphrase" close={close}>
      <Field label="The one so far" value={current} onChange={setCurrent} type="password" required />
      <Field label="The new one" help={passphraseHelp} value={next} onChange={setNext} type="password" required />
      {failed !== null && (
        <p role="alert" className={styles.wrong}>
          <Foreign text={failed.message} />
        </p>
      )}
      <p className={styles.acts}>
        <Button look="primary" disabled={busy || next.length < shortestPassphrase} onPress={() => void change()}>
          Change it
        </Button>
        <Button onPress={close}>Leave it</Button>
      </p>
    </Over>
  );
}
