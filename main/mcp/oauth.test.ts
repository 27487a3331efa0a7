// Signing in to servers (spec oauth), over real HTTP on this computer: the good case beside each bad one.
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import type { OauthConfig } from '../../shared/servers.ts';
import { memorySecrets, type Secrets } from '../ports.ts';
import { defaultLimits } from './limits.ts';
import { createSignIn, type SignIn, type SignInDeps, type SignInPage } from './oauth.ts';
import type { Challenge } from './oauthChallenge.ts';
import { secretKeyOf } from './oauthClient.ts';
import { startStand, type Stand, type StandOptions } from './oauthStand.ts';

const stands: Stand[] = [];
afterEach(async () => {
  await Promise.all(stands.splice(0).map((one) => one.close()));
});
async function stand(options: StandOptions = {}): Promise<Stand> {
  const one = await startStand(options);
  stands.push(one);
  return one;
}
async function browser(page: SignInPage): Promise<void> {
  let next = page.url;
  for (let hops = 0; hops < 4; hops++) {
    const answer = await fetch(next, { redirect: 'manual' });
    const location = answer.headers.get('location');
    if (location === null) return;
    next = location;
  }
}
let now = 1_700_000_000_000;
let drawn = 0;
interface Desk {
  signing: SignIn;
  pages: SignInPage[];
  config: OauthConfig;
  secrets: Secrets;
}
function desk(of: Stand, config: Partial<OauthConfig> = {}, more: Partial<SignInDeps> = {}): Desk {
  const pages: SignInPage[] = [];
  const full: OauthConfig = { issuers: [of.at], registration: true, ...config };
  const secrets = more.secrets ?? memorySecrets();
  const signing = createSignIn({
    url: of.url,
    config: full,
    limits: defaultLimits,
    secrets,
    clock: { now: () => now },
    random: { hex: (n) => (++drawn).toString(16).padStart(n * 2, '0') },
    ...more,
    async visit(page, signal) {
      pages.push(page);
      await (more.visit ?? browser)(page, signal);
    },
  });
  return { signing, pages, config: full, secrets };
}
const challenge = (more: Partial<Challenge> = {}): Challenge => ({
  kind: 'sign-in',
  metadata: null,
  scope: null,
  ...more,
});
/** As the transport does, for a request that went out with the token of now. */
const refused = async (signing: SignIn, asked: Challenge) => signing.refused(asked, await signing.token());
const authorize = (of: Stand) => of.of('/authorize').map((one) => one.query);
const form = (of: Stand) => of.of('/token').map((one) => new URLSearchParams(one.body));

describe('where to sign in (spec oauth §1)', () => {
  const here = '/.well-known/oauth-protected-resource';
  it.each([
    ['the challenge’s address', '/elsewhere', '/elsewhere'],
    ['the path of the server', null, `${here}/mcp`],
    ['the root, for the whole origin', null, here],
  ])('%s', async (_, named, path) => {
    const one = await stand({
      resource: (at) => ({ [path]: { resource: path === here ? at : `${at}/mcp`, authorization_servers: [at] } }),
    });
    const { signing } = desk(one);
    await refused(signing, challenge({ metadata: named === null ? null : one.at + named }));
    await signing.signIn('staff-0007');
    expect(await signing.token()).toBe('the-token');
    expect(authorize(one)[0]?.get('resource')).toBe(path === here ? one.at : one.url);
  });
  it('metadata of another server, its parent or its child goes nowhere', async () => {
    for (const resource of ['https://evil.example/mcp', '{at}', '{at}/mcp/', '{at}/mcp/more']) {
      const one = await stand({
        resource: (at) => ({
          [`${here}/mcp`]: { resource: resource.replace('{at}', at), authorization_servers: [at] },
        }),
      });
      await expect(desk(one).signing.signIn('staff-0007')).rejects.toThrow(/speaks of another server/);
      expect(one.asked.map(({ path }) => path)).toEqual([`${here}/mcp`]);
    }
  });
  it('an authorization server no admin allows is told and not asked', async () => {
    const one = await stand();
    const { signing, pages } = desk(one, { issuers: ['https://login.example'] });
    await expect(signing.signIn('staff-0007')).rejects.toMatchObject({
      code: 'servers.issuer',
      data: { issuers: [one.at] },
    });
    expect(pages).toEqual([]);
    expect(one.asked).toHaveLength(1);
  });
});

describe('what an authorization server says of itself (spec oauth §2)', () => {
  it.each<[string, (at: string) => JsonObject, RegExp]>([
    ['another issuer', () => ({ issuer: 'https://evil.example' }), /calls itself https:\/\/evil\.example/],
    ['a slash more', (at) => ({ issuer: `${at}/` }), /differ by a slash at the end only/],
    ['no word of PKCE', () => ({ code_challenge_methods_supported: null }), /cannot be used/],
    ['PKCE without S256', () => ({ code_challenge_methods_supported: ['plain'] }), /does not offer PKCE with S256/],
    ['no codes', () => ({ response_types_supported: ['token'] }), /gives no codes/],
    ['a token endpoint without encryption', () => ({ token_endpoint: 'http://login.example/token' }), /only "https:"/],
    ['a page of another kind', () => ({ authorization_endpoint: 'javascript:alert(1)' }), /is not asked/],
    ['a page inside the network', () => ({ authorization_endpoint: 'https://10.0.0.8/go' }), /private network/],
  ])('%s: nobody is sent there', async (_, metadata, words) => {
    const one = await stand({ metadata });
    const { signing, pages } = desk(one);
    await expect(signing.signIn('staff-0007')).rejects.toThrow(words);
    expect(pages).toEqual([]);
    expect(one.of('/register')).toEqual([]);
  });
  it('PKCE not mentioned at all is refused like PKCE without S256', async () => {
    const one = await stand({ metadata: () => ({ code_challenge_methods_supported: [] }) });
    await expect(desk(one).signing.signIn('staff-0007')).rejects.toThrow(/does not offer PKCE with S256/);
  });
});

describe('who the desk is (spec oauth §3)', () => {
  const document = 'https://desk.example/client.json';
  const readsDocuments = () => ({ client_id_metadata_document_supported: true });

  it('registered beforehand goes before all, with its secret from the key store', async () => {
    const one = await stand({
      metadata: () => ({ ...readsDocuments(), token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
    });
    const secrets = memorySecrets();
    await secrets.set(secretKeyOf(one.at, 'ours'), 'hush');
    const { signing, pages } = desk(one, { client: { issuer: one.at, id: 'ours' }, document }, { secrets });
    await signing.signIn('staff-0007');
    expect(pages[0]?.client).toBe('registered beforehand');
    expect(authorize(one)[0]?.get('client_id')).toBe('ours');
    expect(one.of('/token')[0]?.authorization).toBe(`Basic ${btoa('ours:hush')}`);
    expect(one.of('/register')).toEqual([]);
  });
  it('a client of another issuer is never shown to this one', async () => {
    const one = await stand();
    const secrets = memorySecrets();
    await secrets.set(secretKeyOf('https://login.example', 'ours'), 'hush');
    const { signing } = desk(one, { client: { issuer: 'https://login.example', id: 'ours' } }, { secrets });
    await signing.signIn('staff-0007');
    expect(authorize(one)[0]?.get('client_id')).toBe('registered-client');
    expect(JSON.stringify(one.asked)).not.toMatch(/ours|hush/);
  });
  it('then its metadata document, where that is read', async () => {
    const one = await stand({ metadata: readsDocuments });
    const { signing, pages } = desk(one, { document });
    await signing.signIn('staff-0007');
    expect(pages[0]?.client).toBe('metadata document');
    expect(authorize(one)[0]?.get('client_id')).toBe(document);
  });
  it('then registration, as a native program, once per issuer', async () => {
    const one = await stand();
    const { signing, secrets } = desk(one);
    await signing.signIn('staff-0007');
    expect(JSON.parse(one.of('/register')[0]?.body ?? '')).toMatchObject({
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      redirect_uris: [authorize(one)[0]?.get('redirect_uri')],
    });
    await desk(one, {}, { secrets }).signing.signIn('staff-0007');
    expect(one.of('/register')).toHaveLength(1);
    expect(authorize(one)[1]?.get('redirect_uri')).toBe(authorize(one)[0]?.get('redirect_uri'));
  });
  it('not where no admin allows it', async () => {
    const one = await stand();
    await expect(desk(one, { registration: false }).signing.signIn('staff-0007')).rejects.toThrow(
      /An admin enters the client ID/,
    );
    expect(one.of('/register')).toEqual([]);
  });
});

describe('what is asked for and what comes back (spec oauth §4)', () => {
  it('resource and PKCE in both requests, scopes by the challenge, else as supported, else none', async () => {
    const scopes_supported = ['orders:read', 'stock:read'];
    const path = '/.well-known/oauth-protected-resource/mcp';
    const one = await stand({
      resource: (at) => ({ [path]: { resource: `${at}/mcp`, authorization_servers: [at], scopes_supported } }),
    });
    const { signing } = desk(one);
    await signing.signIn('staff-0007');
    await refused(signing, challenge({ scope: 'orders:read' }));
    await signing.signIn('staff-0007');
    const bare = await stand();
    await desk(bare).signing.signIn('staff-0007');
    const scopes = [...authorize(one), ...authorize(bare)].map((query) => query.get('scope'));
    expect(scopes).toEqual(['orders:read stock:read', 'orders:read', null]);
    expect(authorize(one)[0]?.get('code_challenge_method')).toBe('S256');
    expect(form(one)[0]?.get('resource')).toBe(one.url);
    expect(authorize(one)[0]?.get('resource')).toBe(one.url);
  });
  it('an answer without the right state is not the one waited for; the right one still counts', async () => {
    const one = await stand();
    let thrown = 0;
    const { signing } = desk(
      one,
      {},
      {
        async visit(page) {
          const back = new URL(page.url).searchParams.get('redirect_uri') ?? '';
          for (const query of ['code=stolen&state=guess', 'code=stolen', 'code=a&state=x&state=y'])
            thrown += (await fetch(`${back}?${query}`)).status === 400 ? 1 : 0;
          await browser(page);
        },
      },
    );
    await signing.signIn('staff-0007');
    expect(thrown).toBe(3);
    expect(form(one).map((one) => one.get('code'))).toEqual(['the-code']);
  });
  it('a person who will not ends it, and nothing listens any more', async () => {
    const one = await stand();
    const { signing, pages } = desk(one, {}, { visit: () => Promise.reject(new Error('not now')) });
    await expect(signing.signIn('staff-0007')).rejects.toThrow('not now');
    const back = new URL(pages[0]?.url ?? '').searchParams.get('redirect_uri') ?? '';
    await expect(fetch(back)).rejects.toThrow();
  });
  it('a refusal is told in its own words, once it is known whose they are', async () => {
    const one = await stand({
      answer(good) {
        good.delete('code');
        good.set('error', 'access_denied');
        good.set('error_description', 'Not today\u202e');
        return good;
      },
    });
    await expect(desk(one).signing.signIn('staff-0007')).rejects.toThrow(/was refused: Not today\\u\{202e\}/);
  });
});

describe('whose answer it is (spec oauth §5)', () => {
  it.each<[string, boolean | null, (at: string) => string | null, boolean]>([
    ['promised and right', true, (at) => at, true],
    ['promised and missing', true, () => null, false],
    ['promised and wrong', true, () => 'https://evil.example', false],
    ['a slash more', true, (at) => `${at}/`, false],
    ['not promised and missing', false, () => null, true],
    ['not mentioned, and wrong', null, () => 'https://evil.example', false],
  ])('iss %s', async (_, promised, iss, good) => {
    const one = await stand({
      metadata: () => (promised === null ? {} : { authorization_response_iss_parameter_supported: promised }),
      answer(answer, at) {
        const value = iss(at);
        answer.delete('iss');
        if (value !== null) answer.set('iss', value);
        answer.set('error_description', 'call 555-0100');
        return answer;
      },
    });
    const { signing } = desk(one);
    const done = signing.signIn('staff-0007');
    if (good) await done;
    else await expect(done).rejects.toThrow(/^(?!.*555-0100).*did not come from/);
    expect(one.of('/token')).toHaveLength(good ? 1 : 0);
  });

  /** The attacker's page sends the person on to the honest one, which answers the desk with a code of its own. */
  async function mixUp(sendsIss: boolean, attackerAllowed: boolean) {
    const honest = await stand({
      answer(good) {
        if (!sendsIss) good.delete('iss');
        return good;
      },
    });
    const attacker: Stand = await stand({
      resource: (at) => ({
        '/.well-known/oauth-protected-resource/mcp': { resource: `${at}/mcp`, authorization_servers: [at] },
      }),
      metadata: () => ({ authorization_response_iss_parameter_supported: false }),
      answer: () => `${honest.at}/authorize?${authorize(attacker).at(-1)?.toString() ?? ''}`,
    });
    const { signing } = desk(attacker, { issuers: attackerAllowed ? [honest.at, attacker.at] : [honest.at] });
    const outcome = await signing.signIn('staff-0007').then(
      () => 'signed in',
      (error: unknown) => String(error),
    );
    return { outcome, stolen: form(attacker).map((one) => one.get('code')) };
  }
  it('mix-up: stopped by iss, not without (control), and again by the allow-list', async () => {
    expect(await mixUp(true, true)).toMatchObject({
      stolen: [],
      outcome: expect.stringMatching(/did not come from/) as string,
    });
    expect(await mixUp(false, true)).toMatchObject({ stolen: ['the-code'] });
    expect(await mixUp(false, false)).toMatchObject({
      stolen: [],
      outcome: expect.stringMatching(/no admin has allowed/) as string,
    });
  });
});

describe('what is kept of it (spec oauth §6)', () => {
  it('a token under issuer, server and person: there again after a restart, and for nobody else', async () => {
    const one = await stand();
    const kept: string[] = [];
    const inner = memorySecrets();
    const secrets: Secrets = {
      ...inner,
      async set(name, value) {
        kept.push(name);
        await inner.set(name, value);
      },
    };
    await desk(one, {}, { secrets }).signing.signIn('staff-0007');
    expect(kept).toContain(`oauth token ${one.at} ${one.url} staff-0007`);
    const { signing, pages } = desk(one, {}, { secrets });
    expect(await signing.token()).toBe('the-token');
    expect(await signing.as()).toEqual({ person: 'staff-0007', client: 'registered on the spot' });
    // Another person goes through it themselves; the first comes back without.
    await signing.signIn('staff-0002');
    expect(pages.map((page) => page.by)).toEqual(['staff-0002']);
    expect(kept).toContain(`oauth token ${one.at} ${one.url} staff-0002`);
    await signing.signIn('staff-0007');
    expect(pages).toHaveLength(1);
    expect((await signing.as())?.person).toBe('staff-0007');
  });
  it('is not sent once it ran out, and is forgotten once the server does not take it', async () => {
    const one = await stand();
    const { signing } = desk(one);
    await signing.signIn('staff-0007');
    now += 595_000;
    expect(await signing.token()).toBeNull();
    now -= 595_000;
    expect(await signing.token()).toBe('the-token');
    await refused(signing, challenge());
    expect(await signing.token()).toBeNull();
  });
  it('a refusal of a request that went out before the sign-in says nothing about the token of now', async () => {
    const one = await stand();
    const { signing } = desk(one);
    await signing.signIn('staff-0007');
    await signing.refused(challenge(), null);
    await signing.refused(challenge(), 'an older one');
    expect(await signing.token()).toBe('the-token');
    expect(signing.wanted()).toBeNull();
  });
  it('a token of another kind is refused, and a failing endpoint gives its words and no code', async () => {
    const bound = await stand({ token: () => ({ token_type: 'DPoP' }) });
    await expect(desk(bound).signing.signIn('staff-0007')).rejects.toThrow(/of a kind the desk cannot use/);
    const bad = await stand({ metadata: (at) => ({ token_endpoint: `${at}/nowhere` }) });
    await expect(desk(bad).signing.signIn('staff-0007')).rejects.toThrow(/^(?!.*the-code).*gave no token/);
  });
});

describe('more scopes (spec oauth §7)', () => {
  it('what was granted and what is wanted are asked for together', async () => {
    const one = await stand();
    const { signing } = desk(one);
    await refused(signing, challenge({ scope: 'orders:read' }));
    await signing.signIn('staff-0007');
    await refused(signing, challenge({ kind: 'scope', scope: 'refunds:write' }));
    await signing.signIn('staff-0007');
    expect(authorize(one).map((query) => query.get('scope'))).toEqual(['orders:read', 'orders:read refunds:write']);
  });
  it('what was not granted is named, and the token still counts for the rest', async () => {
    const one = await stand({ token: () => ({ scope: 'orders:read' }) });
    const { signing } = desk(one);
    await signing.signIn('staff-0007');
    await refused(signing, challenge({ kind: 'scope', scope: 'refunds:write' }));
    await expect(signing.signIn('staff-0007')).rejects.toMatchObject({
      code: 'servers.scope',
      data: { scope: 'refunds:write' },
    });
    expect(await signing.token()).toBe('the-token');
  });
  it('what was granted and is asked for again sends nobody to the page once more', async () => {
    const one = await stand();
    const { signing, pages } = desk(one);
    await refused(signing, challenge({ scope: 'orders:read' }));
    await signing.signIn('staff-0007');
    await refused(signing, challenge({ kind: 'scope', scope: 'orders:read' }));
    await expect(signing.signIn('staff-0007')).rejects.toThrow(/asks again for what was granted/);
    expect(pages).toHaveLength(1);
  });
});
