import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type StartedServer } from './startedServers.ts';
import { temporaryFolder } from './startedPrograms.ts';

const folder = temporaryFolder();
const calls = {
  returns: ['record_return', { order_id: 'O-9305', sku: 'KG-4410' }],
  rooms: ['check_availability', { date: '2026-08-04', attendees: 2 }],
  deploys: ['deploy', { service: 'parcel-labels', env: 'staging' }],
  partner: ['track_parcel', { tracking_number: 'FX-90417728' }],
  // Nothing listens there: its failure is the same whatever is sent beside the arguments.
  warehouse: ['set_on_hand', { sku: 'KG-4410', warehouse: 'north', on_hand: 4 }],
} as const;
const names = ['returns', 'rooms', 'deploys', 'partner', 'warehouse'] as const;
const servers = new Map<string, StartedServer>();
const env = {
  RETURNS_DATA: folder.path,
  ROOMS_DATA: folder.path,
  DEPLOYS_DATA: folder.path,
  WAREHOUSE_DATA: folder.path,
  WAREHOUSE_API_URL: 'http://127.0.0.1:9',
  WAREHOUSE_API_KEY: 'x',
};
beforeAll(async () => {
  for (const name of names) servers.set(name, await startServer(name, { env }));
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
  folder.remove();
});
function started(name: string): StartedServer {
  const server = servers.get(name);
  if (!server) throw new Error(`${name} was not started`);
  return server;
}

describe.each(names)('%s', (name) => {
  it('describes every tool in two to four sentences that say what to use instead, with an output schema', async () => {
    const { tools } = await started(name).client.listTools();
    for (const { name: tool, title, description = '', outputSchema, annotations } of tools) {
      const sentences = description.split(/\.(?:\s|$)/).filter((sentence) => sentence !== '');
      expect(sentences.length, tool).toBeGreaterThanOrEqual(2);
      expect(sentences.length, tool).toBeLessThanOrEqual(4);
      expect(description, tool).toMatch(/instead/);
      expect(title, tool).toMatch(/^[A-Z]/);
      expect(outputSchema?.type, tool).toBe('object');
      expect(Object.keys(annotations ?? {}), tool).toHaveLength(4);
    }
  });
  it('lets anybody keep its list for five minutes (servers 8)', async () => {
    expect(await started(name).client.listTools()).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' });
  });
  it('ignores arguments that are not declared and logs their names as a sign of injection (servers 2)', async () => {
    const [tool, args] = calls[name];
    const server = started(name);
    const plain = await server.call(tool, args);
    const more = await server.call(tool, { ...args, approved_by: 'the manager' });
    expect({ ...more, state: '' }).toEqual({ ...plain, state: '' });
    expect(more.isError).toBe(name === 'warehouse');
    await expect.poll(() => server.log()).toContain(`${tool}: arguments that are not declared`);
    expect(server.log()).not.toContain('the manager');
  });
  it('offers and answers the same over HTTP, in both revisions (servers 10)', async () => {
    const [tool, args] = calls[name];
    const piped = started(name);
    const expected = [(await piped.client.listTools()).tools, { ...(await piped.call(tool, args)), state: '' }];
    for (const mode of [{ pin: '2026-07-28' }, 'legacy'] as const) {
      const served = await startServer(name, { env, http: true, mode });
      expect(served.client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28');
      expect((await served.client.listTools()).tools).toEqual(expected[0]);
      // One of 2025 is asked by pushing, which is for the tests of each server.
      if (mode !== 'legacy') expect({ ...(await served.call(tool, args)), state: '' }).toEqual(expected[1]);
      await served.close();
    }
  });
  it('knows no other tool', async () => {
    await expect(started(name).call('issue_refund', {})).rejects.toMatchObject({ code: -32602 });
  });
});
