// Documents that were read for the ticket: policies and the like, each with where it came from.
import { Empty } from '../parts/States.tsx';
import { useOpened } from '../tickets/openTicket.ts';
import { CallEntry } from './CallEntry.tsx';
import styles from './Calls.module.css';

export function Attached() {
  const calls = useOpened((state) => state.calls);
  const documents = calls.filter((call) => call.method !== 'tools/call');
  if (documents.length === 0)
    return (
      <Empty title="Nothing was attached.">
        <p>Policy that every draft is written under is part of the model’s instructions; claims from it carry a P.</p>
      </Empty>
    );
  return (
    <ol className={styles.log}>
      {documents.map((call) => (
        <CallEntry key={call.id} call={call} json={false} />
      ))}
    </ol>
  );
}
