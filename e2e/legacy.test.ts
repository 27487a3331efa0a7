// The sample company's support server of 2025-11-25 and its migrated twin (spec servers), through the desk's own gate and
// inbox, held against the shop's records.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHandlers } from '../main/handlers.ts';
import { createHost, type Host } from '../main/host.ts';
import type { GateAnswer } from '../main/loop.ts';
import { createModelChoice } from '../main/modelChoice.ts';
import { createWork } from '../main/work.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import { refundsSince } from './shopRecords.ts';

const staff: Person = { id: 'staff-0007', name: 'Mara Lindqvist', role: 'staff' };
const lead: Person = { id: 'staff-0002', name: 'Tomas Adeyemi', role: 'lead' };
const asked = (by: Person) => ({ by: () => by, signal: new AbortController().signal, session: undefined as never }); // none is looked at
const release = { action: 'accept', content: { release: true }, watch: '' } as const;
let data: string;
let host: Host;
let handlers: ReturnType<typeof createHandlers>;
let n = 0;

async function open(): Promise<void> {
  host = await createHost({
    data,
    profileFile: path.join(import.meta.dirname, '../demo/profile.json'),
    servers: false,
    say: () => undefined,
    ask: () => Promise.resolve({ answer: 'run', by: staff, scripted: false }),
  });
  for (const { prefix } of await host.configured())
    await host.settings.switchServer(prefix, ['legacy', 'migrated'].includes(prefix));
  await host.startServers();
  // They may come up after the desk did.
  const prefixes = async () => (await host.servers.offered()).tools.map(({ prefix }) => prefix);
  await expect.poll(prefixes).toEqual(expect.arrayContaining(['legacy', 'migrated']));
  const models = createModelChoice(data, host.settings);
  const work = createWork({ host: () => host, models: () => models });
  handlers = createHandlers({ host, models, work, refused: { count: 0 } });
}
beforeEach(async () => {
  data = mkdtempSync(path.join(tmpdir(), 'desk-legacy-'));
  await open();
});
afterEach(async () => {
  await host.close();
  rmSync(data, { recursive: true, force: true });
});

async function call(name: string, args: JsonObject = {}): Promise<GateAnswer> {
  const offered = (await host.servers.offered()).tools.find((one) => one.name === name);
  const ticket = await host.tickets.find('T-0006');
  if (offered === undefined || ticket === undefined) throw new Error(`${name} is not offered`);
  return host.gate.propose({ n: ++n, offered, arguments: args, origins: {} }, { run: '', ticket });
}
async function waiting(by: Person) {
  const [entry] = (await handlers['questions.list']({}, asked(by))).questions;
  if (entry === undefined) throw new Error(`nothing waits for ${by.id}`);
  return entry;
}
describe('the server of 2025-11-25', () => {
  it('keeps its quote by session, and what it pushes is released by a lead in the inbox (spec host §20)', async () => {
    expect(host.servers.get('legacy')?.connection.status()).toMatchObject({ revision: '2025-11-25', state: 'ready' });
    expect(await call('legacy.quote_refund', { order_id: 'O-2289' })).toMatchObject({
      content: expect.stringContaining('"amount":"180.00"') as string,
    });
    expect(await call('legacy.issue_refund')).toMatchObject({ outcome: 'waiting' });
    await expect(waiting(staff)).rejects.toThrow('nothing waits for staff-0007');
    const { question, form } = await waiting(lead);
    expect(question.pushed).toBe(true);
    expect(form).toMatchObject({ kind: 'form', message: expect.stringContaining('pay 180.00 back') as string });
    const { call: done } = await handlers['questions.answer']({ id: question.id, ...release }, asked(lead));
    expect(done).toMatchObject({ state: 'result', text: expect.stringContaining('"status":"requested"') as string });
    expect(refundsSince(data, 'O-2289')).toEqual(['requested']);
    expect(await call('legacy.issue_refund')).toMatchObject({
      outcome: 'tool error',
      content: expect.stringContaining('no open quote') as string,
    });
    // What it logs over the protocol is on its page.
    expect(host.servers.get('legacy')?.connection.status().log).toContain('quoted 180.00 for O-2289');
  });

  it('gets neither model nor folders, and its tools say so, in the words of its SDK', async () => {
    expect(await call('legacy.triage_ticket', { text: 'Where is my order?' })).toMatchObject({
      outcome: 'tool error',
      content: 'MCP error -32601: Not offered: the desk does not lend its model.',
    });
    expect(await call('legacy.save_restock_report')).toMatchObject({
      outcome: 'tool error',
      content: 'MCP error -32601: Not offered: the desk lends no folders.',
    });
    const { status } = await handlers['servers.check']({ prefix: 'legacy' }, asked(staff));
    expect(status.notes).toEqual([
      'It asked for sampling once: the desk does not lend its model.',
      'It asked for roots once: the desk lends no folders.',
    ]);
  });

  it('goes away with its question open: what the call did is not known, and the refund is held', async () => {
    await call('legacy.quote_refund', { order_id: 'O-2289' });
    await call('legacy.issue_refund');
    const { question } = await waiting(lead);
    await host.close();
    await open();
    expect((await handlers['questions.list']({}, asked(lead))).unknown.map(({ id }) => id)).toEqual([question.call]);
    expect((await host.questions.find(question.id)).state).toBe('closed');
    const again = handlers['questions.answer']({ id: question.id, ...release }, asked(lead));
    await expect(again).rejects.toMatchObject({ code: 'questions.answered' });
    expect(refundsSince(data, 'O-2289')).toEqual(['needs_confirmation']);
  });
});

describe('its migrated twin', () => {
  it('asks by a result: the question outlives the desk, and the same refund is released (spec host §19)', async () => {
    const quoted = await call('migrated.quote_refund', { order_id: 'O-2289' });
    const { quote_id = null } = quoted.structured as JsonObject; // its own schema says so
    expect(await call('migrated.issue_refund', { quote_id })).toMatchObject({ outcome: 'waiting' });
    const before = await waiting(lead);
    expect(before.question.pushed).toBe(false);
    await host.close();
    await open();
    const { question } = await waiting(lead);
    expect(question.id).toBe(before.question.id);
    const { call: done } = await handlers['questions.answer']({ id: question.id, ...release }, asked(lead));
    expect(done).toMatchObject({ state: 'result', structured: { status: 'requested' } });
    expect(refundsSince(data, 'O-2289')).toEqual(['requested']);
  });
});
