// The record of the open ticket: calls, the customer as the calls found them, documents that were attached.
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { showSide, useNarrow } from '../frame/side.ts';
import { Button } from '../parts/Button.tsx';
import { useOpened } from '../tickets/openTicket.ts';
import { Attached, useAttachedCount } from './Attached.tsx';
import { CallLog } from './CallLog.tsx';
import { Customer } from './Customer.tsx';
import { Facts } from './Facts.tsx';
import { isToolCall } from './log.ts';
import styles from './RecordPane.module.css';
import { useRecordTab } from './reveal.ts';

export function RecordPane() {
  const tab = useRecordTab((state) => state.tab);
  const narrow = useNarrow();
  const calls = useOpened((state) => state.calls).filter(isToolCall);
  const ticket = useOpened((state) => state.ticket);
  const documents = useAttachedCount();
  return (
    <Tabs
      className={styles.tabs ?? ''}
      selectedKey={tab}
      onSelectionChange={(key) => useRecordTab.setState({ tab: String(key) })}
    >
      <div className={styles.bar}>
        {narrow && (
          <Button look="quiet" onPress={() => showSide(false)}>
            ‹ Ticket
          </Button>
        )}
        <TabList className={styles.list ?? ''} aria-label="Record">
          <Tab id="log" className={styles.tab ?? ''}>
            Call log <Count n={calls.length} />
          </Tab>
          <Tab id="customer" className={styles.tab ?? ''}>
            Customer
          </Tab>
          <Tab id="attached" className={styles.tab ?? ''}>
            Attached <Count n={documents} />
          </Tab>
        </TabList>
      </div>
      <div className={styles.scroll} role="region" aria-label="Record" tabIndex={0} data-record="">
        <TabPanel id="log" className={styles.panel ?? ''}>
          <CallLog />
          {ticket !== null && calls.length > 0 && (
            <>
              <h3 className={styles.section}>Facts</h3>
              <Facts ticket={ticket} />
            </>
          )}
        </TabPanel>
        <TabPanel id="customer" className={styles.panel ?? ''}>
          <Customer />
        </TabPanel>
        <TabPanel id="attached" className={styles.panel ?? ''}>
          <Attached />
        </TabPanel>
      </div>
    </Tabs>
  );
}

function Count({ n }: { n: number }) {
  return n === 0 ? null : <span className={styles.count}>{n}</span>;
}
