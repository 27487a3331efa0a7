// A dialog over the page for what takes a while and a look.
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from './Imports.module.css';

export function Over({ title, close, children }: { title: string; close: () => void; children: React.ReactNode }) {
  return (
    <ModalOverlay className={styles.over ?? ''} isOpen onOpenChange={(open) => !open && close()}>
      <Modal className={styles.modal ?? ''}>
        <Dialog className={styles.dialog ?? ''}>
          <Heading slot="title" className={styles.title ?? ''}>
            {title}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
