// One of several, and a thing to tick: the shape says what is chosen, not its colour alone.
import { CheckboxButton, CheckboxField, RadioButton, RadioField } from 'react-aria-components';
import { cx } from '../classes.ts';
import styles from './Option.module.css';

interface Props {
  children: React.ReactNode;
  /** Beside others on one line. */
  inline?: boolean;
}

export function OneOf({ value, children, inline = false }: Props & { value: string }) {
  return (
    <RadioField value={value} className={cx(inline && styles.inline)}>
      <RadioButton className={styles.option ?? ''}>
        <i className={styles.dot} aria-hidden="true" />
        <span dir="auto">{children}</span>
      </RadioButton>
    </RadioField>
  );
}

/** In a group by its value; alone by what it is now. */
export function Tick(props: Props & ({ value: string } | { on: boolean; set: (on: boolean) => void })) {
  const given = 'value' in props ? { value: props.value } : { isSelected: props.on, onChange: props.set };
  return (
    <CheckboxField {...given} className={cx(props.inline === true && styles.inline)}>
      <CheckboxButton className={styles.option ?? ''}>
        <i className={styles.box} aria-hidden="true" />
        <span dir="auto">{props.children}</span>
      </CheckboxButton>
    </CheckboxField>
  );
}
