// Tickets that are to be drafted while their model is still being fetched: they wait for it, and nobody is handed one before.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CatalogueEntry } from '../shared/models.ts';
import type { Person } from '../shared/people.ts';
import type { ReplyDraft } from '../shared/queue.ts';
import { createDrafting } from './drafting.ts';
import { createHost, type Host } from './host.ts';
import { createModelChoice, type ModelChoice } from './modelChoice.ts';
import { getModel } from './models.ts';
import { createWork } from './work.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-work-'));
const mara: Person = { id: 'staff-0007', name: 'Mara', role: 'staff' };
const content = Buffer.alloc(50_000, 7);
const signal = new AbortController().signal;
/** Answers with the first half; the test ends it. */
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, 25_000));
  server.emit('started', response);
});
let host: Host;
let models: ModelChoice;
let said: string[];

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
  host = await createHost({ data: folder, profileFile, servers: false, say: () => undefined });
  const sha256 = createHash('sha256').update(content).digest('hex');
  const entry: CatalogueEntry = {
    ...{ name: 'tiny', title: 'Tiny', file: 'tiny.gguf', size: content.length, licence: 'MIT', context: 2048 },
    ...{ attention: 'full', role: 'starter', sources: [{ kind: 'url', url: `http://127.0.0.1:${port}/tiny`, sha256 }] },
  };
  models = createModelChoice(folder, host.settings, [entry]);
  host.events.listen((change) => {
    if (change.feature !== 'runs' || !('entity' in change)) return;
    const { news } = change.entity;
    if (news.kind === 'says') said.push(news.words);
  });
});
beforeEach(() => (said = []));
afterAll(async () => {
  await host.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks for a draft once half of the model is there; `answer` ends the download. */
async function drafted(): Promise<{ work: Promise<unknown>; answer: ServerResponse }> {
  const started = once(server, 'started') as Promise<[ServerResponse]>;
  const getting = getModel({ models, events: host.events }, 'tiny', signal);
  getting.catch(() => undefined);
  const [answer] = await started;
  const asked = { select: 'open', attended: false, file: false, watch: 'page' } as const;
  const work = createWork({ host: () => host, models: () => models }).workTickets(
    { ...asked, tickets: ['T-0003'] },
    mara,
    signal,
  );
  work.catch(() => undefined);
  await expect.poll(() => said).toContain('The model is being fetched: drafted when it is there.');
  return { work, answer };
}
const row = () => host.queue.row('T-0003');
async function reply(ticket: string): Promise<ReplyDraft> {
  const { version } = await host.queue.row(ticket);
  return host.drafts.edit({ ticket, version, edition: 0, text: 'Thank you, we look into it.' }, mara);
}

it('where no model is there and none on its way, a view is told so and the ticket stays as it was', async () => {
  const before = await row();
  const drafting = createDrafting(createWork({ host: () => host, models: () => models }));
  await expect(
    drafting.draft({ tickets: ['T-0003'], ahead: false, watch: 'page' }, mara, signal),
  ).rejects.toMatchObject({
    code: 'model.missing',
    message: expect.stringContaining('No model is on this machine, so nothing was drafted.') as string,
  });
  expect(await row()).toEqual(before);
});

it('where fetching fails, that is said and the ticket stays as it was', async () => {
  const { work, answer } = await drafted();
  answer.end(Buffer.alloc(25_000, 8)); // another file than the catalogue's
  await expect(work).rejects.toMatchObject({
    code: 'model.missing',
    message: expect.stringContaining('The model could not be fetched:') as string,
  });
  expect(await row()).toMatchObject({ state: 'open', draft: 'none', waits: null });
});

it('once it is there, it is loaded', async () => {
  const { work, answer } = await drafted();
  answer.end(content.subarray(25_000));
  // What came is no model: loading it is what fails, and the ticket is nobody's.
  await expect(work).rejects.toThrow(/tiny/);
  expect(said.join('\n')).toContain('Loading tiny');
  expect(await row()).toMatchObject({ state: 'open', draft: 'none', waits: null });
});

it('those nobody has worked yet are those that are still to be done: neither done nor snoozed nor with a reply', async () => {
  const edition = async (id: string) => (await host.queue.row(id)).edition;
  await host.queue.change({ id: 'T-0001', edition: await edition('T-0001') }, mara, { kind: 'done', done: true });
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await host.queue.change({ id: 'T-0002', edition: await edition('T-0002') }, mara, { kind: 'snooze', until });
  await reply('T-0004');
  const work = createWork({ host: () => host, models: () => models });
  const asked = { select: 'open', attended: false, file: false, watch: 'page', model: 'none' } as const;
  expect((await work.workTickets(asked, mara, signal)).report.tickets).toBe(45);
  expect(await host.queue.row('T-0001')).toMatchObject({ status: 'done', state: 'open' });
  expect(await host.queue.row('T-0002')).toMatchObject({ status: 'snoozed', state: 'open' });
  expect(await host.queue.row('T-0004')).toMatchObject({ status: 'open', state: 'open', draft: 'ready' });
});

it('a ticket a person wrote a reply to is worked only where it is asked for by itself', async () => {
  const written = await reply('T-0005');
  const drafting = createDrafting(createWork({ host: () => host, models: () => models }));
  const asked = { watch: 'page', model: 'none' } as const;
  const worked = async (tickets: string[], ahead: boolean) =>
    (await drafting.draft({ ...asked, tickets, ahead }, mara, signal))?.report.tickets;
  expect(await worked(['T-0005'], true)).toBe(0);
  expect(await worked(['T-0005', 'T-0006'], false)).toBe(1);
  expect(await worked(['T-0005'], false)).toBe(1);
  expect(await host.drafts.get('T-0005')).toEqual(written);
});
