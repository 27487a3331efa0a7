/**
 * One HTTP request to a server, on a connection of its own: a connection kept open could have been closed by the server
 * meanwhile, and would leave a call unknown that never ran. Nothing is ever sent again, except where a redirect says so.
 */
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Failure, reason } from '../../shared/failures.ts';
import type { Limits } from './limits.ts';

export interface HttpRequest {
  url: URL;
  method: 'POST' | 'GET' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  limits: Pick<Limits, 'connectMs' | 'redirects' | 'urlLength'>;
  signal: AbortSignal;
  /** How names become addresses; the system's way where nothing is given. */
  lookup?: LookupFunction;
  /** Bytes may have left for the server. */
  onWritten: () => void;
}

export interface HttpAnswer {
  status: number;
  /** Media type, lower case, without parameters. */
  type: string;
  header(name: string): string | undefined;
  /** Decompressed; counts its bytes against nothing by itself. */
  body: Readable;
}

/** The URL of a configured server. Failure `servers.start` with what is wrong with it. */
export function serverUrl(text: string, limits: Limits): URL {
  const wrong = (what: string) => new Failure('servers.start', `The URL of the server cannot be used: ${what}.`);
  if (text.length > limits.urlLength) throw wrong(`it is longer than ${limits.urlLength} characters`);
  const url = URL.parse(text);
  if (!url) throw wrong('it is no URL');
  if (url.username !== '' || url.password !== '') throw wrong('it holds a user name or password');
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url;
  throw wrong('only "https:" is allowed, and "http:" to this computer itself (127.0.0.1, [::1], localhost)');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Sends and follows redirects within the origin. Failure `servers.http` in words; `data.code` of the network's error. */
export async function exchange(request: HttpRequest): Promise<HttpAnswer> {
  let { url } = request;
  for (let redirects = 0; ; redirects++) {
    const answer = await once({ ...request, url });
    const { statusCode: status = 0 } = answer;
    if (status < 300 || status > 399 || status === 304) return read(answer, status);
    answer.destroy();
    url = follow(request, url, answer, redirects);
  }
}

function follow(request: HttpRequest, from: URL, answer: IncomingMessage, redirects: number): URL {
  const { limits } = request;
  const stop = (what: string) => new Failure('servers.http', `The server sends the desk elsewhere, ${what}.`);
  const { location } = answer.headers;
  if (answer.statusCode !== 307 && answer.statusCode !== 308)
    throw stop(`with HTTP ${answer.statusCode ?? 0}, which would change the request`);
  if (redirects >= limits.redirects) throw stop(`more than ${limits.redirects} times`);
  const next = location === undefined || location.length > limits.urlLength ? null : URL.parse(location, from.href);
  if (!next) throw stop('without a usable address');
  if (next.origin !== request.url.origin || next.username !== '' || next.password !== '')
    throw stop(`to another origin (${next.origin.slice(0, 200)}); only ${request.url.origin} is followed`);
  return next;
}

function once(request: HttpRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, limits, signal } = request;
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest;
    const sent = send(url, {
      method,
      agent: false,
      signal,
      ...(request.lookup && { lookup: request.lookup }),
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    const slow = setTimeout(() => {
      sent.destroy(new Error(`no connection within ${limits.connectMs / 1_000} s`));
    }, limits.connectMs);
    sent.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        clearTimeout(slow);
        request.onWritten();
      });
    });
    sent.on('response', resolve);
    sent.on('error', (error) => {
      clearTimeout(slow);
      reject(broken(error));
    });
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Failure('servers.http', 'The server answered in another protocol.'));
    });
    sent.end(body);
  });
}

function read(answer: IncomingMessage, status: number): HttpAnswer {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const header = (name: string) => {
    const value = answer.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const type = (answer.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const unpack = unpackers.get(encoding);
  if (unpack === null) return { status, type, header, body: answer };
  if (unpack === undefined) {
    answer.destroy();
    throw new Failure(
      'servers.http',
      `The answer is packed as "${encoding.slice(0, 40)}", which the desk cannot read.`,
    );
  }
  const body = unpack();
  pipeline(answer, body, () => undefined);
  return { status, type, header, body };
}

const unpackers = new Map<string, (() => Transform) | null>([
  ['identity', null],
  ['', null],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

const words: Record<string, string> = {
  ECONNREFUSED: 'nothing answers at its address',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke',
};

/** What the network said, in words. */
export function broken(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const said = /CERT|SELF_SIGNED|ALTNAME/.test(code)
    ? `its certificate is not good (${code})`
    : code.startsWith('HPE_')
      ? `it does not speak HTTP as it should (${code})`
      : words[code];
  return new Failure('servers.http', said ?? reason(error).slice(0, 200), { code });
}
