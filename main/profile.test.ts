// The sample company's profile as it ships: what its placeholders stand for, and that what it approves is what is offered.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from '../shared/json.ts';
import type { Definition } from '../shared/pins.ts';
import type { ServerConfig } from '../shared/servers.ts';
import { configurationHash } from './mcp/configuration.ts';
import { createConnection } from './mcp/connection.ts';
import { createPlaceholders, loadProfile } from './profile.ts';
import { readViews } from './views.ts';

const profileFile = path.resolve(import.meta.dirname, '../demo/profile.json');
const data = mkdtempSync(path.join(tmpdir(), 'desk-profile-'));
afterAll(() => rmSync(data, { recursive: true, force: true }));
const profile = loadProfile(profileFile);

function fill(environment: Record<string, string>) {
  const clock = '2026-06-30T09:00:00Z';
  const placeholders = createPlaceholders({ data, profileFile, clock }, { hex: () => 'secret' }, environment);
  placeholders.started('api', 'http://127.0.0.1:9');
  return placeholders;
}
function configured(prefix: string): ServerConfig {
  const found = profile.servers.find((server) => server.prefix === prefix);
  if (found === undefined) throw new Error(`the profile has no ${prefix}`);
  return found;
}

describe('{env:NAME:default} in a profile', () => {
  function filled(text: string, environment: Record<string, string>): string {
    return fill(environment).program({ command: 'x', args: [text], env: {} }).args[0] ?? '';
  }
  it("is the desk's own variable, else the default", () => {
    expect(filled('--release={env:SOME_RELEASE:1.0-beta_2}!', { SOME_RELEASE: 'updated' })).toBe('--release=updated!');
    expect(filled('--release={env:SOME_RELEASE:1.0-beta_2}!', {})).toBe('--release=1.0-beta_2!');
    expect(filled('{env:SOME_RELEASE:clean}', { SOME_RELEASE: '' })).toBe('clean');
    expect(filled('[{env:SOME_RELEASE:}]', {})).toBe('[]');
  });
  it('puts its value in as it is: nothing in that is a placeholder again', () => {
    expect(filled('{env:A:x}', { A: '{secret:api}$&' })).toBe('{secret:api}$&');
  });
  it.each(['{env:lower:x}', '{env:A}', '{env:A:a b}', '{env:A:{data}}'])('leaves %s as it is', (text) => {
    expect(filled(text, { A: 'set', lower: 'set' })).toContain('{env:');
  });
});

describe('partner in the profile of the sample company', () => {
  it('is started in the release the variable names, clean without one, and stays the same server (spec host §8)', () => {
    const partner = configured('partner');
    const before = configurationHash(partner);
    expect(fill({}).server(partner)).toMatchObject({ args: [expect.any(String), '--release', 'clean'] });
    const updated = fill({ PARTNER_RELEASE: 'updated' }).server(partner);
    expect(updated).toMatchObject({ args: [expect.any(String), '--release', 'updated'] });
    expect(configurationHash(updated)).not.toBe(before);
    expect(configurationHash(configured('partner'))).toBe(before);
  });
  it('ships with nothing approved, trusted or free of side effects', () => {
    expect(configured('partner')).toMatchObject({
      enabled: true,
      trusted: false,
      system_of_record: false,
      no_side_effects: [],
      context: {},
    });
    expect(configured('partner')).not.toHaveProperty('bundled');
    expect(profile.approved).not.toHaveProperty('partner');
  });
});

describe('bundled servers', () => {
  it('ship approved exactly as they are offered (spec host §6)', async () => {
    const clock = { now: () => Date.now() };
    for (const config of profile.servers.filter((server) => server.bundled !== undefined)) {
      const connection = createConnection(fill({}).server(config), { clock, eras: new Map<string, Json>() });
      try {
        await connection.start();
        const offered = await connection.tools();
        const shown = (all: Definition[]) => all.map(({ name, hash }) => ({ tool: name, hash }));
        const hashes = shown(offered);
        expect(shown(await connection.prompts())).toEqual(profile.approved[`${config.prefix}/prompts`] ?? []);
        expect(shown(await connection.templates())).toEqual(profile.approved[`${config.prefix}/templates`] ?? []);
        const byTool = (one: { tool: string }, other: { tool: string }) => (one.tool < other.tool ? -1 : 1);
        expect(hashes.sort(byTool), config.prefix).toEqual(profile.approved[config.prefix]?.toSorted(byTool));
        expect(hashes.length).toBeGreaterThan(0);
        const views = (await readViews(connection)).map(({ name, hash }) => ({ tool: name, hash }));
        expect(views, `${config.prefix}/views`).toEqual(profile.approved[`${config.prefix}/views`] ?? []);
        const names = hashes.map(({ tool }) => tool);
        for (const tool of [...config.no_side_effects, ...Object.keys(config.question_roles)])
          expect(names, config.prefix).toContain(tool);
      } finally {
        await connection.close();
      }
    }
  });
});
