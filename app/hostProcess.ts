// Starts the host as a plain Node child and watches it (spec layout, "Processes"): restarted with a budget after it ended by
// itself. Pending consents, questions and drafts are rows, so nothing is lost; every page is told.
import { spawn, type ChildProcess } from 'node:child_process';
import type { FromHost, SecretAsked, ToHost } from '../main/windowLine.ts';
import type { ShellSays } from '../shared/shell.ts';
import type { KeyStore } from './keyStore.ts';

/** One line to the host: a page's, or the shell's own. */
export interface LineEnds {
  text: (text: string) => void;
  /** The line is dead; without words where it simply ended. */
  gone: (says: ShellSays | null) => void;
}
export interface HostLine {
  send: (text: string) => void;
  refuse: (why: string) => void;
  close: () => void;
}
export interface HostOptions {
  /** Node 24, and the host's own script. */
  node: string;
  script: string;
  data: string;
  /** Gets the starter model where there is none. */
  fetches: boolean;
  /** Keeps keys and tokens; null where this machine has no safe place for them. */
  secrets: KeyStore | null;
  /** The address of a server's question, which a person wants to visit. */
  openUrl: (url: string) => void;
  /** It could not start, or ended too often. */
  over: (why: string) => void;
  started: () => void;
  /** Before the first start again; it doubles with each. */
  pause?: number;
  /** How long it may take to end when it is asked to. */
  patience?: number;
}
export type HostProcess = ReturnType<typeof startHost>;

const restarts = 5;
const within = 10 * 60_000;
const usualPause = 250;
const longestPause = 10_000;
const usualPatience = 4_000;

export function startHost(options: HostOptions) {
  const lines = new Map<number, LineEnds>();
  /** Who waits to hear what ends with it. */
  const quitting: ((open: number) => void)[] = [];
  let ended: number[] = [];
  let child: ChildProcess | null = null;
  let failed: string | null = null;
  let next = 0;
  let closing = false;
  const { pause = usualPause, patience = usualPatience } = options;
  start();

  function start(): void {
    failed = null;
    const args = [
      options.script,
      options.data,
      ...(options.fetches ? ['fetch'] : []),
      ...(options.secrets === null ? [] : ['secrets']),
    ];
    const running = spawn(options.node, ['--disable-warning=ExperimentalWarning', ...args], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: hostEnvironment(process.env),
    });
    child = running;
    // The host is our own program: what it sends has these shapes.
    running.on('message', (news) => take(news as FromHost));
    running.once('error', (error) => end(`it cannot be started: ${error.message}`));
    running.once('exit', (code, signal) => end(signal === null ? `it ended with ${code ?? 0}` : `${signal} ended it`));
    function end(how: string): void {
      if (child !== running) return;
      child = null;
      heard(0);
      if (!closing) again(how);
    }
    options.started();
  }
  function take(news: FromHost): void {
    if ('secret' in news) void answer(news);
    else if ('ending' in news) heard(news.ending);
    else if ('open' in news) options.openUrl(news.open);
    else if ('says' in news) console.error(news.says);
    else if ('failed' in news) failed = news.failed;
    else if ('text' in news) lines.get(news.line)?.text(news.text);
    else {
      lines.get(news.line)?.gone(null);
      lines.delete(news.line);
    }
  }
  function heard(open: number): void {
    for (const tell of quitting.splice(0)) tell(open);
  }
  async function answer({ asked, secret, set }: SecretAsked): Promise<void> {
    const { secrets } = options;
    try {
      if (secrets === null) throw new Error('There is no key store here.');
      if (set !== undefined) await secrets.set(secret, set);
      send({ asked, value: set === undefined ? await secrets.get(secret) : set });
    } catch (error) {
      send({ asked, failed: error instanceof Error ? error.message : String(error) });
    }
  }
  function again(how: string): void {
    const now = Date.now();
    ended = [...ended.filter((at) => now - at < within), now];
    const over = failed !== null || ended.length > restarts;
    const gone = over
      ? `The desk's host does not run: ${failed ?? `${how}, the ${ended.length}th time in ten minutes.`}`
      : `The desk's host stopped unexpectedly (${how}) and is being started again. What was done is kept.`;
    for (const line of lines.values()) line.gone({ gone, again: !over });
    lines.clear();
    if (over) options.over(gone);
    else setTimeout(() => !closing && start(), Math.min(longestPause, pause * 2 ** (ended.length - 1)));
  }
  function send(message: ToHost): void {
    // Where it ends at this moment, its end is told by itself.
    if (child?.connected === true) child.send(message, () => undefined);
  }
  return {
    pid: () => child?.pid ?? null,
    /** Null while there is no host: whoever wants a line waits for `started`. */
    open(ends: LineEnds): HostLine | null {
      if (child === null) return null;
      const line = next++;
      lines.set(line, ends);
      send({ line, open: true });
      return {
        send: (text) => send({ line, text }),
        refuse: (why) => send({ line, refused: why }),
        close() {
          if (lines.delete(line)) send({ line, gone: true });
        },
      };
    },
    /** How many open questions would end with it (spec host §20); none where it does not run, or does not say so in time. */
    ending(): Promise<number> {
      if (child === null) return Promise.resolve(0);
      return new Promise((resolve) => {
        function tell(open: number): void {
          clearTimeout(cut);
          resolve(open);
        }
        // Whoever asked later has time of their own.
        const cut = setTimeout(() => {
          quitting.splice(quitting.indexOf(tell), 1);
          tell(0);
        }, patience);
        quitting.push(tell);
        send({ quitting: true });
      });
    },
    /** After it was given up: a person wants it tried once more. */
    retry(): void {
      ended = [];
      if (child === null) start();
    },
    /** Ends it; resolves when it is gone. */
    async close(): Promise<void> {
      closing = true;
      const running = child;
      if (running === null) return;
      const gone = new Promise((resolve) => running.once('exit', resolve));
      if (running.connected) running.disconnect();
      const cut = setTimeout(() => running.kill('SIGKILL'), patience);
      await gone;
      clearTimeout(cut);
    },
  };
}

/** Nothing that makes an Electron of a Node, or loads code into it, reaches the host and the servers it starts. */
export function hostEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(own).filter(([name]) => !/^(ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL_|CHROME_)/.test(name));
  return Object.fromEntries(kept);
}
