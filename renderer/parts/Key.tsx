// The key of an action as it stands on its button, in the words of this machine's keyboard.
import { keyWords } from '../commands/keys.ts';
import { useKeyOf } from '../commands/registry.ts';
import type { CommandId } from '../../shared/commands.ts';
import styles from './Key.module.css';

export function Key({ of }: { of: CommandId }) {
  const key = useKeyOf(of);
  return key === null ? null : <KeyCap combination={key} />;
}

function KeyCap({ combination }: { combination: string }) {
  return (
    <kbd className={styles.key} aria-hidden="true">
      {keyWords(combination)}
    </kbd>
  );
}
