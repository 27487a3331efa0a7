// Every call made for the ticket, the newest run first in full; earlier runs stand folded below.
import { useState } from 'react';
import { Button as AriaButton, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { Call } from '../../shared/calls.ts';
import type { OpenTicket } from '../../shared/queue.ts';
import type { Answered } from '../../shared/questions.ts';
import { useAsked } from '../asked.ts';
import { useCommand } from '../commands/registry.ts';
import { Empty } from '../parts/States.tsx';
import { useOpened } from '../tickets/openTicket.ts';
import { CallEntry } from './CallEntry.tsx';
import styles from './Calls.module.css';
import { ConsentCard } from './ConsentCard.tsx';
import { isToolCall, latestRun, stretchesOf } from './log.ts';

export function CallLog() {
  const calls = useOpened((state) => state.calls).filter(isToolCall);
  const run = useOpened(({ ticket }) => (ticket === null ? null : runOf(ticket)));
  const ticket = calls[0]?.ticket;
  const asked = useAsked('questions.answered', ticket === undefined ? null : { ticket }, { follow: ['questions'] });
  const answers = asked.value ?? [];
  const [json, setJson] = useState(false);
  const toggle = () => setJson((old) => !old);
  useCommand('calls.json', toggle, calls.length > 0);
  if (calls.length === 0)
    return (
      <Empty title="No calls yet.">
        <p>
          What the model looks up or wants done stands here, in order: what was asked, where each value came from, what
          came back.
        </p>
      </Empty>
    );
  const { now, earlier } = stretchesOf(calls, run ?? latestRun(calls));
  return (
    <>
      <ol className={styles.log}>
        {now.map((call) =>
          call.state === 'asking' ? (
            <ConsentCard key={call.id} call={call} json={json} toggle={toggle} />
          ) : (
            <CallEntry key={call.id} call={call} answers={answers} json={json} />
          ),
        )}
      </ol>
      {earlier.length > 0 && <Earlier calls={earlier} answers={answers} json={json} />}
    </>
  );
}

/** The newest run; once that is over, the one that the claims of a person's reply rest on. */
function runOf({ run, draft }: OpenTicket): string | null {
  const over = run !== null && run.state !== 'running' && run.state !== 'waiting';
  return (over && draft?.kept === true ? draft.model?.run : null) ?? run?.id ?? null;
}

function Earlier({ calls, answers, json }: { calls: readonly Call[]; answers: readonly Answered[]; json: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <Disclosure className={styles.earlier ?? ''} isExpanded={open} onExpandedChange={setOpen}>
      <Heading level={3}>
        <AriaButton slot="trigger" className={styles.fold ?? ''}>
          <span aria-hidden="true">{open ? '▾' : '▸'}</span> earlier,{' '}
          {calls.length === 1 ? '1 call' : `${calls.length} calls`}
        </AriaButton>
      </Heading>
      <DisclosurePanel>
        {open && (
          <ol className={styles.log}>
            {calls.map((call) => (
              <CallEntry key={call.id} call={call} answers={answers} json={json} />
            ))}
          </ol>
        )}
      </DisclosurePanel>
    </Disclosure>
  );
}
