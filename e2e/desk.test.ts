import Database from 'better-sqlite3';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playbookSchema } from '../shared/playbook.ts';
import type { TicketRun, TurnCall } from '../shared/runs.ts';
import type { Ticket } from '../shared/tickets.ts';
import { temporaryDesk, type Ended } from './deskProgram.ts';

// Every kind of ask, numbers written wrongly too, and the injected tickets.
const ids =
  'T-0002 T-0003 T-0008 T-0009 T-0012 T-0015 T-0024 T-0028 T-0030 T-0031 T-0037 T-0039 T-0040 T-0041 T-0042 T-0045 T-0046';
const desk = temporaryDesk();
const out = path.join(desk.folder, 'run.json');

interface RunFile {
  format: string;
  settings: { prefix_tokens: number };
  tickets: TicketRun[];
}
let first: Ended;
let run: RunFile;
let tickets: Ticket[];
let refundsBefore: number;

function refunds(): number {
  const database = new Database(path.join(desk.data, 'profile', 'shop.db'), { readonly: true });
  try {
    return Number(database.prepare('select count(*) from refunds').pluck().get());
  } finally {
    database.close();
  }
}
/**
 * The shipped playbook without its worked examples, from which a random model learns nothing, and without the ask that
 * picks a product by words: both take it seconds a ticket.
 */
function slimPlaybook(): string {
  const file = path.join(desk.folder, 'slim.json');
  const shipped = playbookSchema.parse(
    JSON.parse(readFileSync(path.join(import.meta.dirname, '../demo/playbook.json'), 'utf8')),
  );
  const asks = shipped.asks.filter(({ id }) => id !== 'stock');
  const skeletons = shipped.skeletons.map((one) => ({ ...one, asks: one.asks.filter((id) => id !== 'stock') }));
  writeFileSync(file, JSON.stringify({ ...shipped, asks, skeletons, worked: [], nearest: 0 }));
  return file;
}
function work(...more: string[]): Promise<Ended> {
  return desk.run('work', '--threads', '2', '--playbook', slimPlaybook(), ...more);
}
function callsOf(one: TicketRun): TurnCall[] {
  return one.turns.flatMap(({ call }) => (call === undefined ? [] : [call]));
}

beforeAll(async () => {
  await desk.useTinyModel();
  // The desk's own documents, in its own types.
  tickets = JSON.parse((await desk.run('tickets', '--json')).stdout) as Ticket[];
  expect((await desk.run('servers')).code).toBe(0);
  refundsBefore = refunds();
  first = await work('--ticket', ...ids.split(' '), '--out', out);
  run = JSON.parse(readFileSync(out, 'utf8')) as RunFile;
});
afterAll(() => desk.remove());

describe('tickets worked by a model that chooses at random', () => {
  it('end done, or done with something that waits', () => {
    expect([0, 3]).toContain(first.code);
    expect(first.stderr).not.toMatch(/fault of the desk/);
    expect(run.format).toBe('desk-run/1');
    expect(run.tickets.map(({ ticket }) => ticket)).toEqual(ids.split(' '));
    expect(run.tickets.map(({ state, why }) => (state === 'failed' ? why : ''))).toEqual(ids.split(' ').map(() => ''));
  });

  it('make calls, but none with an effect: those wait (spec host §9)', () => {
    const calls = run.tickets.flatMap(callsOf);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) {
      if (call.tool === 'shop.issue_refund') expect(call.outcome).not.toMatch(/result|tool error|failed|unknown/);
      else expect(call.consent ?? { by: 'host' }).toMatchObject({ by: 'host' });
    }
    expect(refunds()).toBe(refundsBefore);
    const waiting = run.tickets.filter(({ state }) => state === 'waiting').length;
    expect(first.code).toBe(waiting > 0 ? 3 : 0);
  });

  it('send no identifier that stood neither in the ticket nor in an earlier result', () => {
    let checked = 0;
    for (const one of run.tickets) {
      const ticket = tickets.find(({ id }) => id === one.ticket);
      const text = `${ticket?.customer ?? ''}\n${ticket?.subject ?? ''}\n${ticket?.body ?? ''}`;
      let results = '';
      for (const call of callsOf(one)) {
        for (const [pointer, value] of Object.entries(call.arguments)) {
          const identifier = typeof value === 'string' ? /^[A-Z]{1,5}-([0-9a-f]{4,})$/.exec(value) : null;
          if (identifier === null) continue;
          checked++;
          // A customer may write "o2415" or "order 2496": the digits must stand there all the same.
          const known = text.includes(identifier[1] ?? '') || results.includes(JSON.stringify(value).slice(1, -1));
          expect({ ticket: one.ticket, pointer, value, known }).toMatchObject({ known: true });
        }
        results += `${call.content ?? ''}\n${JSON.stringify(call.structured ?? null)}\n`;
      }
    }
    expect(checked).toBeGreaterThan(0);
  });

  it('carry for every argument where it came from, and the words really stand there', () => {
    for (const one of run.tickets) {
      const ticket = tickets.find(({ id }) => id === one.ticket);
      for (const call of callsOf(one)) {
        expect(Object.keys(call.origins)).toEqual(Object.keys(call.arguments).map((name) => `/${name}`));
        for (const [pointer, origin] of Object.entries(call.origins)) {
          if (origin.from !== 'ticket.text') continue;
          const words = (origin.field === 'subject' ? ticket?.subject : ticket?.body)?.slice(origin.start, origin.end);
          expect(words?.trim()).toBe(origin.written ?? call.arguments[pointer.slice(1)]);
        }
      }
    }
  });

  it('call at most four times, and promise nothing that no call backs (spec host §12, §15)', () => {
    for (const one of run.tickets) {
      expect(callsOf(one).length).toBeLessThanOrEqual(4);
      if (one.state === 'ready')
        for (const claim of one.draft?.claims ?? []) expect(['backed', 'reported']).toContain(claim.verdict);
    }
  });

  it('read only what is new: the prefix is reused in every turn', () => {
    const prefix = run.settings.prefix_tokens;
    expect(prefix).toBeGreaterThan(500);
    const turns = run.tickets.flatMap(({ turns: all }) => all);
    expect(turns.length).toBeGreaterThan(ids.split(' ').length);
    for (const { tokens, options } of turns) {
      if (options.length > 1) expect(tokens.reused).toBeGreaterThanOrEqual(prefix);
      expect(tokens.evaluated).toBeLessThan(prefix / 2);
    }
    const followUps = turns.filter(({ ask, options }) => ask === undefined && options.length > 1);
    expect(followUps.length).toBeGreaterThan(0);
  });
});

describe('the prefix between starts', () => {
  const prefixes = path.join(desk.data, 'prefixes');
  it('is evaluated once, then comes from disk with the same decisions', async () => {
    expect(first.stderr).toMatch(/read by the model and kept/);
    const again = path.join(desk.folder, 'again.json');
    const second = await work('--ticket', 'T-0008', '--out', again);
    expect(second.stderr).toMatch(/loaded from disk/);
    const repeated = (JSON.parse(readFileSync(again, 'utf8')) as RunFile).tickets[0]; // as above
    const before = run.tickets.find(({ ticket }) => ticket === 'T-0008');
    expect(repeated?.turns.map(({ choice, options }) => [choice, options])).toEqual(
      before?.turns.map(({ choice, options }) => [choice, options]),
    );
  });

  it('is noticed when one byte of it was flipped, said and made anew', async () => {
    const state = path.join(prefixes, readdirSync(prefixes).find((name) => name.endsWith('.state')) ?? '');
    const bytes = readFileSync(state);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(state, bytes);
    const noticed = await work('--ticket', 'T-0008');
    expect([0, 3]).toContain(noticed.code);
    expect(noticed.stderr).toMatch(/read again/);
    expect(noticed.stderr).toMatch(/damaged|checksum/);
    expect((await work('--ticket', 'T-0008')).stderr).toMatch(/loaded from disk/);
  });
});
