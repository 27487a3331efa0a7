// A lead lets a draft go out that nothing backs: with a reason, which is kept with it.
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { OpenTicket } from '../../shared/queue.ts';
import palette from '../commands/Palette.module.css';
import { useCommand } from '../commands/registry.ts';
import { Button } from '../parts/Button.tsx';
import { Field } from '../parts/Field.tsx';
import styles from './Override.module.css';
import { override } from './replying.ts';

export function Override({ ticket }: { ticket: OpenTicket }) {
  const [open, setOpen] = useState(false);
  const [why, setWhy] = useState('');
  useCommand('drafts.override', () => setOpen(true));
  async function letOut(): Promise<void> {
    if (await override(ticket, why.trim())) setOpen(false);
  }
  return (
    <>
      <Button look="quiet" command="drafts.override">
        Let it out
      </Button>
      <ModalOverlay className={palette.over ?? ''} isOpen={open} onOpenChange={setOpen} isDismissable>
        <Modal className={palette.modal ?? ''}>
          <Dialog className={palette.dialog ?? ''}>
            <div className={palette.title}>
              <Heading slot="title">Send what nothing backs</Heading>
            </div>
            <div className={styles.body}>
              <p>
                {ticket.draft?.claims.filter(({ verdict }) => verdict !== 'backed').length} claims of this reply stand
                on no call. Your reason is kept with it; an edit takes the leave back.
              </p>
              <Field label="Why it may go out" value={why} onChange={setWhy} lines={3} />
            </div>
            <div className={styles.foot}>
              <Button look="quiet" onPress={() => setOpen(false)}>
                Cancel
              </Button>
              <Button onPress={() => void letOut()} disabled={why.trim() === ''}>
                Let it out
              </Button>
            </div>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  );
}
