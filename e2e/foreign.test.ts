// Foreign text on every screen that shows any: two hundred strings said by a real hostile server, by tickets, files, a model
// and people, at both sizes. None becomes an element, loads, opens, widens or hides anything; pictures are kept for people.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../main/store/people.ts';
import { insertRun, saveDraft } from '../main/store/runs.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { Turn } from '../shared/runs.ts';
import { temporaryDesk } from './deskProgram.ts';
import { foreignTexts } from './foreignTexts.ts';
import { frames } from './keyboard.ts';
import { layoutFaults } from './layoutFaults.ts';
import { openLabelledDesk, type LabelledDesk } from './labelledDesk.ts';
import { addSaying, type Saying } from './sayingServer.ts';

const pictures = path.join(import.meta.dirname, '../.artifacts/screens');
const sizes = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1024, height: 700, colorScheme: 'dark' },
] as const;
const all = foreignTexts.join('\n');
const text = (n: number): string => foreignTexts[n % foreignTexts.length] ?? '';
const folder = temporaryDesk();
let desk: LabelledDesk;
let saying: Saying;
let page: Page;
const beyond: string[] = [];

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  desk = await openLabelledDesk(folder.data);
  ({ page } = desk);
  const own = new URL(page.url()).origin;
  page.on('request', (request) => {
    if (!request.url().startsWith(`${own}/`)) beyond.push(request.url());
  });
  page.on('dialog', (dialog) => {
    beyond.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('page', (other) => beyond.push(`a window of ${other.url()}`));
  saying = await addSaying(desk.host, path.join(folder.folder, 'says'), foreignTexts.slice(0, 24).map(passable));
  await page.evaluate(() => localStorage.setItem('desk.person', 'staff-0001'));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await page.screenshot({ path: path.join(pictures, 'foreign-failed.png') });
});
afterAll(async () => {
  await desk.close();
  folder.remove();
});

/** As an argument of a program: it ends at a zero byte. */
function passable(one: string): string {
  return one.replaceAll('\0', '');
}

/** What must not be, in what the page shows now. */
async function harm(): Promise<string[]> {
  const found = await page.evaluate(() => {
    const made = [
      ...document.querySelectorAll(
        [
          'iframe, object, embed, audio, video, marquee, circle[r="9"], b b, form[action], input[autofocus]',
          '[onload], [onerror], [onfocus], [onclick], [style*="url("]',
          'script:not([src^="./assets/"]), img, a[href^="javascript:" i], a[href*="example.com"]',
          'main style',
        ].join(', '),
      ),
    ];
    // Invisible, or moving what stands beside it; a line end, a tab, and what emoji are made of are neither. What is
    // typed in stays as it is: a default is drawn beside its field.
    const raw = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u3164\u00ad]/gu;
    const kept = ['\n', '\t', '\u200d', '\ufe0f', '\ufe0e'];
    const hides = (said: string): boolean => (said.match(raw) ?? []).some((sign) => !kept.includes(sign));
    const shown = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const undrawn: string[] = [];
    for (let node = shown.nextNode(); node !== null; node = shown.nextNode()) {
      const said = node.nodeValue ?? '';
      if (node.parentElement?.closest('script, style, textarea') === null && hides(said))
        undrawn.push(`undrawn ${said}`);
    }
    for (const element of document.querySelectorAll('[title], [aria-label], [placeholder], [alt]'))
      for (const name of ['title', 'aria-label', 'placeholder', 'alt']) {
        const said = element.getAttribute(name) ?? '';
        if (hides(said)) undrawn.push(`undrawn ${name} ${JSON.stringify(said).slice(0, 120)}`);
        if (said.length > 1_000) undrawn.push(`${name} of ${said.length} letters`);
      }
    if (hides(document.title)) undrawn.push(`title ${document.title}`);
    return [
      ...made.map((element) => `made ${element.outerHTML.slice(0, 160)}`),
      ...undrawn.map((one) => one.slice(0, 200)),
      ...(Reflect.has(window, 'foreign') ? ['ran'] : []),
    ];
  });
  return [...new Set([...found, ...(await page.evaluate(layoutFaults)), ...beyond])];
}
/** Looks at both sizes, light and dark, and keeps pictures under a name. */
async function look(name: string | null): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, ...size } of sizes) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    // Drawn as large as that.
    await frames(page, 2);
    for (const one of await harm()) found.push(`${size.width}: ${one}`);
    if (name !== null)
      await page.screenshot({ path: path.join(pictures, `foreign-${name}-${size.width}.png`), animations: 'disabled' });
  }
  await page.setViewportSize(sizes[0]);
  await page.emulateMedia({ colorScheme: sizes[0].colorScheme });
  return found;
}
async function goTo(place: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/${place}`);
  await page.reload();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
}
let tickets = 0;
/** A ticket that is foreign throughout. */
async function ticketOf(n: number): Promise<Ticket> {
  const id = `F-${tickets++}`;
  const record = {
    id,
    customer: text(n).slice(0, 320),
    subject: text(n + 1).slice(0, 2_000),
    body: `${text(n + 2)}\n\n> ${text(n + 3)}\n\nhttps://example.com/x [a](https://example.com)`,
    received_at: new Date(Date.UTC(2026, 6, 1) + tickets * 1_000).toISOString(),
  };
  await desk.host.tickets.importText(JSON.stringify([record]), { source: 'import', dryRun: false });
  const ticket = await desk.host.tickets.find(id);
  if (ticket === undefined) throw new Error(`${id} did not come in`);
  return ticket;
}
/** Arguments of one of its tools, each value another text. */
async function argumentsOf(name: string): Promise<Record<string, string>> {
  const one = (await desk.host.servers.offered()).tools.find(({ tool }) => tool === name);
  const names = Object.keys((one?.inputSchema['properties'] as object | undefined) ?? {});
  return Object.fromEntries(names.map((key, n) => [key, text(n * 31 + names.length)]));
}

describe('trust 4: nothing foreign is more than text (200 strings in every place)', () => {
  it('arguments and results of calls, in the log, their JSON, and while consent is asked', async () => {
    expect(foreignTexts).toHaveLength(200);
    for (let at = 0; at < 10; at++) {
      const ticket = await ticketOf(at);
      const call = await saying.run(ticket, `say_${at}`, await argumentsOf(`say_${at}`));
      expect(call.state, `say_${at}: ${call.detail ?? ''}`).toBe('result');
      await saying.run(ticket, 'fails', { note: all.slice(0, 4_000) });
      await saying.propose(ticket, `say_${at}`, await argumentsOf(`say_${at}`));
      await goTo(`queue/${ticket.id}`);
      await page.locator('#consent-bar').waitFor();
      expect(await look(at % 4 === 0 ? `calls-${at}` : null), `say_${at}`).toEqual([]);
      await page.keyboard.press('Shift+J');
      expect(await look(null), `say_${at} with its JSON`).toEqual([]);
    }
  });

  it('a tool with a name as long as it may be', async () => {
    const ticket = await ticketOf(7);
    await saying.propose(ticket, 'w'.repeat(110), { note: text(21) });
    await goTo(`queue/${ticket.id}`);
    await page.locator('#consent-bar').waitFor();
    expect(await look('long-name')).toEqual([]);
    await goTo('inbox');
    await page.getByRole('option', { name: /w{90}/i }).first().click();
    expect(await look('inbox-long-name')).toEqual([]);
  });

  it('questions: message, titles, help, choices, defaults; an address', async () => {
    for (const from of [0, 8]) await saying.run(await ticketOf(from), 'ask', { from });
    await saying.run(await ticketOf(3), 'visit', {});
    const open = await desk.host.questions.open();
    expect(open.length).toBe(11);
    for (const [n, { id }] of open.entries()) {
      await goTo(`inbox/${encodeURIComponent(id)}`);
      await page.getByRole('button', { name: /^Decline/ }).waitFor();
      const row = page.getByRole('option', { selected: true });
      const top = () => row.evaluate((one) => one.getBoundingClientRect().top);
      await expect.poll(top).toBeLessThan(sizes[0].height);
      expect(await look(n % 4 === 0 || n === 10 ? `question-${n}` : null), `question ${n}`).toEqual([]);
    }
  });

  it('definitions as they are, and old beside new', async () => {
    saying.changeDefinitions();
    await goTo('tools/hostile.say_0');
    await page.getByText('What changed').first().waitFor();
    for (let at = 0; at < 10; at++) {
      await goTo(`tools/hostile.say_${at}`);
      await page.getByRole('heading', { name: `hostile: Say ${at}` }).waitFor();
      await page.getByText('What changed').first().waitFor();
      if (at % 3 === 0) await page.getByRole('button', { name: /^Whole definition/ }).click();
      expect(await look(at % 4 === 0 ? `definition-${at}` : null), `say_${at}`).toEqual([]);
    }
    await saying.approve((n) => text(n).slice(0, 900));
    await goTo('tools/hostile.say_6');
    await page.getByRole('heading', { name: 'hostile: Say 6' }).waitFor();
    expect(await look('history')).toEqual([]);
  });

  it('what can be attached: documents, templates with what completes them, prompts and what they say', async () => {
    const ticket = await ticketOf(60);
    await goTo(`queue/${ticket.id}`);
    await page.locator(`[data-ticket="${ticket.id}"]`).waitFor({ state: 'attached' });
    await page.keyboard.press('f');
    const attach = page.getByRole('dialog', { name: 'Attach to this ticket' });
    await attach.getByRole('menuitem').nth(219).waitFor({ state: 'attached' });
    expect(await look('attach')).toEqual([]);
    for (const of of ['template of', 'prompt of']) {
      await attach.getByRole('searchbox').fill(of);
      await attach.getByRole('menuitem').first().click();
      await attach.getByRole('combobox').first().click();
      await page.keyboard.type('a');
      await page.locator('[data-popup]').getByRole('option').first().waitFor();
      expect(await look(`attach-${of.slice(0, 6).trim()}`), of).toEqual([]);
      await page.keyboard.press('Escape');
      if (of === 'template of') {
        await attach.getByRole('button', { name: /^Back/ }).click();
        continue;
      }
      await attach.getByRole('button', { name: 'Show what it says' }).click();
      await attach.getByRole('region', { name: 'What the prompt says' }).waitFor();
      expect(await look('attach-prompt-says')).toEqual([]);
      await attach.getByRole('button', { name: 'Use it in the next draft' }).click();
    }
    await attach.waitFor({ state: 'detached' });
    expect(await look('attached')).toEqual([]);
  });

  it('what a server prints and is started with', async () => {
    await goTo('servers/hostile');
    await page.getByRole('region', { name: 'stderr' }).waitFor();
    expect(await look('server')).toEqual([]);
  });

  it('a run: choices, calls, draft, claims, messages on the wire', async () => {
    const ticket = await ticketOf(50);
    const wired = (await desk.host.calls.list({})).filter(({ tool }) => tool.startsWith('hostile.say_'));
    const run = wired[0]?.run ?? '';
    await desk.host.store.db.deleteFrom('runs').where('id', '=', run).execute();
    const turns = foreignTexts.map((one, n): Turn => {
      const made = { n, tool: `hostile.say_${n % 10}`, arguments: { [one.slice(0, 200)]: one }, origins: {}, ms: 1 };
      const said = { outcome: n % 2 === 0 ? 'result' : 'tool error', content: one } as const;
      const asked = { round: 1, key: 'k', message: one, role: 'lead', by: null, action: null } as const;
      return {
        options: [one, 'b'],
        choice: one,
        probability: 1,
        margin: 1,
        probabilities: [1],
        tokens: { evaluated: 1, reused: 1, generated: 1 },
        ms: 1,
        segments: [],
        ...(n % 3 === 0 ? { ask: one } : {}),
        call: { ...made, ...said, questions: [asked] },
      };
    });
    const at = new Date().toISOString();
    await insertRun(desk.host.store.db, {
      id: run,
      batch: 'queue-foreign',
      ticket: ticket.id,
      ticket_version: ticket.version,
      state: 'ready',
      why: text(13),
      ask: text(2),
      model: text(1),
      playbook: null,
      settings: {},
      turns,
      started_at: at,
      ended_at: at,
      ms: 5,
    });
    const draft = foreignTexts.slice(0, 60).join('\n');
    const claims = foreignTexts.slice(0, 60).map((one) => {
      const start = draft.indexOf(one);
      const where = { start, end: start + Math.min(20, one.length), text: one.slice(0, 20) };
      return { kind: 'status', ...where, verdict: 'no source', why: one.slice(0, 400) } as const;
    });
    const made = { run, ticket: ticket.id, ticket_version: ticket.version, text: draft, claims: [...claims] };
    await saveDraft(desk.host.store.db, { ...made, blocked: true, skeleton: null, at });
    await goTo('runs/queue-foreign');
    const row = page.locator('td, [role=gridcell], [role=rowheader]').filter({ hasText: ticket.id }).first();
    await row.waitFor();
    expect(await look('run')).toEqual([]);
    await row.locator('button, a').or(row).last().click();
    await page.getByRole('button', { name: 'Show the messages on the wire' }).click();
    await page.getByText('from the server').first().waitFor();
    expect(await look('transcript')).toEqual([]);
    await page.getByText('from the server').last().scrollIntoViewIfNeeded();
    expect(await look('wire')).toEqual([]);
    await goTo(`queue/${ticket.id}`);
    await page.locator('[data-claim]').first().waitFor();
    expect(await look('draft')).toEqual([]);
    // Links in a draft are words.
    expect(await page.locator('main a[href]:not([href^="#"])').count()).toBe(0);
  });

  it('models and people by their names', async () => {
    const models = foreignTexts
      .slice(0, 40)
      .map((name, n) => ({ name: name.slice(0, 200), file: `/nowhere/${n}/${name}.gguf` }));
    await desk.host.settings.set('models.added', models);
    for (const [n, one] of foreignTexts.slice(0, 60).entries())
      await addPerson(
        desk.host.store.db,
        { id: `odd-${n}`, name: one.slice(0, 200), role: 'staff', secret: null },
        new Date().toISOString(),
      );
    for (const n of [0, 13, 16, 21, 27]) {
      await goTo(`model/${encodeURIComponent(models[n]?.name ?? '')}`);
      await page.getByText('/nowhere/').first().waitFor();
      expect(await look(n === 0 || n === 21 ? `model-${n}` : null), `model ${n}`).toEqual([]);
    }
    await page.getByRole('button', { name: /^[A-Z]{2}: / }).click();
    await page.getByRole('menuitem', { name: 'People and roles' }).click();
    await page.getByRole('dialog').getByText('odd-0').waitFor();
    expect(await look('people')).toEqual([]);
  });

  it('a file that is looked at before it comes in: names of columns, cells, what is refused', async () => {
    const cell = (one: string): string => `"${one.replaceAll('"', '""')}"`;
    const names = [
      'id',
      'customer',
      'subject',
      'body',
      'received_at',
      ...foreignTexts.slice(0, 30).map((one) => one.slice(0, 300)),
    ];
    const rows = foreignTexts.map((one, n) =>
      [
        n % 50 === 49 ? '' : `I-${n}`,
        one.slice(0, 300),
        one,
        one,
        n % 40 === 39 ? one : '2026-07-01T09:00:00Z',
        ...foreignTexts.slice(0, 30),
      ]
        .map(cell)
        .join(','),
    );
    const file = path.join(folder.folder, 'foreign \u202egnp.<b>.csv');
    writeFileSync(file, `${names.map(cell).join(',')}\n${rows.join('\n')}\n`);
    await goTo('queue');
    await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').first().waitFor();
    await page.getByRole('button', { name: /^[A-Z]{2}: / }).click();
    await page.getByRole('menuitem', { name: 'Bring tickets in' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /^Choose a file/ }).click();
    await (await chooser).setFiles(file);
    await page.getByRole('dialog').getByRole('table').first().waitFor();
    expect(await look('import')).toEqual([]);
    await page.getByRole('dialog').getByRole('table').last().scrollIntoViewIfNeeded();
    expect(await look('import-below')).toEqual([]);
  });
});
