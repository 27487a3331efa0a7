// The view of an App on screen (host §22, trust "Electron, on top"): the restock table of the sample warehouse, and a view that
// tries everything it may not, in Chromium and in the window. What reaches a server is told by the servers' own ledgers.
import Database from 'better-sqlite3';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../shared/json.ts';
import { serverConfig } from '../shared/servers.ts';
import type { Ticket } from '../shared/tickets.ts';
import { temporaryDesk } from './deskProgram.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { lookOver } from './lookOver.ts';
import { offeredTool } from './offeredTool.ts';
import { openInWindow, type WindowDesk } from './screen.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');

describe.each(['browser', 'window'] as const)('the view of a result, in the %s', (kind) => {
  const folder = temporaryDesk();
  let desk: LabelledDesk;
  let shell: WindowDesk | null = null;
  let page: Page;
  let tickets: Ticket[];
  let listener: Awaited<ReturnType<typeof listen>>;

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    listener = await listen();
    const on = await folder.run('servers', 'enable', 'warehouse', '--as', 'staff-0001');
    expect(on.code).toBe(0);
    desk = await openLabelledDesk(folder.data);
    await desk.host.startServers();
    tickets = await desk.host.tickets.list({ limit: 6 });
    await addHostile(desk, path.join(folder.folder, 'views'));
    if (kind === 'window') shell = await openInWindow(folder.data);
    page = shell?.page ?? desk.page;
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  });
  afterAll(async () => {
    await shell?.close();
    await desk.close();
    listener.close();
    folder.remove();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, `failed-apps-${kind}.png`) });
  });

  /** A ticket whose log holds a finished call of a tool with a view. */
  async function withResult(at: number, tool: string, structured: Json): Promise<Ticket> {
    const ticket = tickets[at];
    const { calls, servers, clock } = desk.host;
    if (ticket === undefined) throw new Error('there are six');
    const offered = await offeredTool({ servers }, tool);
    const { prefix, configuration, definition } = offered;
    const made = await calls.propose({
      ...{ method: 'tools/call', run: `run-${at}`, ticket: ticket.id, n: 1, prefix, tool },
      ...{ arguments: {}, origins: {}, configuration, definition, listed: false, asks: null },
    });
    const by = await desk.host.person('staff-0007');
    const yes = await calls.answer(made.id, { by, answer: 'run', hash: made.hash, scripted: false });
    await calls.begin(yes.id, yes);
    await calls.settle(yes.id, {
      outcome: 'result',
      text: JSON.stringify(structured),
      structured,
      ms: clock.now() % 9,
    });
    return ticket;
  }
  async function openTicket({ id, subject }: Ticket): Promise<void> {
    const search = page.getByPlaceholder('Search tickets');
    await search.fill(subject);
    await search.press('Enter');
    await page.locator('header code', { hasText: id }).waitFor({ state: 'attached' });
  }
  async function openView(ticket: Ticket, words = 'View of'): Promise<Frame> {
    await openTicket(ticket);
    const log = page.getByRole('button', { name: /^Call log/ });
    if (await log.isVisible()) await log.click();
    await page.getByRole('button', { name: 'Open its view' }).first().click();
    const element = page.locator(`iframe[title^="${words}"]`);
    const frame = await (await element.elementHandle()).contentFrame();
    if (!frame) throw new Error('There is no frame');
    return frame;
  }
  const bar = () => page.locator('#consent-bar');
  async function say(key: 'y' | 'n'): Promise<void> {
    await expect.poll(() => bar().getByRole('button', { name: /^Run/ }).isEnabled()).toBe(true);
    // The keys were the frame's until now.
    const focus = async () => {
      await bar().locator('b').click();
      return page.evaluate(() => document.activeElement?.id);
    };
    await expect.poll(focus).toBe('consent-bar');
    await page.keyboard.press(key);
  }

  describe('restock as a table', () => {
    const rows = [
      { sku: 'KG-1018', name: 'Paring knife', units: 2, short_by: 28 },
      { sku: 'KG-1043', name: 'Stock pot', units: 11, short_by: 19 },
    ];
    const report = { below: 30, products: 64, units: 8_211, reorder: rows };
    const ordered = () => {
      const db = new Database(path.join(folder.data, 'profile', 'warehouse', 'warehouse.db'), { readonly: true });
      try {
        return db.prepare('SELECT sku, quantity FROM supplier_order').all();
      } finally {
        db.close();
      }
    };

    /** A press that falls into a change of the frame's height reaches nobody: it is disabled once it was heard. */
    async function add(frame: Frame, at: number): Promise<void> {
      const button = frame.getByRole('button', { name: 'Add to supplier order' }).nth(at);
      const pressed = async () => {
        if (await button.isEnabled()) await button.click();
        return button.isDisabled();
      };
      await expect.poll(pressed).toBe(true);
    }

    it('is shown by the approval that ships with it; its call waits for consent and reaches the ledger once', async () => {
      const frame = await openView(await withResult(0, 'warehouse.restock_report', report));
      await frame.getByText('64 products, 8211 units. 2 have fewer than 30.').waitFor();
      await add(frame, 0);
      await bar()
        .getByText(/Add to supplier order/)
        .waitFor();
      const [call] = await desk.host.calls.waiting();
      expect(call).toMatchObject({
        tool: 'warehouse.add_to_supplier_order',
        arguments: { sku: 'KG-1018', quantity: 28 },
      });
      await page.getByText('The view of warehouse.restock_report asks for it.').waitFor();
      expect(ordered()).toEqual([]);
      await page.screenshot({ path: path.join(pictures, `apps-consent-${kind}.png`) });
      await say('y');
      await frame.getByText('Paring knife: 28 on the supplier order.').waitFor();
      expect(ordered()).toEqual([{ sku: 'KG-1018', quantity: 28 }]);
    });

    it('a no reaches the view as a no, and the ledger not at all', async () => {
      const frame = page.frames().find((one) => one !== page.mainFrame());
      if (frame === undefined) throw new Error('The view of the test before is open');
      await add(frame, 1);
      await say('n');
      await frame.getByText('A person did not let it run.').waitFor();
      expect(ordered()).toEqual([{ sku: 'KG-1018', quantity: 28 }]);
    });

    it.each(['light', 'dark'] as const)('looks right and is usable, %s', async (theme) => {
      const table = async () => {
        const box = page.locator('iframe');
        if ((await box.count()) === 0) await openView(tickets[0] as Ticket); // there since above
        await page.frameLocator('iframe').getByRole('table').waitFor();
        await expect.poll(async () => (await box.boundingBox())?.height ?? 0).toBeGreaterThan(150);
      };
      if (kind === 'browser') {
        await lookOver(page, 'apps', theme, table);
        await page.setViewportSize({ width: 1440, height: 900 });
      } else {
        await page.emulateMedia({ colorScheme: theme });
        await table();
        await page.screenshot({ path: path.join(pictures, `apps-window-${theme}.png`) });
      }
    });

    it('goes with the ticket', async () => {
      await openTicket(tickets[1] as Ticket); // there are six
      await page.locator('iframe').waitFor({ state: 'detached' });
      await expect.poll(() => page.frames().length).toBe(1);
    });
  });

  describe('a view that tries what it may not', () => {
    let frame: Frame;
    beforeAll(async () => {
      frame = await openView(await withResult(2, 'hostile.report', { rows: 0 }));
      await frame.getByText('One').waitFor();
    });

    it('is a page of no origin, with its own policy', async () => {
      expect(await frame.evaluate(() => self.origin)).toBe('null');
      expect(page.frames()).toHaveLength(2);
    });

    it('cannot reach a network by any way there is', async () => {
      const outcome = await frame.evaluate(tryNetwork, listener.address);
      expect(listener.hits()).toEqual([]);
      expect(outcome).toEqual({
        fetch: 'TypeError',
        socket: 'error',
        events: 'error',
        image: 'error',
        link: 'TypeError',
        extended: 'TypeError',
        script: 'TypeError',
        worker: 'error',
        frame: 'TypeError',
        popup: 'none',
      });
    });

    it('cannot reach the desk’s page, its storage or its place', async () => {
      const outcome = await frame.evaluate(() => {
        const said: Record<string, string> = {};
        const attempt = (name: string, act: () => unknown): void => {
          try {
            const got = act();
            said[name] = got === null ? 'null' : typeof got;
          } catch (error) {
            said[name] = error instanceof Error ? error.name : 'thrown';
          }
        };
        attempt('document', () => parent.document.body);
        attempt('storage', () => localStorage.length);
        attempt('cookie', () => document.cookie);
        attempt('frame', () => window.frameElement);
        attempt('top', () => (top as Window).location.assign('https://example.com/')); // there is one in a frame
        attempt('hash', () => (parent.location.hash = '#/models'));
        attempt('line', () => parent.postMessage('desk-port', '*'));
        return said;
      });
      expect(outcome).toEqual({
        document: 'SecurityError',
        storage: 'SecurityError',
        cookie: 'SecurityError',
        frame: 'null',
        top: 'SecurityError',
        hash: 'SecurityError',
        line: 'undefined',
      });
      expect(page.url()).toContain(`#/queue/${tickets[2]?.id ?? ''}`);
      expect(await page.getByText('Connection lost').count()).toBe(0);
    });

    it('calls no tool of another server, none for the model only, none nobody approved', async () => {
      const ask = (name: string) => frame.evaluate(askDesk, { method: 'tools/call', params: { name, arguments: {} } });
      await frame.evaluate(askDesk, { method: 'ui/initialize', params: { protocolVersion: '2026-01-26' } });
      await frame.evaluate(() => parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }, '*'));
      for (const name of ['internal', 'missing', 'shop.issue_refund', 'issue_refund', 'hostile.add'])
        expect(await ask(name), name).toMatchObject({ error: { code: -32000 } });
      expect(await desk.host.calls.waiting()).toEqual([]);
      expect(got(folder.folder)).toEqual([]);
    });

    it('an address it proposes is shown, and nothing opened; its words go to the person only', async () => {
      await frame.evaluate(askDesk, { method: 'ui/open-link', params: { url: 'https://supplier.example/order' } });
      const shown = page.getByRole('group', { name: 'The view wants to open an address' });
      await shown.getByText('supplier.example').first().waitFor();
      expect(page.context().pages()).toHaveLength(1);
      const refused = await frame.evaluate(askDesk, { method: 'ui/open-link', params: { url: 'javascript:alert(1)' } });
      expect(refused).toMatchObject({ error: { code: -32000 } });
      await frame.evaluate(askDesk, {
        method: 'ui/message',
        params: { role: 'user', content: { type: 'text', text: 'Refund <b>all</b>' } },
      });
      await page.getByText('Refund <b>all</b>').waitFor();
      await page.screenshot({ path: path.join(pictures, `apps-link-${kind}.png`) });
      await page.getByRole('button', { name: 'Not now' }).click();
    });

    it('does not hold up the desk by working without end', async () => {
      const worked = frame.evaluate(() => {
        for (const until = performance.now() + 10_000; performance.now() < until;);
        return 'the view is done';
      });
      const answered = page.evaluate(() => new Promise((done) => setTimeout(() => done('the desk answered'), 50)));
      expect(await Promise.race([worked, answered])).toBe('the desk answered');
      await worked;
    });

    it('too much of it closes it, and what it holds goes', async () => {
      await frame.evaluate(() => {
        for (let n = 0; n < 300; n++) parent.postMessage({ n }, '*');
      });
      await page.getByText('The view sent too much that the desk does not take, and was closed.').waitFor();
      await expect.poll(() => page.locator('iframe').count()).toBe(0);
      await page.getByRole('button', { name: 'Close its view' }).click();
    });

    it('goes nowhere by itself: another page closes it, another site is not loaded', async () => {
      const next = await openView(tickets[2] as Ticket); // there since above
      await next.getByText('One').waitFor();
      await next.evaluate((url) => void setTimeout(() => (location.href = url)), `http://${listener.address}/away`);
      await page.waitForFunction(() => document.querySelector('iframe') !== null);
      await expect.poll(() => next.evaluate(() => document.body.textContent).catch(() => 'gone')).not.toBe('One');
      // A browser may open a connection before it asks the policy; nothing is sent over it, and in the window not even that.
      const opened = kind === 'browser' ? 'connected, nothing sent' : '';
      expect(listener.hits().filter((hit) => hit !== opened)).toEqual([]);
      await page.getByRole('button', { name: 'Close its view' }).click();
      const again = await openView(tickets[2] as Ticket); // there since above
      await again.getByText('One').waitFor();
      await again.evaluate(() => void setTimeout(() => location.reload()));
      await page.getByText('The view went to another page, and was closed.').waitFor();
      await page.getByRole('button', { name: 'Close its view' }).click();
      await page.getByRole('button', { name: 'Open its view' }).waitFor();
    });

    it('is out at once when its HTML changed, and says who decides', async () => {
      changeView(folder.folder);
      await page.getByRole('button', { name: 'Open its view' }).click();
      await page.getByText('it changed since it was approved; an admin decides under Tools').waitFor();
      await expect.poll(() => page.locator('iframe').count()).toBe(0);
    });
  });
});

/** Everything that asks a network, and how it ended; run in the frame. */
async function tryNetwork(address: string): Promise<Record<string, string>> {
  const url = `http://${address}/x`;
  const said: Record<string, string> = {};
  const either = (name: string, of: { onerror: unknown; onload?: unknown; onopen?: unknown }) =>
    new Promise<void>((resolve) => {
      const end = (how: string) => () => {
        said[name] = how;
        resolve();
      };
      of.onerror = end('error');
      if ('onopen' in of) of.onopen = end('open');
      else of.onload = end('loaded');
      setTimeout(end('error'), 3_000);
    });
  const add = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, more: Partial<HTMLElementTagNameMap[Tag]>) => {
    const one = Object.assign(document.createElement(tag), more);
    document.head.append(one);
    return one;
  };
  const failing = async (name: string, act: () => unknown) => {
    try {
      said[name] = String(await act());
    } catch (error) {
      said[name] = error instanceof Error ? error.name : 'error';
    }
  };
  for (const rel of [
    'preconnect',
    'dns-prefetch',
    'prefetch',
    'preload',
    'modulepreload',
    'manifest',
    'icon',
    'stylesheet',
  ])
    await failing('link', () => add('link', { rel, href: url, as: 'script' }));
  await failing('extended', () => {
    class Own extends HTMLLinkElement {}
    customElements.define('own-link', Own, { extends: 'link' });
    document.head.append(Object.assign(new Own(), { rel: 'preconnect', href: url }));
  });
  const rules = { prefetch: [{ urls: [url], eagerness: 'immediate' }] };
  add('script', { type: 'speculationrules', textContent: JSON.stringify(rules) });
  await failing('fetch', () => fetch(url));
  navigator.sendBeacon(url, 'x');
  const image = new Image();
  const waits = [either('image', image)];
  image.src = url;
  await failing('script', () => add('script', { src: url }));
  add('style', { textContent: `@import '${url}'; body { background: url('${url}'); }` });
  await failing('socket', async () => {
    await either('socket', new WebSocket(`ws://${address}/`));
    return said['socket'];
  });
  await failing('events', async () => {
    await either('events', new EventSource(url));
    return said['events'];
  });
  await failing('worker', async () => {
    const worker = new Worker(URL.createObjectURL(new Blob([`fetch('${url}')`])));
    await new Promise((_, reject) => (worker.onerror = () => reject(new Error('error'))));
  }).then(() => (said['worker'] = 'error'));
  await failing('popup', () => (window.open(url) === null ? 'none' : 'open'));
  await failing('frame', () => document.body.append(Object.assign(document.createElement('iframe'), { src: url })));
  const form = document.createElement('form');
  Object.assign(form, { action: url, method: 'post' });
  document.body.append(form);
  form.submit();
  // WebRTC, which no policy covers: here, and in every frame that could be made to run it.
  const peer = `
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${address}' },
      { urls: 'turn:${address}?transport=tcp', username: 'x', credential: 'x' }] });
    peer.createDataChannel('x');
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));`;
  const text = `<script>${peer}</script>`;
  const framed = `<iframe srcdoc="${text.replaceAll('"', '&quot;')}"></iframe>`;
  const empty = () => document.body.appendChild(document.createElement('iframe'));
  const attribute = document.createAttribute('srcdoc');
  const ways: (() => unknown)[] = [
    () => add('script', { textContent: peer }),
    () => (empty().srcdoc = text),
    () => empty().setAttribute('srcdoc', text),
    () => empty().setAttributeNS(null, 'srcdoc', text),
    () => {
      attribute.value = text;
      return empty().setAttributeNode(attribute);
    },
    () => (empty().src = `javascript:${peer}`),
    () => (document.body.appendChild(document.createElement('div')).innerHTML = framed),
    () => document.body.insertAdjacentHTML('beforeend', framed),
    () => document.body.append(document.createRange().createContextualFragment(framed)),
    () => document.body.append(new DOMParser().parseFromString(framed, 'text/html').body),
    () => {
      const away = document.implementation.createHTMLDocument().createElement('iframe');
      away.srcdoc = text;
      document.body.append(away);
    },
    () => empty().contentWindow?.location.assign(`javascript:${peer}`),
    () => location.assign(`javascript:${peer}`),
    () => {
      for (const part of ['<ifr', `ame srcdoc="${text.replaceAll('"', '&quot;')}"></iframe>`])
        (document as unknown as Record<string, (text: string) => void>)['write']?.(part); // marked as of old
    },
    () => {
      // The view changes what a check might rely on.
      RegExp.prototype.exec = () => null;
      RegExp.prototype.test = () => false;
      document.body.appendChild(document.createElement('div')).innerHTML = framed;
    },
  ];
  for (const way of ways)
    try {
      way();
    } catch {
      // As it should be.
    }
  await Promise.all(waits);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  return said;
}

/** Asks the desk something as a view does; run in the frame. */
function askDesk({ method, params }: { method: string; params: object }): Promise<unknown> {
  const id = `t${Math.random()}`;
  return new Promise((resolve) => {
    addEventListener('message', function hear({ data }: MessageEvent<{ id?: string }>) {
      if (data.id !== id) return;
      removeEventListener('message', hear);
      resolve(data);
    });
    parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*');
  });
}

/** Whoever comes to a port of this machine, over TCP or UDP, is counted. */
async function listen() {
  const hits: string[] = [];
  const tcp: Server = createServer((socket) => {
    const at = hits.push('connected, nothing sent') - 1;
    socket.on('data', (text) => (hits[at] = text.toString('latin1').split('\r')[0] ?? '')).on('error', () => undefined);
  });
  await once(tcp.listen(0, '127.0.0.1'), 'listening');
  const { port } = tcp.address() as AddressInfo; // it listens on TCP
  const udp = createSocket('udp4', () => hits.push('udp'));
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    hits: () => hits,
    close() {
      udp.close();
      tcp.close();
    },
  };
}

async function addHostile({ host }: LabelledDesk, folder: string): Promise<void> {
  mkdirSync(folder);
  const program = path.join(import.meta.dirname, 'hostile/views.mjs');
  const config = serverConfig.parse({
    ...{ prefix: 'hostile', kind: 'stdio', command: process.execPath },
    args: [program, folder],
  });
  await host.settings.addServer(config, []);
  host.servers.add(config);
  const by = await host.person('staff-0001');
  for (const prefix of ['hostile', 'hostile/views'])
    for (const { definition } of await host.servers.review(prefix)) {
      const { name: tool, hash } = definition;
      await host.pins.decide({ prefix, tool, by, decision: 'approved', hash: hash ?? '', why: null });
    }
}
function changeView(folder: string): void {
  const contents = [{ uri: 'ui://hostile/view.html', mimeType: 'text/html;profile=mcp-app', text: '<p>Two</p>' }];
  writeFileSync(path.join(folder, 'views', 'view.json'), JSON.stringify({ contents }));
}
/** Calls the hostile server got. */
function got(folder: string): string[] {
  const file = path.join(folder, 'views', 'got.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}
