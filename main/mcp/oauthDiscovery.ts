/**
 * Who may sign a person in to a server (spec oauth §§1, 2): the server's own metadata, an authorization server an admin
 * allows, and its metadata. Read anew for every sign-in: a server may move to another one.
 */
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Failure } from '../../shared/failures.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { Challenge } from './oauthChallenge.ts';
import type { OauthFetch } from './oauthFetch.ts';

export interface SignInWay {
  /** As the server writes it: sent with every request for a token. */
  resource: string;
  issuer: string;
  metadata: AuthorizationServerMetadata;
  /** What the server says it knows, where its challenge names none. */
  scopes: string | null;
}

const resourceSchema = z.looseObject({
  resource: z.string(),
  authorization_servers: z.array(z.string()).default([]),
  scopes_supported: z.array(z.string()).optional(),
});
const issuerSchema = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  registration_endpoint: z.string().optional(),
  response_types_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

function no(sentence: string): Failure {
  return new Failure('servers.oauth', sentence);
}

/** Addresses of a server's metadata, each with the `resource` it must name (RFC 9728 §3). */
function resourcePlaces(server: URL, configured: string, challenge: Challenge | null) {
  if (challenge?.metadata != null) return [{ at: challenge.metadata, names: [configured] }];
  const known = `${server.origin}/.well-known/oauth-protected-resource`;
  const path = server.pathname.replace(/\/$/, '');
  return [
    ...(path === '' ? [] : [{ at: `${known}${path}${server.search}`, names: [configured] }]),
    // Read from the root it speaks for the whole origin.
    { at: known, names: [configured, server.origin, `${server.origin}/`] },
  ];
}

/** Addresses of an authorization server's metadata, in the order the specification gives. */
function issuerPlaces(issuer: URL): string[] {
  const path = issuer.pathname.replace(/\/$/, '');
  const known = `${issuer.origin}/.well-known`;
  return [
    `${known}/oauth-authorization-server${path}`,
    `${known}/openid-configuration${path}`,
    ...(path === '' ? [] : [`${issuer.origin}${path}/.well-known/openid-configuration`]),
  ];
}

async function readResource(fetch: OauthFetch, url: string, challenge: Challenge | null) {
  const places = resourcePlaces(new URL(url), url, challenge);
  for (const { at, names } of places) {
    const found = await fetch.json('Where the server says how to sign in', at);
    if (found === null) continue;
    const parsed = resourceSchema.safeParse(found);
    if (!parsed.success) throw no(`What the server says at ${at} about signing in cannot be used.`);
    if (!names.includes(parsed.data.resource))
      throw no(
        `The server's metadata speaks of another server, ${parsed.data.resource.slice(0, 200)}, not of ${url}. Nobody is sent to sign in there.`,
      );
    return parsed.data;
  }
  throw no(
    `The server asks for sign-in but does not say where: nothing was found at ${places.map((one) => one.at).join(' or ')}.`,
  );
}

function checked(found: JsonObject, issuer: string, fetch: OauthFetch): AuthorizationServerMetadata {
  const parsed = issuerSchema.safeParse(found);
  if (!parsed.success) throw no(`The metadata of the authorization server ${issuer} cannot be used.`);
  const { data } = parsed;
  if (data.issuer !== issuer) {
    const slash = data.issuer.replace(/\/$/, '') === issuer.replace(/\/$/, '');
    const hint = slash ? ' They differ by a slash at the end only; one of the two servers must be corrected.' : '';
    throw no(`The authorization server ${issuer} calls itself ${data.issuer.slice(0, 200)}: it is not used.${hint}`);
  }
  if (!data.response_types_supported.includes('code'))
    throw no(`The authorization server ${issuer} gives no codes, the only way the desk signs in.`);
  if (data.code_challenge_methods_supported?.includes('S256') !== true)
    throw no(`The authorization server ${issuer} does not offer PKCE with S256: a stolen code could be used there.`);
  for (const [what, at] of [
    ['The page to sign in', data.authorization_endpoint],
    ['The token endpoint', data.token_endpoint],
    ['The registration endpoint', data.registration_endpoint],
  ] as const)
    if (at !== undefined) fetch.allowed(what, at);
  return data;
}

/** Failure `servers.oauth` in words; `servers.issuer` where no admin allows any of the authorization servers. */
export async function discover(options: {
  /** As configured. */
  url: string;
  challenge: Challenge | null;
  allows: (issuer: string) => boolean;
  fetch: OauthFetch;
}): Promise<SignInWay> {
  const { url, fetch } = options;
  const { resource, authorization_servers: all, scopes_supported } = await readResource(fetch, url, options.challenge);
  if (all.length === 0) throw no('The server asks for sign-in but names no authorization server.');
  const issuer = all.find(options.allows);
  if (issuer === undefined)
    throw new Failure(
      'servers.issuer',
      `The server wants people to sign in at ${all.slice(0, 3).join(' or ').slice(0, 600)}, which no admin has allowed for it.`,
      { issuers: all.slice(0, 10) },
    );
  for (const at of issuerPlaces(fetch.allowed('The authorization server', issuer))) {
    const found = await fetch.json('The metadata of the authorization server', at);
    if (found !== null)
      return {
        resource,
        issuer,
        metadata: checked(found, issuer, fetch),
        scopes: scopes_supported?.join(' ') ?? null,
      };
  }
  throw no(`The authorization server ${issuer} has no metadata where it should.`);
}
