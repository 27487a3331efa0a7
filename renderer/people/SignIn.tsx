// Nobody acts over this page yet: choosing somebody of the sample company, signing in, or becoming the first admin.
import { useEffect, useState } from 'react';
import { shortestPassphrase, type Me } from '../../shared/people.ts';
import { useAsked, useDoing } from '../asked.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import { drawn, Foreign } from '../parts/Foreign.tsx';
import { becomeMe, desk, useMe } from '../session.ts';
import styles from './Me.module.css';

export function SignIn() {
  const { sample, first } = useMe();
  const { value: people = [] } = useAsked('people.list', {}, { follow: ['people'] });
  const { value: about } = useAsked('doctor.about', {});
  const open = sample ? people.filter((one) => one.open) : [];
  const { busy, failed, run } = useDoing();
  const come = (ask: () => Promise<Me>) =>
    void run(ask).then((me) => {
      if (me !== undefined) becomeMe(me);
    });
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        <h1>{first ? 'The first admin' : 'Who is at the desk?'}</h1>
        <p>
          {first
            ? 'Nobody can act here yet. Whoever begins approves tools, adds people and gives roles.'
            : drawn(about?.company ?? '')}
        </p>
        {open.length > 0 && (
          <div className={styles.people}>
            {open.map(({ id, name, role }) => (
              <Button key={id} disabled={busy} onPress={() => come(() => desk.ask('people.signin', { id }))}>
                <span>{drawn(name)}</span>
                <span className={styles.role}>{role}</span>
              </Button>
            ))}
          </div>
        )}
        {(first || people.some((one) => one.signs_in)) && <ByPassphrase first={first} busy={busy} come={come} />}
        {failed !== null && (
          <p role="alert" className={styles.wrong}>
            <Foreign text={failed.message} />
          </p>
        )}
      </div>
    </div>
  );
}

interface ByProps {
  first: boolean;
  busy: boolean;
  come: (ask: () => Promise<Me>) => void;
}

function ByPassphrase({ first, busy, come }: ByProps) {
  const [text, setText] = useState({ id: '', name: '', passphrase: '' });
  const set = (key: keyof typeof text) => (value: string) => setText((old) => ({ ...old, [key]: value }));
  const { id, name, passphrase } = text;
  const ready =
    !busy &&
    id.trim() !== '' &&
    (first ? name.trim() !== '' && passphrase.length >= shortestPassphrase : passphrase !== '');
  useEffect(() => document.querySelector<HTMLInputElement>('form input')?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready) return;
        come(() =>
          first
            ? desk.ask('people.begin', { id: id.trim(), name: name.trim(), passphrase }, { deadline: 30_000 })
            : desk.ask('people.signin', { id: id.trim(), passphrase }, { deadline: 30_000 }),
        );
      }}
    >
      {first && <Field label="Name" value={name} onChange={set('name')} required />}
      <Field label="ID" value={id} onChange={set('id')} required />
      <Field
        label="Passphrase"
        {...(first ? { help: `${shortestPassphrase} characters or more. Several words are easiest to keep.` } : {})}
        value={passphrase}
        onChange={set('passphrase')}
        type="password"
        required
      />
      <button type="submit" hidden />
      <Button
        look="primary"
        disabled={!ready}
        onPress={() => document.querySelector<HTMLFormElement>('form')?.requestSubmit()}
      >
        {busy ? 'Signing in…' : first ? 'Begin' : 'Sign in'}
      </Button>
    </form>
  );
}
