// A bundled server that comes up after the start, as it was switched on or slow: what it ships with is adopted then (host §8).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHost, type Host } from './host.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'adoption-'));
let host: Host;
const said: string[] = [];
beforeAll(async () => {
  const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
  host = await createHost({ data: folder, profileFile, servers: true, say: (words) => said.push(words) });
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

it('offers the tools of a server that is switched on as they ship, and says so to who looks', async () => {
  const told: string[] = [];
  host.events.listen((event) => {
    if (event.feature === 'pins') told.push(event.id);
  });
  await host.settings.switchServer('warehouse', true);
  await host.refreshServer('warehouse');
  const offered = async () =>
    (await host.servers.offered()).tools.filter(({ prefix }) => prefix === 'warehouse').map(({ tool }) => tool);
  await expect.poll(offered).toContain('recount_stock');
  const shipped = host.profile.approved['warehouse'] ?? [];
  const approved = (await host.servers.review('warehouse')).filter(({ status }) => status === 'approved');
  expect(approved.map(({ definition }) => definition.name).sort()).toEqual(shipped.map(({ tool }) => tool).sort());
  await expect.poll(() => told).toContain('warehouse');
  expect(said).toEqual([]);
});
