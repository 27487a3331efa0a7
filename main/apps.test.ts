import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import type { Reviewed } from '../shared/pins.ts';
import { serverConfig } from '../shared/servers.ts';
import type { Ticket } from '../shared/tickets.ts';
import { createApps, type Apps } from './apps.ts';
import { answerConsent } from './consent.ts';
import { createHost, type Host } from './host.ts';
import { createWork, type Work } from './work.ts';

const program = path.join(import.meta.dirname, '../e2e/hostile/views.mjs');
const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
const uri = 'ui://hostile/view.html';

let folder: string;
let host: Host;
let apps: Apps;
let work: Work;
let admin: Person;
let staff: Person;
const opened: string[] = [];
/** Of the server of this test, and of another with the same tools; its ticket; the run that called `report` for it. */
let own: string;
let other: string;
let ticket: Ticket;
let run: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-apps-'));
  host = await createHost({
    data: path.join(folder, 'data'),
    profileFile,
    servers: false,
    openUrl: (url) => opened.push(url),
    say: () => undefined,
  });
  work = createWork({ host: () => host, models: () => Promise.reject(new Error('no model is wanted')) as never });
  apps = createApps(host);
  admin = await host.person('staff-0001');
  staff = await host.person('staff-0007');
});
let count = 0;
beforeEach(async () => {
  const n = ++count;
  [own, other, run] = [`own${n}`, `other${n}`, `run-${n}`];
  for (const { config } of [...host.servers.all()]) await host.servers.remove(config.prefix);
  for (const prefix of [own, other]) {
    mkdirSync(path.join(folder, prefix));
    const args = [program, path.join(folder, prefix)];
    host.servers.add(serverConfig.parse({ prefix, kind: 'stdio', command: process.execPath, args }));
  }
  const found = (await host.tickets.list({ limit: 1, offset: n }))[0];
  if (found === undefined) throw new Error('The sample company has tickets enough');
  ticket = found;
  for (const tool of ['report', 'add', 'internal', 'both']) await approve(own, tool);
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

async function reviewed(name: string, tool: string): Promise<Reviewed> {
  const one = (await host.servers.review(name)).find(({ definition }) => definition.name === tool);
  if (one === undefined) throw new Error(`${name} has no ${tool}`);
  return one;
}
async function approve(prefix: string, tool: string, noSideEffects = false): Promise<void> {
  const hash = (await reviewed(prefix, tool)).definition.hash ?? '';
  await host.pins.decide({ prefix, tool, by: admin, decision: 'approved', hash, why: null, noSideEffects });
}
/** What the server gives for its view from now on. */
function gives(content: JsonObject): void {
  const contents = [{ uri, mimeType: 'text/html;profile=mcp-app', ...content }];
  writeFileSync(path.join(folder, own, 'view.json'), JSON.stringify({ contents }));
}
/** Calls a server got, by its own ledger. */
function got(prefix = own): unknown[] {
  const file = path.join(folder, prefix, 'got.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line): unknown => JSON.parse(line));
}
/** A finished call of `report`, as a run makes it. */
async function reported(): Promise<Call> {
  const offered = (await host.servers.offered()).tools.find(({ name }) => name === `${own}.report`);
  if (offered === undefined) throw new Error('report is not offered');
  await host.gate.propose({ n: 1, offered, arguments: {}, origins: {} }, { run, ticket });
  const [call] = await host.calls.list({ run, states: ['asking'] });
  if (call === undefined) throw new Error('report does not wait');
  const yes = await host.calls.answer(call.id, { by: staff, answer: 'run', hash: call.hash, scripted: false });
  await host.gate.send(yes, { run, ticket });
  return host.calls.get(call.id);
}
/** The same with its view approved, as a view that is open finds it. */
async function viewed(): Promise<string> {
  await approve(`${own}/views`, uri);
  return (await reported()).id;
}
function answer(call: Call, said: 'run' | 'dont'): ReturnType<typeof answerConsent> {
  const params = { id: call.id, hash: call.hash, answer: said, watch: '' };
  return answerConsent({ host, work }, params, staff, new AbortController().signal);
}
async function made(asked: Awaited<ReturnType<Apps['call']>>): Promise<Call> {
  if (!('call' in asked)) throw new Error(`No call was made: ${asked.refused}`);
  return host.calls.get(asked.call);
}

describe('a view is shown while an admin’s approval of exactly its HTML stands (host §§6, 22)', () => {
  it('first not, then as it was approved, and no more once it changed', async () => {
    const { id } = await reported();
    await expect(apps.open({ call: id })).rejects.toMatchObject({ code: 'apps.unapproved' });
    await approve(`${own}/views`, uri);
    expect(await apps.open({ call: id })).toEqual({ uri, html: '<p>One</p>' });
    gives({ text: '<p>Two</p>' });
    await expect(apps.open({ call: id })).rejects.toThrow('it changed since it was approved');
    expect((await reviewed(`${own}/views`, uri)).difference).toMatchObject([{ field: 'text' }]);
    // One that is open already gets nothing more.
    await expect(apps.call({ call: id, tool: 'add', arguments: {} })).rejects.toMatchObject({
      code: 'apps.unapproved',
    });
    await approve(`${own}/views`, uri);
    expect((await apps.open({ call: id })).html).toBe('<p>Two</p>');
  });

  it('one that cannot be used is parked, cannot be approved and says why', async () => {
    const call = (await reported()).id;
    const cases: [JsonObject, string][] = [
      [{ mimeType: 'text/html', text: 'x' }, 'It is no text/html;profile=mcp-app'],
      [{ text: 'x'.repeat(1024 * 1024 + 1) }, '1048577 characters'],
      [{ uri: 'ui://hostile/other.html', text: 'x' }, 'gives another document'],
      [{ blob: 'eA==' }, 'It is no text'],
      [{ text: '<p>x</p><IFRAME srcdoc="x">' }, 'It holds a frame'],
      [{ text: '<link rel="preconnect" href="https://example.com">' }, 'or a link element'],
      [{ text: '\ud800' }, 'half of a surrogate pair'],
    ];
    for (const [content, why] of cases) {
      gives(content);
      const one = await reviewed(`${own}/views`, uri);
      expect([one.status, one.definition.hash]).toEqual(['parked', null]);
      expect(one.definition.problem).toContain(why);
    }
    await expect(apps.open({ call })).rejects.toMatchObject({ code: 'apps.unapproved' });
  });

  it('a call without a result, or of a tool without a view, has none', async () => {
    const call = await viewed();
    const { call: id } = (await apps.call({ call, tool: 'both', arguments: {} })) as { call: string }; // it is allowed
    await expect(apps.open({ call: id })).rejects.toMatchObject({ code: 'apps.none' });
    expect((await host.calls.get(call)).text).toBe('report done');
  });

  it('the desk tells servers that it shows views, and of which type', async () => {
    await reported();
    const declared: unknown = JSON.parse(readFileSync(path.join(folder, own, 'declared.json'), 'utf8'));
    expect(declared).toMatchObject({
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    });
  });
});

describe('calls of a view (host §22)', () => {
  it('a tool for views only is not in the model’s list', async () => {
    const { tools, problems } = await host.servers.offered();
    const names = tools.filter(({ prefix }) => prefix === own).map(({ tool }) => tool);
    expect(names.sort()).toEqual(['both', 'internal', 'report']);
    expect(problems.join()).not.toContain(`${own}.add`);
  });

  it('wait for a person also where the tool is on the list without side effects, and are sent once by a yes', async () => {
    await approve(own, 'add', true);
    const view = await viewed();
    const before = got().length;
    const call = await made(await apps.call({ call: view, tool: 'add', arguments: { sku: 'KG-4410', quantity: 4 } }));
    expect(call).toMatchObject({
      state: 'asking',
      run: '',
      ticket: ticket.id,
      tool: `${own}.add`,
      asks: `The view of ${own}.report asks for it.`,
      origins: { '/sku': { from: 'view', trust: 'untrusted' }, '/quantity': { from: 'view' } },
    });
    expect(got()).toHaveLength(before);
    expect((await answer(call, 'run')).call).toMatchObject({ state: 'result', consent: { by: staff.id } });
    expect(got().slice(before)).toEqual([{ name: 'add', given: { sku: 'KG-4410', quantity: 4 } }]);
    await expect(answer(call, 'run')).rejects.toMatchObject({ code: 'calls.answered' });
    expect(got()).toHaveLength(before + 1);
  });

  it('are not sent after a no, nor when the definition changed in between', async () => {
    const view = await viewed();
    const [one, second] = [
      await made(await apps.call({ call: view, tool: 'add', arguments: {} })),
      await made(await apps.call({ call: view, tool: 'add', arguments: {} })),
    ];
    expect(second.n).toBe(one.n + 1);
    const before = got().length;
    expect((await answer(one, 'dont')).call.state).toBe('declined');
    const hash = (await reviewed(own, 'add')).definition.hash ?? '';
    await host.pins.decide({ prefix: own, tool: 'add', by: admin, decision: 'refused', hash, why: null });
    expect((await answer(second, 'run')).call.state).toBe('failed');
    expect(got()).toHaveLength(before);
  });

  it('to a tool for the model only, one nobody approved, or one of another server are refused', async () => {
    await approve(other, 'both');
    const call = await viewed();
    for (const tool of ['internal', 'missing', `${other}.both`, `${own}.add`])
      await expect(apps.call({ call, tool, arguments: {} }), tool).rejects.toMatchObject({ code: 'apps.tool' });
    expect(await host.calls.list({ run: '', ticket: ticket.id })).toEqual([]);
  });

  it('reach the view’s own server and no other that has a tool of that name', async () => {
    await approve(other, 'both');
    const call = await made(await apps.call({ call: await viewed(), tool: 'both', arguments: { sku: 'KG-1' } }));
    await answer(call, 'run');
    expect(got(other)).toEqual([]);
    expect(got()).toContainEqual({ name: 'both', given: { sku: 'KG-1' } });
  });

  it('with an argument the schema does not name are refused before anyone is asked', async () => {
    const asked = await apps.call({ call: await viewed(), tool: 'add', arguments: { sku: 'KG-1', note: 'x' } });
    expect(asked).toEqual({ refused: 'The tool does not know the argument "note".' });
    expect(await host.calls.list({ run: '', ticket: ticket.id })).toEqual([]);
  });

  it('at most three wait at once, however fast they come', async () => {
    const call = await viewed();
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, () => apps.call({ call, tool: 'add', arguments: {} })),
    );
    const busy = all.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
    expect(busy).toEqual(['apps.busy', 'apps.busy', 'apps.busy']);
    expect(await host.calls.list({ ticket: ticket.id, states: ['asking'] })).toHaveLength(3);
  });
});

describe('what else a view may ask (host §22)', () => {
  it('a resource of its own server', async () => {
    const call = await viewed();
    const { signal } = new AbortController();
    expect(await apps.read({ call, uri: 'hostile://note' }, signal)).toEqual({ text: 'A note.' });
    await expect(apps.read({ call, uri: 'shop://policies/refunds' }, signal)).rejects.toMatchObject({
      code: 'servers.read',
    });
  });

  it('an address is read first, and opened by a person’s word only, once it may be', async () => {
    const call = await viewed();
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'http://example.com/', 'https://a@example.com/'])
      await expect(apps.link({ call, url })).rejects.toMatchObject({ code: 'apps.link' });
    const { id, form } = await apps.link({ call, url: 'https://supplier.example/order' });
    expect(form).toMatchObject({ kind: 'url', domain: 'supplier.example' });
    expect(opened).toEqual([]);
    expect(apps.visit({ id })).toEqual({ url: 'https://supplier.example/order', opened: true });
    expect(opened).toEqual(['https://supplier.example/order']);
    expect(() => apps.visit({ id: 'other' })).toThrow('does not wait any more');
  });
});
