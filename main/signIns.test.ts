// Signing in by a person's word (spec oauth §4): shown first, opened when they say so, for them alone, and told how it went.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Person } from '../shared/people.ts';
import { serverConfig, type ServerConfig } from '../shared/servers.ts';
import { startStand, type Stand } from './mcp/oauthStand.ts';
import { memorySecrets } from './ports.ts';
import { createSignIns, type SignIns } from './signIns.ts';

const staff: Person = { id: 'staff-0007', name: 'Mara', role: 'staff' };
const lead: Person = { id: 'staff-0002', name: 'Tomas', role: 'lead' };
let stand: Stand;
let opened: string[];
let told: [string, boolean][];
let signIns: SignIns;
beforeEach(async () => {
  stand = await startStand();
  opened = [];
  told = [];
  let drawn = 0;
  signIns = createSignIns({
    secrets: memorySecrets(),
    clock: { now: () => 1_700_000_000_000 },
    random: { hex: (n) => (++drawn).toString(16).padStart(n * 2, '0') },
    openUrl: (url) => opened.push(url),
    changed: (prefix, done) => told.push([prefix, done]),
  });
});
afterEach(async () => {
  signIns.close();
  await stand.close();
});
function config(oauth: object | undefined): ServerConfig {
  return serverConfig.parse({ prefix: 'far', kind: 'http', url: stand.url, ...(oauth && { oauth }) });
}
async function throughBrowser(url: string): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual' });
  await fetch(answer.headers.get('location') ?? '');
}
/** As a view that looks again with every event. */
async function over(): Promise<void> {
  while ((await signIns.state('far')).page !== null) await new Promise((resolve) => setImmediate(resolve));
}

it('shows the page, opens it when its person says so, and tells under whom the server is asked', async () => {
  const { signIn } = signIns.access(config({ issuers: [stand.at], registration: true }));
  const page = await signIns.begin('far', staff);
  expect(page).toMatchObject({
    by: 'staff-0007',
    issuer: stand.at,
    client: 'registered on the spot',
    host: '127.0.0.1',
    warnings: expect.arrayContaining([expect.stringMatching(/bare number address/)]) as string[],
  });
  expect(opened).toEqual([]);
  expect(stand.of('/authorize')).toEqual([]);
  expect(() => signIns.visit('far', lead)).toThrow(/is for staff-0007; begin a sign-in of your own/);
  expect(signIns.visit('far', staff)).toEqual({ url: page?.url, opened: true });
  expect(opened).toEqual([page?.url]);
  await throughBrowser(page?.url ?? '');
  await over();
  expect(await signIns.state('far')).toMatchObject({
    ready: true,
    problem: null,
    as: { person: 'staff-0007' },
    lasting: false,
  });
  expect(told.at(-1)).toEqual(['far', true]);
  expect(await signIn?.token()).toBe('the-token');
  // No view is given the token.
  expect(JSON.stringify([page, await signIns.state('far'), told])).not.toContain('the-token');
  expect(await signIns.begin('far', staff).catch(String)).toMatchObject({ by: 'staff-0007' });
});

it('a sign-in begun anew ends the one before; what came to nothing is told', async () => {
  signIns.access(config({ issuers: [stand.at], registration: true }));
  const first = await signIns.begin('far', staff);
  const second = await signIns.begin('far', lead);
  expect(second?.by).toBe('staff-0002');
  expect(second?.url).not.toBe(first?.url);
  expect(() => signIns.visit('far', staff)).toThrow(/is for staff-0002/);
  signIns.access(config({ issuers: ['https://login.example'] }));
  await expect(signIns.begin('far', staff)).rejects.toMatchObject({ code: 'servers.issuer' });
  expect((await signIns.state('far')).problem).toMatch(/which no admin has allowed/);
});

it('a server that is not set up for it says what an admin does', async () => {
  expect(signIns.access(config(undefined))).toEqual({});
  await expect(signIns.begin('far', staff)).rejects.toThrow(/An admin gives its configuration an "oauth" part/);
  expect((await signIns.state('far')).ready).toBe(false);
});
