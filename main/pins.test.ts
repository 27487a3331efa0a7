import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import { seenDecision, type Definition } from '../shared/pins.ts';
import { definitionHash } from './mcp/canonical.ts';
import { createPins, type Decision, type Pins } from './pins.ts';
import { openStore, type Store } from './store/open.ts';
import { addPerson } from './store/people.ts';

const admin: Person = { id: 'staff-0001', name: 'Mo', role: 'admin' };
const here = 'c'.repeat(64);
const raw: JsonObject = {
  name: 'find_order',
  description: 'Finds an order.',
  inputSchema: {
    type: 'object',
    properties: {
      order_id: { type: 'string', pattern: '^O-\\d+$' },
      note: { type: 'string' },
      ref: { type: 'string' },
    },
    required: ['order_id'],
  },
};
function defined(more: { name?: string; description?: string } = {}): Definition {
  const whole = { ...raw, ...more };
  return { name: more.name ?? 'find_order', raw: whole, hash: definitionHash(whole), problem: null };
}

let folder: string;
let store: Store;
let pins: Pins;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-pins-'));
  store = await openStore(join(folder, 'desk.db'));
  pins = createPins({ store, clock: { now: () => Date.parse('2026-11-20T10:00:00Z') } });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function status(definitions: Definition[], configuration = here) {
  return (await pins.review('shop', configuration, definitions)).map((one) => one.status);
}
function decide(definition: Definition, more: Partial<Decision> = {}) {
  const hash = definition.hash ?? '';
  return pins.decide({
    prefix: 'shop',
    tool: definition.name,
    by: admin,
    decision: 'approved',
    hash,
    why: null,
    ...more,
  });
}
const changed = defined({ description: 'Finds an order and tells the partner.' });

describe('pins (host §§6–8, trust invariant 5)', () => {
  it('offer nothing before an admin approved it', async () => {
    expect(await status([defined()])).toEqual(['new']);
    expect(await pins.approved('shop', 'find_order', here)).toBeNull();
    await decide(defined());
    expect(await status([defined()])).toEqual(['approved']);
    expect((await pins.approved('shop', 'find_order', here))?.hash).toBe(defined().hash);
  });

  it('take a decision from an admin only', async () => {
    await status([defined()]);
    for (const role of ['staff', 'lead'] as const)
      await expect(decide(defined(), { by: { ...admin, role } })).rejects.toMatchObject({ code: 'pins.role' });
    expect(await status([defined()])).toEqual(['new']);
  });

  it('withdraw a tool whose definition changed, and keep the old one on display', async () => {
    await status([defined()]);
    await decide(defined());
    const [reviewed] = await pins.review('shop', here, [changed]);
    expect(reviewed).toMatchObject({ status: 'changed', pin: { raw } });
    expect(reviewed?.difference?.map((one) => one.field)).toEqual(['description']);
    expect(await pins.approved('shop', 'find_order', here)).toBeNull();
  });

  it('withdraw a tool whose server configuration changed (host §8)', async () => {
    await status([defined()]);
    await decide(defined());
    expect(await pins.approved('shop', 'find_order', 'f'.repeat(64))).toBeNull();
    expect(await status([defined()], 'f'.repeat(64))).toEqual(['changed']);
    expect(await pins.approved('shop', 'find_order', here)).toBeNull();
  });

  it('refuse a decision on something else than what was looked at', async () => {
    await status([defined()]);
    await status([changed]);
    await expect(decide(defined())).rejects.toMatchObject({ code: 'pins.changed' });
  });

  it('refuse a decision where another one came since it was looked at, and say whose (two admins at once)', async () => {
    await addPerson(store.db, { id: 'staff-0002', name: 'Ida Berg', role: 'admin', secret: null }, 'now');
    await status([defined()]);
    const first = await decide(defined(), { by: { ...admin, id: 'staff-0002' }, seen: null });
    const late = decide(defined(), { decision: 'refused', seen: null });
    await expect(late).rejects.toMatchObject({
      code: 'pins.decided',
      message: expect.stringMatching(/^Ida Berg approved shop.find_order just now/) as string,
    });
    expect(await status([defined()])).toEqual(['approved']);
    await decide(defined(), { decision: 'refused', seen: seenDecision(first) });
    expect(await status([defined()])).toEqual(['refused']);
  });

  it('count removed and reappearing tools', async () => {
    await status([defined()]);
    await decide(defined());
    expect(await status([])).toEqual(['removed']);
    await expect(decide(defined())).rejects.toMatchObject({ code: 'pins.none' });
    const [back] = await pins.review('shop', here, [defined()]);
    expect(back).toMatchObject({ status: 'changed', difference: [{ field: 'presence' }] });
    expect(await pins.approved('shop', 'find_order', here)).toBeNull();
    await decide(defined());
    expect(await status([defined()])).toEqual(['approved']);
  });

  it('keep since when a definition is as it is, and what had changed before each decision', async () => {
    let at = Date.parse('2026-11-20T10:00:00Z');
    pins = createPins({ store, clock: { now: () => at } });
    const since = async (...definitions: Definition[]) => (await pins.review('shop', here, definitions))[0]?.since;
    expect(await since(defined())).toBe('2026-11-20T10:00:00.000Z');
    await decide(defined());
    at += 60_000;
    expect(await since(defined())).toBe('2026-11-20T10:00:00.000Z');
    expect(await since(changed)).toBe('2026-11-20T10:01:00.000Z');
    await decide(changed);
    at += 60_000;
    expect(await since()).toBe('2026-11-20T10:02:00.000Z');
    expect((await pins.history('shop', 'find_order')).map((one) => one.changed)).toEqual([[], ['description']]);
  });

  it('overwrite nothing: the newest decision wins and all are kept', async () => {
    await status([defined()]);
    await decide(defined());
    await decide(defined(), { decision: 'refused', why: 'too broad' });
    expect(await status([defined()])).toEqual(['refused']);
    const history = await pins.history('shop', 'find_order');
    expect(history.map(({ decision, by, why }) => [decision, by, why])).toEqual([
      ['approved', 'staff-0001', null],
      ['refused', 'staff-0001', 'too broad'],
    ]);
  });

  it('park one bad tool alone, and a name that stands twice (trust, invariant 1)', async () => {
    const bad = { ...defined({ name: 'bad' }), hash: null, problem: 'half of a surrogate pair' };
    const twice = defined({ name: 'twice' });
    const reviewed = await pins.review('shop', here, [bad, defined(), twice, twice]);
    expect(reviewed.map((one) => [one.definition.name, one.status])).toEqual([
      ['bad', 'parked'],
      ['find_order', 'new'],
      ['twice', 'parked'],
    ]);
    await expect(decide(bad)).rejects.toMatchObject({ code: 'pins.parked' });
  });

  it('clear the no-side-effects entry when the definition changes (host §9)', async () => {
    await status([defined()]);
    await decide(defined(), { noSideEffects: true });
    expect((await decide(defined())).no_side_effects).toBe(true);
    await status([changed]);
    expect((await decide(changed)).no_side_effects).toBe(false);
  });

  it('point out free text and guess its mark, an admin may say otherwise', async () => {
    const [reviewed] = await pins.review('shop', here, [defined()]);
    expect(reviewed?.freeText).toEqual([
      { pointer: '/note', guess: 'prose', required: false },
      { pointer: '/ref', guess: 'reference', required: false },
    ]);
    expect((await decide(defined())).marks).toEqual({ '/note': 'prose', '/ref': 'reference' });
    await decide(defined(), { marks: { '/ref': 'prose', '/gone': 'prose' } });
    expect((await decide(defined())).marks).toEqual({ '/note': 'prose', '/ref': 'prose' });
  });
});

describe('definitions that ship approved (host §6)', () => {
  const clean = { tool: 'find_order', hash: defined().hash ?? '', no_side_effects: true };

  it('are adopted only with the clean hash', async () => {
    expect(await pins.adopt('shop', here, [clean], [changed])).toEqual([]);
    expect(await status([changed])).toEqual(['new']);
    expect(await pins.adopt('shop', here, [clean], [defined()])).toEqual(['find_order']);
    const pin = await pins.approved('shop', 'find_order', here);
    expect(pin).toMatchObject({ by: 'shipped', no_side_effects: true, marks: { '/note': 'prose' } });
    expect(await pins.adopt('shop', here, [clean], [defined()])).toEqual([]);
    expect(await status([changed])).toEqual(['changed']);
  });

  it('never undo what a person decided', async () => {
    await status([defined()]);
    await decide(defined(), { decision: 'refused' });
    expect(await pins.adopt('shop', here, [clean], [defined()])).toEqual([]);
    expect(await status([defined()])).toEqual(['refused']);
  });
});
