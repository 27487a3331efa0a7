// The one door between the page and the shell (spec trust, "Electron, on top"): it hands the page a line to the host, and
// looks at who asks: the window's own main frame, of exactly our origin, with exactly this message. All else is counted.
import { ipcMain, type IpcMainEvent, type MessagePortMain, type WebContents } from 'electron';
import { z } from 'zod';
import type { Role } from '../shared/people.ts';
import type { PageSays, ShellSays } from '../shared/shell.ts';
import { doorName } from './doorName.ts';
import type { HostLine, HostProcess } from './hostProcess.ts';
import { origin } from './pages.ts';

const pageSays: z.ZodType<PageSays> = z.strictObject({ notices: z.enum(['staff', 'lead', 'admin']).nullable() });
const textLimit = 8 * 1024 * 1024;
/** A page has one line, and after a reload for a moment two. */
const mostLines = 8;

export type Door = ReturnType<typeof openDoor>;

export function openDoor(deps: {
  page: () => WebContents | null;
  host: HostProcess;
  /** The role of who acts at the page; null while nobody does. */
  acts: (role: Role | null) => void;
  refused: (why: string) => void;
}) {
  const ports = new Set<MessagePortMain>();
  const waiting = new Set<MessagePortMain>();
  /** For the next line that begins. */
  let first: ShellSays | null = null;

  function wrong(event: IpcMainEvent, rest: unknown[]): string | null {
    const page = deps.page();
    if (page === null || event.sender !== page) return 'It is not from the window.';
    if (event.senderFrame !== page.mainFrame) return 'It is not from the main frame.';
    if (event.senderFrame.origin !== origin) return `It is from ${event.senderFrame.origin}.`;
    if (rest.length !== 1 || rest[0] !== null || event.ports.length !== 1) return 'It is no request for a line.';
    return ports.size + waiting.size < mostLines ? null : `It would be line ${mostLines + 1}.`;
  }
  function refuse(why: string): void {
    deps.refused(why);
    // The host counts it with all others (spec trust, invariant 8).
    const line = deps.host.open({ text: () => undefined, gone: () => undefined });
    line?.refuse(why);
    line?.close();
  }
  function serve(port: MessagePortMain): void {
    const line = deps.host.open({
      text: (text) => port.postMessage(text),
      gone(says) {
        port.postMessage(says ?? ({ gone: 'The desk ended this line.', again: true } satisfies ShellSays));
        ports.delete(port);
        port.close();
      },
    });
    if (line === null) waiting.add(port);
    else {
      ports.add(port);
      pass(port, line);
      if (first !== null) port.postMessage(first);
      first = null;
    }
  }
  function pass(port: MessagePortMain, line: HostLine): void {
    port.on('message', ({ data }: { data: unknown }) => {
      if (typeof data !== 'string') {
        const said = pageSays.safeParse(data);
        if (said.success) deps.acts(said.data.notices);
        else line.refuse('A message that is no text.');
      } else if (data.length > textLimit) line.refuse(`A message of ${data.length} letters: at most ${textLimit}.`);
      else line.send(data);
    });
    port.on('close', () => {
      ports.delete(port);
      line.close();
    });
    port.start();
  }
  ipcMain.on(doorName, (event, ...rest: unknown[]) => {
    const why = wrong(event, rest);
    const [port] = event.ports;
    if (why === null && port !== undefined) serve(port);
    else refuse(why ?? 'It is no request for a line.');
  });
  return {
    /** The host runs (again): pages that waited get their line. */
    started(): void {
      const those = [...waiting];
      waiting.clear();
      for (const port of those) serve(port);
    },
    say(says: ShellSays): void {
      for (const port of ports) port.postMessage(says);
    },
    /** Said on the next line, by which a page is there again. */
    sayNext(says: ShellSays): void {
      first = says;
    },
  };
}
