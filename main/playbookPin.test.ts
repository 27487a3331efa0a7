// The playbook in force (spec playbook): a changed file waits for an admin, what was approved stays in force.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from '../shared/people.ts';
import { sha256 } from './mcp/canonical.ts';
import { loadPlaybook, type LoadedPlaybook } from './playbook.ts';
import { createPlaybookPin } from './playbookPin.ts';
import { loadProfile } from './profile.ts';
import { createSettings } from './settings.ts';
import { openStore, type Store } from './store/open.ts';

const demo = path.resolve(import.meta.dirname, '../demo');
const shipped = readFileSync(path.join(demo, 'playbook.json'), 'utf8');
const admin: Person = { id: 'staff-0001', name: 'Ines', role: 'admin' };
const clock = { now: () => Date.parse('2026-06-30T09:00:00Z') };
let folder: string;
let store: Store;
let pin: ReturnType<typeof createPlaybookPin>;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-playbook-'));
  store = await openStore(path.join(folder, 'desk.db'));
  pin = createPlaybookPin({ store, settings: createSettings(store, clock), clock });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
function file(text: string): LoadedPlaybook {
  const place = path.join(folder, 'playbook.json');
  writeFileSync(place, text);
  return loadPlaybook(place);
}
const first = () => file(shipped);
const changed = () => file(shipped.replace('Kind regards', 'Warm regards'));

it('ships approved: the profile names the very text (run `sha256sum demo/playbook.json` after a change)', () => {
  expect(loadProfile(path.join(demo, 'profile.json')).playbook_sha256).toBe(sha256(shipped));
});

describe('a changed playbook', () => {
  it('waits, its difference shown field by field, and the approved one stays in force', async () => {
    expect(changed().text).not.toBe(shipped);
    await pin.inForce(first(), undefined);
    const { playbook, waiting } = await pin.inForce(changed(), undefined);
    expect(playbook.hash).toBe(sha256(shipped));
    expect(waiting?.status).toBe('changed');
    expect(waiting?.difference.length).toBeGreaterThan(0);
    for (const field of waiting?.difference ?? []) {
      expect(field.words?.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(['Warm']);
      expect(field.words?.filter(({ kind }) => kind === 'removed').map(({ text }) => text)).toEqual(['Kind']);
    }
  });

  it('is in force once an admin approved what was shown, and nobody else', async () => {
    await pin.inForce(first(), undefined);
    const now = changed();
    const yes = { hash: now.hash, decision: 'approved', why: null } as const;
    await expect(pin.decide(now, { ...yes, by: { ...admin, role: 'lead' } })).rejects.toMatchObject({
      code: 'pins.role',
    });
    await expect(pin.decide(first(), { ...yes, by: admin })).rejects.toMatchObject({ code: 'pins.changed' });
    expect((await pin.inForce(changed(), undefined)).playbook.hash).toBe(sha256(shipped));
    await pin.decide(changed(), { ...yes, by: admin });
    expect(await pin.inForce(changed(), undefined)).toMatchObject({ playbook: { hash: now.hash }, waiting: null });
  });

  it('that is refused stays out and says so', async () => {
    await pin.inForce(first(), undefined);
    const now = changed();
    await pin.decide(now, { hash: now.hash, decision: 'refused', why: 'Too warm.', by: admin });
    expect(await pin.inForce(changed(), undefined)).toMatchObject({
      playbook: { hash: sha256(shipped) },
      waiting: { status: 'refused' },
    });
  });

  it('is noticed while the desk runs, and once decided says how it stands', async () => {
    const running = (await pin.inForce(first(), undefined)).playbook;
    expect(await pin.look(first(), running)).toBeNull();
    const now = changed();
    expect(await pin.look(now, running)).toMatchObject({ hash: now.hash, status: 'changed', difference: [{}] });
    await pin.decide(now, { hash: now.hash, decision: 'approved', why: null, by: admin });
    expect(await pin.look(now, running)).toMatchObject({ status: 'approved' });
  });

  it('that ships with the desk is taken as approved', async () => {
    await pin.inForce(first(), undefined);
    const now = changed();
    expect(await pin.inForce(now, now.hash)).toMatchObject({ playbook: { hash: now.hash }, waiting: null });
  });
});
