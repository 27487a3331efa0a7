// Two people at one desk, each in a browser of their own: who is second is told who was first, and loses nothing they typed.
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { badLine, be, keys, openBySearch, pick, tabTo } from './keyboard.ts';
import { temporaryDesk } from './deskProgram.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { slowClock } from './slowClock.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const folder = temporaryDesk();
let desk: LabelledDesk;
let mara: Page;
let tomas: Page;
let tomasLine: Awaited<ReturnType<typeof badLine>>;

beforeAll(async () => {
  desk = await openLabelledDesk(folder.data);
  mara = desk.page;
  tomas = await desk.another();
  tomasLine = await badLine(tomas);
  await be(mara, 'Mara Lindqvist');
  await be(tomas, 'Tomas Adeyemi');
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  await mara.screenshot({ path: path.join(pictures, 'failed-mara.png') });
  await tomas.screenshot({ path: path.join(pictures, 'failed-tomas.png') });
});

const card = (page: Page) => page.getByRole('region', { name: 'Draft', exact: true });
const editor = (page: Page) => page.getByRole('region', { name: 'Edit the reply' });
async function both(words: string, id: string): Promise<void> {
  for (const page of [mara, tomas]) await openBySearch(page, words, id);
}
async function drafted(words: string, id: string): Promise<void> {
  await both(words, id);
  await keys(mara, 'd');
  for (const page of [mara, tomas]) await page.locator('[data-claim="backed"]').first().waitFor();
}

describe('two at one ticket', () => {
  it('claim by version: who comes second is told who has it, and takes nothing by a key', async () => {
    await both('No dispatch email yet', 'T-0001');
    tomasLine.hold();
    await keys(mara, 'a');
    await mara.getByRole('button', { name: /^Let go/ }).waitFor();
    await keys(tomas, 'a');
    await tomas
      .getByRole('main')
      .getByText('T-0001 changed meanwhile: Mara Lindqvist has it now. Nothing of yours was done')
      .waitFor();
    expect((await desk.host.queue.row('T-0001')).owner).toBe('staff-0007');
    tomasLine.go();
    await tomas.getByRole('button', { name: 'Take over' }).waitFor();
    await keys(tomas, 'a');
    await tomas.getByRole('main').getByText('Mara Lindqvist has T-0001. Take over takes it from them.').waitFor();
    expect((await desk.host.queue.row('T-0001')).owner).toBe('staff-0007');
    await tabTo(tomas, /^Take over$/);
    await keys(tomas, 'Enter');
    await mara.locator('header').getByText('Tomas Adeyemi').waitFor();
  });

  it('one sends while the other edits: the other is told who, and keeps what they typed; either can undo', async () => {
    await drafted('Delivery date', 'T-0003');
    const third = await desk.another();
    await be(third, 'Ines Okafor');
    await openBySearch(third, 'Delivery date', 'T-0003');
    const end = slowClock();
    onTestFinished(end);
    await keys(tomas, 'w', 'Control+Home');
    await tomas.keyboard.type('Good morning Clara. ');
    await keys(mara, 'Control+Enter');
    await card(mara).getByText('Going out').waitFor();
    await editor(tomas).getByText('Mara Lindqvist is sending a reply to this.').waitFor();
    await keys(tomas, 'Control+Enter', 'Escape');
    await expect.poll(() => editor(tomas).getByRole('textbox').inputValue()).toMatch(/^Good morning Clara\. /);
    // Tomas has the words in his own browser, so he undoes in Mara's stead after putting his away.
    await card(third).getByText('Going out').waitFor();
    await keys(third, 'z');
    await card(mara)
      .getByRole('button', { name: /^Send to/ })
      .waitFor();
    expect((await desk.host.queue.row('T-0003')).status).toBe('open');
    await third.context().close();
    end();
    await keys(mara, 'Control+Enter');
    await expect.poll(async () => (await desk.host.queue.row('T-0003')).status).toBe('done');
    await editor(tomas).getByText('Mara Lindqvist sent a reply since you began.').waitFor();
    await expect.poll(() => editor(tomas).getByRole('textbox').inputValue()).toMatch(/^Good morning Clara\. /);
    await expect.poll(() => editor(tomas).getByRole('button', { name: /^Send/ }).isDisabled()).toBe(true);
    expect((await desk.host.drafts.get('T-0003'))?.text ?? '').not.toContain('Good morning');
    await tabTo(tomas, /^I read it/);
    await keys(tomas, 'Enter');
    await expect.poll(() => editor(tomas).getByRole('button', { name: /^Send/ }).isEnabled()).toBe(true);
    await tabTo(tomas, /^Discard$/);
    await keys(tomas, 'Enter');
    await editor(tomas).waitFor({ state: 'detached' });
  });

  it('a note of one retires the draft at the other at once, and so does a new message of the customer', async () => {
    await drafted('Parcel supposedly handed over', 'T-0004');
    await keys(mara, 't');
    await mara.keyboard.type('I am on the phone with them.');
    await keys(mara, 'Control+s');
    await tomas.getByText('Note, stays in the desk').waitFor();
    await card(tomas).getByText('The thread went on since').waitFor();
    expect(
      await card(tomas)
        .getByRole('button', { name: /^Send to/ })
        .count(),
    ).toBe(0);
    const letter = {
      id: 'W-1',
      customer: 'C-0044',
      subject: 'Weekend delivery',
      body: 'Hi Fernhill team,\n\nCan you tell me when O-1942 will arrive. I need it before the weekend\n\nThanks, Clara',
      received_at: '2026-06-30T08:00:00Z',
    };
    async function bring(one: typeof letter): Promise<void> {
      await desk.host.tickets.importText(JSON.stringify([one]), { source: 'import', dryRun: false });
      // As the request of an import does.
      desk.host.events.publish('tickets', '*', null);
    }
    await bring(letter);
    await drafted('Weekend delivery', 'W-1');
    await keys(tomas, 'w', 'Control+Home');
    await tomas.keyboard.type('Good morning. ');
    await bring({ ...letter, body: `${letter.body}\n\nNo, wait: I meant O-2402.` });
    await card(mara).getByText('The thread went on since').waitFor();
    await editor(tomas).getByText('The customer wrote again since you began.').waitFor();
    await expect.poll(() => editor(tomas).getByRole('textbox').inputValue()).toMatch(/^Good morning\. /);
    await tabTo(tomas, /^Discard$/);
    await keys(tomas, 'Enter', 'Escape');
  });

  it('handed over in one go: the other finds it in their view, with the reason', async () => {
    await openBySearch(mara, 'Cracked pan', 'T-0006');
    await keys(mara, 'a');
    await mara.getByRole('button', { name: /^Let go/ }).waitFor();
    await keys(mara, 'h');
    await mara.keyboard.type('Above my limit, and she is upset.');
    await keys(mara, 'Control+s');
    await mara.locator('header').getByText('Handed over to a lead').waitFor();
    await mara
      .getByRole('option', { name: /Cracked pan/ })
      .getByText('For a lead')
      .waitFor();
    await keys(tomas, '/', 'Escape', 'Escape', 'v');
    await tomas.getByRole('menuitemradio', { name: /^Waiting for a lead/ }).waitFor();
    await pick(tomas, /^Waiting for a lead/);
    await tomas.getByRole('option', { name: /Cracked pan/ }).waitFor();
    await keys(tomas, 'j');
    await tomas.locator('header code', { hasText: 'T-0006' }).waitFor();
    await card(tomas).getByText('Above my limit, and she is upset.').waitFor();
    await keys(tomas, 'a');
    await tomas.getByRole('button', { name: /^Let go/ }).waitFor();
    expect(await desk.host.queue.row('T-0006')).toMatchObject({ owner: 'staff-0002', waits: null });
  });
});

describe('a bad line', () => {
  it('socket gap: after a lost event the page lists again and shows what is', async () => {
    await both('Lid missing', 'T-0007');
    tomasLine.lose(1);
    await keys(mara, 'a');
    await tomas.locator('header').getByText('Mara Lindqvist').waitFor();
  });
});
