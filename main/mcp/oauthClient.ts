/**
 * Who the desk is to an authorization server (spec oauth §3): registered beforehand, else by its metadata document, else,
 * where an admin allows it, registered on the spot. Credentials belong to the issuer they came from and go nowhere else.
 */
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { Failure, reason } from '../../shared/failures.ts';
import type { OauthConfig } from '../../shared/servers.ts';
import type { Secrets } from '../ports.ts';
import { visible } from './inbound.ts';
import type { SignInWay } from './oauthDiscovery.ts';
import type { OauthFetch } from './oauthFetch.ts';

export type ClientKind = 'registered beforehand' | 'metadata document' | 'registered on the spot';
export interface OauthClient {
  kind: ClientKind;
  information: OAuthClientInformationMixed;
}

const informationSchema = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  token_endpoint_auth_method: z.string().optional(),
});
const keptSchema = z.object({ redirect: z.string(), information: informationSchema });

const keyOf = (issuer: string) => `oauth client ${issuer}`;
/** Where the secret of a client registered beforehand is kept. */
export const secretKeyOf = (issuer: string, id: string) => `oauth secret ${issuer} ${id}`;

async function kept(secrets: Secrets, issuer: string) {
  const text = await secrets.get(keyOf(issuer));
  if (text === null) return null;
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The port of the address the desk was registered with at this issuer, to be used again. */
export async function keptPort(secrets: Secrets, issuer: string): Promise<number | null> {
  const found = await kept(secrets, issuer);
  return found === null ? null : Number(URL.parse(found.redirect)?.port ?? 0) || null;
}

/** Failure `servers.oauth` where the desk has no way to be known there. */
export async function clientFor(options: {
  way: SignInWay;
  config: OauthConfig;
  redirect: string;
  secrets: Secrets;
  fetch: OauthFetch;
}): Promise<OauthClient> {
  const { way, config, redirect, secrets } = options;
  const { issuer, metadata } = way;
  if (config.client?.issuer === issuer) {
    const secret = await secrets.get(secretKeyOf(issuer, config.client.id));
    return {
      kind: 'registered beforehand',
      information: { client_id: config.client.id, ...(secret !== null && { client_secret: secret }) },
    };
  }
  if (config.document !== undefined && metadata.client_id_metadata_document_supported === true)
    return { kind: 'metadata document', information: { client_id: config.document } };
  if (!config.registration)
    throw new Failure(
      'servers.oauth',
      `The desk is not known to the authorization server ${issuer}. An admin enters the client ID that was registered there, or allows the desk to register itself.`,
    );
  const before = await kept(secrets, issuer);
  if (before?.redirect === redirect) return { kind: 'registered on the spot', information: before.information };
  const information = await register(options);
  await secrets.set(keyOf(issuer), JSON.stringify({ redirect, information }));
  return { kind: 'registered on the spot', information };
}

async function register({ way, redirect, fetch }: Parameters<typeof clientFor>[0]) {
  const { issuer, metadata } = way;
  if (metadata.registration_endpoint === undefined)
    throw new Failure(
      'servers.oauth',
      `The authorization server ${issuer} lets no client register itself. An admin enters the client ID that was registered there.`,
    );
  const said = (what: string) =>
    new Failure('servers.oauth', `The authorization server ${issuer} did not take the desk in: ${what}`);
  let answer: Response;
  let text: string;
  try {
    answer = await fetch.fetch(metadata.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        client_name: 'desk',
        application_type: 'native',
        redirect_uris: [redirect],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: authMethod(metadata.token_endpoint_auth_methods_supported),
      }),
    });
    text = await answer.text();
  } catch (error) {
    throw said(`${reason(error).slice(0, 200)}.`);
  }
  const parsed = answer.ok ? informationSchema.safeParse(object(text)) : undefined;
  if (parsed?.success !== true) throw said(`HTTP ${answer.status}, ${visible(text).slice(0, 200)}`);
  return parsed.data;
}

function object(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A program on a person's computer keeps no secret, so none is asked for where that is possible. */
function authMethod(offered: string[] | undefined): string {
  if (offered === undefined || offered.includes('none')) return 'none';
  return offered.find((one) => one === 'client_secret_basic' || one === 'client_secret_post') ?? 'none';
}
