import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Call, Origins } from '../shared/calls.ts';
import { isObject, textOf, type JsonObject } from '../shared/json.ts';
import { profileSchema } from '../shared/profile.ts';
import { createHost, type Host } from '../main/host.ts';
import type { GateAnswer } from '../main/loop.ts';
import { createModel, type Model } from '../main/model/model.ts';
import { tinyModel } from '../main/model/tinyModel.ts';
import { openSession } from '../main/session.ts';
import type { OfferedTool } from '../main/slots/plan.ts';
import { temporaryDesk } from './deskProgram.ts';
import { sampleProfile } from './sampleProfile.ts';
import { refundPlaybook, refundTicket } from './refundPlaybook.ts';

const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
const desk = temporaryDesk();
let host: Host | undefined;
let model: Model | undefined;

async function open(more: { profileFile?: string } = {}): Promise<Host> {
  host = await createHost({ data: desk.data, profileFile, servers: true, say: () => undefined, ...more });
  return host;
}
async function close(): Promise<void> {
  await model?.close();
  await host?.close();
  model = undefined;
  host = undefined;
}
beforeAll(async () => {
  await open();
  await close();
});
afterEach(async () => {
  delete process.env['DESK_PROFILE'];
  await close();
});
afterAll(() => desk.remove());

interface Refund {
  order_id: string;
  amount_cents: number;
  status: string;
}
/** What the company's own database says, read beside every program of the desk. */
function refunds(): Refund[] {
  const database = new Database(path.join(desk.data, 'profile', 'shop.db'), { readonly: true });
  try {
    // The columns named in the query.
    return database.prepare('select order_id, amount_cents, status from refunds order by number').all() as Refund[];
  } finally {
    database.close();
  }
}
async function tool(of: Host, name: string): Promise<OfferedTool> {
  const found = (await of.servers.offered()).tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not offered`);
  return found;
}
/** Quotes a refund and proposes to issue it, as the loop does. */
async function quoteAndIssue(of: Host, run: string, ticketId: string, order: string): Promise<GateAnswer> {
  const ticket = (await of.tickets.list()).find((one) => one.id === ticketId);
  if (ticket === undefined) throw new Error(ticketId);
  const fromTicket: Origins = { '/order_id': { from: 'ticket.text', trust: 'untrusted' } };
  const quote = {
    n: 1,
    offered: await tool(of, 'shop.quote_refund'),
    arguments: { order_id: order },
    origins: fromTicket,
  };
  const quoted = await of.gate.propose(quote, { run, ticket });
  expect(quoted.outcome).toBe('result');
  const quoteId = isObject(quoted.structured) ? textOf(quoted.structured['quote_id']) : '';
  const origins: Origins = { '/quote_id': { from: 'result', call: 1, field: '/quote_id', trust: 'bound' } };
  const offered = await tool(of, 'shop.issue_refund');
  return of.gate.propose({ n: 2, offered, arguments: { quote_id: quoteId }, origins }, { run, ticket });
}
async function onlyWaiting(of: Host): Promise<Call> {
  const waiting = await of.calls.waiting();
  const [call] = waiting;
  if (call === undefined || waiting.length > 1) throw new Error(`${waiting.length} calls wait`);
  return call;
}

describe('what ships approved (spec host §6)', () => {
  it('is what the shop offers, hash by hash, and nothing more', async () => {
    const of = await open();
    const reviewed = await of.servers.review('shop');
    const live = reviewed.map(({ definition }) => ({ tool: definition.name, hash: definition.hash }));
    const profile = profileSchema.parse(JSON.parse(readFileSync(profileFile, 'utf8')));
    const byName = (a: { tool: string }, b: { tool: string }) => (a.tool < b.tool ? -1 : 1);
    expect(live.sort(byName)).toEqual(profile.approved['shop']?.sort(byName));
    expect(reviewed.map(({ status }) => status)).toEqual(reviewed.map(() => 'approved'));
  });
});

describe('a refund and the consent to it (spec host §9, §13)', () => {
  it('waits, shows what would be sent, is sent once after a yes, and never again', async () => {
    const before = refunds();
    const of = await open();
    expect(await quoteAndIssue(of, 'run-a', 'T-0024', 'O-2415')).toMatchObject({ outcome: 'waiting' });
    const call = await onlyWaiting(of);
    expect(call).toMatchObject({ tool: 'shop.issue_refund', ticket: 'T-0024', listed: false, state: 'asking' });
    expect(refunds()).toEqual(before);

    const by = await of.person('staff-0007');
    const yes = { by, answer: 'run', hash: call.hash, scripted: false } as const;
    await expect(of.calls.answer(call.id, { ...yes, hash: '0'.repeat(64) })).rejects.toThrow('Look at it again');
    const answered = await of.calls.answer(call.id, yes);
    expect([answered.hash, answered.arguments]).toEqual([call.hash, call.arguments]);
    const ticket = (await of.tickets.list()).find((one) => one.id === 'T-0024');
    if (ticket === undefined) throw new Error('T-0024');
    const sent = await of.gate.send(answered, { run: 'run-a', ticket });
    expect(sent).toMatchObject({ outcome: 'result', consent: { by: 'staff-0007', answer: 'run' } });
    const after = refunds();
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toMatchObject({ order_id: 'O-2415' });

    const again = await of.gate.send(answered, { run: 'run-a', ticket });
    expect(again.detail).toContain('was used or is void');
    await expect(of.calls.answer(call.id, yes)).rejects.toThrow('already answered');
    expect(refunds()).toEqual(after);
    expect(await of.calls.verifyChain()).toEqual([]);
  });

  it('is withdrawn where its ticket is worked again, so one ticket never holds two open consents', async () => {
    const before = refunds();
    const of = await open();
    await quoteAndIssue(of, 'run-w', 'T-0034', 'O-1085');
    const call = await onlyWaiting(of);
    const ticket = await of.tickets.find('T-0034');
    if (ticket === undefined) throw new Error('T-0034');
    const session = await openSession(of, null, null);
    await session.workTicket(ticket, {});
    expect(await of.calls.get(call.id)).toMatchObject({ state: 'declined', detail: 'The ticket was worked again.' });
    const yes = { by: await of.person('staff-0007'), answer: 'run', hash: call.hash, scripted: false } as const;
    await expect(of.calls.answer(call.id, yes)).rejects.toThrow('it is declined');
    expect(refunds()).toEqual(before);
  });

  it('is void where its arguments were changed in the database, before or after the yes', async () => {
    const before = refunds();
    const of = await open();
    await quoteAndIssue(of, 'run-b', 'T-0024', 'O-2415');
    const call = await onlyWaiting(of);
    const change = (args: JsonObject) => {
      const database = new Database(path.join(desk.data, 'desk.db'));
      database.prepare('update calls set arguments = ? where id = ?').run(JSON.stringify(args), call.id);
      database.close();
    };
    const by = await of.person('staff-0007');
    const yes = { by, answer: 'run', hash: call.hash, scripted: false } as const;
    change({ quote_id: `Q-${'a'.repeat(32)}` });
    await expect(of.calls.answer(call.id, yes)).rejects.toThrow('Look at it again');
    change(call.arguments);
    await of.calls.answer(call.id, yes);
    change({ quote_id: `Q-${'b'.repeat(32)}` });
    const ticket = (await of.tickets.list()).find((one) => one.id === 'T-0024');
    if (ticket === undefined) throw new Error('T-0024');
    const sent = await of.gate.send(await of.calls.get(call.id), { run: 'run-b', ticket });
    expect(sent).toMatchObject({ outcome: 'failed' });
    expect(refunds()).toEqual(before);
  });
});

describe('a run that waits overnight', () => {
  /** Works wordings of one ticket until the random model, sooner or later, reaches the refund. */
  async function untilItWaits(of: Host): Promise<string> {
    model = await createModel({
      file: tinyModel(desk.folder),
      name: 'tiny',
      threads: 2,
      prefixFolder: path.join(desk.data, 'prefixes'),
    });
    const session = await openSession(of, model, null);
    for (let at = 1; at <= 300; at++) {
      const one = refundTicket(at);
      const { id } = one;
      await of.tickets.importText(JSON.stringify([one]), { source: 'import' });
      const ticket = (await of.tickets.list()).find((known) => known.id === id);
      if (ticket === undefined) throw new Error(id);
      if ((await session.workTicket(ticket, {})).state === 'waiting') return id;
    }
    throw new Error('300 tickets, and the random model never came to the refund');
  }

  it('is found after a restart, shown, run once by a person, and refused the second time', async () => {
    const before = refunds();
    // Every desk of this test has the same playbook: another one would make the run stale, and nothing would be sent.
    const profile = sampleProfile(desk.folder, { playbook: refundPlaybook(desk.folder) });
    process.env['DESK_PROFILE'] = profile;
    const ticket = await untilItWaits(await open({ profileFile: profile }));
    const call = (await host?.calls.waiting())?.find((one) => one.ticket === ticket);
    if (call === undefined) throw new Error('nothing waits');
    await close();
    expect(refunds()).toEqual(before);

    const shown = await desk.run('consent', call.id);
    expect(shown.code).toBe(3);
    expect(shown.stdout).toContain(textOf(call.arguments['quote_id']));
    expect(shown.stdout).toContain('Nothing was sent');
    expect(refunds()).toEqual(before);

    const unable = await desk.run('consent', call.id, '--run', '--model', 'nobody');
    expect([unable.code, unable.stderr]).toEqual([1, expect.stringContaining('There is no model "nobody"')]);
    expect((await desk.run('consent', call.id)).code).toBe(3);
    expect(refunds()).toEqual(before);

    const ran = await desk.run('consent', call.id, '--run', '--model', 'none');
    expect(ran.stderr).not.toMatch(/fault of the desk/);
    const after = refunds();
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toMatchObject({ order_id: 'O-2415' });

    const again = await desk.run('consent', call.id, '--run', '--model', 'none');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('already answered by staff-0007');
    expect(refunds()).toEqual(after);
  });
});
