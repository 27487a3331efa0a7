/**
 * Reads the short signed tokens (JWT) by which a customer signs in: by the one kind of signature of the given key, from the
 * one issuer, for this one server, not too old, and naming a customer. Anything else is no token.
 */
import type { AuthInfo } from '@modelcontextprotocol/server';
import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { SignIn } from '../servingOptions.ts';

export interface TokenOptions {
  /** The public key: Ed25519, or the curve P-256. */
  pem: string;
  issuer: string;
  audience: string;
  now: () => Date;
}

const header = z.object({ alg: z.string() });
const claims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: z.number(),
  nbf: z.number().optional(),
  sub: z.string().regex(/^C-[0-9]{4}$/),
  scope: z.string().default(''),
});

function json(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

export function tokenReader({ pem, issuer, audience, now }: TokenOptions): SignIn {
  const key = createPublicKey(pem);
  const kind = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : key.asymmetricKeyType === 'ec' ? 'ES256' : undefined;
  if (kind === undefined) throw new Error('it is neither an Ed25519 nor a P-256 key');

  function isSigned(text: string, signature: string): boolean {
    const bytes = Buffer.from(signature, 'base64url');
    if (kind === 'EdDSA') return verify(null, Buffer.from(text), key, bytes);
    return verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  }

  return (token): AuthInfo | undefined => {
    const [head = '', body = '', signature = '', ...more] = token.split('.');
    // Which signature counts is the key's to say: a token that names another, or none, is no token.
    if (more.length > 0 || header.safeParse(json(head)).data?.alg !== kind) return undefined;
    if (!isSigned(`${head}.${body}`, signature)) return undefined;
    const said = claims.safeParse(json(body));
    if (!said.success) return undefined;
    const { iss, aud, exp, nbf, sub, scope } = said.data;
    const at = now().getTime() / 1_000;
    const forUs = Array.isArray(aud) ? aud.includes(audience) : aud === audience;
    if (iss !== issuer || !forUs || exp <= at || (nbf !== undefined && nbf > at)) return undefined;
    return { token, clientId: sub, scopes: scope.split(' ').filter((one) => one !== ''), expiresAt: exp };
  };
}
