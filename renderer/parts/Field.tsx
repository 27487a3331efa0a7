// One line or paragraph to type in, with its label, help and what is wrong.
import { FieldError, Input, Label, Text, TextArea, TextField } from 'react-aria-components';
import { drawn } from './Foreign.tsx';
import styles from './Field.module.css';

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  help?: React.ReactNode;
  wrong?: string | null;
  required?: boolean;
  lines?: number;
  mono?: boolean;
  type?: 'text' | 'password';
  placeholder?: string;
  inputRef?: React.RefObject<HTMLInputElement | null>;
  className?: string | undefined;
  /** Keeps the label for readers only. */
  bare?: boolean;
}

export function Field(props: Props) {
  const { label, value, onChange, help, wrong = null, required = false, lines = 1, mono = false } = props;
  const box = `${styles.input ?? ''} ${mono ? (styles.mono ?? '') : ''}`;
  return (
    <TextField
      className={`${styles.field ?? ''} ${props.className ?? ''}`}
      value={value}
      onChange={onChange}
      isInvalid={wrong !== null}
      isRequired={required}
      validationBehavior="aria"
      {...(props.bare === true ? { 'aria-label': label } : {})}
      {...(props.type === undefined ? {} : { type: props.type })}
    >
      {props.bare !== true && <Label className={styles.label ?? ''}>{drawn(label)}</Label>}
      {help !== undefined && (
        <Text slot="description" className={styles.help ?? ''}>
          {help}
        </Text>
      )}
      {lines > 1 ? (
        <TextArea className={box} rows={lines} dir="auto" placeholder={props.placeholder ?? ''} />
      ) : (
        <Input
          className={box}
          dir="auto"
          autoComplete="off"
          placeholder={props.placeholder ?? ''}
          {...(props.inputRef === undefined ? {} : { ref: props.inputRef })}
        />
      )}
      {wrong !== null && <FieldError className={styles.wrong ?? ''}>{drawn(wrong)}</FieldError>}
    </TextField>
  );
}
