// How the page reaches its host: in a browser over a WebSocket of the very address it came from; in the window over a port
// that the shell hands in. The rest of the renderer does not know which.
import { Failure } from '../shared/failures.ts';
import type { Role } from '../shared/people.ts';
import { givesPort, linePath, sessionPath, wantsPort, type PageSays, type ShellSays } from '../shared/shell.ts';
import type { Dial, Line } from './desk.ts';

const inWindow = location.protocol === 'app:';

export const dial: Dial = (on) => (inWindow ? overPort(on) : overSocket(on));

/** In a browser, changes the address's token into the cookie. Failure `desk.session` where the page may not come in. */
async function enter(): Promise<void> {
  const token = tokenOf(location.hash);
  if (token !== undefined) {
    history.replaceState(null, '', location.pathname);
    const { ok } = await fetch(sessionPath, { method: 'POST', body: token });
    if (ok) return;
  }
  const { status } = await fetch(sessionPath);
  if (status === 401) {
    // A newer link in the same tab changes the fragment only.
    window.addEventListener('hashchange', () => tokenOf(location.hash) !== undefined && location.reload());
    throw new Failure(
      'desk.session',
      'This page opens with a link that is good once, for a minute. Start the desk (npm start) and open the link it prints.',
    );
  }
}

function tokenOf(fragment: string): string | undefined {
  return /^#([\w-]{16,})$/.exec(fragment)?.[1];
}

async function overSocket(on: Parameters<Dial>[0]): Promise<Line | null> {
  await enter();
  const url = new URL(linePath, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url);
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') on.text(data);
  });
  return new Promise((resolve) => {
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('close', () => {
      resolve(null);
      on.gone();
    });
  });
}
/** The port that was asked for last: one that comes late belongs to nobody. */
let asked = 0;
let current: MessagePort | null = null;
let acts: Role | null = null;

/** Tells the window's shell whose notices are wanted. In a browser there is no shell. */
export function noticesFor(role: Role | null): void {
  acts = role;
  current?.postMessage({ notices: acts } satisfies PageSays);
}

function overPort(on: Parameters<Dial>[0]): Promise<Line | null> {
  const mine = ++asked;
  return new Promise((resolve) => {
    function take(event: MessageEvent): void {
      const [port] = event.ports;
      if (event.source !== window || event.data !== givesPort || port === undefined) return;
      window.removeEventListener('message', take);
      if (mine === asked) resolve(lineOver(port, on));
    }
    window.addEventListener('message', take);
    window.postMessage(wantsPort, location.origin);
  });
}

function lineOver(port: MessagePort, on: Parameters<Dial>[0]): Line {
  function close(): void {
    if (current === port) current = null;
    port.close();
    on.gone();
  }
  current = port;
  port.addEventListener('message', ({ data }: MessageEvent<string | ShellSays>) => {
    if (typeof data === 'string') on.text(data);
    else {
      on.shell(data);
      if ('gone' in data) close();
    }
  });
  port.addEventListener('close', close);
  port.start();
  noticesFor(acts);
  return { send: (text) => port.postMessage(text), close };
}
