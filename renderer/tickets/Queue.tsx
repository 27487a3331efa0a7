// The queue screen: list, ticket, record; what goes out and what is marked.
import { RecordPane } from '../calls/RecordPane.tsx';
import { focusLog } from '../calls/reveal.ts';
import { useCommand } from '../commands/registry.ts';
import { Panes } from '../frame/Panes.tsx';
import { QueueFoot } from './QueueFoot.tsx';
import { QueueHead } from './QueueHead.tsx';
import { QueueList } from './QueueList.tsx';
import { TicketPane } from './TicketPane.tsx';
import { UndoBar } from './UndoBar.tsx';

export function Queue() {
  useCommand('calls.log', focusLog);
  return (
    <Panes
      name="queue"
      listWords="Queue"
      mainWords="Ticket"
      sideWords="Record"
      list={
        <>
          <QueueHead />
          <QueueList />
          <QueueFoot />
        </>
      }
      main={
        <>
          <TicketPane />
          <UndoBar />
        </>
      }
      side={<RecordPane />}
    />
  );
}
