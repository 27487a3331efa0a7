// The host as a child of the window's shell: one line of contract texts a page, over this process's ipc channel. The shell
// starts and watches it; it ends when the channel closes, whatever happened to the shell.
import path from 'node:path';
import { Failure, reason } from '../shared/failures.ts';
import { attach } from './attach.ts';
import { startProfile } from './cli/folders.ts';
import type { Peer } from './router.ts';
import { connectLater } from './serving.ts';
import { createShellSecrets } from './shellSecrets.ts';
import type { FromHost, ToHost } from './windowLine.ts';

const [data, ...flags] = process.argv.slice(2);
if (data === undefined || !path.isAbsolute(data)) throw new Error('The shell names the data folder by its whole path.');

const stop = new AbortController();
process.on('disconnect', () => stop.abort(new Failure('stopped', 'The window was closed.')));
// Ctrl-C in a terminal reaches the whole group: it is the shell that ends, and this process after it.
process.on('SIGINT', () => undefined);

function tell(news: FromHost): void {
  // Where the shell ends at this moment, the channel's end is told by itself.
  if (process.connected) process.send?.(news, () => undefined);
}
const shellSecrets = createShellSecrets(tell);
const attached = attach({
  data,
  profileFile: startProfile(),
  say: (words) => tell({ says: words }),
  openUrl: (url) => tell({ open: url }),
  ...(flags.includes('secrets') ? { secrets: shellSecrets.port } : {}),
  signal: stop.signal,
});
const peers = new Map<number, Peer>();
process.on('message', (got: ToHost) => {
  // Only the shell that started this process has the other end.
  if ('asked' in got) {
    shellSecrets.answered(got);
    return;
  }
  if ('quitting' in got) {
    // One that did not start ends nothing.
    const ending = attached.then((one) => one.ending()).catch(() => 0);
    void ending.then((open) => tell({ ending: open }));
    return;
  }
  const { line } = got;
  if ('open' in got) {
    const port = { send: (text: string) => tell({ line, text }), end: () => tell({ line, end: true }) };
    peers.set(
      line,
      connectLater(
        attached.then((one) => one.connect(port)),
        port,
      ),
    );
  } else if ('text' in got) peers.get(line)?.receive(got.text);
  else if ('refused' in got) peers.get(line)?.refuse(got.refused);
  else {
    peers.get(line)?.gone();
    peers.delete(line);
  }
});
try {
  const { close, prepare } = await attached;
  prepare(flags.includes('fetch')).catch((error: unknown) => !stop.signal.aborted && tell({ says: reason(error) }));
  if (!stop.signal.aborted)
    await new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }));
  await close();
} catch (error) {
  if (!stop.signal.aborted) tell({ failed: reason(error) });
  process.exitCode = 1;
}
if (process.connected) process.disconnect();
