import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callStates, type CallState } from '../shared/calls.ts';
import type { Person } from '../shared/people.ts';
import { createCalls, type Calls, type Proposal } from './calls.ts';
import { createQuestions, type Questions } from './questions.ts';
import { openStore, type Store } from './store/open.ts';
import { addPerson } from './store/people.ts';
import { insertRun, updateRun } from './store/runs.ts';

const staff: Person = { id: 'staff-0007', name: 'Ada', role: 'staff' };
const lead: Person = { id: 'staff-0002', name: 'Lin', role: 'lead' };
const proposal: Proposal = {
  method: 'tools/call' as const,
  run: 'r1',
  ticket: 'T-0001',
  n: 1,
  prefix: 'shop',
  tool: 'shop.issue_refund',
  arguments: { order_id: 'O-2415', amount: '23.98' },
  origins: {
    '/order_id': { from: 'ticket.text', trust: 'bound' },
    '/amount': { from: 'result', call: 1, trust: 'bound' },
  },
  configuration: 'c'.repeat(64),
  definition: 'd'.repeat(64),
  listed: false,
  asks: null,
};

let folder: string;
let store: Store;
let calls: Calls;
let questions: Questions;
let now: number;
let changes: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-calls-'));
  store = await openStore(join(folder, 'desk.db'));
  now = Date.parse('2026-11-20T10:00:00Z');
  changes = [];
  let count = 0;
  const clock = { now: () => now };
  const random = { hex: (n: number) => (++count).toString(16).padStart(n * 2, '0') };
  calls = createCalls({ store, clock, random, changed: (call) => changes.push(call.state) });
  questions = createQuestions({ store, clock });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function bound(more: Partial<Proposal> = {}) {
  const { configuration, definition, arguments: given } = { ...proposal, ...more };
  return { configuration, definition, arguments: given };
}
async function consented(more: Partial<Proposal> = {}): Promise<string> {
  const call = await calls.propose({ ...proposal, ...more });
  await calls.answer(call.id, { by: staff, answer: 'run', hash: call.hash, scripted: false });
  return call.id;
}
const requestedSchema = { type: 'object', properties: { release: { type: 'boolean' } }, required: ['release'] };
const form = { method: 'elicitation/create', params: { mode: 'form', message: 'Release?', requestedSchema } };
const asks = { inputRequests: { release: form }, requestState: 'v1.\ud83d{"x"}\u0000', role: 'lead' } as const;
async function asked(more: Partial<Proposal> = {}): Promise<string> {
  const id = await consented(more);
  await calls.begin(id, bound(more));
  await calls.ask(id, asks);
  return id;
}
async function answered(more: Partial<Proposal> = {}): Promise<string> {
  const id = await asked(more);
  const [question] = await questions.of(id);
  const yes = { action: 'accept', content: { release: true } } as const;
  await questions.answer(question?.id ?? '', { by: lead, answer: yes, scripted: false });
  return id;
}

/** A call brought to each state by the doors that lead there. */
const reach: Record<Exclude<CallState, 'proposed'>, () => Promise<string>> = {
  asking: async () => (await calls.propose(proposal)).id,
  consented,
  sending: async () => (await calls.begin(await consented(), bound())).id,
  asked,
  answered,
  result: async () => (await calls.settle(await reach.sending(), { outcome: 'result', text: 'done' })).id,
  'tool error': async () => (await calls.settle(await reach.sending(), { outcome: 'tool error' })).id,
  failed: async () => (await calls.settle(await reach.sending(), { outcome: 'failed' })).id,
  unknown: async () => (await calls.settle(await reach.sending(), { outcome: 'unknown' })).id,
  declined: async () => {
    const call = await calls.propose(proposal);
    return (await calls.answer(call.id, { by: staff, answer: 'dont', hash: call.hash, scripted: false })).id;
  },
};
/** Each step, and the states it is legal from. */
const doors: Record<string, { from: CallState[]; go: (id: string) => Promise<unknown> }> = {
  answer: {
    from: ['asking'],
    go: async (id) => calls.answer(id, { by: staff, answer: 'run', hash: (await calls.get(id)).hash, scripted: false }),
  },
  edit: { from: ['asking'], go: (id) => calls.edit(id, staff, { order_id: 'O-1' }) },
  withdraw: { from: ['asking', 'consented'], go: (id) => calls.withdraw(id, 'stopped', staff.id) },
  begin: { from: ['consented'], go: (id) => calls.begin(id, bound()) },
  ask: { from: ['sending'], go: (id) => calls.ask(id, asks) },
  resume: { from: ['answered'], go: (id) => calls.resume(id, bound()) },
  result: { from: ['sending'], go: (id) => calls.settle(id, { outcome: 'result' }) },
  'tool error': { from: ['sending'], go: (id) => calls.settle(id, { outcome: 'tool error' }) },
  'looked up': {
    from: ['unknown'],
    go: (id) => calls.settleUnknown(id, { by: lead, happened: true, why: 'It is there.' }),
  },
  unknown: { from: ['sending', 'asked', 'answered'], go: (id) => calls.settle(id, { outcome: 'unknown' }) },
  failed: { from: ['sending', 'asked', 'answered', 'consented'], go: (id) => calls.settle(id, { outcome: 'failed' }) },
};

describe('the life of a call (host §13)', () => {
  for (const state of callStates) {
    if (state === 'proposed') continue; // never outlives the transaction that makes it
    for (const [name, door] of Object.entries(doors))
      it(`${state}: ${name} is ${door.from.includes(state) ? 'possible' : 'refused and changes nothing'}`, async () => {
        const id = await reach[state]();
        expect((await calls.get(id)).state).toBe(state);
        const before = await calls.get(id);
        if (door.from.includes(state)) {
          await door.go(id);
          return;
        }
        await expect(door.go(id)).rejects.toMatchObject({ name: 'Failure' });
        expect(await calls.get(id)).toEqual(before);
      });
  }

  it('logs each step with who did it, and tells of it after it is stored', async () => {
    const id = await answered();
    const resumed = await calls.resume(id, bound());
    await calls.settle(id, { outcome: 'result', text: 'ok', structured: { refund: 'R-1' }, ms: 41 });
    expect((await calls.events(id)).map(({ from, to, by }) => `${from ?? ''}>${to} ${by}`)).toEqual([
      '>proposed host',
      'proposed>asking host',
      'asking>consented staff-0007',
      'consented>sending host',
      'sending>asked host',
      'asked>answered staff-0002',
      'answered>sending host',
      'sending>result host',
    ]);
    expect(resumed.call.round).toBe(2);
    expect(changes).toEqual(['asking', 'consented', 'sending', 'asked', 'sending', 'result']);
    expect(await calls.get(id)).toMatchObject({ text: 'ok', structured: { refund: 'R-1' }, ms: 41 });
  });

  it('sends back answers and state byte for byte, and forgets the state at the end (host §19)', async () => {
    const id = await answered();
    const resumed = await calls.resume(id, bound());
    expect(resumed.inputResponses).toEqual({ release: { action: 'accept', content: { release: true } } });
    expect(resumed.requestState).toBe(asks.requestState);
    await calls.settle(id, { outcome: 'result' });
    expect(await store.db.selectFrom('call_secrets').selectAll().execute()).toEqual([]);
  });

  it('keeps requestState out of the log (trust, invariant 9)', async () => {
    await answered();
    const log = JSON.stringify(await store.db.selectFrom('call_events').selectAll().execute());
    const listed = JSON.stringify([await calls.list({}), await questions.open()]);
    for (const text of [log, listed]) expect(text).not.toContain('v1.');
  });

  it('answers at once a round that has a state only, and refuses one with neither', async () => {
    const id = await reach.sending();
    const nothing = { inputRequests: {}, role: 'staff' } as const;
    await expect(calls.ask(id, { ...nothing, requestState: null })).rejects.toMatchObject({ code: 'calls.empty' });
    expect((await calls.ask(id, { ...nothing, requestState: 's' })).state).toBe('answered');
  });

  it('fails after ten rounds (host §19)', async () => {
    const id = await reach.sending();
    const again = { inputRequests: {}, requestState: 's', role: 'staff' } as const;
    for (let round = 1; round < 10; round++) {
      await calls.ask(id, again);
      await calls.resume(id, bound());
    }
    expect((await calls.ask(id, again)).state).toBe('answered');
    // The tenth answer goes out too; a question after it is one too many.
    await calls.resume(id, bound());
    expect((await calls.ask(id, again)).state).toBe('failed');
  });

  it('fails after as many rounds as an admin set (trust, "Limits")', async () => {
    const id = await reach.sending();
    const again = { inputRequests: {}, requestState: 's', role: 'staff' } as const;
    const few = createCalls({ store, clock: { now: () => now }, random: { hex: () => 'x' }, rounds: () => 1 });
    expect((await few.ask(id, again)).state).toBe('answered');
    await calls.resume(id, bound());
    expect(await few.ask(id, again)).toMatchObject({ state: 'failed', detail: 'The server asked more than 1 times.' });
  });
});

describe('consent (host §§9–11, trust invariant 3)', () => {
  it('is not asked for a listed tool, unless something speaks for asking', async () => {
    const free = await calls.propose({ ...proposal, listed: true });
    expect(free).toMatchObject({ state: 'consented', consent: { by: 'host', answer: 'run' } });
    const flow = await calls.propose({ ...proposal, listed: true, asks: 'a value came from another server' });
    expect(flow.state).toBe('asking');
    expect(await calls.waiting()).toEqual([flow]);
  });

  const changed: Record<string, Partial<Proposal>> = {
    arguments: { arguments: { order_id: 'O-2415', amount: '500.00' } },
    definition: { definition: 'e'.repeat(64) },
    configuration: { configuration: 'e'.repeat(64) },
  };
  for (const [what, more] of Object.entries(changed))
    it(`is void when the ${what} changed before sending: nothing is sent`, async () => {
      const id = await consented();
      await expect(calls.begin(id, bound(more))).rejects.toMatchObject({ code: 'calls.changed' });
      expect(await calls.get(id)).toMatchObject({
        state: 'failed',
        detail: expect.stringContaining('changed') as string,
      });
      await expect(calls.begin(id, bound())).rejects.toMatchObject({ code: 'calls.spent' });
    });

  it('is void when the stored arguments were changed behind its back', async () => {
    const id = await consented();
    await store.db.updateTable('calls').set({ arguments: '{"order_id":"O-1"}' }).execute();
    await expect(calls.begin(id, bound({ arguments: { order_id: 'O-1' } }))).rejects.toMatchObject({
      code: 'calls.changed',
    });
  });

  it('does not depend on the order of keys', async () => {
    const id = await consented();
    const call = await calls.begin(id, bound({ arguments: { amount: '23.98', order_id: 'O-2415' } }));
    expect(call.state).toBe('sending');
  });

  it('is used once, also when two sends race', async () => {
    const id = await consented();
    const both = await Promise.allSettled([calls.begin(id, bound()), calls.begin(id, bound())]);
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(calls.begin(id, bound())).rejects.toMatchObject({ code: 'calls.spent' });
  });

  it('is spent by a record, not only by the state of the call', async () => {
    const id = await reach.sending();
    await store.db.updateTable('calls').set({ state: 'consented' }).execute();
    await expect(calls.begin(id, bound())).rejects.toMatchObject({ code: 'calls.spent' });
  });

  it('is never shared by two calls with the same arguments', async () => {
    const one = await calls.propose(proposal);
    const two = await calls.propose(proposal);
    expect(one.hash).not.toBe(two.hash);
    const wrong = calls.answer(two.id, { by: staff, answer: 'run', hash: one.hash, scripted: false });
    await expect(wrong).rejects.toMatchObject({ code: 'calls.hash' });
    await calls.answer(one.id, { by: staff, answer: 'run', hash: one.hash, scripted: false });
    expect((await calls.get(two.id)).state).toBe('asking');
  });

  it('goes to who answers first; the second is told who that was', async () => {
    const { id, hash } = await calls.propose(proposal);
    now += 1_500;
    const first = await calls.answer(id, { by: staff, answer: 'dont', hash, scripted: true });
    expect(first.consent).toEqual({ by: 'staff-0007', answer: 'dont', ms: 1_500, scripted: true });
    const second = calls.answer(id, { by: lead, answer: 'run', hash, scripted: false });
    await expect(second).rejects.toThrow(/staff-0007/);
    expect((await calls.get(id)).state).toBe('declined');
  });

  it('is asked anew when a person edits: the old question closes, changed values are theirs (host §11)', async () => {
    const old = await calls.propose(proposal);
    const next = await calls.edit(old.id, staff, { order_id: 'O-2415', amount: '12.00', lines: ['a'] });
    expect(await calls.get(old.id)).toMatchObject({
      state: 'declined',
      detail: expect.stringContaining(next.id) as string,
    });
    expect(next).toMatchObject({ state: 'asking', n: old.n, consent: null });
    expect(next.origins).toEqual({
      '/order_id': proposal.origins['/order_id'],
      '/amount': { from: 'person', trust: 'trusted' },
      '/lines/0': { from: 'person', trust: 'trusted' },
    });
    expect(await calls.latest('r1', 1)).toEqual(next);
    const stale = calls.answer(next.id, { by: staff, answer: 'run', hash: old.hash, scripted: false });
    await expect(stale).rejects.toMatchObject({ code: 'calls.hash' });
  });

  it('asks even for a listed tool once its arguments were edited', async () => {
    const old = await calls.propose({ ...proposal, listed: true, asks: 'a reason' });
    expect((await calls.edit(old.id, staff, { order_id: 'O-1' })).state).toBe('asking');
  });

  it('is refused for arguments that have no canonical form', async () => {
    await expect(calls.propose({ ...proposal, arguments: { a: '\ud83d' } })).rejects.toMatchObject({ name: 'Failure' });
    expect(await calls.list({})).toEqual([]);
  });
});

describe('questions inside a call (host §§19–20)', () => {
  it('wait for the right role and are answered once', async () => {
    const id = await asked();
    const [question] = await questions.of(id);
    const key = question?.id ?? '';
    const decline = { action: 'decline' } as const;
    const asStaff = questions.answer(key, { by: staff, answer: decline, scripted: false });
    await expect(asStaff).rejects.toMatchObject({ code: 'questions.role' });
    expect(await questions.open('staff')).toEqual([]);
    expect(await questions.open('lead')).toHaveLength(1);
    const given = await questions.answer(key, { by: lead, answer: decline, scripted: false });
    expect(given).toMatchObject({ complete: true, question: { by: 'staff-0002', state: 'answered' } });
    const twice = questions.answer(key, { by: lead, answer: decline, scripted: false });
    await expect(twice).rejects.toMatchObject({ code: 'questions.answered' });
  });

  it('go back only when every one of the round is answered', async () => {
    const id = await reach.sending();
    await calls.ask(id, { inputRequests: { a: form, b: form }, requestState: null, role: 'staff' });
    const [one, two] = await questions.of(id);
    const yes = { by: staff, answer: { action: 'cancel' }, scripted: false } as const;
    expect((await questions.answer(one?.id ?? '', yes)).complete).toBe(false);
    await expect(calls.resume(id, bound())).rejects.toMatchObject({ code: 'calls.state' });
    expect((await questions.answer(two?.id ?? '', yes)).complete).toBe(true);
    expect((await calls.resume(id, bound())).requestState).toBeNull();
  });

  it('close with their call', async () => {
    const id = await asked();
    await calls.settle(id, { outcome: 'unknown' });
    expect(await questions.open()).toEqual([]);
  });

  it('do not resume under a changed definition; what an earlier round did is unknown', async () => {
    const id = await answered();
    const swapped = calls.resume(id, bound({ definition: 'e'.repeat(64) }));
    await expect(swapped).rejects.toMatchObject({ code: 'calls.changed' });
    expect((await calls.get(id)).state).toBe('unknown');
  });
});

describe('erasing what old calls held (trust, invariant 6)', () => {
  const admin: Person = { id: 'staff-0001', name: 'Eva', role: 'admin' };
  const kept = async () =>
    JSON.stringify([
      await store.db.selectFrom('calls').selectAll().execute(),
      await store.db.selectFrom('call_events').selectAll().execute(),
      await store.db.selectFrom('questions').selectAll().execute(),
    ]);

  it('spares calls of a run that waits: a person’s answer must still find it', async () => {
    const id = await reach.result();
    const { run } = await calls.get(id);
    const nothing = {
      batch: null,
      ticket: 'T-0001',
      ticket_version: 1,
      why: null,
      ask: null,
      model: 'none',
      playbook: null,
    };
    const fixed = { settings: {}, turns: [], started_at: '2026-11-20T10:00:00.000Z', ended_at: null, ms: null };
    await insertRun(store.db, { id: run, state: 'waiting', ...nothing, ...fixed });
    now += 1_000;
    expect(await calls.erase({ before: new Date(now).toISOString(), by: admin })).toBe(0);
    await updateRun(store.db, run, { state: 'ready' });
    expect(await calls.erase({ before: new Date(now).toISOString(), by: admin })).toBe(1);
  });

  it('is an admin’s, leaves the log whole and itself in it, and spares what is newer or open', async () => {
    const id = await answered();
    await calls.resume(id, bound());
    await calls.settle(id, { outcome: 'result', text: 'secret words' });
    await calls.propose({ ...proposal, arguments: { order_id: 'O-9999' } });
    now += 1_000;
    const before = new Date(now).toISOString();
    await expect(calls.erase({ before, by: lead })).rejects.toMatchObject({ code: 'calls.role' });
    expect(await kept()).toContain('secret words');
    expect(await calls.erase({ before, by: admin })).toBe(1);
    expect(await calls.erase({ before, by: admin })).toBe(0);
    for (const gone of ['secret words', 'O-2415', 'Release?']) expect(await kept()).not.toContain(gone);
    expect(await kept()).toContain('O-9999');
    expect(await calls.verifyChain()).toEqual([]);
    expect((await calls.events(id)).at(-1)).toMatchObject({ from: 'result', to: 'result', by: 'staff-0001' });
  });
});

describe('after a start (host §13)', () => {
  it('what was on the wire is unknown, failed where listed, and the rest waits', async () => {
    const risky = await reach.sending();
    const look = await calls.propose({ ...proposal, listed: true });
    await calls.begin(look.id, bound());
    const waits = await Promise.all([reach.asking(), reach.consented(), reach.asked(), reach.answered()]);
    expect((await calls.recover()).map((call) => call.id).sort()).toEqual([risky, look.id].sort());
    expect((await calls.get(risky)).state).toBe('unknown');
    expect((await calls.get(look.id)).state).toBe('failed');
    const states = await Promise.all(waits.map(async (id) => (await calls.get(id)).state));
    expect(states).toEqual(['asking', 'consented', 'asked', 'answered']);
    await expect(calls.begin(risky, bound())).rejects.toMatchObject({ code: 'calls.spent' });
  });

  it('a question pushed by an older server is over (host §20)', async () => {
    const id = await reach.sending();
    await calls.ask(id, { ...asks, requestState: null, pushed: true });
    await calls.recover();
    expect((await calls.get(id)).state).toBe('unknown');
    expect(await questions.open()).toEqual([]);
  });

  it('every call acknowledged before a kill -9 is there, and the log is whole (trust, invariant 6)', async () => {
    const here = (name: string) => JSON.stringify(join(import.meta.dirname, name));
    const file = join(folder, 'killed', 'desk.db');
    const script = join(folder, 'writer.mjs');
    writeFileSync(
      script,
      `import { randomBytes } from 'node:crypto';
       import { createCalls } from ${here('calls.ts')};
       import { openStore } from ${here('store/open.ts')};
       const store = await openStore(${JSON.stringify(file)});
       const calls = createCalls({ store, clock: { now: Date.now }, random: { hex: (n) => randomBytes(n).toString('hex') } });
       for (let n = 1; ; n++) process.send((await calls.propose({ ...${JSON.stringify(proposal)}, n })).id);`,
    );
    const child = fork(script, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const acknowledged: string[] = [];
    child.on('message', (id) => {
      acknowledged.push(JSON.stringify(id));
      if (acknowledged.length === 40) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const after = await openStore(file);
    try {
      const again = createCalls({ store: after, clock: { now: () => now }, random: { hex: () => 'x' } });
      const kept = new Set((await again.list({})).map((call) => JSON.stringify(call.id)));
      expect(acknowledged.length).toBeGreaterThanOrEqual(40);
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      expect(await again.verifyChain()).toEqual([]);
    } finally {
      await after.close();
    }
  });
});

describe('the chained log (trust, invariant 6)', () => {
  const harms: Record<string, string> = {
    'an edited row': `UPDATE call_events SET by = 'someone' WHERE seq = 3`,
    'an edited payload': `UPDATE call_events SET payload = replace(payload, '23.98', '500.00') WHERE seq = 2`,
    'a gap': 'DELETE FROM call_events WHERE seq = 2',
    'a missing end': 'DELETE FROM call_events WHERE seq = (SELECT max(seq) FROM call_events)',
    'an edited call': `UPDATE calls SET arguments = replace(arguments, '23.98', '500.00')`,
    'a call put back': `UPDATE calls SET state = 'consented'`,
    'an edited consent': `UPDATE consents SET by = 'someone'`,
  };
  for (const [what, harm] of Object.entries(harms))
    it(`shows ${what}`, async () => {
      await reach.result();
      expect(await calls.verifyChain()).toEqual([]);
      await sql.raw(harm).execute(store.db);
      expect(await calls.verifyChain()).not.toEqual([]);
    });

  it('misses words that vanished without an erasure in the log', async () => {
    await reach.result();
    await store.db.updateTable('call_events').set({ payload: null }).where('to_state', '=', 'asking').execute();
    expect((await calls.verifyChain())[0]).toContain('no erasure says so');
  });

  it('covers who consented, that a consent was used, and who answered what', async () => {
    const id = await answered();
    expect(await calls.verifyChain()).toEqual([]);
    const { db } = store;
    const forged: [() => Promise<unknown>, () => Promise<unknown>][] = [
      [
        () => db.updateTable('consents').set({ by: 'staff-0001' }).execute(),
        () => db.updateTable('consents').set({ by: 'staff-0007' }).execute(),
      ],
      [
        () => db.updateTable('consents').set({ spent_at: null }).execute(),
        () => db.updateTable('consents').set({ spent_at: '2026-11-20T10:00:00.000Z' }).execute(),
      ],
      [
        () => db.updateTable('questions').set({ by: 'staff-0001' }).where('call', '=', id).execute(),
        () => db.updateTable('questions').set({ by: 'staff-0002' }).where('call', '=', id).execute(),
      ],
    ];
    for (const [forge, mend] of forged) {
      await forge();
      expect(await calls.verifyChain()).toHaveLength(1);
      await mend();
      expect(await calls.verifyChain()).toEqual([]);
    }
  });

  it('holds the answer to one question of several, before the round is complete', async () => {
    const id = await consented();
    await calls.begin(id, bound());
    await calls.ask(id, { inputRequests: { a: form, b: form }, requestState: null, role: 'staff' });
    const [one] = await questions.of(id);
    const no = { action: 'decline' } as const;
    expect(await questions.answer(one?.id ?? '', { by: staff, answer: no, scripted: false })).toMatchObject({
      complete: false,
    });
    expect((await calls.events(id)).at(-1)).toMatchObject({ from: 'asked', to: 'asked', by: 'staff-0007' });
    expect(await calls.verifyChain()).toEqual([]);
    await store.db.updateTable('questions').set({ by: 'staff-0001' }).where('state', '=', 'answered').execute();
    expect(await calls.verifyChain()).toHaveLength(1);
  });
});

it('a second answer is told whose the first was, by the name of the person and of the tool', async () => {
  await addPerson(store.db, { ...staff, secret: null }, 'now');
  const id = await consented();
  const { hash } = await calls.get(id);
  await expect(calls.answer(id, { by: lead, answer: 'dont', hash, scripted: false })).rejects.toThrow(
    'shop.issue_refund was already answered by Ada (run); it is consented.',
  );
});
