// The one button: its words, its key, its look. A button of a command runs it; a disabled one says why on focus and hover.
import { Button as AriaButton } from 'react-aria-components';
import { cx } from '../classes.ts';
import { runCommand, useKeyOf, useReady } from '../commands/registry.ts';
import { ariaKeys } from '../commands/keys.ts';
import type { CommandId } from '../../shared/commands.ts';
import styles from './Button.module.css';
import { Key } from './Key.tsx';

interface Props {
  children: React.ReactNode;
  look?: 'plain' | 'primary' | 'quiet' | 'money';
  /** Runs this command and shows its key; it is disabled while nobody takes the command. */
  command?: CommandId;
  onPress?: () => void;
  disabled?: boolean;
  label?: string;
  className?: string | undefined;
  /** Not reached with Tab, and never given focus by a click: for what must not be pressed by accident. */
  skipped?: boolean;
  /** The key is not drawn: where there is no room. */
  bare?: boolean;
}

export function Button({
  children,
  look = 'plain',
  command,
  onPress,
  disabled,
  label,
  className,
  skipped,
  bare,
}: Props) {
  return command === undefined ? (
    <Plain {...{ look, className, label, skipped }} disabled={disabled ?? false} press={onPress}>
      {children}
    </Plain>
  ) : (
    <OfCommand {...{ look, className, label, skipped, command, disabled, onPress, bare }}>{children}</OfCommand>
  );
}

function OfCommand({
  command,
  disabled,
  onPress,
  bare,
  children,
  ...rest
}: Omit<PlainProps, 'press' | 'disabled'> & {
  command: CommandId;
  disabled: boolean | undefined;
  onPress: (() => void) | undefined;
  bare: boolean | undefined;
}) {
  const ready = useReady(command);
  const key = useKeyOf(command);
  return (
    <Plain
      {...rest}
      disabled={disabled ?? (onPress === undefined && !ready)}
      press={onPress ?? (() => void runCommand(command))}
      keys={key === null ? undefined : ariaKeys(key)}
    >
      {children}
      {bare !== true && <Key of={command} />}
    </Plain>
  );
}

interface PlainProps {
  children: React.ReactNode;
  look: NonNullable<Props['look']>;
  disabled: boolean;
  label: string | undefined;
  className: string | undefined;
  skipped: boolean | undefined;
  press: (() => void) | undefined;
  keys?: string | undefined;
}

function Plain({ children, look, disabled, label, className, skipped, press, keys }: PlainProps) {
  return (
    <AriaButton
      className={cx(styles.button, styles[look], className)}
      isDisabled={disabled}
      excludeFromTabOrder={skipped ?? false}
      preventFocusOnPress={skipped ?? false}
      {...(press === undefined ? {} : { onPress: press })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(keys === undefined ? {} : { 'aria-keyshortcuts': keys })}
    >
      {children}
    </AriaButton>
  );
}
