// Approve or refuse with a comment. Both are offered alike: neither is the easy way out, and neither has the focus.
import { useRef, useState } from 'react';
import type { Failure } from '../../shared/failures.ts';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import { Foreign } from '../parts/Foreign.tsx';
import { useMay } from '../session.ts';
import styles from './Difference.module.css';

interface Props {
  /** How it stands: what was decided already is changed only by its button, not by a key. */
  stands: 'open' | 'approved' | 'refused';
  busy: boolean;
  failed: Failure | null;
  decide: (decision: 'approved' | 'refused', why: string | null) => void;
  children?: React.ReactNode;
}

export function Decide({ stands, busy, failed, decide, children }: Props) {
  const [why, setWhy] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const admin = useMay('admin');
  const said = () => (why.trim() === '' ? null : why.trim());
  const ready = admin && !busy;
  useCommand('pins.approve', () => decide('approved', said()), ready && stands === 'open');
  useCommand('pins.refuse', () => decide('refused', said()), ready && stands === 'open');
  useCommand('pins.why', () => box.current?.focus(), admin);
  return (
    <div className={styles.decide}>
      {admin ? (
        <>
          {stands === 'open' ? (
            <>
              <Button command="pins.refuse" disabled={!ready}>
                Refuse
              </Button>
              <Button command="pins.approve" disabled={!ready}>
                Approve
              </Button>
            </>
          ) : stands === 'approved' ? (
            <>
              <Button disabled={!ready} onPress={() => decide('refused', said())}>
                Refuse it after all
              </Button>
              <Button disabled={!ready} onPress={() => decide('approved', said())}>
                Approve it again
              </Button>
            </>
          ) : (
            <Button disabled={!ready} onPress={() => decide('approved', said())}>
              Approve it after all
            </Button>
          )}
          <Field
            bare
            label="Why (kept with the decision)"
            placeholder="Why (kept with the decision)"
            className={styles.why}
            value={why}
            onChange={setWhy}
            inputRef={box}
          />
        </>
      ) : (
        <p className={styles.need}>
          An admin decides on this. You can read it; the model has it when they have approved it.
        </p>
      )}
      <span className={styles.grow} />
      {children}
      {failed !== null && (
        <p className={styles.wrong} role="alert">
          <Foreign text={failed.message} />
        </p>
      )}
    </div>
  );
}
