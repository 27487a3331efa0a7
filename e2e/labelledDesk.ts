// The real desk in a real browser with a model that chooses as each sample ticket's label says: for tests of screens, which
// must come to the same drafts on every machine, also on one without a model file.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as playwright, type BrowserContextOptions, type Page } from 'playwright-core';
import { z } from 'zod';
import { builtPages } from '../main/cli/builtPages.ts';
import { createHandlers } from '../main/handlers.ts';
import { createHost, type Host } from '../main/host.ts';
import type { Model, Segment } from '../main/model/model.ts';
import { createModelChoice } from '../main/modelChoice.ts';
import { createRouter } from '../main/router.ts';
import { serveSocket } from '../main/socket.ts';
import { createWork } from '../main/work.ts';
import { serveWeb } from '../main/web.ts';
import { chromium, screenMs, signIn } from './screenTools.ts';

const demo = path.join(import.meta.dirname, '../demo');
const tickets = z
  .array(z.object({ body: z.string(), label: z.object({ kind: z.string() }) }))
  .parse(JSON.parse(readFileSync(path.join(demo, 'tickets.json'), 'utf8')));
/** The asks of the sample playbook by the kind of label. */
const asks: Record<string, string> = {
  get_order_status: 'where is it',
  find_orders: 'past orders',
  check_stock: 'in stock',
  quote_refund: 'how much refund',
  issue_refund: 'refund it',
};
const none = { evaluated: 0, reused: 0, generated: 0 };

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
}
/** The kind of the ticket whose words a text holds most of; null where it holds none's. */
function kindIn(text: string): string | null {
  const words = new Set(wordsOf(text));
  let best = { held: 0, kind: null as string | null };
  for (const { body, label } of tickets) {
    const its = wordsOf(body);
    const held = its.filter((word) => words.has(word)).length;
    if (held > 0.85 * its.length && held > best.held) best = { held, kind: label.kind };
  }
  return best.kind;
}

/** Chooses the ask of the label, then always the first step that is allowed. */
function labelModel(step: () => Promise<void>): Model {
  let kind = '';
  function read(segments: Segment[]): void {
    kind = kindIn(segments.map((segment) => segment.text).join('\n')) ?? kind;
  }
  return {
    info: { name: 'by label', sha256: '0'.repeat(64), build: 'none', contextSize: 8_192 },
    pid: 0,
    count: () => Promise.resolve(0),
    setPrefix: () => Promise.resolve({ tokens: 0, from: 'memory', ms: 0 }),
    rewind: () => Promise.resolve(),
    read(segments) {
      read(segments);
      return Promise.resolve(none);
    },
    async choose(segments, options, signal) {
      // As a real one: what is stopped ends at once.
      signal?.throwIfAborted();
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const leave = (): void => reject(signal?.reason as Error);
      signal?.addEventListener('abort', leave, { once: true });
      try {
        await Promise.race([step(), stopped]);
      } finally {
        signal?.removeEventListener('abort', leave);
      }
      read(segments);
      const wanted = options.findIndex((one) => one.trim() === asks[kind]);
      const best = wanted === -1 ? options.findIndex((one) => one.trim() !== 'hand over') : wanted;
      const rest = options.length === 1 ? 0 : 0.04 / (options.length - 1);
      const probabilities = options.map((_, index) => (index === best ? 1 - rest * (options.length - 1) : rest));
      return { probabilities, meter: none };
    },
    generate: () => Promise.resolve({ text: '', meter: none, ended: 'stop' }),
    mark: () => Promise.resolve(0),
    back: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

export interface LabelledDesk {
  host: Host;
  page: Page;
  /** Another browser with nothing kept. */
  another: (options?: BrowserContextOptions) => Promise<Page>;
  close: () => Promise<void>;
}

/** `openUrl`: how addresses are opened outside the desk; `step`: waited for before the model chooses; `profileFile`: not the sample's. */
export async function openLabelledDesk(
  data: string,
  {
    step = () => Promise.resolve(),
    ...lent
  }: { openUrl?: (url: string) => void; step?: () => Promise<void>; profileFile?: string } = {},
): Promise<LabelledDesk> {
  const pages = builtPages(() => undefined);
  const stop = new AbortController();
  const work = createWork({ host: () => host, models: () => models });
  const profileFile = path.join(demo, 'profile.json');
  const host = await createHost({
    data,
    profileFile,
    servers: false,
    ask: work.ask,
    put: work.put,
    say: () => undefined,
    ...lent,
  });
  const known = createModelChoice(data, host.settings);
  const file = { name: 'by-label', file: import.meta.filename, entry: null, present: true, size: 1 };
  const models = {
    ...known,
    all: async () => [...(await known.all()), file],
    chosen: () => Promise.resolve({ model: file, why: '' }),
    load: () => Promise.resolve(labelModel(step)),
  };
  const refused = { count: 0 };
  const handlers = createHandlers({ host, models, work, refused });
  const router = createRouter({ host, handlers, refused, say: () => undefined });
  // A window of Electron joins this desk by its data folder.
  const socket = await serveSocket(data, router.connect);
  const random = { hex: (bytes: number) => randomBytes(bytes).toString('hex') };
  const web = await serveWeb({ pages, connect: router.connect, port: 0, clock: { now: () => Date.now() }, random });
  const browser = await playwright.launch({ executablePath: chromium });
  async function another(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(screenMs);
    const page = await context.newPage();
    await signIn(page, web.link());
    return page;
  }
  return {
    host,
    page: await another(),
    another,
    async close() {
      await browser.close();
      stop.abort();
      await router.close(stop.signal, () => undefined);
      await socket.close();
      await web.close();
      await work.close();
      await host.close();
    },
  };
}
