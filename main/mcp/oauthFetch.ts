/**
 * Requests to addresses a server named (metadata, registration, tokens): https only (http on this computer where the
 * server itself is on it), never into a private network, no redirects to elsewhere, small answers (spec oauth §2).
 */
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Failure, reason } from '../../shared/failures.ts';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { readBody } from './httpBody.ts';
import { exchange } from './httpExchange.ts';
import type { Limits } from './limits.ts';

const bodyBytes = 128 * 1024;
const longMs = 15_000;

const inner = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  inner.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  inner.addSubnet(net, bits, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function within(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
function isHere(hostname: string): boolean {
  const plain = hostname.replace(/^\[|\]$/g, '');
  return /(?:^|\.)localhost\.?$/.test(hostname) || (isIP(plain) !== 0 && within(loopback, plain));
}

/** True where a URL is on this computer: only then may what it names be there too. */
export function onThisComputer(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && isHere(parsed.hostname);
}

export interface OauthFetch {
  /** The address as a URL that may be asked. Failure `servers.oauth` with the reason. */
  allowed(what: string, address: string): URL;
  /** A JSON object from an address, or null where it has none (HTTP 4xx). */
  json: (what: string, address: string) => Promise<JsonObject | null>;
  /** In place of `fetch`, for requests that carry something. */
  fetch: (address: string | URL, init?: RequestInit) => Promise<Response>;
}

/** `local`: the server is on this computer, so its authorization server may be (development). */
export function createOauthFetch(options: {
  limits: Limits;
  local: boolean;
  signal: AbortSignal;
  /** How names become addresses: the system's way. */
  resolve?: typeof lookup;
}): OauthFetch {
  const { limits, local, signal, resolve = lookup } = options;

  function allowed(what: string, address: string): URL {
    const wrong = (why: string) =>
      new Failure('servers.oauth', `${what} (${address.slice(0, 200)}) is not asked: ${why}.`);
    const url = address.length > limits.urlLength ? null : URL.parse(address);
    if (!url) throw wrong('it is no usable address');
    if (url.username !== '' || url.password !== '') throw wrong('it holds a user name or password');
    const here = isHere(url.hostname);
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && here && local))
      throw wrong(local ? 'only "https:", or "http:" on this computer' : 'only "https:" is allowed');
    const plain = url.hostname.replace(/^\[|\]$/g, '');
    const numeric = isIP(plain) !== 0;
    if ((here && !local) || (numeric && within(inner, plain) && !(here && local)))
      throw wrong('it leads into this computer or a private network');
    return url;
  }

  /** Names are judged by the addresses they lead to, when the connection is made. */
  const guarded: LookupFunction = (hostname, how, done) => {
    resolve(hostname, { ...how, all: true }, (error, found) => {
      const bad = error
        ? undefined
        : found.find(({ address }) => within(inner, address) && !(local && isHere(address)));
      const first = error ? undefined : found[0];
      if (error) done(error, '', 0);
      else if (bad || !first) done(new Error(`${hostname} leads into a private network`), '', 0);
      else if (how.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };

  async function send(url: URL, method: 'GET' | 'POST', headers: Record<string, string>, body?: string) {
    const small = { ...limits, messageBytes: bodyBytes, redirects: method === 'GET' ? limits.redirects : 0 };
    const either = AbortSignal.any([signal, AbortSignal.timeout(longMs)]);
    const answer = await exchange({
      url,
      method,
      headers,
      ...(body !== undefined && { body }),
      limits: small,
      signal: either,
      lookup: guarded,
      onWritten: () => undefined,
    });
    return { status: answer.status, body: await readBody(answer, small) };
  }

  return {
    allowed,
    async json(what, address) {
      const url = allowed(what, address);
      let answer: Awaited<ReturnType<typeof send>>;
      try {
        answer = await send(url, 'GET', { accept: 'application/json' });
      } catch (error) {
        throw new Failure('servers.oauth', `${what} (${url.href}) could not be read: ${reason(error).slice(0, 200)}.`);
      }
      if (answer.status >= 400 && answer.status < 500) return null;
      if (answer.status !== 200)
        throw new Failure('servers.oauth', `${what} (${url.href}) could not be read: HTTP ${answer.status}.`);
      const parsed = parse(answer.body.toString('utf8'));
      if (!isObject(parsed)) throw new Failure('servers.oauth', `${what} (${url.href}) is no JSON object.`);
      return parsed;
    },
    async fetch(address, init = {}) {
      const url = allowed('An address of the authorization server', String(address));
      const headers = Object.fromEntries(new Headers(init.headers));
      const { body } = init;
      const text = body instanceof URLSearchParams || typeof body === 'string' ? body.toString() : undefined;
      const answer = await send(url, init.method === 'POST' ? 'POST' : 'GET', headers, text);
      const empty = answer.status === 204 || answer.status === 304;
      return new Response(empty ? null : new Uint8Array(answer.body), { status: answer.status });
    },
  };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // JSON.parse returns nothing but JSON values
  } catch {
    return undefined;
  }
}
