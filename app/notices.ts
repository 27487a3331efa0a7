// Tells a person who looks elsewhere that something waits for them. The shell is a view like any other: it listens to the
// host's events and knows no more than the contract says. What a server or ticket wrote is not in a notice.
import { Notification } from 'electron';
import type { Answer } from '../shared/contract.ts';
import type { Role } from '../shared/people.ts';
import { waits } from './waits.ts';
import type { HostProcess } from './hostProcess.ts';

/** Listens on the host that runs now; after a restart it is called again. */
export function listenForNotices(
  host: HostProcess,
  deps: { wanted: () => boolean; role: () => Role | null; open: (id: string) => void },
): void {
  const told = new Set<string>();
  const line = host.open({ text: (text) => take(text), gone: () => undefined });
  line?.send(JSON.stringify({ listen: true }));

  function take(text: string): void {
    // The host is our own program: what it sends is of the contract.
    const answer = JSON.parse(text) as Answer;
    if (!('event' in answer)) return;
    const said = waits(answer.event, deps.role());
    if (said === null || told.has(answer.event.id) || !deps.wanted() || !Notification.isSupported()) return;
    const { id } = answer.event;
    told.add(id);
    const notice = new Notification({ title: said, body: 'It waits for you in the inbox.' });
    notice.on('click', () => deps.open(id));
    notice.show();
  }
}
