import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accepting,
  answering,
  changed,
  refusedState,
  runToEnd,
  startServer,
  type StartedServer,
} from './startedServers.ts';
import { temporaryFolder } from './startedPrograms.ts';

const folder = temporaryFolder();
const env = { DEPLOYS_DATA: folder.path, DEPLOYS_CLOCK: '2026-06-30T09:00:00Z' };
let deploys: StartedServer;
beforeAll(async () => {
  deploys = await startServer('deploys', { env });
});
afterAll(async () => {
  await deploys.close();
  folder.remove();
});

const deploy = (service: string, more: Record<string, unknown> = {}, on: StartedServer = deploys) =>
  on.call('deploy', { service, env: 'production' }, more);
/** What was really deployed, from the server's own table. */
function deployed(service: string): unknown[] {
  const db = new Database(join(folder.path, 'deploys.db'), { readonly: true });
  try {
    return db.prepare('SELECT service, env FROM deployments WHERE service = ?').all(service);
  } finally {
    db.close();
  }
}
const notDeployed = { env: 'production', status: 'not_deployed', deployment_id: null, deployed_at: null };
const yes = accepting({ approve: true });

describe('deploy (servers, table)', () => {
  it('asks for one boolean without a default, and deploys nothing before the answer', async () => {
    const { forms } = await deploy('labels-a');
    expect(forms).toEqual({
      approval: {
        message: 'Deploy labels-a to production?',
        schema: {
          type: 'object',
          properties: {
            approve: {
              type: 'boolean',
              title: expect.any(String) as string,
              description: expect.any(String) as string,
            },
          },
          required: ['approve'],
        },
      },
    });
    expect(deployed('labels-a')).toEqual([]);
  });
  it('deploys on accept with true, once however often that answer comes', async () => {
    const { state } = await deploy('labels-b');
    const first = await deploy('labels-b', answering(state, 'approval', yes));
    expect(first.structured).toMatchObject({
      service: 'labels-b',
      env: 'production',
      status: 'deployed',
      deployment_id: expect.stringMatching(/^DP-\d{4}$/) as string,
    });
    expect(await deploy('labels-b', answering(state, 'approval', yes))).toEqual(first);
    expect(deployed('labels-b')).toEqual([{ service: 'labels-b', env: 'production' }]);
    expect((await deploy('labels-b')).asked).toBe(true);
  });
  it.each([
    ['accept with false', accepting({ approve: false })],
    ['decline', { action: 'decline' }],
    ['cancel', { action: 'cancel' }],
  ])('deploys nothing on %s, says so, and a later yes to that question changes nothing', async (_name, said) => {
    const { state } = await deploy('labels-c');
    const kept = await deploy('labels-c', answering(state, 'approval', said));
    expect(kept).toMatchObject({ isError: false, structured: { service: 'labels-c', ...notDeployed } });
    expect(kept.text).toContain('labels-c was not deployed to production.');
    expect(await deploy('labels-c', answering(state, 'approval', yes))).toEqual(kept);
    expect(deployed('labels-c')).toEqual([]);
  });
  it.each([[{ action: 'accept' }], [accepting({})], [accepting({ approve: 'true' })], [accepting({ approve: 1 })]])(
    'calls the malformed answer %j a protocol error and deploys nothing (servers 5)',
    async (said) => {
      const { state } = await deploy('labels-d');
      await expect(deploy('labels-d', answering(state, 'approval', said))).rejects.toMatchObject({ code: -32602 });
      expect(deployed('labels-d')).toEqual([]);
    },
  );
  it('asks again where the answer or the state is missing', async () => {
    const { state } = await deploy('labels-e');
    expect((await deploy('labels-e', { requestState: state })).asked).toBe(true);
    expect((await deploy('labels-e', { inputResponses: { approval: yes } })).asked).toBe(true);
    expect(deployed('labels-e')).toEqual([]);
  });
  it('refuses a changed state and one for another service or environment with one message (servers 5)', async () => {
    const { state } = await deploy('labels-f');
    const said = answering(state, 'approval', yes);
    const refused = (call: Promise<unknown>) => expect(call).rejects.toMatchObject(refusedState);
    await refused(deploy('labels-f', answering(changed(state), 'approval', yes)));
    await refused(deploy('labels-g', said));
    await refused(deploys.call('deploy', { service: 'labels-f', env: 'staging' }, said));
    expect([...deployed('labels-f'), ...deployed('labels-g')]).toEqual([]);
  });
  it('is finished after a restart between asking and answering', async () => {
    const first = await startServer('deploys', { env });
    const { state } = await deploy('labels-h', {}, first);
    await first.close();
    const second = await startServer('deploys', { env });
    const done = await deploy('labels-h', answering(state, 'approval', yes), second);
    await second.close();
    expect(done.structured).toMatchObject({ status: 'deployed' });
    expect(deployed('labels-h')).toHaveLength(1);
  });
  it('deploys once when two servers on one folder get the same yes at once', async () => {
    const other = await startServer('deploys', { env });
    const { state } = await deploy('labels-i');
    const said = answering(state, 'approval', yes);
    const both = await Promise.all([deploy('labels-i', said), deploy('labels-i', said, other)]);
    await other.close();
    expect(both[1].structured).toEqual(both[0].structured);
    expect(deployed('labels-i')).toHaveLength(1);
  });
});

describe('the server', () => {
  it('names all wrong arguments at once (servers 2), and claims what is true', async () => {
    const wrong = await deploys.call('deploy', { service: 'Labels; rm', env: 'prod' });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(/service: must be .*, not "Labels; rm"\. env: must be one of .*, not "prod"\./);
    const { tools } = await deploys.client.listTools();
    expect(tools.map(({ annotations }) => annotations)).toEqual([
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    ]);
  });
  it('says in one sentence what is wrong with its settings, and ends with its stdin', () => {
    expect(runToEnd('deploys', {})).toMatchObject({ status: 2, stderr: 'deploys: DEPLOYS_DATA is not set.' });
    expect(runToEnd('deploys', env).status).toBe(0);
  });
});
