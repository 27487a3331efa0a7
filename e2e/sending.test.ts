// A reply on its way, by keyboard alone: what a person is told of it on another ticket, after a reload, on a line that is lost;
// and what they type while something is kept, sent or looked for.
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Person } from '../shared/people.ts';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, openBySearch } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { slowClock } from './slowClock.ts';

const folder = temporaryDesk();
const tomas: Person = { id: 'staff-0002', name: 'Tomas Adeyemi', role: 'lead' };
let desk: LabelledDesk;
let page: Page;
let line: Awaited<ReturnType<typeof ownLine>>;
beforeAll(async () => {
  desk = await openLabelledDesk(folder.data);
  page = desk.page;
  await be(page, 'Mara Lindqvist');
  line = await ownLine();
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});
// Nothing goes out by itself here: what is to be taken back waits until the test comes to it.
beforeEach(() => slowClock());

/** A line that can be cut until it is mended, or whose answers are held back. Reloads the page. */
async function ownLine() {
  let cut = false;
  let held: (string | Buffer)[] | null = null;
  const open = new Set<WebSocketRoute>();
  await page.routeWebSocket(/\/desk$/, (socket) => {
    if (cut) {
      void socket.close();
      return;
    }
    open.add(socket);
    const host = socket.connectToServer();
    host.onMessage((text) => {
      if (held === null || String(text).startsWith('{"event"')) socket.send(text);
      else held.push(text);
    });
    socket.onClose(() => {
      open.delete(socket);
      void host.close();
    });
  });
  await page.reload();
  return {
    async cut() {
      cut = true;
      for (const socket of open) await socket.close();
      open.clear();
    },
    mend: () => (cut = false),
    hold: () => (held = []),
    /** What was asked meanwhile is answered. */
    go() {
      for (const text of held ?? []) for (const socket of open) socket.send(text);
      held = null;
    },
    held: () => held?.length ?? 0,
  };
}

const card = () => page.getByRole('region', { name: 'Draft', exact: true });
const editor = () => page.getByRole('region', { name: 'Edit the reply' });
const bar = () =>
  page
    .getByRole('main')
    .getByText(/goes out in \d s$/)
    .filter({ hasText: 'Reply to' });
const openTicket = (words: string, id: string): Promise<void> => openBySearch(page, words, id);
const stateOf = async (id: string) => (await desk.host.drafts.get(id))?.state;

/** Writes a reply by hand, sends it, and goes on to another ticket. */
async function sendAndGoOn(words: string, id: string): Promise<void> {
  await openTicket(words, id);
  await keys(page, 'w');
  await editor().waitFor();
  await page.keyboard.type('Thank you, we look into it.');
  await keys(page, 'Control+Enter');
  await card().getByText('Going out').waitFor();
  await openTicket('teapot', 'T-0018');
  await bar().waitFor();
}

it('a reply that a colleague’s note stops is said to be stopped, not counted down', async () => {
  await sendAndGoOn('Delivery date', 'T-0003');
  const { version } = await desk.host.queue.row('T-0003');
  await desk.host.queue.note({ id: 'T-0003', version, text: 'She called.' }, tomas);
  await page.getByRole('main').getByText('Not sent: the thread went on. It waits in T-0003 again.').waitFor();
  await expect.poll(() => bar().count()).toBe(0);
  expect(await stateOf('T-0003')).toBe('retired');
  await page.getByRole('button', { name: 'Open T-0003' }).press('Enter');
  await card().getByText('The thread went on since').waitFor();
  expect(
    await page
      .getByRole('main')
      .getByText(/^Not sent: the thread/)
      .count(),
  ).toBe(0);
  // Read, and sent after all; where its own ticket is open, that says it was stopped.
  await keys(page, 'w');
  await editor().waitFor();
  await keys(page, 'Control+Enter');
  await card().getByText('Going out').waitFor();
  await desk.host.queue.note({ id: 'T-0003', version: version + 1, text: 'And again.' }, tomas);
  await page.getByRole('main').getByText('Not sent: the thread went on. It waits in T-0003 again.').waitFor();
});

it('after a reload the bar is there on another ticket, and Z takes it back', async () => {
  await sendAndGoOn('No dispatch email yet', 'T-0001');
  await page.reload();
  await bar().waitFor();
  await keys(page, 'z');
  await bar().waitFor({ state: 'detached' });
  expect(await stateOf('T-0001')).toBe('open');
});

it('on a line that is lost Undo says that it was not done; the bar stays, and Z does it once the line is back', async () => {
  await sendAndGoOn('Parcel supposedly', 'T-0004');
  await line.cut();
  await page.getByText('Connection lost').waitFor();
  await keys(page, 'z');
  await page
    .getByRole('main')
    .getByText(/^Not undone: the desk is not reached\. It goes out (in \d s|now)\.$/)
    .waitFor();
  await expect.poll(() => bar().count()).toBe(1);
  line.mend();
  await page.getByText('Connection lost').waitFor({ state: 'detached' });
  await keys(page, 'z');
  await bar().waitFor({ state: 'detached' });
  expect(await stateOf('T-0004')).toBe('open');
});

it('what is typed while a reply is kept stays in the editor; the caret stands at the end of a text', async () => {
  await openTicket('No dispatch email yet', 'T-0001');
  await keys(page, 'w');
  await editor().waitFor();
  await page.keyboard.type(' First.');
  line.hold();
  await keys(page, 'Control+s');
  await expect.poll(async () => (await desk.host.drafts.get('T-0001'))?.text).toMatch(/First\.$/);
  await expect.poll(line.held).toBeGreaterThan(0);
  await page.keyboard.type(' Second.');
  line.go();
  const whole = 'Thank you, we look into it. First. Second.';
  const kept = await desk.host.drafts.get('T-0001');
  expect(kept?.text).toBe(whole.replace(' Second.', ''));
  // The host is ahead of the page: once that has the answer, what is typed on is for the draft as it was kept.
  await page.waitForFunction(
    (edition) =>
      (JSON.parse(sessionStorage.getItem('desk.typed/staff-0007/reply/T-0001') ?? '{}') as { edition?: number })
        .edition === edition,
    kept?.edition,
  );
  await keys(page, 'Control+s');
  await page.locator('[data-draft]', { hasText: whole }).waitFor();
  expect((await desk.host.drafts.get('T-0001'))?.text).toBe(whole);
});

it('what is typed while a note is kept stays typed, also after a reload', async () => {
  await openTicket('No dispatch email yet', 'T-0001');
  const box = page.getByRole('textbox', { name: 'Note' });
  await keys(page, 't');
  await box.waitFor();
  await page.keyboard.type('First.');
  const { version } = await desk.host.queue.row('T-0001');
  line.hold();
  await keys(page, 'Control+s');
  await expect.poll(async () => (await desk.host.queue.row('T-0001')).version).toBe(version + 1);
  await expect.poll(line.held).toBeGreaterThan(0);
  await page.keyboard.type(' Second.');
  line.go();
  await page.getByText('Note, stays in the desk').waitFor();
  await expect.poll(() => box.inputValue()).toBe('Second.');
  await expect.poll(() => page.getByRole('button', { name: 'Keep the note' }).isEnabled()).toBe(true);
  await page.reload();
  await box.waitFor();
  await expect.poll(() => box.inputValue()).toBe('Second.');
  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  await box.waitFor({ state: 'detached' });
});

it('the keyboard is at the ticket where what had it is gone, and in the list on coming back to the queue', async () => {
  await openTicket('No dispatch email yet', 'T-0001');
  const has = () =>
    page.evaluate(() => {
      const on = document.activeElement;
      return on instanceof HTMLElement ? (on.dataset['key'] ?? on.tagName) : '';
    });
  await keys(page, 't');
  await expect.poll(has).toBe('TEXTAREA');
  await page.keyboard.type('She called.');
  await keys(page, 'Control+s');
  await page.getByRole('textbox', { name: 'Note' }).waitFor({ state: 'detached' });
  await expect.poll(has).toBe('HEADER');
  await keys(page, 'g', 'i');
  await page.getByRole('main', { name: 'Inbox' }).waitFor();
  await keys(page, 'g', 'q');
  await expect.poll(has).toBe('T-0001');
});

it('what is typed on while a search is on its way stays in its box: nothing is opened, no key acts', async () => {
  await openTicket('No dispatch email yet', 'T-0001');
  const box = page.getByRole('searchbox', { name: 'Search tickets' });
  await keys(page, '/');
  line.hold();
  await page.keyboard.type('teapot');
  await keys(page, 'Enter');
  await expect.poll(line.held).toBeGreaterThan(0);
  await keys(page, 'e');
  line.go();
  await page.getByText('No ticket fits.').waitFor();
  await expect.poll(() => box.inputValue()).toBe('teapote');
  await expect.poll(() => box.evaluate((one) => one === document.activeElement)).toBe(true);
  await expect.poll(() => page.locator('header code').textContent()).toBe('T-0001');
  expect((await desk.host.queue.row('T-0001')).status).toBe('open');
  await keys(page, 'Escape', 'Escape');
});

it('an edit that says what nothing backs is kept and shown with its marks first; the second time it goes out', async () => {
  await openTicket('Cracked pan', 'T-0006');
  await keys(page, 'w');
  await editor().waitFor();
  await page.keyboard.type('We have refunded €500.00 today.');
  await keys(page, 'Control+Enter');
  await card().getByText('Not sent yet. Send again to send it as you wrote it.').waitFor();
  await card().locator('[data-claim]').first().waitFor();
  expect(await stateOf('T-0006')).toBe('open');
  await keys(page, 'Control+Enter');
  await card().getByText('Going out').waitFor();
  await keys(page, 'z');
  await card()
    .getByRole('button', { name: /^Send to/ })
    .waitFor();
});
