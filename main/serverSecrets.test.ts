import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { serverConfig } from '../shared/servers.ts';
import { memorySecrets, type Secrets } from './ports.ts';
import { createServerSecrets } from './serverSecrets.ts';
import { createSettings } from './settings.ts';
import { openStore } from './store/open.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = { now: () => 0 };
const config = serverConfig.parse({
  prefix: 'mail',
  kind: 'stdio',
  command: 'mail-server',
  env: { API_KEY: 'k-4711-very-secret', TOKEN: '{env:MAIL_TOKEN:}', HOST: 'mail.example' },
  secrets: ['API_KEY', 'TOKEN'],
});

async function settingsOn(file: string, secrets: Secrets) {
  const said: string[] = [];
  const store = await openStore(path.join(folder, file));
  const settings = createSettings(
    store,
    clock,
    createServerSecrets(secrets, (words) => said.push(words)),
  );
  return { settings, said, store };
}

describe('secrets of added servers (spec trust 9)', () => {
  it('are nowhere in the database; the server gets them all the same', async () => {
    const { settings, store } = await settingsOn('bytes.db', memorySecrets());
    await settings.addServer(config, []);
    expect(await settings.servers()).toEqual([config]);
    await store.close();
    const bytes = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'));
    expect(bytes.join('')).toContain('mail.example');
    expect(bytes.join('')).not.toContain('k-4711');
  });

  it('in memory are said to be so, once, and gone with the desk', async () => {
    const first = await settingsOn('memory.db', memorySecrets());
    await first.settings.addServer(config, []);
    expect(first.said).toEqual([expect.stringContaining('API_KEY of server “mail” is kept in memory only')]);
    await first.store.close();
    const next = await settingsOn('memory.db', memorySecrets());
    const [found] = await next.settings.servers();
    await next.settings.servers();
    expect(found).toMatchObject({ env: { API_KEY: '', TOKEN: '{env:MAIL_TOKEN:}', HOST: 'mail.example' } });
    expect(next.said).toEqual([expect.stringContaining('API_KEY of server “mail” is not known any more')]);
    await next.store.close();
  });

  it('in a key store outlive the desk, and go with their server', async () => {
    const keys: Secrets = { ...memorySecrets(), lasting: true };
    const first = await settingsOn('lasting.db', keys);
    await first.settings.addServer(config, []);
    expect(first.said).toEqual([]);
    await first.store.close();
    const next = await settingsOn('lasting.db', keys);
    expect(await next.settings.servers()).toEqual([config]);
    await next.settings.removeServer('mail');
    expect(await keys.get('server mail API_KEY')).toBeNull();
    await next.store.close();
  });
});
