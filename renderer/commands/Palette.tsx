// Every command that can be given right now, found by its words, with its key.
import { useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { commands } from '../../shared/commands.ts';
import { Key } from '../parts/Key.tsx';
import styles from './Palette.module.css';
import { runCommand, useCommand, useReadyCommands } from './registry.ts';

export function Palette() {
  const [open, setOpen] = useState(false);
  useCommand('view.palette', () => setOpen(true));
  return (
    <ModalOverlay className={styles.over ?? ''} isOpen={open} onOpenChange={setOpen} isDismissable>
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''} aria-label="All commands">
          <Commands close={() => setOpen(false)} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Commands({ close }: { close: () => void }) {
  const ready = useReadyCommands();
  const { contains } = useFilter({ sensitivity: 'base' });
  const able = commands.filter((one) => ready.has(one.id) && one.id !== 'view.palette');
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label="Command" autoFocus className={styles.field ?? ''}>
        <Input placeholder="What do you want to do?" className={styles.input ?? ''} />
      </SearchField>
      {/* The list scrolls: also by its own focus, which the field otherwise never gives away. */}
      <div className={styles.list} tabIndex={0} role="group" aria-label="Found">
        <Menu
          aria-label="Commands"
          className={styles.menu ?? ''}
          items={able}
          renderEmptyState={() => <p className={styles.none}>No command of that name.</p>}
          onAction={(id) => {
            close();
            const chosen = commands.find((one) => one.id === id);
            // After the dialog has given the focus back: commands may move it themselves.
            if (chosen !== undefined) setTimeout(() => runCommand(chosen.id));
          }}
        >
          {(one) => (
            <MenuItem
              id={one.id}
              textValue={one.words === undefined ? one.title : `${one.title} ${one.words}`}
              className={styles.item ?? ''}
            >
              {one.title}
              <Key of={one.id} />
            </MenuItem>
          )}
        </Menu>
      </div>
    </Autocomplete>
  );
}
