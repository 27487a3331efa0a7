// The screens beside the queue, by keyboard alone in a real browser: a lead answers a question of the real shop, an admin
// decides on a changed tool, two people have the same question open; and every screen in both themes for axe and the eye.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refundsSince } from './shopRecords.ts';
import { temporaryDesk } from './deskProgram.ts';
import { be, keys, tabTo } from './keyboard.ts';
import { lookOver } from './lookOver.ts';
import { reachRefund } from './reachRefund.ts';
import { openInBrowser, type BrowserDesk } from './screen.ts';

const files = temporaryDesk();
const consents = { when: { tool: 'shop.issue_refund' }, as: 'staff-0007', consent: 'run' };
let screen: BrowserDesk;

beforeAll(async () => {
  await reachRefund(files, 'O-1145', [consents]);
  await reachRefund(files, 'O-2289', [consents]);
  const approved = await files.run('approve', 'partner', '--yes', '--as', 'staff-0001');
  expect(approved.stdout).toContain('partner.track_parcel is approved');
  await files.run('work', '--all', '--model', 'none');
  process.env['PARTNER_RELEASE'] = 'updated';
  screen = await openInBrowser(files.data);
  // It has its keys once it is known who acts.
  await screen.page.getByRole('button', { name: /^[A-Z]{2}: / }).waitFor();
});
afterAll(async () => {
  delete process.env['PARTNER_RELEASE'];
  await screen.close();
  files.remove();
});

const refundsOf = (order: string): string[] => refundsSince(files.data, order);

describe('every screen', () => {
  const screens: [string, string, RegExp][] = [
    ['inbox', 'i', /Release the refund/],
    ['definitions', 'd', /could be sent to “partner”/],
    ['servers', 's', /System of record/],
    ['model', 'm', /Apache-2\.0/],
  ];
  it.each(['light', 'dark'] as const)('has no serious finding of axe in the %s theme', async (theme) => {
    const { page } = screen;
    for (const [name, key, words] of screens)
      await lookOver(page, name, theme, async () => {
        await keys(page, 'g', key);
        await page.getByText(words).first().waitFor();
      });
  });
});

describe('a held refund', () => {
  it('is released by a lead with the keyboard alone, looked over before it is sent (host §17)', async () => {
    const { page } = screen;
    await be(page, 'Tomas Adeyemi');
    await keys(page, 'g', 'i');
    await page.getByRole('option', { name: /343\.49/ }).waitFor();
    await page.getByRole('radiogroup', { name: 'Release the refund' }).waitFor();
    await keys(page, 'Control+Enter');
    await page.getByText('Needs an answer: yes or no.').waitFor();
    expect(refundsOf('O-1145')).toEqual(['needs_confirmation']);
    await tabTo(page, /^Yes$/);
    await keys(page, 'Space', 'Control+Enter');
    await page.getByText('Nothing was sent yet.').waitFor();
    await expect.poll(() => page.getByRole('group', { name: 'What would be sent' }).textContent()).toContain('yes');
    expect(refundsOf('O-1145')).toEqual(['needs_confirmation']);
    await keys(page, 'Control+Enter');
    await page.getByRole('note', { name: 'Answered' }).waitFor();
    expect(refundsOf('O-1145')).toEqual(['requested']);
    await page.getByRole('option', { name: /343\.49/ }).waitFor({ state: 'detached' });
  });

  it('says who was first where two have it open, and sends nothing for the second (odd inputs, forms)', async () => {
    const { page } = screen;
    const other = await screen.another();
    await be(other, 'Ines Okafor');
    for (const one of [page, other]) {
      await keys(one, 'g', 'i');
      await one.getByRole('option', { name: /180\.00/ }).waitFor();
      await one.getByRole('radiogroup', { name: 'Release the refund' }).waitFor();
    }
    await tabTo(page, /^No$|^Yes$/);
    await keys(page, 'ArrowDown', 'Control+Enter');
    await page.getByText('Nothing was sent yet.').waitFor();
    await keys(page, 'Control+Enter');
    const note = other.getByRole('note', { name: 'Not open any more' });
    await note.waitFor();
    await expect.poll(() => note.textContent()).toContain('Tomas Adeyemi accepted it while you had it open');
    await page.getByRole('note', { name: 'Answered' }).waitFor();
    expect(refundsOf('O-2289')).toEqual(['needs_confirmation']);
    await other.context().close();
  });
});

describe('a changed tool (host §7)', () => {
  it('is read by staff, who cannot decide', async () => {
    const { page } = screen;
    await be(page, 'Mara Lindqvist');
    await keys(page, 'g', 'd');
    await page.getByRole('heading', { name: 'partner: Track parcel' }).waitFor();
    await page.getByText('An admin decides on this.').waitFor();
    await keys(page, 'a');
    expect(await page.getByRole('button', { name: /Approve/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole('option', { name: /Track parcel.*changed/ }).count()).toBe(1);
  });

  it('is shown word by word with what cannot be seen, and approved by an admin with the keyboard alone', async () => {
    const { page } = screen;
    await be(page, 'Ines Okafor');
    await keys(page, 'g', 'd');
    await page.getByRole('heading', { name: 'partner: Track parcel' }).waitFor();
    const now = page.getByRole('group', { name: 'Now' });
    await now.waitFor();
    await expect.poll(() => now.locator('ins').allTextContents()).toEqual([expect.stringContaining('full name')]);
    await expect.poll(() => now.getByText('U+2060').count()).toBe(1);
    expect(await now.textContent()).not.toContain('\u2060');
    await page.getByText('could be sent to “partner” in “note”').waitFor();
    await keys(page, 'w');
    await page.keyboard.type('read in full');
    await keys(page, 'Escape', 'a');
    await page.getByRole('option', { name: /Track parcel.*approved/ }).waitFor();
    await page.getByRole('cell', { name: 'read in full' }).waitFor();
    const { stdout } = await files.run('--json', 'servers', 'check', 'partner');
    expect(JSON.parse(stdout)).toMatchObject({ tools: [{ tool: 'track_parcel', status: 'approved' }] });
  });
});

describe('the queue in one go', () => {
  it('is started, followed and looked at with the keyboard alone', async () => {
    const { page } = screen;
    await keys(page, 'g', 'r', 'w');
    await page.getByRole('heading', { name: 'Work the queue' }).waitFor();
    await tabTo(page, /^Those nobody/);
    await keys(page, 'ArrowDown');
    await tabTo(page, /^Start$/);
    await keys(page, 'Enter');
    await page.getByRole('heading', { name: 'The run is through' }).waitFor();
    await page.getByRole('button', { name: 'Its figures' }).waitFor();
    await tabTo(page, /^Its figures$/);
    await keys(page, 'Enter');
    await page.getByText('48 tickets, ').first().waitFor();
    // Held by itself against the run before, which was worked with other definitions.
    await page.getByText('The definitions: partner.track_parcel').waitFor();
    await tabTo(page, /^Transcript of T-0001/);
    await keys(page, 'Enter');
    await page.getByText('None: it was left to people.').waitFor();
    await keys(page, 'Escape');
    await page.getByRole('heading', { name: 'Tickets', exact: true }).waitFor();
  });
});
