// Consent as a person gives it on screen (host §§9–13, trust 3; ui, "Consent"), against a real hostile server with a ledger of
// its own: what is shown is what is sent, once, and only by a deliberate answer to what was shown.
import Database from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Ticket } from '../shared/tickets.ts';
import { temporaryDesk } from './deskProgram.ts';
import { frames, tabTo } from './keyboard.ts';
import { layoutFaults } from './layoutFaults.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { addSaying, type Saying } from './sayingServer.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const folder = temporaryDesk();
let desk: LabelledDesk;
let saying: Saying;
let page: Page;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  desk = await openLabelledDesk(folder.data);
  ({ page } = desk);
  saying = await addSaying(desk.host, path.join(folder.folder, 'says'));
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});
const before = { count: 0 };
beforeEach(() => {
  before.count = saying.received().length;
});

const bar = () => page.locator('#consent-bar');
/** Calls the server got in this test, by its own ledger. */
const sent = () => saying.received().slice(before.count);
let tickets = 0;
async function ticketOf(): Promise<Ticket> {
  const id = `C-${tickets++}`;
  const record = {
    id,
    customer: 'C-0083',
    subject: `Ask ${id}`,
    body: 'Please look.',
    received_at: '2026-07-02T09:00:00Z',
  };
  await desk.host.tickets.importText(JSON.stringify([record]), { source: 'import', dryRun: false });
  const ticket = await desk.host.tickets.find(id);
  if (ticket === undefined) throw new Error(`${id} did not come in`);
  return ticket;
}
async function openTicket(id: string, on = page): Promise<void> {
  await on.goto(`${new URL(on.url()).origin}/#/queue/${id}`);
  await on.reload();
  await on.locator('#consent-bar').waitFor();
}
/** A call of the hostile server that waits on screen, with keys and buttons that count. */
async function asks(args: JsonObject, tool = 'plain'): Promise<Call> {
  const ticket = await ticketOf();
  const { call } = await saying.propose(ticket, tool, args);
  await openTicket(ticket.id);
  await armed();
  return call;
}
async function armed(): Promise<void> {
  await expect.poll(() => bar().getByRole('button', { name: /^Run/ }).isEnabled()).toBe(true);
}
async function atBar(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.keyboard.press('p');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('consent-bar');
}
async function settled(id: string, state: Call['state']): Promise<void> {
  await expect.poll(async () => (await desk.host.calls.get(id)).state).toBe(state);
}
/** The exact JSON the screen shows of a call, its drawn marks read back. */
async function shownJson(): Promise<{ arguments: JsonObject; hash: string }> {
  const pane = jsonPane();
  if ((await pane.count()) === 0) await page.locator('#call-1').getByRole('button', { name: 'JSON' }).click();
  const text = await pane.locator('pre').evaluate((pre) =>
    [...pre.childNodes]
      .map((node) => {
        const said = node.textContent ?? '';
        const code = /^U\+([0-9A-F]{4,6})$/.exec(said);
        return node instanceof HTMLElement && code !== null ? String.fromCodePoint(parseInt(code[1] ?? '', 16)) : said;
      })
      .join(''),
  );
  return JSON.parse(text) as { arguments: JsonObject; hash: string }; // as the screen shows it
}

const jsonPane = () => page.getByRole('region', { name: /^JSON of call/ });
/** What has the focus, in words. */
const focus = () =>
  page.evaluate(() => document.activeElement?.id || (document.activeElement?.textContent ?? '').slice(0, 40));
/** From now on: every time a button that runs a call gets the focus is kept, in the page itself. */
async function watchRun(): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const got: string[] = [];
    Reflect.set(window, 'gotRun', got);
    document.addEventListener('focusin', ({ target }) => {
      const words = target instanceof HTMLElement ? target.textContent : '';
      if (target instanceof HTMLButtonElement && /^Run(?!s)/.test(words)) got.push(words);
    });
  });
  return () => page.evaluate(() => Reflect.get(window, 'gotRun') as string[]);
}
/**
 * From now on: presses Y, and every button of the question, in the page itself, the very moment that a bar appears which is not
 * the one that is there now: as a key or a click that was meant for what stood there before. What is returned waits for that.
 */
async function pressAtOnce(): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const before = document.querySelector('#consent-bar');
    Reflect.set(window, 'pressedAtOnce', false);
    new MutationObserver((_, observer) => {
      const found = document.querySelector<HTMLElement>('#consent-bar');
      if (found === null || found === before) return;
      observer.disconnect();
      found.focus();
      found.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', bubbles: true }));
      const buttons = [...document.querySelectorAll<HTMLElement>('#consent-bar button, #call-1 button')];
      for (const button of buttons) {
        button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
        button.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, button: 0 }));
        button.click();
      }
      Reflect.set(window, 'pressedAtOnce', true);
    }).observe(document.body, { childList: true, subtree: true });
  });
  return async () => {
    await page.waitForFunction(() => Reflect.get(window, 'pressedAtOnce') === true);
  };
}
/** M, another `note`, and asked anew, by keys alone. Returns the call that asks now, which the bar shows. */
async function edits(call: Call, note: string): Promise<Call> {
  await atBar();
  await page.keyboard.press('m');
  await page.getByRole('textbox', { name: 'note' }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(note);
  await tabTo(page, /^Ask anew/);
  await page.keyboard.press('Enter');
  const asking = async () => (await desk.host.calls.list({ run: call.run })).find(({ state }) => state === 'asking');
  await expect.poll(async () => (await asking())?.arguments['note']).toBe(note);
  const next = await asking();
  if (next === undefined) throw new Error('Nothing asks any more');
  // The host is ahead of the page, where Run of the call that was edited still counts.
  await bar().getByText(note).waitFor();
  return next;
}

describe('what is shown is what is sent', () => {
  it('by hash and by the server’s own ledger, with invisible characters drawn', async () => {
    const note = 'pay \u202e00.005\u202c to \u200bO-1942 \u001b[31m <b>x</b> \u{e0041}';
    const call = await asks({ note, from: 7 });
    const shown = await shownJson();
    expect(shown.hash).toBe(call.hash);
    const marks = await page.locator('#call-1 dl').textContent();
    for (const code of ['U+202E', 'U+200B', 'U+001B', 'U+E0041']) expect(marks).toContain(code);
    await page.screenshot({ path: path.join(pictures, 'consent-hidden.png') });
    await atBar();
    await page.keyboard.press('y');
    await settled(call.id, 'result');
    expect(sent()).toEqual([{ name: 'plain', given: shown.arguments }]);
    expect(shown.arguments).toEqual({ note, from: 7 });
    expect((await desk.host.calls.get(call.id)).hash).toBe(shown.hash);
  });

  it('whole, also where an argument has 60,000 letters', async () => {
    const note = `${'long '.repeat(12_000)}END`;
    const call = await asks({ note });
    const value = page.locator('#call-1 dl').getByText('END');
    // What is cut says so, and how much there is.
    await page.locator('#call-1').getByRole('button', { name: 'It goes on: show all 60,003 characters' }).click();
    await value.scrollIntoViewIfNeeded();
    await expect.poll(() => value.textContent()).toHaveLength(note.length);
    expect((await shownJson()).arguments).toEqual({ note });
    const ends = await value.evaluate((shown) => {
      shown.scrollIntoView({ block: 'end' });
      const last = document.createRange();
      last.selectNodeContents(shown);
      last.collapse(false);
      const { right, bottom } = last.getBoundingClientRect();
      return { right: right <= innerWidth, bottom: bottom <= innerHeight + 1 };
    });
    expect(ends).toEqual({ right: true, bottom: true });
    await page.screenshot({ path: path.join(pictures, 'consent-long.png') });
    await atBar();
    await page.keyboard.press('y');
    await settled(call.id, 'result');
    expect(sent()).toEqual([{ name: 'plain', given: { note } }]);
  });

  it('`readOnlyHint: true` never skips the question; it is said to be the server’s word', async () => {
    const call = await asks({ note: 'x' });
    expect([call.state, call.listed]).toEqual(['asking', false]);
    await page
      .locator('#call-1')
      .getByText(/The server says: .*The desk does not rely on it/)
      .waitFor();
    expect(sent()).toEqual([]);
    await atBar();
    await page.keyboard.press('n');
    await settled(call.id, 'declined');
    expect(sent()).toEqual([]);
  });
});

describe('twice as large as it comes (720 × 450)', () => {
  it('the bar says whole what it asks, and all its buttons are in it', async () => {
    await asks({ note: 'a note of some length, to be read before anyone says yes' }, 'pay');
    await page.setViewportSize({ width: 720, height: 450 });
    await frames(page, 2);
    expect(await page.evaluate(layoutFaults)).toEqual([]);
    const outside = await bar().evaluate((box) => {
      const { left, right, top, bottom } = box.getBoundingClientRect();
      const inner = [...box.querySelectorAll('b, span, button')].map((one) => one.getBoundingClientRect());
      return inner.filter((one) => one.left < left || one.right > right || one.top < top || one.bottom > bottom).length;
    });
    expect(outside).toBe(0);
    const what = bar().getByText(/a note of some length/);
    expect(await what.evaluate((words) => words.clientWidth)).toBeGreaterThan(60);
    await page.screenshot({ path: path.join(pictures, 'consent-720.png') });
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('a long thread', () => {
  it('opens at what the customer wrote last, and stays where it is read while events come', async () => {
    const ticket = await ticketOf();
    const database = new Database(path.join(folder.data, 'desk.db'));
    const insert = database.prepare('insert into messages (id, ticket, kind, body, at) values (?, ?, ?, ?, ?)');
    for (let n = 1; n <= 200; n++)
      insert.run(
        `m-${n}`,
        ticket.id,
        n < 200 ? 'customer' : 'reply',
        `Message ${n}.\n${'More of it. '.repeat(n % 60)}`,
        '2026-07-03T09:00:00.000Z',
      );
    database.close();
    const { call } = await saying.propose(ticket, 'plain', { note: 'x' });
    await openTicket(ticket.id);
    const pane = page.getByRole('region', { name: 'Messages' });
    const seen = () =>
      pane.evaluate((box) => {
        const newest = [...box.querySelectorAll('[data-kind=customer]')].at(-1)?.getBoundingClientRect();
        const { top, bottom } = box.getBoundingClientRect();
        return newest !== undefined && newest.top >= top && newest.bottom <= bottom;
      });
    await expect.poll(seen).toBe(true);
    // The pane brings it to the top in the next frames once more, as heights become known.
    await frames(page, 3);
    await pane.evaluate((box) => (box.scrollTop = 300));
    await armed();
    await atBar();
    await page.keyboard.press('n');
    await settled(call.id, 'declined');
    expect(await pane.evaluate((box) => box.scrollTop)).toBe(300);
  });
});

describe('the arguments edited at the bar (M)', () => {
  it('ask anew: another hash, the old question closed unanswered, the value marked as a person’s, nothing sent before a yes', async () => {
    const call = await asks({ note: 'as the ticket says', from: 7 });
    const next = await edits(call, 'as I want it');
    const old = await desk.host.calls.get(call.id);
    expect(next.id).not.toBe(call.id);
    expect(next.hash).not.toBe(call.hash);
    expect([old.state, old.consent]).toEqual(['declined', null]);
    const rows = page.locator('#call-1 dl > div');
    await rows.filter({ hasText: 'as I want it' }).getByTitle('Typed by a person.', { exact: true }).waitFor();
    await rows
      .filter({ hasText: 'from' })
      .getByTitle(/^The customer’s own words/)
      .waitFor();
    expect(await shownJson()).toMatchObject({ arguments: { note: 'as I want it', from: 7 }, hash: next.hash });
    expect(sent()).toEqual([]);
    // The yes to what was asked first answers nothing any more.
    const by = await desk.host.person('staff-0007');
    await expect(
      desk.host.calls.answer(next.id, { by, answer: 'run', hash: call.hash, scripted: false }),
    ).rejects.toMatchObject({ code: 'calls.hash' });
    await armed();
    await atBar();
    await page.keyboard.press('y');
    await settled(next.id, 'result');
    expect(sent()).toEqual([{ name: 'plain', given: { note: 'as I want it', from: 7 } }]);
    expect(await desk.host.calls.get(call.id)).toEqual(old);
  });

  it('left as they were with Escape: the same question, and nothing else', async () => {
    const call = await asks({ note: 'stays' });
    await atBar();
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'note' }).fill('not this');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'note' }).waitFor({ state: 'detached' });
    expect(await desk.host.calls.get(call.id)).toEqual(call);
    expect((await shownJson()).arguments).toEqual({ note: 'stays' });
    expect(sent()).toEqual([]);
  });
});

describe('the exact JSON', () => {
  it('is one key away from the bar, and goes by it', async () => {
    const call = await asks({ note: 'exact', from: 1 });
    await atBar();
    await expect.poll(() => jsonPane().count()).toBe(0);
    await page.keyboard.press('b');
    await jsonPane().waitFor();
    expect(await shownJson()).toEqual({ tool: call.tool, arguments: call.arguments, hash: call.hash });
    await page.keyboard.press('b');
    await jsonPane().waitFor({ state: 'detached' });
  });
});

describe('a consent is void, and the screen says so, where something changed since it was shown', () => {
  it('the arguments', async () => {
    const call = await asks({ note: 'as shown' });
    const database = new Database(path.join(folder.data, 'desk.db'));
    database.prepare('update calls set arguments = ? where id = ?').run('{"note":"as sent"}', call.id);
    database.close();
    await atBar();
    await page.keyboard.press('y');
    await page
      .getByText(/changed|void|Look at it again/i)
      .first()
      .waitFor();
    expect(sent()).toEqual([]);
  });

  it('the pinned definition', async () => {
    const call = await asks({ note: 'x' });
    const { definition } =
      (await desk.host.servers.review('hostile')).find((one) => one.definition.name === 'plain') ?? {};
    await desk.host.pins.decide({
      prefix: 'hostile',
      tool: 'plain',
      by: await desk.host.person('staff-0001'),
      decision: 'refused',
      hash: definition?.hash ?? '',
      why: null,
    });
    await atBar();
    await page.keyboard.press('y');
    await expect.poll(async () => (await desk.host.calls.get(call.id)).state).not.toBe('asking');
    await page
      .getByText(/Nothing was sent|not approved|refused|void/i)
      .first()
      .waitFor();
    expect(sent()).toEqual([]);
    await saying.approve();
  });

  it('the server’s configuration', async () => {
    const call = await asks({ note: 'x' });
    const server = desk.host.servers.get('hostile');
    if (server?.config.kind !== 'stdio') throw new Error('It runs over stdio');
    const { config } = server;
    await desk.host.servers.remove('hostile');
    desk.host.servers.add({ ...config, env: { ELSEWHERE: '1' } });
    await atBar();
    await page.keyboard.press('y');
    await expect.poll(async () => (await desk.host.calls.get(call.id)).state).not.toBe('asking');
    await page
      .getByText(/Nothing was sent|changed|not approved|void/i)
      .first()
      .waitFor();
    expect(sent()).toEqual([]);
    await desk.host.servers.remove('hostile');
    desk.host.servers.add(config);
    // The page may have it started already; one that is still starting is offered by nobody.
    await desk.host.servers.review('hostile');
  });
});

describe('one yes is one call', () => {
  it('of two identical ones, and pressed twice', async () => {
    const call = await asks({ note: 'twin' });
    const twin = await saying.propose(await ticketOf(), 'plain', { note: 'twin' });
    await atBar();
    await page.keyboard.press('y');
    await page.keyboard.press('y');
    await page.keyboard.press('Enter');
    await settled(call.id, 'result');
    expect((await desk.host.calls.get(twin.call.id)).state).toBe('asking');
    expect(sent()).toHaveLength(1);
  });

  it('that moves money takes Y and Enter; each pressed twice, a double click on Run, and a held Enter send nothing more', async () => {
    const call = await asks({ note: 'money' }, 'pay');
    const amount = page.getByRole('group', { name: /^This moves/ });
    // Both clicks in one go: two that a busy machine holds apart are two deliberate ones. What of the
    // bar the second one meets depends on how wide its words are, so it meets all of it.
    const met = await bar().evaluate(async (box) => {
      const buttons = [...box.querySelectorAll<HTMLElement>('button')];
      buttons.find(({ textContent }) => textContent.startsWith('Run'))?.click();
      for (let n = 0; n < 5; n++) await Promise.resolve(); // drawn by then
      const there = [...box.querySelectorAll<HTMLElement>('[role=group], button')];
      for (const one of there) one.click();
      return there.map(({ textContent }) => textContent.replace(/:.*/, ''));
    });
    expect(met).toEqual(['Run', expect.stringMatching(/^Don’t run/)]);
    await amount.waitFor();
    expect((await desk.host.calls.get(call.id)).state).toBe('asking');
    await amount.evaluate((shown) =>
      shown.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true })),
    );
    await page.keyboard.press('Escape');
    await amount.waitFor({ state: 'detached' });
    expect(sent()).toEqual([]);
    await atBar();
    for (const key of ['y', 'y']) await page.keyboard.press(key);
    await expect.poll(() => amount.evaluate((shown) => shown === document.activeElement)).toBe(true);
    for (const key of ['Enter', 'Enter', 'y', 'Enter']) await page.keyboard.press(key);
    await settled(call.id, 'result');
    expect(sent()).toHaveLength(1);
  });

  it('answered from two windows at once', async () => {
    const call = await asks({ note: 'two windows' });
    const other = await desk.another();
    // A page that begins opens a ticket by itself, and names it in the address.
    await other.locator('header code').waitFor();
    await openTicket(call.ticket, other);
    const run = (on: Page) => on.locator('#consent-bar').getByRole('button', { name: /^Run/ });
    await expect.poll(() => run(other).isEnabled()).toBe(true);
    // Where it still stands: the quicker window may have taken it from the other.
    const press = (on: Page) =>
      on.evaluate(() => {
        const buttons = [...document.querySelectorAll<HTMLElement>('#consent-bar button')];
        buttons.find(({ textContent }) => textContent.startsWith('Run'))?.click();
      });
    await Promise.all([press(page), press(other)]);
    await settled(call.id, 'result');
    expect(sent()).toHaveLength(1);
    await other.context().close();
  });
});

describe('nothing runs by accident (ui, Consent)', () => {
  it('a key that is held down never runs it', async () => {
    const call = await asks({ note: 'held' });
    await atBar();
    // As the system repeats it: keydown events that say so.
    await page.evaluate(() => {
      for (let n = 0; n < 20; n++)
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'y', repeat: true, bubbles: true }));
    });
    expect((await desk.host.calls.get(call.id)).state).toBe('asking');
    await page.keyboard.down('y');
    await settled(call.id, 'result');
    for (let n = 0; n < 5; n++) await page.keyboard.down('y');
    await page.keyboard.up('y');
    expect(sent()).toHaveLength(1);
  });

  it('keys and clicks in the first 700 ms do nothing, also where another call takes its place', async () => {
    const ticket = await ticketOf();
    await page.goto(`${new URL(page.url()).origin}/#/queue/${ticket.id}`);
    await page.reload();
    await page.getByRole('region', { name: 'Messages' }).waitFor();
    const early = await pressAtOnce();
    const { call } = await saying.propose(ticket, 'plain', { note: 'early' });
    await early();
    await armed();
    expect((await desk.host.calls.get(call.id)).state).toBe('asking');
    expect(sent()).toEqual([]);

    // The same call, edited; and another one in its place.
    const changed = await pressAtOnce();
    const edited = await edits(call, 'later');
    await changed();
    await armed();
    expect((await desk.host.calls.get(edited.id)).state).toBe('asking');
    const other = await saying.propose(ticket, 'plain', { note: 'other' });
    const replaced = await pressAtOnce();
    await atBar();
    await page.keyboard.press('n');
    await replaced();
    await armed();
    await settled(edited.id, 'declined');
    expect((await desk.host.calls.get(other.call.id)).state).toBe('asking');
    expect(sent()).toEqual([]);
  });

  it('keys count only while the bar has the focus: elsewhere they bring it there, and answer nothing', async () => {
    const call = await asks({ note: 'elsewhere' });
    for (const [place, key] of [
      [page.getByRole('region', { name: 'Messages' }), 'y'],
      [page.locator('#call-1'), 'n'],
      [page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').first(), 'm'],
    ] as const) {
      await place.focus();
      await page.keyboard.press(key);
      await expect.poll(focus).toBe('consent-bar');
      expect(await page.getByRole('textbox', { name: 'note' }).count()).toBe(0);
    }
    expect(await desk.host.calls.get(call.id)).toEqual(call);
    expect(sent()).toEqual([]);
    await page.keyboard.press('y');
    await settled(call.id, 'result');
    expect(sent()).toHaveLength(1);
  });

  it('the focus never lands on Run: not as the bar appears or changes, not after Escape, an edit or a click, not with Tab', async () => {
    const ticket = await ticketOf();
    await page.goto(`${new URL(page.url()).origin}/#/queue/${ticket.id}`);
    await page.reload();
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.focus();
    const ran = await watchRun();
    const had = await focus();
    const { call } = await saying.propose(ticket, 'pay', { note: 'focus' });
    await armed();
    // It appears without taking the keyboard from what the person does.
    expect(await focus()).toBe(had);
    const amount = page.getByRole('group', { name: /^This moves/ });
    await atBar();
    await page.keyboard.press('y');
    await amount.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focus).toBe('consent-bar');
    await bar().getByRole('button', { name: /^Run/ }).click();
    await amount.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focus).toBe('consent-bar');
    await edits(call, 'edited');
    await armed();
    const other = await saying.propose(ticket, 'plain', { note: 'in its place' });
    await atBar();
    await page.keyboard.press('n');
    await bar().getByText('Run Plain?').waitFor();
    await armed();
    for (const key of ['Tab', 'Shift+Tab']) for (let n = 0; n < 60; n++) await page.keyboard.press(key);
    expect(await ran()).toEqual([]);
    expect((await desk.host.calls.get(other.call.id)).state).toBe('asking');
    expect(sent()).toEqual([]);
  });
});
