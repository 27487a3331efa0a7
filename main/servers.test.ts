import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Json } from '../shared/json.ts';
import { serverConfig, type ServerStatus } from '../shared/servers.ts';
import { createConnection } from './mcp/connection.ts';
import { createPins } from './pins.ts';
import { createServers, type Servers } from './servers.ts';
import { openStore, type Store } from './store/open.ts';

let folder: string;
let store: Store;
let servers: Servers;
let starts: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-servers-'));
  store = await openStore(join(folder, 'desk.db'));
  starts = 0;
  const program = { kind: 'stdio', command: process.execPath, args: ['-e', 'process.exit(3)'] };
  const dies = serverConfig.parse({ prefix: 'dies', ...program });
  const clock = { now: () => Date.parse('2026-11-20T10:00:00Z') };
  const limits = { backoffMs: 0, backoffMaxMs: 0 };
  const onStatus = ({ state }: ServerStatus) => void (starts += state === 'starting' ? 1 : 0);
  const connect = () => createConnection(dies, { clock, eras: new Map<string, Json>(), limits, onStatus });
  servers = createServers([dies], { pins: createPins({ store, clock }), connect });
});
afterEach(async () => {
  await servers.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a server that exits at once is started five times more by whoever lists it, then only by a person (spec trust, "Limits")', async () => {
  for (let times = 0; times < 9; times++) await expect(servers.review('dies')).rejects.toThrow();
  expect(starts).toBe(6);
  await expect(servers.review('dies')).rejects.toThrow('not started again by itself');
  await expect(servers.review('dies', { anew: true })).rejects.toThrow();
  expect(starts).toBe(7);
});
