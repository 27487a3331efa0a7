// What servers ask, answered on screen by the keyboard alone: every kind of form (odd inputs, "Forms"), addresses to visit,
// calls of which nobody knows what they did. A real server over stdio says what reached it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverConfig } from '../shared/servers.ts';
import { processesWith, temporaryDesk } from './deskProgram.ts';
import { be, keys, toAmount } from './keyboard.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { lookOver } from './lookOver.ts';
import { openInBrowser } from './screen.ts';
import { refundsSince } from './shopRecords.ts';

const files = temporaryDesk();
const log = path.join(files.folder, 'received.log');
const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const visited: string[] = [];
let desk: LabelledDesk;
let page: Page;

beforeAll(async () => {
  desk = await openLabelledDesk(files.data, { openUrl: (url) => visited.push(url) });
  const { host } = desk;
  const program = path.join(import.meta.dirname, 'hostile/forms.mjs');
  const config = { prefix: 'forms', kind: 'stdio', command: process.execPath, args: [program, log] };
  await host.settings.addServer(serverConfig.parse(config), []);
  await host.startServers();
  const by = await host.person('staff-0001');
  for (const { definition } of await host.servers.review('forms'))
    await host.pins.decide({
      prefix: 'forms',
      tool: definition.name,
      by,
      decision: 'approved',
      hash: definition.hash ?? '',
      why: null,
      noSideEffects: definition.name !== 'exits',
    });
  page = desk.page;
  page.on('pageerror', (error) => console.error(error));
  await be(page, 'Mara Lindqvist');
});
let closed: Promise<void> | null = null;
/** The desk of this file ends; its data folder stays. */
function close(): Promise<void> {
  closed ??= desk.close();
  return closed;
}
afterAll(async () => {
  await close();
  files.remove();
});

/** Has a tool called for a sample ticket; its server asks, and the question waits. */
async function call(tool: string, given: Record<string, string> = {}): Promise<void> {
  const { host } = desk;
  const offered = (await host.servers.offered()).tools.find(({ name }) => name === `forms.${tool}`);
  const ticket = await host.tickets.find('T-0001');
  if (offered === undefined || ticket === undefined) throw new Error(tool);
  const origins = Object.fromEntries(
    Object.keys(given).map((name) => [`/${name}`, { from: 'ticket.text', trust: 'bound' } as const]),
  );
  const of = { run: '', ticket };
  const { outcome } = await host.gate.propose({ n: 1, offered, arguments: given, origins }, of);
  expect(outcome).toBe('waiting');
  const [waiting] = await host.calls.waiting();
  if (waiting === undefined) return;
  const answer = { by: await host.person('staff-0007'), answer: 'run', hash: waiting.hash, scripted: false } as const;
  await host.gate.send(await host.calls.answer(waiting.id, answer), of);
}
/** Answers that reached the server, the newest last. */
function received(): unknown[] {
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  // Written by forms.mjs.
  return lines.map((line) => (JSON.parse(line) as { answer?: unknown }).answer).filter((one) => one !== undefined);
}
/** Opens what waits under a title, from wherever the keyboard is. */
async function open(title: RegExp): Promise<void> {
  await keys(page, 'Escape', 'g', 'i');
  await page.getByRole('option', { name: title }).waitFor();
  const heading = page.getByRole('heading', { level: 2, name: title });
  // One that was just answered may stay open under the same title until another is picked; its row is gone by then.
  const picked = page.getByRole('option', { name: title, selected: true });
  for (let tries = 0; tries < 10; tries++) {
    if ((await heading.count()) > 0 && (await picked.count()) > 0) break;
    await keys(page, 'Escape', 'j');
    await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => done(true))));
  }
  await heading.waitFor();
}
/** Goes on with Tab until this has the focus. */
async function onto(what: Locator): Promise<void> {
  await what.waitFor();
  for (let tries = 0; tries < 80; tries++) {
    if (await what.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never comes there');
}
const field = (name: string | RegExp) => page.getByRole('textbox', { name });
async function type(name: string | RegExp, words: string): Promise<void> {
  await onto(field(name));
  await keys(page, 'ControlOrMeta+a');
  if (words === '') await keys(page, 'Delete');
  else await page.keyboard.type(words);
}
/** Accepts, looks it over, sends; what the server got. */
async function send(...look: string[]): Promise<unknown> {
  const before = received().length;
  await keys(page, 'Control+Enter');
  const review = page.getByRole('group', { name: 'What would be sent' });
  await review.waitFor();
  for (const words of look) await expect.poll(() => review.textContent()).toContain(words);
  expect(received().length).toBe(before);
  await keys(page, 'Control+Enter');
  await page.getByRole('note', { name: 'Answered' }).waitFor();
  expect(received().length).toBe(before + 1);
  return received().at(-1);
}

describe('odd inputs, forms', () => {
  it('an optional number left empty, a boolean nobody touched and a text nobody wrote are absent', async () => {
    await call('optional');
    await open(/Please fill in: optional/);
    expect(await send('Gift wrap:no answer')).toEqual({ action: 'accept', content: {} });
  });

  it('defaults 0, false and the empty text are shown as defaults and sent', async () => {
    await call('defaults');
    await open(/Please fill in: defaults/);
    await expect.poll(() => field(/Pieces/).inputValue()).toBe('0');
    await expect.poll(() => page.getByRole('radio', { name: 'No', exact: true }).isChecked()).toBe(true);
    for (const words of ['The server’s default: 0', 'The server’s default: no', 'The server’s default: the empty text'])
      await expect.poll(() => page.getByText(words, { exact: true }).count()).toBe(1);
    expect(await send('Pieces:0')).toEqual({ action: 'accept', content: { pieces: 0, gift: false, note: '' } });
  });

  it('several choices: none ticked is an answer, too few or too many are not, a single value is no default', async () => {
    await call('ticks');
    await open(/Please fill in: ticks/);
    await page.getByText('Its default “"r"” is no answer it allows: left out.').waitFor();
    await keys(page, 'Control+Enter');
    const colours = page.getByRole('group', { name: 'Colours' });
    await colours.getByText(/^Needs an answer: 1 to 2 of/).waitFor();
    await expect
      .poll(() =>
        colours
          .getByRole('checkbox')
          .first()
          .evaluate((one) => one === document.activeElement),
      )
      .toBe(true);
    for (const name of ['Red', 'Green', 'Blue']) {
      await onto(colours.getByRole('checkbox', { name }));
      await keys(page, 'Space');
    }
    await keys(page, 'Control+Enter');
    await colours.locator('[slot="errorMessage"]', { hasText: /^Takes 1 to 2 of/ }).waitFor();
    await onto(colours.getByRole('checkbox', { name: 'Red' }));
    await keys(page, 'Space');
    // One ticked and unticked again is an answer with nothing in it.
    const extra = page.getByRole('group', { name: 'Extras' }).getByRole('checkbox', { name: 'Blue' });
    await keys(page, 'Escape', 'Enter');
    await onto(extra);
    await keys(page, 'Space', 'Space');
    const answer = await send('Extras:nothing ticked', 'Green, Blue');
    expect(answer).toEqual({ action: 'accept', content: { extras: [], colours: ['g', 'b'] } });
  });

  it('each refused value says why beside its field, and nothing typed is lost: not by another question, not by a reload', async () => {
    await call('typed');
    await call('plain');
    await open(/Please fill in: typed/);
    const wrong: Record<string, string> = {
      Day: '2026-02-31',
      Moment: 'March 7',
      Size: '0x10',
      Initials: '👩👩👩',
      Page: 'javascript:alert(1)',
    };
    for (const [name, words] of Object.entries(wrong)) await type(name, words);
    await keys(page, 'Control+Enter');
    for (const words of [
      /^Takes a day of the calendar/,
      /^Takes a date and time with its zone/,
      /^Takes a number, at least 0/,
      /^Takes text, exactly 2 characters/,
      /^Takes a full address/,
      /^Needs an answer: one of 2 choices|^Needs an answer: one of/,
    ])
      await page.locator('[slot="errorMessage"]', { hasText: words }).first().waitFor();
    await expect.poll(() => field('Day').evaluate((one) => one === document.activeElement)).toBe(true);
    await open(/Please fill in: plain/);
    await open(/Please fill in: typed/);
    for (const [name, words] of Object.entries(wrong)) await expect.poll(() => field(name).inputValue()).toBe(words);
    await page.reload();
    await field('Day').waitFor();
    for (const [name, words] of Object.entries(wrong)) await expect.poll(() => field(name).inputValue()).toBe(words);
    for (const size of ['Infinity', ' 5', '5e400']) {
      await type('Size', size);
      await keys(page, 'Control+Enter');
      await page.locator('[slot="errorMessage"]', { hasText: /^Takes a number/ }).waitFor();
    }
  });

  it('what is put right is sent: code points are counted, choices go by their values and are read by their names', async () => {
    const right = {
      Day: '2026-02-28',
      Moment: '2026-03-07T14:30:00Z',
      Size: '1.5',
      Initials: '👩🏽',
      Page: 'https://a.example/',
    };
    for (const [name, words] of Object.entries(right)) await type(name, words);
    const first = page.getByRole('radio', { name: /Matt/ });
    await onto(first);
    await keys(page, 'ArrowDown');
    expect(await send('Finish:Glossy')).toEqual({
      action: 'accept',
      content: {
        day: '2026-02-28',
        moment: '2026-03-07T14:30:00Z',
        size: 1.5,
        initials: '👩🏽',
        page: 'https://a.example/',
        finish: 'm2',
      },
    });
  });

  it('a form without fields is a plain yes; the same answer twice reaches the server once', async () => {
    await open(/Please fill in: plain/);
    await page.getByText('There is nothing to fill in: accept or decline.').waitFor();
    const before = received().length;
    await keys(page, 'Control+Enter');
    await page.getByRole('group', { name: 'What would be sent' }).waitFor();
    await keys(page, 'Control+Enter', 'Control+Enter', 'Control+Enter');
    await page.getByRole('note', { name: 'Answered' }).waitFor();
    expect(received().slice(before)).toEqual([{ action: 'accept', content: {} }]);
  });

  it.each([
    ['d', { action: 'decline' }, 'The server is told no.'],
    ['c', { action: 'cancel' }, 'The server gets no answer.'],
  ])('key %s: the server is told %o, without what was filled in', async (key, answer, words) => {
    await call('optional');
    await open(/Please fill in: optional/);
    await type(/Note/, 'never mind');
    await keys(page, 'Escape');
    await expect.poll(() => field(/Note/).evaluate((one) => one === document.activeElement)).toBe(false);
    await keys(page, key);
    await page.getByText(words).waitFor();
    const before = received().length;
    await keys(page, 'Control+Enter');
    await page.getByRole('note', { name: 'Answered' }).waitFor();
    expect(received().slice(before)).toEqual([answer]);
  });

  it('a question that comes while no window is open is there in the next one; one that comes later is announced', async () => {
    await page.goto('about:blank');
    await call('plain');
    page = await desk.another();
    await be(page, 'Mara Lindqvist');
    await page.getByRole('button', { name: /Inbox 1 waiting/ }).waitFor();
    expect(await page.getByRole('status').first().textContent()).not.toContain('New in the inbox');
    await call('optional');
    await page.getByRole('status').filter({ hasText: 'New in the inbox: Please fill in: optional.' }).waitFor();
    await open(/Please fill in: plain/);
    await send();
    await open(/Please fill in: optional/);
    await send();
  });
});

describe('a server that is switched off with its question open (host §13)', () => {
  const turn = async (enabled: boolean): Promise<void> => {
    await desk.host.settings.switchServer('forms', enabled);
    await desk.host.refreshServer('forms');
  };

  it('gets the answer once, as soon as it is on again; the screen says so meanwhile', async () => {
    await call('optional');
    await open(/Please fill in: optional/);
    await turn(false);
    const before = received().length;
    await keys(page, 'Control+Enter');
    await page.getByRole('group', { name: 'What would be sent' }).waitFor();
    await keys(page, 'Control+Enter');
    const note = page.getByRole('note', { name: 'Answered' });
    await note.getByText('It is sent when forms runs again.').waitFor();
    await page.getByRole('tab', { name: /^Call log/ }).click();
    await page.getByText('Answered; sent when forms runs', { exact: true }).waitFor();
    expect(received().length).toBe(before);
    await turn(true);
    await page.getByText('Answered; sent when forms runs', { exact: true }).waitFor({ state: 'detached' });
    // The page may be ahead of the server.
    await expect.poll(() => received().slice(before)).toEqual([{ action: 'accept', content: {} }]);
    await turn(false);
    await turn(true);
    await expect.poll(() => desk.host.servers.get('forms')?.connection.status().state).toBe('ready');
    expect(received().length).toBe(before + 1);
  });
});

describe('an address to visit (host §18)', () => {
  it('stands whole with the registered name in bold; opening it is a step of its own, then Accept', async () => {
    const url = 'https://pay.bank.co.uk.evil-shop.co.uk/a/very/long/way?to=the%20till#here';
    await call('web', { url });
    await open(/Go to pay\.bank\.co\.uk\.evil-shop\.co\.uk/);
    const address = page.getByRole('group', { name: 'Address' });
    await expect.poll(() => address.textContent()).toBe(url);
    await expect.poll(() => address.locator('b').textContent()).toBe('evil-shop.co.uk');
    for (const theme of ['light', 'dark'] as const)
      await lookOver(page, 'inbox-address', theme, () => address.waitFor());
    expect(visited).toEqual([]);
    await onto(page.getByRole('button', { name: 'Open in browser' }));
    await keys(page, 'Enter');
    await expect.poll(() => visited).toEqual([url]);
    const before = received().length;
    expect(await send('agree to go there')).toEqual({ action: 'accept' });
    expect(received().length).toBe(before + 1);
    expect(visited).toEqual([url]);
  });

  it('letters of other alphabets are spelled out, in the list too', async () => {
    await call('web', { url: 'https://pаypal.example/' });
    await open(/Go to xn--pypal-4ve\.example/);
    await expect
      .poll(() => page.getByRole('group', { name: 'Address' }).locator('b').textContent())
      .toBe('xn--pypal-4ve.example');
    const look = page.getByRole('note', { name: 'Look closely' });
    await expect.poll(() => look.textContent()).toMatch(/“а” \(U\+0430, Cyrillic\) looks like “a”/);
    await keys(page, 'Escape', 'd');
    await page.getByText('The server is told no.').waitFor();
    await keys(page, 'Control+Enter');
    await page.getByRole('note', { name: 'Answered' }).waitFor();
    expect(received().at(-1)).toEqual({ action: 'decline' });
    expect(visited).toHaveLength(1);
  });
});

const refundsOf = (order: string): string[] => refundsSince(files.data, order);

describe('a refund above the limit', () => {
  it('is read by a lead money first, with who asked for it and why; handles and seconds stand in the details', async () => {
    await toAmount(page, 'T-0031');
    await keys(page, 'Enter');
    await expect.poll(() => refundsOf('O-1145')).toEqual(['needs_confirmation']);
    await be(page, 'Tomas Adeyemi');
    await open(/^Release the refund: €343\.49/);
    const card = page.getByRole('region', { name: 'What is asked' });
    const words = (await card.textContent()) ?? '';
    for (const one of [
      '€343.49to ',
      'for O-1145',
      'Policy limit€150.00Within limitno',
      'Asked for byMara Lindqvist, staff',
      'shop asks',
    ])
      expect(words).toContain(one);
    expect(words).not.toMatch(/Q-[0-9a-f]{8}|604800|quote_id/);
    await page.screenshot({ path: path.join(pictures, 'inbox-refund.png') });
    await onto(page.getByRole('button', { name: 'Details' }));
    await keys(page, 'Enter');
    await card
      .getByText(/^Q-[0-9a-f]{32}$/)
      .first()
      .waitFor();
  });

  it('has its ticket, its calls and its messages on the wire beside it, without its state or what was answered', async () => {
    const beside = page.getByRole('complementary');
    await beside.getByText('Not written yet: it waits for this answer').waitFor();
    await onto(beside.getByRole('tab', { name: 'Ticket' }));
    await keys(page, 'ArrowRight');
    await beside.getByText('shop.quote_refund').waitFor();
    await keys(page, 'ArrowRight');
    const messages = beside.getByRole('region', { name: /^Message \d/ });
    await messages.filter({ hasText: 'elicitation/create' }).waitFor();
    const { call } = (await desk.host.questions.open()).find(({ role }) => role === 'lead') ?? { call: '' };
    const state = await desk.host.store.db.selectFrom('call_secrets').selectAll().where('call', '=', call).execute();
    expect(state).toHaveLength(1);
    for (const text of await messages.allTextContents())
      expect(text).not.toContain(state[0]?.request_state?.slice(1, 24));
  });

  it('is released by that lead; the ticket goes on with it', async () => {
    await keys(page, 'Escape', 'Enter');
    await onto(page.getByRole('radio', { name: 'Yes' }));
    await keys(page, 'Space', 'Control+Enter');
    await page.getByText('Nothing was sent yet.').waitFor();
    expect(refundsOf('O-1145')).toEqual(['needs_confirmation']);
    await keys(page, 'Control+Enter');
    await page.getByRole('note', { name: 'Answered' }).waitFor();
    expect(refundsOf('O-1145')).toEqual(['requested']);
  });
});

describe('a call of which nobody knows what it did (host §13)', () => {
  it('is looked up and said by a lead, with the reason; it is never sent again', async () => {
    await toAmount(page, 'T-0048');
    // The shop's own system stands still, so its server has the call and cannot answer; then that server is gone.
    const [system, server] = ['demo/api.ts', 'servers/shop.ts'].map((program) => {
      // The program itself: the guard around it names it too.
      const found = processesWith(files.data).find(
        ({ command }) => command.startsWith(process.execPath) && command.endsWith(program),
      );
      if (found === undefined) throw new Error(`${program} does not run`);
      return found.pid;
    });
    if (system === undefined || server === undefined) throw new Error('the shop does not run');
    process.kill(system, 'SIGSTOP');
    try {
      await keys(page, 'Enter');
      const sending = async () => (await desk.host.calls.list({ ticket: 'T-0048', states: ['sending'] })).length;
      await expect.poll(sending).toBe(1);
      process.kill(server, 'SIGKILL');
      const lost = async () => (await desk.host.calls.list({ ticket: 'T-0048', states: ['unknown'] })).length;
      await expect.poll(lost).toBe(1);
    } finally {
      process.kill(system, 'SIGCONT');
    }
    const what = /^What did “Issue a refund” do\?/;
    await open(what);
    const say = async (): Promise<void> => {
      await onto(page.getByRole('radio', { name: 'It happened' }));
      await keys(page, 'ArrowDown');
      await type('Because…', 'The shop has no such refund.');
      await keys(page, 'Control+Enter');
    };
    await say();
    await page.getByText(/is for a lead to say/).waitFor();
    await be(page, 'Tomas Adeyemi');
    await open(what);
    await say();
    await page.getByRole('note', { name: 'Kept' }).waitFor();
    const [call] = (await desk.host.calls.list({ ticket: 'T-0048' })).filter(
      ({ tool }) => tool === 'shop.issue_refund',
    );
    expect(call).toMatchObject({ state: 'failed' });
    expect(call?.detail).toContain('The shop has no such refund.');
    // What was on its way when the server went may still have been read: that one, and no other.
    expect(refundsOf('O-1864').length).toBeLessThanOrEqual(1);
  });
});

describe('a question and a desk that was killed (host §19)', () => {
  it('waits in the next one, and its answer there reaches the shop once', async () => {
    await toAmount(page, 'T-0034');
    await keys(page, 'Enter');
    await expect.poll(() => refundsOf('O-1085')).toEqual(['needs_confirmation']);
    await close();
    const killed = await openInBrowser(files.data);
    await killed.page.getByRole('button', { name: /Inbox \d waiting/ }).waitFor();
    process.kill(killed.pid, 'SIGKILL');
    await killed.close();
    const again = await openInBrowser(files.data);
    try {
      page = again.page;
      await be(page, 'Tomas Adeyemi');
      await open(/^Release the refund: €269\.00/);
      await onto(page.getByRole('radio', { name: 'Yes' }));
      await keys(page, 'Space', 'Control+Enter');
      await page.getByText('Nothing was sent yet.').waitFor();
      await keys(page, 'Control+Enter', 'Control+Enter');
      await page.getByRole('note', { name: 'Answered' }).waitFor();
      expect(refundsOf('O-1085')).toEqual(['requested']);
    } finally {
      await again.close();
    }
  });
});
