// All keys, by where they hold; each can be changed here. A key that is taken stays where it is, and that is said.
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { commands, type CommandId, type CommandPlace } from '../../shared/commands.ts';
import { Button } from '../parts/Button.tsx';
import { Key } from '../parts/Key.tsx';
import { combinationOf, keyWords } from './keys.ts';
import styles from './Palette.module.css';
import { remap, resetKeys, useCommand, useKeyOf } from './registry.ts';

const groups: Record<CommandPlace, string> = {
  everywhere: 'Everywhere',
  queue: 'Queue and ticket',
  consent: 'While the consent bar has the focus',
  inbox: 'Inbox',
  definitions: 'Tools',
  runs: 'Runs',
  servers: 'Servers',
  model: 'Model',
  menu: 'Menus of the window',
};

export function AllKeys() {
  const [open, setOpen] = useState(false);
  useCommand('view.keys', () => setOpen(true));
  return (
    <ModalOverlay className={styles.over ?? ''} isOpen={open} onOpenChange={setOpen} isDismissable>
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <div className={styles.title}>
            <Heading slot="title">All keys</Heading>
            <span className={styles.hint}>Press one to change it</span>
            <Button look="quiet" onPress={resetKeys}>
              As they came
            </Button>
          </div>
          <Keys />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Keys() {
  const [changing, setChanging] = useState<CommandId | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  function press(event: React.KeyboardEvent): void {
    if (changing === null) return;
    const combination = combinationOf(event);
    if (combination === null || combination === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    setChanging(null);
    if (combination === 'Escape') return;
    const taken = remap(changing, combination === 'Backspace' ? null : combination);
    setProblem(
      taken === null ? null : `That key is taken: ${commands.find((one) => one.id === taken)?.title ?? taken}.`,
    );
  }
  return (
    <div className={styles.keys} onKeyDownCapture={press}>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {/* Keys of the record are exactly the places. */}
      {(Object.keys(groups) as CommandPlace[]).map((place) => {
        const those = commands.filter((one) => one.where === place);
        return those.length === 0 ? null : (
          <section key={place}>
            <h2 className={styles.group}>{groups[place]}</h2>
            {those.map((one) => (
              <div key={one.id} className={styles.pair}>
                <span>{one.title}</span>
                <ChangeKey
                  of={one.id}
                  title={one.title}
                  changing={changing === one.id}
                  press={() => setChanging(one.id)}
                />
              </div>
            ))}
          </section>
        );
      })}
    </div>
  );
}

function ChangeKey(props: { of: CommandId; title: string; changing: boolean; press: () => void }) {
  const { of, title, changing, press } = props;
  const key = useKeyOf(of);
  const words = changing ? 'Press a key, Backspace for none' : key === null ? 'none' : keyWords(key);
  // Its name begins with what stands on it.
  return (
    <Button look="quiet" label={`${words}, change the key of ${title}`} onPress={press}>
      {changing || key === null ? words : <Key of={of} />}
    </Button>
  );
}
