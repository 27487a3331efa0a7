// What stands beside a question: its ticket with the draft that waits, every call made for it, and the messages of the call
// on the wire.
import { useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Call } from '../../shared/calls.ts';
import { useAsked } from '../asked.ts';
import { CallEntry } from '../calls/CallEntry.tsx';
import calls from '../calls/Calls.module.css';
import { latestRun, stretchesOf } from '../calls/log.ts';
import record from '../calls/RecordPane.module.css';
import { showSide, useNarrow } from '../frame/side.ts';
import { Button } from '../parts/Button.tsx';
import { Empty, Failed, Loading } from '../parts/States.tsx';
import { useMay } from '../session.ts';
import { TicketBeside } from './TicketBeside.tsx';
import { WireBeside } from './WireBeside.tsx';

export function Beside({ call, waits }: { call: Call; waits: string }) {
  const [tab, setTab] = useState(call.ticket === '' ? 'log' : 'ticket');
  const narrow = useNarrow();
  const staff = useMay('staff');
  const of = call.ticket === '' ? { run: call.run } : { ticket: call.ticket };
  const log = useAsked('calls.list', call.ticket === '' && call.run === '' ? null : of, { follow: ['calls'] });
  const all = log.value ?? [call];
  function follow(n: number): void {
    setTab('log');
    requestAnimationFrame(() => document.getElementById(`call-${n}`)?.focus());
  }
  return (
    <Tabs className={record.tabs ?? ''} selectedKey={tab} onSelectionChange={(key) => setTab(String(key))}>
      <div className={record.bar}>
        {narrow && (
          <Button look="quiet" onPress={() => showSide(false)}>
            ‹ Question
          </Button>
        )}
        <TabList className={record.list ?? ''} aria-label="Beside the question">
          {call.ticket !== '' && (
            <Tab id="ticket" className={record.tab ?? ''}>
              Ticket
            </Tab>
          )}
          <Tab id="log" className={record.tab ?? ''}>
            Call log {all.length > 0 && <span className={record.count}>{all.length}</span>}
          </Tab>
          {staff && (
            <Tab id="wire" className={record.tab ?? ''}>
              Wire
            </Tab>
          )}
        </TabList>
      </div>
      <div className={record.scroll} role="region" aria-label="Beside the question" tabIndex={0}>
        <TabPanel id="ticket" className={record.panel ?? ''}>
          <TicketBeside id={call.ticket} waits={waits} follow={follow} />
        </TabPanel>
        <TabPanel id="log" className={record.panel ?? ''}>
          {log.failed === null ? (
            <Log all={all} run={call.run} />
          ) : (
            <Failed what="The calls cannot be read." why={log.failed} again={log.again} />
          )}
        </TabPanel>
        <TabPanel id="wire" className={record.panel ?? ''}>
          <WireBeside call={call} />
        </TabPanel>
      </div>
    </Tabs>
  );
}

function Log({ all, run }: { all: Call[]; run: string }) {
  if (all.length === 0) return <Loading what="the calls" />;
  const { now, earlier } = stretchesOf(all, run === '' ? latestRun(all) : run);
  if (now.length + earlier.length === 0) return <Empty title="No calls." />;
  return (
    <ol className={calls.log}>
      {[...now, ...earlier].map((one) => (
        <CallEntry key={one.id} call={one} json={false} />
      ))}
    </ol>
  );
}
