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
  busy: boolean;
  failed: Failure | null;
  decide: (decision: 'approved' | 'refused', why: string | null) => void;
  children?: React.ReactNode;
}

export function Decide({ busy, failed, decide, children }: Props) {
  const [why, setWhy] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const admin = useMay('admin');
  const said = () => (why.trim() === '' ? null : why.trim());
  const ready = admin && !busy;
  useCommand('pins.approve', () => decide('approved', said()), ready);
  useCommand('pins.refuse', () => decide('refused', said()), ready);
  useCommand('pins.why', () => box.current?.focus(), admin);
  return (
    <div className={styles.decide}>
      {admin ? (
        <>
          <Button command="pins.refuse" disabled={!ready}>
            Refuse
          </Button>
          <Button command="pins.approve" disabled={!ready}>
            Approve
          </Button>
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
