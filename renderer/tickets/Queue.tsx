// The queue screen: list, ticket, record.
import { Panes } from '../frame/Panes.tsx';

export function Queue() {
  return (
    <Panes name="queue" listWords="Tickets" mainWords="Ticket" sideWords="Record" list={null} main={null} side={null} />
  );
}
