// What a person picks for one ticket (host §21), over the sample company's own shop: resources, templates with completion,
// prompts. And a server that asks before it answers (host §19).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../shared/people.ts';
import { serverConfig } from '../shared/servers.ts';
import type { Ticket } from '../shared/tickets.ts';
import { attach } from './attaching.ts';
import { complete } from './completion.ts';
import { createHost, type Host } from './host.ts';
import { answerQuestion } from './inbox.ts';
import { startHttp } from './mcp/startedHttp.ts';
import { attachable, offeredPrompts } from './offers.ts';
import { openTicket } from './openTicket.ts';
import { ticketSegments } from './prompt.ts';
import { createPrompts } from './prompts.ts';
import { readOnce } from './reads.ts';
import { documentText } from './resources.ts';
import { serversUp } from './serversUp.ts';
import { openSession } from './session.ts';
import { loadRunState } from './runState.ts';
import { createWork } from './work.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'attaching-'));
const signal = new AbortController().signal;
const mara: Person = { id: 'staff-0007', name: 'Mara', role: 'staff' };
const ines: Person = { id: 'staff-0001', name: 'Ines', role: 'admin' };
const order = { prefix: 'shop', template: 'shop://orders/{order_id}' };
const reviewing = { prefix: 'shop', name: 'review_refund' };
let host: Host;

beforeAll(async () => {
  const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
  host = await createHost({ data: folder, profileFile, servers: true, say: () => undefined });
  await serversUp(host);
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ticketOf(id: string): Promise<Ticket> {
  const found = await host.tickets.find(id);
  if (found === undefined) throw new Error(`the sample has ${id}`);
  return found;
}
async function opened(id: string) {
  return openTicket({ store: host.store, playbook: host.playbook.playbook }, id);
}
async function attachOrder(id: string, order_id: string) {
  const { version } = await ticketOf(id);
  return attach(host, { id, version, ...order, arguments: { order_id } }, mara, signal);
}
async function worked(id: string) {
  await (await openSession(host, null, null)).workTicket(await ticketOf(id), {});
  const { run } = await opened(id);
  return { run, state: await loadRunState(host.store, run?.id ?? '') };
}

describe('what servers offer', () => {
  it('is their resources with sizes, and templates and prompts an admin approved (host §8)', async () => {
    const { resources, templates, problems } = await attachable(host);
    expect(problems).toEqual([]);
    expect(resources.map(({ uri, always }) => [uri, always])).toContainEqual(['shop://policies/refund', true]);
    const stock = Buffer.byteLength(readFileSync(path.join(import.meta.dirname, '../demo/policies/stock.md')));
    expect(resources.find(({ uri }) => uri === 'shop://policies/stock')).toMatchObject({ bytes: stock, always: false });
    expect(templates.map(({ uri, blanks }) => [uri, blanks.map(({ name }) => name)])).toEqual([
      ['shop://orders/{order_id}', ['order_id']],
      ['shop://stock/{sku}', ['sku']],
    ]);
    expect(await offeredPrompts(host)).toMatchObject([
      { ...reviewing, title: 'Review a refund', blanks: [{ name: 'order_id', required: true }, { name: 'amount' }] },
    ]);
  });
  it('leaves out what an admin refused, and nothing of it can be used or completed (host §8)', async () => {
    const [seen] = await host.servers.review('shop/prompts');
    const about = { prefix: 'shop/prompts', tool: 'review_refund', by: ines, hash: seen?.definition.hash ?? '' };
    await host.pins.decide({ ...about, decision: 'refused', why: 'not yet' });
    expect(await offeredPrompts(host)).toEqual([]);
    const asked = { ticket: 'T-0028', ...reviewing, arguments: { order_id: 'O-2476', amount: '24.99' } };
    await expect(createPrompts(host).show(asked, mara, signal)).rejects.toMatchObject({ code: 'pins.none' });
    const typed = {
      ticket: 'T-0028',
      ...reviewing,
      kind: 'prompts',
      argument: 'order_id',
      value: '',
      others: {},
    } as const;
    await expect(complete(host, typed, mara, signal)).rejects.toMatchObject({ code: 'pins.none' });
    await host.pins.decide({ ...about, decision: 'approved', why: null });
    expect(await offeredPrompts(host)).toHaveLength(1);
  });
});

describe('completion', () => {
  it('is only of the ticket’s customer, newest first, as far as it is typed', async () => {
    const typed = { ticket: 'T-0028', prefix: 'shop', argument: 'order_id', others: {} };
    const template = { ...typed, kind: 'templates', name: order.template } as const;
    expect(await complete(host, { ...template, value: 'o-2' }, mara, signal)).toEqual({
      values: ['O-2476', 'O-2230'],
      total: 2,
      more: false,
    });
    // O-1767 is another customer's.
    expect(await complete(host, { ...template, value: 'O-1767' }, mara, signal)).toMatchObject({
      values: [],
      total: 0,
    });
    const prompt = { ...typed, kind: 'prompts', name: 'review_refund' } as const;
    expect((await complete(host, { ...prompt, value: 'O-24' }, mara, signal)).values).toEqual(['O-2476']);
    await expect(complete(host, { ...prompt, argument: 'sku', value: '' }, mara, signal)).rejects.toMatchObject({
      code: 'calls.arguments',
    });
  });
});

describe('a document a person attached', () => {
  it('is read by the next draft of its ticket as quoted data, kept with the run, and by no other ticket', async () => {
    const { playbook } = host.playbook;
    const before = ticketSegments(playbook, await ticketOf('T-0028'));
    await attachOrder('T-0028', 'O-2476');
    const { attached } = await opened('T-0028');
    expect(attached).toMatchObject([
      { kind: 'resource', prefix: 'shop', uri: 'shop://orders/O-2476', title: 'Order O-2476', by: 'staff-0007' },
    ]);
    const { run, state } = await worked('T-0028');
    expect(run?.attached.map(({ uri, by }) => [uri, by])).toEqual([
      ['shop://policies/refund', null],
      ['shop://orders/O-2476', 'staff-0007'],
    ]);
    const read = await documentText(host, { run: run?.id ?? '', uri: 'shop://orders/O-2476' }, signal);
    expect(JSON.parse(read.text)).toMatchObject({ order_id: 'O-2476', customer_id: 'C-0127' });
    const now = ticketSegments(playbook, await ticketOf('T-0028'), state?.attached);
    const at = now.findIndex(({ text }) => text === '\nFor the ticket below:\n');
    expect(now[at + 1]).toEqual({ trust: 'outside', text: `| ${read.text}\n` });
    expect(now.toSpliced(at, 2)).toEqual(before);
    // Another ticket's prompt is byte for byte as without any of this.
    const other = await worked('T-0010');
    expect(other.state?.attached).toEqual([]);
    expect(other.run?.attached).toHaveLength(1);
  });
  it('retires the present draft, is bound to the thread that was seen, and can be taken away again', async () => {
    const { version } = await ticketOf('T-0010');
    const own = { text: 'Dear customer.', ticket: 'T-0010', version, edition: 0 };
    await host.drafts.edit(own, mara);
    const [stock] = (await attachable(host)).resources.filter(({ uri }) => uri === 'shop://policies/stock');
    const asked = { id: 'T-0010', version, prefix: 'shop', uri: stock?.uri ?? '' };
    await attach(host, asked, mara, signal);
    expect((await host.drafts.get('T-0010'))?.state).toBe('retired');
    await expect(attach(host, asked, mara, signal)).rejects.toMatchObject({ code: 'tickets.changed' });
    const at = { id: 'T-0010', version: version + 1 };
    await host.attachments.remove(at, mara, { prefix: 'shop', uri: asked.uri });
    expect((await opened('T-0010')).attached).toEqual([]);
  });
  it('is refused where it is another customer’s, stands before every draft, or climbs out of its template', async () => {
    const { version } = await ticketOf('T-0010');
    const at = { id: 'T-0010', version, prefix: 'shop' };
    await expect(attachOrder('T-0028', 'O-1767')).rejects.toMatchObject({ code: 'servers.read' });
    await expect(attachOrder('T-0028', '../policies/refund')).rejects.toMatchObject({ code: 'servers.read' });
    await expect(attachOrder('T-0028', ' ')).rejects.toMatchObject({ code: 'calls.arguments' });
    await expect(attach(host, { ...at, uri: 'shop://policies/refund' }, mara, signal)).rejects.toMatchObject({
      code: 'runs.document',
    });
    await expect(attach(host, { ...at, uri: 'shop://orders/O-2476' }, mara, signal)).rejects.toMatchObject({
      code: 'runs.document',
    });
  });
  it('is no more than a draft can take', async () => {
    const { version } = await ticketOf('T-0003');
    const much = { kind: 'prompt', prefix: 'shop', uri: 'much', title: null, text: 'x'.repeat(6_001) } as const;
    await expect(host.attachments.add({ id: 'T-0003', version }, mara, [much])).rejects.toMatchObject({
      code: 'runs.full',
    });
    expect((await ticketOf('T-0003')).version).toBe(version);
  });
});

describe('a prompt', () => {
  const asked = { ...reviewing, arguments: { order_id: 'O-2476', amount: '24.99' } };
  it('is shown before it is used, without a role of ours; what it embeds is not attached twice', async () => {
    const prompts = createPrompts(host);
    const shown = await prompts
      .show({ ticket: 'T-0016', ...asked, arguments: { order_id: 'O-2476', amount: '24.99' } }, mara, signal)
      .catch((error: unknown) => error);
    // T-0016 is another customer's: the shop knows no such order for it.
    expect(shown).toMatchObject({ code: 'servers.read' });
    const { hash, parts, bytes } = await prompts.show({ ticket: 'T-0028', ...asked }, mara, signal);
    expect(parts).toMatchObject([
      { role: 'user', kind: 'resource', uri: 'shop://policies/refund', attached: true },
      { role: 'user', kind: 'text', uri: null, attached: false },
    ]);
    expect(bytes).toBe(Buffer.byteLength(parts[1]?.text ?? ''));
    const { version } = await ticketOf('T-0028');
    await prompts.use({ id: 'T-0028', version, hash }, mara);
    expect((await opened('T-0028')).attached.map(({ kind, uri }) => [kind, uri])).toEqual([
      ['resource', 'shop://orders/O-2476'],
      ['prompt', 'review_refund'],
    ]);
    const { state } = await worked('T-0028');
    const text = state?.attached[1]?.text ?? '';
    expect(text).toContain('A customer asks for 24.99 euros back');
    const segments = ticketSegments(host.playbook.playbook, await ticketOf('T-0028'), state?.attached);
    expect(segments.filter(({ text: one }) => one.includes('24.99 euros')).map(({ trust }) => trust)).toEqual([
      'outside',
    ]);
  });
  it('that nobody looked at is not used, nor one shown for another ticket', async () => {
    const prompts = createPrompts(host);
    const { version } = await ticketOf('T-0028');
    const at = { id: 'T-0028', version };
    await expect(prompts.use({ ...at, hash: 'none' }, mara)).rejects.toMatchObject({ code: 'calls.prompt' });
    const { hash } = await prompts.show({ ticket: 'T-0028', ...asked }, mara, signal);
    const other = await ticketOf('T-0010');
    await expect(prompts.use({ id: other.id, version: other.version, hash }, mara)).rejects.toMatchObject({
      code: 'calls.prompt',
    });
  });
});

describe('a server that asks before it answers (host §19)', () => {
  it('is answered in the inbox, for resources and prompts; the answered reading is then used', async () => {
    const server = await startHttp('startHttp', ['asks']);
    const context = { 'example.com/person': 'person.id' };
    const config = serverConfig.parse({ prefix: 'far', kind: 'http', url: server.url, context });
    await host.settings.addServer(config, []);
    await host.refreshServer('far');
    await host.servers.get('far')?.connection.start();
    const ticket = await ticketOf('T-0028');
    const work = createWork({
      host: () => host,
      models: () => {
        throw new Error('nothing of this needs a model');
      },
    });
    for (const [method, name] of [
      ['resources/read', 'x://y'],
      ['prompts/get', 'greet'],
    ] as const) {
      const wanted = { prefix: 'far', method, name, arguments: {}, ticket, by: mara };
      await expect(readOnce(host, wanted)).rejects.toMatchObject({ code: 'servers.asks' });
      // Asked once: a second try waits for the same question.
      await expect(readOnce(host, wanted)).rejects.toMatchObject({ code: 'servers.asks' });
      const open = await host.questions.open();
      expect(open).toHaveLength(1);
      const answer = { id: open[0]?.id ?? '', action: 'accept', content: {}, watch: '' } as const;
      const { call, run } = await answerQuestion({ host, work }, answer, ines, signal);
      expect([call.state, call.ticket, run]).toEqual(['result', 'T-0028', null]);
    }
    // Both rounds went out for the person who picked it (host §19); what it prints comes on a pipe of its own.
    await expect
      .poll(() => server.lines.map((line) => JSON.parse(line) as unknown))
      .toEqual(
        ['resources/read', 'resources/read', 'prompts/get', 'prompts/get'].map((method) => ({
          method,
          person: mara.id,
        })),
      );
    const about = { prefix: 'far', arguments: {}, ticket };
    const read = await readOnce(host, { ...about, method: 'resources/read', name: 'x://y' });
    expect(read.text).toBe('read');
    const prompt = await readOnce(host, { ...about, method: 'prompts/get', name: 'greet' });
    expect(prompt.structured).toMatchObject([{ content: { text: 'greet' } }]);
    // Neither stands in the log of tools, nor poses as a record of the customer.
    expect((await opened('T-0028')).records).toEqual([]);
    await host.settings.removeServer('far');
    await host.refreshServer('far');
    await server.kill();
  });
});
