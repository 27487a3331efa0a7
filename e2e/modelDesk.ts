// The real desk in a real browser with a catalogue of its own, whose files lie at a hub on loopback: for tests of getting models
// and of the process one runs in. The model is real and tiny: its drafts are left to people more often than not.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium as playwright, type Page } from 'playwright-core';
import { builtPages } from '../main/cli/builtPages.ts';
import { createHandlers } from '../main/handlers.ts';
import { createHost } from '../main/host.ts';
import { createModelChoice } from '../main/modelChoice.ts';
import { getStarter, pauseDownloads } from '../main/models.ts';
import { createRouter } from '../main/router.ts';
import { serveWeb } from '../main/web.ts';
import { createWork } from '../main/work.ts';
import type { CatalogueEntry } from '../shared/models.ts';
import { chromium, screenMs, signIn } from './screenTools.ts';

export interface Hub {
  /** A file's address here. */
  url: (name: string) => string;
  /** What lies at a name from now on; `hold`: it stops after so many bytes of the whole, until it is asked again. */
  put: (name: string, bytes: Buffer, hold?: number) => void;
  /** `Range` of every request so far. */
  ranges: (string | undefined)[];
  close: () => Promise<void>;
}

/** A hub that honours ranges. */
export async function openHub(): Promise<Hub> {
  const files = new Map<string, { bytes: Buffer; hold: number | undefined }>();
  const ranges: (string | undefined)[] = [];
  const held = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const found = files.get((request.url ?? '').slice(1));
    ranges.push(request.headers.range);
    if (found === undefined) return void response.writeHead(404).end();
    const { bytes, hold } = found;
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      etag: '"one"',
      'content-length': bytes.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    });
    if (hold === undefined) response.end(bytes.subarray(from));
    else {
      held.add(response);
      response.write(bytes.subarray(from, hold));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    put: (name, bytes, hold) => files.set(name, { bytes, hold }),
    ranges,
    async close() {
      for (const response of held) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An entry of the catalogue for a file at the hub. */
export function entryOf(hub: Hub, name: string, role: CatalogueEntry['role'], bytes: Buffer): CatalogueEntry {
  return {
    name,
    title: `Tiny model “${name}”`,
    file: `${name}.gguf`,
    size: bytes.length,
    licence: 'Apache-2.0',
    context: 8_192,
    attention: 'full',
    role,
    sources: [{ kind: 'url', url: hub.url(name), sha256: createHash('sha256').update(bytes).digest('hex') }],
  };
}

export async function openModelDesk(data: string, catalogue: CatalogueEntry[]) {
  const pages = builtPages(() => undefined);
  const stop = new AbortController();
  const work = createWork({ host: () => host, models: () => models });
  const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
  const host = await createHost({
    data,
    profileFile,
    servers: false,
    ask: work.ask,
    put: work.put,
    say: () => undefined,
  });
  const models = createModelChoice(data, host.settings, catalogue);
  // Two threads of a model this small wait for each other.
  await models.set({ context: 8_192, threads: 1 });
  const refused = { count: 0 };
  const router = createRouter({
    host,
    handlers: createHandlers({ host, models, work, refused }),
    refused,
    say: () => undefined,
  });
  const random = { hex: (bytes: number) => randomBytes(bytes).toString('hex') };
  const web = await serveWeb({ pages, connect: router.connect, port: 0, clock: { now: () => Date.now() }, random });
  const browser = await playwright.launch({ executablePath: chromium });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(screenMs);
  const page: Page = await context.newPage();
  await signIn(page, web.link());
  return {
    page,
    /** As `npm start` does it beside. */
    getStarter: () => getStarter(models, host.events, stop.signal),
    /** Of the worker with the loaded model; null where none is. */
    workerPid: () => work.loaded()?.pid ?? null,
    async close() {
      await browser.close();
      stop.abort();
      await router.close(stop.signal, () => undefined);
      await web.close();
      await pauseDownloads(models.folder);
      await work.close();
      await host.close();
    },
  };
}
