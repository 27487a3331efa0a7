/**
 * Signing a person in to one server over HTTP (spec oauth): begun by a person's word, in their own browser, one at a time.
 * Tokens live in the key store and in the header of a request, nowhere else.
 */
import { exchangeAuthorization, startAuthorization, type OAuthTokens } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Failure, reason } from '../../shared/failures.ts';
import type { OauthConfig } from '../../shared/servers.ts';
import type { Clock, Random, Secrets } from '../ports.ts';
import { visible } from './inbound.ts';
import type { Limits } from './limits.ts';
import { scopeUnion, type Challenge } from './oauthChallenge.ts';
import { clientFor, keptPort, type ClientKind, type OauthClient } from './oauthClient.ts';
import { discover, type SignInWay } from './oauthDiscovery.ts';
import { createOauthFetch, onThisComputer, type OauthFetch } from './oauthFetch.ts';
import { listenForCallback } from './oauthListener.ts';

/** What a person is shown before anything is opened, and opens or not. */
export interface SignInPage {
  /** Who signs in: a token belongs to one person. */
  by: string;
  url: string;
  issuer: string;
  scope: string | null;
  client: ClientKind;
}
export interface SignInDeps {
  /** The server's address as configured. */
  url: string;
  config: OauthConfig;
  limits: Limits;
  secrets: Secrets;
  clock: Clock;
  random: Random;
  /** Puts the page to the person, who opens it; rejects when they will not. */
  visit: (page: SignInPage, signal: AbortSignal) => Promise<void>;
}
export interface SignIn {
  /** The token for a request, or null where there is none that counts. */
  token(): Promise<string | null>;
  /**
   * A request that went out with this token was refused: notes what was asked for, and forgets a token the server does
   * not take. One that went out before somebody signed in says nothing about the token of now.
   */
  refused(challenge: Challenge, token: string | null): Promise<void>;
  /** What the server asked for last and does not have. */
  wanted(): Challenge | null;
  /** Under whom the server is asked now, and how the desk is known there; null where nobody is signed in. */
  as(): Promise<{ person: string; client: ClientKind } | null>;
  /**
   * Takes a person through it, by their word; one whose token still counts is only put in place. Failures `servers.oauth`, `servers.issuer`, `servers.scope` (signed in, but what was
   * asked for was not granted, or was granted before and is asked for again).
   */
  signIn(by: string, signal?: AbortSignal): Promise<void>;
  /** Forgets the token. */
  signOut(): Promise<void>;
}

const tokenSchema = z.object({
  token: z.string(),
  issuer: z.string(),
  resource: z.string(),
  scope: z.string().nullable(),
  /** Milliseconds since the epoch; null where the server does not say. */
  until: z.number().nullable(),
  client: z.enum(['registered beforehand', 'metadata document', 'registered on the spot']),
});
type Kept = z.infer<typeof tokenSchema>;
type Held = Kept & { person: string };

/** A token is not used in its last seconds: the answer could come too late. */
const marginMs = 10_000;
const waitMs = 5 * 60_000;

export function createSignIn(deps: SignInDeps): SignIn {
  const { url, secrets, clock } = deps;
  const personKey = `oauth person ${url}`;
  /** Which issuer a person's token for this server is from; the token itself is kept under all three. */
  const issuerKey = (person: string) => `oauth issuer ${url} ${person}`;
  const tokenKey = (issuer: string, person: string) => `oauth token ${issuer} ${url} ${person}`;
  let held: Held | null | undefined;
  let wanted: Challenge | null = null;
  /** Scopes asked for so far: a step-up asks for them and the new ones. */
  let asked: string | null = null;
  let running: { by: string; done: Promise<void> } | null = null;

  async function keptOf(person: string): Promise<Kept | null> {
    const issuer = await secrets.get(issuerKey(person));
    const text = issuer === null ? null : await secrets.get(tokenKey(issuer, person));
    const parsed = text === null ? undefined : tokenSchema.safeParse(JSON.parse(text));
    return parsed?.success === true ? parsed.data : null;
  }
  async function read(): Promise<Held | null> {
    if (held !== undefined) return held;
    const person = await secrets.get(personKey);
    const kept = person === null ? null : await keptOf(person);
    held = person === null || kept === null ? null : { ...kept, person };
    return held;
  }
  /** From now on the server is asked under this person. */
  async function put(next: Kept, person: string): Promise<void> {
    held = { ...next, person };
    await secrets.set(personKey, person);
  }
  async function keep(next: Kept, person: string): Promise<void> {
    const before = await secrets.get(issuerKey(person));
    if (before !== null && before !== next.issuer) await secrets.set(tokenKey(before, person), null);
    await secrets.set(issuerKey(person), next.issuer);
    await secrets.set(tokenKey(next.issuer, person), JSON.stringify(next));
    await put(next, person);
  }
  /** Forgets the token in use. */
  async function forget(): Promise<void> {
    const before = await read();
    held = null;
    if (before === null) return;
    await secrets.set(tokenKey(before.issuer, before.person), null);
    await secrets.set(issuerKey(before.person), null);
    await secrets.set(personKey, null);
  }
  const counts = (kept: Kept) => kept.until === null || kept.until - marginMs > clock.now();

  /** One person after the other. */
  async function turn(before: Promise<void> | undefined, by: string, signal: AbortSignal): Promise<void> {
    await before?.catch(() => undefined);
    await begin(by, signal);
  }
  async function begin(by: string, signal: AbortSignal): Promise<void> {
    const before = await read();
    const own = before?.person === by ? null : await keptOf(by);
    if (own !== null && counts(own)) {
      wanted = null;
      asked = own.scope;
      await put(own, by);
    } else await flow(by, before?.person === by ? before : null, signal);
  }

  async function flow(by: string, own: Held | null, signal: AbortSignal): Promise<void> {
    const challenge = wanted;
    const before = challenge?.kind === 'scope' ? own : null;
    if (before !== null && granted(before, challenge)) throw again(challenge?.scope ?? '');
    const fetch = createOauthFetch({ limits: deps.limits, local: onThisComputer(url), signal });
    const allows = (issuer: string) => deps.config.issuers.includes(issuer);
    const way = await discover({ url, challenge, allows, fetch });
    const scope = scopeUnion(before && asked, before?.scope, challenge?.scope ?? (before ? null : way.scopes));
    const state = deps.random.hex(32);
    const port = deps.config.registration ? await keptPort(secrets, way.issuer) : null;
    const listener = await listenForCallback({ state, port, waitMs, signal });
    try {
      const client = await clientFor({ way, config: deps.config, redirect: listener.redirect, secrets, fetch });
      const { authorizationUrl, codeVerifier } = await startAuthorization(way.issuer, {
        metadata: way.metadata,
        clientInformation: client.information,
        redirectUrl: listener.redirect,
        state,
        resource: way.resource,
        ...(scope !== null && { scope }),
      });
      const page = { by, url: authorizationUrl.href, issuer: way.issuer, scope, client: client.kind };
      await Promise.race([deps.visit(page, signal), listener.answer]);
      const code = codeOf(await listener.answer, way);
      const tokens = await redeem({ way, client, code, codeVerifier, redirect: listener.redirect, fetch });
      asked = scope;
      await take(tokens, way, client, scope, by);
    } finally {
      listener.close();
    }
    const missing = missingScopes(challenge, held ?? null);
    wanted = null;
    if (challenge?.kind === 'scope' && missing !== '') throw notGranted(missing);
  }

  async function take(
    tokens: OAuthTokens,
    way: SignInWay,
    client: OauthClient,
    scope: string | null,
    by: string,
  ): Promise<void> {
    const { expires_in: seconds } = tokens;
    const next: Kept = {
      token: tokens.access_token,
      issuer: way.issuer,
      resource: way.resource,
      // RFC 6749 §5.1: no scope in the answer means the one that was asked for.
      scope: tokens.scope ?? scope,
      until: seconds === undefined ? null : clock.now() + seconds * 1_000,
      client: client.kind,
    };
    await keep(next, by);
  }

  return {
    async token() {
      const now = await read();
      return now !== null && counts(now) ? now.token : null;
    },
    async refused(challenge, token) {
      const now = await read();
      if ((now === null || !counts(now) ? null : now.token) !== token) return;
      wanted = challenge;
      if (challenge.kind === 'sign-in') await forget();
    },
    wanted: () => wanted,
    async as() {
      const now = await read();
      return now === null ? null : { person: now.person, client: now.client };
    },
    signIn(by, signal = new AbortController().signal) {
      if (running?.by === by) return running.done;
      const before = running?.done;
      const done = turn(before, by, signal).finally(() => {
        if (running?.done === done) running = null;
      });
      running = { by, done };
      return done;
    },
    signOut: forget,
  };
}

function granted(kept: Kept, challenge: Challenge | null): boolean {
  return challenge?.scope != null && missingScopes(challenge, kept) === '';
}
function missingScopes(challenge: Challenge | null, kept: Kept | null): string {
  const has = new Set(kept?.scope?.split(' '));
  const wants = challenge?.scope?.split(' ') ?? [];
  return wants.filter((one) => !has.has(one)).join(' ');
}
function again(scope: string): Failure {
  return new Failure(
    'servers.scope',
    `The server asks again for what was granted (${scope}): signing in once more would not help. Ask who runs it.`,
    { scope },
  );
}
function notGranted(scope: string): Failure {
  return new Failure(
    'servers.scope',
    `Signed in, but not with what this needs (${scope}): this person may not do it there. Pass the ticket to somebody who may.`,
    { scope },
  );
}

/**
 * The code of an answer that is from the right authorization server (RFC 9207): `iss` is compared letter by letter
 * wherever it is given, and must be given where the server says it always is. Nothing of a wrong answer is shown.
 */
function codeOf(answer: URLSearchParams, { issuer, metadata }: SignInWay): string {
  const given = answer.getAll('iss');
  const promised = metadata.authorization_response_iss_parameter_supported === true;
  if (given.length > 1 || (given.length === 1 && given[0] !== issuer) || (given.length === 0 && promised))
    throw new Failure(
      'servers.oauth',
      `The answer did not come from ${issuer}, where the sign-in began. It was thrown away; somebody may have tried to pass off another one.`,
    );
  const error = answer.get('error');
  if (error !== null) {
    const why = visible(answer.get('error_description') ?? error).slice(0, 200);
    throw new Failure('servers.oauth', `The sign-in at ${issuer} was refused: ${why}`);
  }
  const codes = answer.getAll('code');
  if (codes.length !== 1 || codes[0] === undefined || codes[0] === '')
    throw new Failure('servers.oauth', `The answer from ${issuer} holds no code.`);
  return codes[0];
}

async function redeem(options: {
  way: SignInWay;
  client: OauthClient;
  code: string;
  codeVerifier: string;
  redirect: string;
  fetch: OauthFetch;
}): Promise<OAuthTokens> {
  const { way, client } = options;
  let tokens: OAuthTokens;
  try {
    tokens = await exchangeAuthorization(way.issuer, {
      metadata: way.metadata,
      clientInformation: client.information,
      authorizationCode: options.code,
      // Compared already; the SDK wants it again.
      iss: way.issuer,
      codeVerifier: options.codeVerifier,
      redirectUri: options.redirect,
      resource: way.resource,
      fetchFn: options.fetch.fetch,
    });
  } catch (error) {
    throw new Failure(
      'servers.oauth',
      `The authorization server ${way.issuer} gave no token: ${visible(reason(error)).slice(0, 200)}`,
    );
  }
  if (tokens.token_type.toLowerCase() !== 'bearer')
    throw new Failure(
      'servers.oauth',
      `The authorization server ${way.issuer} gave a token of a kind the desk cannot use.`,
    );
  return tokens;
}
