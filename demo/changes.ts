/** Telling listening clients of a change, whichever way they are connected, and whichever replica the change came by. */
import type { McpServer, ServerNotifier } from '@modelcontextprotocol/server';
import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, readSync, watch } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

/** A connected client of a server; one of 2025-11-25 is told of the resources it subscribed to, and of no other. */
export interface Connected {
  server: McpServer;
  /** Undefined: the stream of 2026-07-28 does the choosing. */
  subscribed: ReadonlySet<string> | undefined;
}

/** Tells the clients of these servers; one that is not connected has nobody to tell. */
export function notifierOf(connected: Iterable<Connected>): ServerNotifier {
  const each = (tell: (server: McpServer) => unknown): void => {
    for (const { server } of connected) if (server.isConnected()) tell(server);
  };
  return {
    toolsChanged: () => each((server) => server.sendToolListChanged()),
    promptsChanged: () => each((server) => server.sendPromptListChanged()),
    resourcesChanged: () => each((server) => server.sendResourceListChanged()),
    resourceUpdated: (uri) => {
      for (const { server, subscribed } of connected)
        if (server.isConnected() && (subscribed === undefined || subscribed.has(uri)))
          server.server.sendResourceUpdated({ uri }).catch((error: unknown) => console.error(error));
    },
  };
}

export function both(one: ServerNotifier, other: ServerNotifier): ServerNotifier {
  return {
    toolsChanged: () => [one, other].forEach((to) => to.toolsChanged()),
    promptsChanged: () => [one, other].forEach((to) => to.promptsChanged()),
    resourcesChanged: () => [one, other].forEach((to) => to.resourcesChanged()),
    resourceUpdated: (uri) => [one, other].forEach((to) => to.resourceUpdated(uri)),
  };
}

const change = z.object({
  from: z.string(),
  kind: z.enum(['toolsChanged', 'promptsChanged', 'resourcesChanged', 'resourceUpdated']),
  uri: z.string().optional(),
});
type Change = z.infer<typeof change>;

function passOn({ kind, uri }: Change, to: ServerNotifier): void {
  if (kind === 'resourceUpdated') to.resourceUpdated(uri ?? '');
  else to[kind]();
}

/** A line that is none of ours is nobody's news. */
function changeIn(line: string): Change | undefined {
  try {
    return change.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

export interface ChangeBus {
  /** Tells the other processes. */
  notifier: ServerNotifier;
  /** Passes on what other processes tell, until closed. */
  listen(to: ServerNotifier): void;
  close(): void;
}

/** What was told is old news at once: a larger file is begun anew when a server opens it. */
const MOST_BYTES = 1_048_576;

/** Nobody else to tell. */
const alone: ChangeBus = {
  notifier: both(notifierOf([]), notifierOf([])),
  listen: () => undefined,
  close: () => undefined,
};

/**
 * The change bus of servers on one machine: a file every one of them appends a line to and reads on from where it opened.
 * A change says only "read again", so one that is missed at a crash costs a listener nothing but time.
 */
export function openChangeBus(file: string | undefined): ChangeBus {
  if (file === undefined) return alone;
  const from = randomUUID();
  const reading = openSync(file, 'a+', 0o600);
  if (fstatSync(reading).size > MOST_BYTES) ftruncateSync(reading);
  let offset = fstatSync(reading).size;
  let rest = '';
  const tell = (kind: Change['kind'], uri?: string): void =>
    appendFileSync(file, `${JSON.stringify({ from, kind, ...(uri === undefined ? {} : { uri }) })}\n`);

  function news(): Change[] {
    const { size } = fstatSync(reading);
    // Somebody began the file anew.
    if (size < offset) offset = 0;
    const length = size - offset;
    if (length === 0) return [];
    const bytes = Buffer.alloc(length);
    offset += readSync(reading, bytes, 0, length, offset);
    const lines = (rest + bytes.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    return lines.flatMap((line) => changeIn(line) ?? []).filter((one) => one.from !== from);
  }

  let watcher: ReturnType<typeof watch> | undefined;
  return {
    notifier: {
      toolsChanged: () => tell('toolsChanged'),
      promptsChanged: () => tell('promptsChanged'),
      resourcesChanged: () => tell('resourcesChanged'),
      resourceUpdated: (uri) => tell('resourceUpdated', uri),
    },
    listen: (to) => {
      watcher = watch(file, { persistent: false }, () => {
        for (const one of news()) passOn(one, to);
      });
      watcher.on('error', (error) => console.error(`the change bus is not heard any more: ${error.message}`));
    },
    close: () => {
      watcher?.close();
      closeSync(reading);
    },
  };
}
