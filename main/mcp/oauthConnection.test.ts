// A connection to a server that wants sign-in: what it says before, that a token goes nowhere but into the header, and what
// becomes of a call when the token does not count any more (spec oauth §6, trust invariant 9).
import { afterEach, expect, it } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { serverConfig } from '../../shared/servers.ts';
import { memorySecrets } from '../ports.ts';
import { createConnection, type Connection } from './connection.ts';
import { defaultLimits } from './limits.ts';
import { createSignIn } from './oauth.ts';
import { startStand, type Stand } from './oauthStand.ts';

let stand: Stand | undefined;
let one: Connection | undefined;
afterEach(async () => {
  await one?.close();
  await stand?.close();
});

it('asks for sign-in in words, works once somebody signed in, and waits when the token is not taken any more', async () => {
  let takes: string | null = 'the-token';
  const here = await startStand({ takes: () => takes });
  stand = here;
  const clock = { now: () => Date.now() };
  const wire: string[] = [];
  let drawn = 0;
  const signIn = createSignIn({
    url: here.url,
    config: { issuers: [here.at], registration: true },
    limits: defaultLimits,
    secrets: memorySecrets(),
    clock,
    random: { hex: (n) => (++drawn).toString(16).padStart(n * 2, '0') },
    async visit(page) {
      const answer = await fetch(page.url, { redirect: 'manual' });
      await fetch(answer.headers.get('location') ?? '');
    },
  });
  const config = serverConfig.parse({ prefix: 'far', kind: 'http', url: here.url });
  const eras = new Map<string, Json>();
  const desk = createConnection(config, { clock, eras, signIn, onWire: (_, text) => wire.push(text) });
  one = desk;
  await expect(desk.start()).rejects.toMatchObject({
    code: 'servers.signin',
    data: { challenge: { kind: 'sign-in', scope: 'go' } },
  });
  expect(desk.status()).toMatchObject({
    state: 'failed',
    problem: 'far did not start: it asks for sign-in. Sign in with: desk servers sign-in far',
  });
  // Asked as often as a person likes: that costs nothing of what restarts are for.
  for (let times = 0; times < 7; times++) await expect(desk.tools()).rejects.toMatchObject({ code: 'servers.signin' });
  await desk.signIn('staff-0007');
  expect(await desk.signedInAs()).toBe('staff-0007');
  expect((await desk.tools()).map((tool) => tool.name)).toEqual(['go']);
  expect(await desk.call({ tool: 'go', arguments: {} })).toMatchObject({ kind: 'result', text: 'gone' });
  expect(here.of('/mcp').at(-1)?.authorization).toBe('Bearer the-token');

  takes = 'another';
  const refused = await desk.call({ tool: 'go', arguments: {} });
  expect(refused).toMatchObject({ kind: 'not sent', challenge: { kind: 'sign-in' }, reason: 'it asks for sign-in' });
  expect(await signIn.token()).toBeNull();
  // Once is all a token that is not taken is shown.
  await desk.call({ tool: 'go', arguments: {} });
  expect(here.of('/mcp').at(-1)?.authorization).toBeUndefined();
  expect(wire.length).toBeGreaterThan(10);
  expect(JSON.stringify([wire, desk.status(), [...eras], refused])).not.toContain('the-token');
});
