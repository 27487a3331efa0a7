/**
 * Where the browser comes back to after a person signed in: an address of this computer, open before the browser is, for
 * one answer with the right `state` (spec oauth §4). What comes back is read by whoever waits, never shown here.
 */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../shared/failures.ts';

export interface CallbackListener {
  redirect: string;
  /** Parameters of the answer. Failure `servers.oauth` when nobody came back in time. */
  answer: Promise<URLSearchParams>;
  close(): void;
}

const path = '/signed-in';
const page = (title: string, words: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><body style="font:1rem system-ui;margin:3rem"><h1>${title}</h1><p>${words}</p></body></html>`;

/** `port` is tried first: a client may be registered with it. */
export async function listenForCallback(options: {
  state: string;
  port: number | null;
  waitMs: number;
  signal: AbortSignal;
}): Promise<CallbackListener> {
  let settle: { resolve: (found: URLSearchParams) => void; reject: (error: Error) => void } | null = null;
  const answer = new Promise<URLSearchParams>((resolve, reject) => (settle = { resolve, reject }));
  answer.catch(() => undefined);
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
    const own = request.headers.host === `127.0.0.1:${portOf(server)}`;
    const right = own && request.method === 'GET' && url?.pathname === path && same(url, options.state);
    response.writeHead(right ? 200 : 400, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    });
    response.end(
      right
        ? page('Back to the desk', 'You can close this page. How the sign-in went is shown in the desk.')
        : page('Nothing waits for this', 'This page does not belong to a sign-in the desk waits for.'),
    );
    if (right) settle?.resolve(url.searchParams);
  });
  await open(server, options.port);
  const stop = () => settle?.reject(new Failure('servers.oauth', 'The sign-in was stopped.'));
  options.signal.addEventListener('abort', stop, { once: true });
  if (options.signal.aborted) stop();
  const late = setTimeout(() => {
    const minutes = Math.round(options.waitMs / 60_000);
    settle?.reject(
      new Failure('servers.oauth', `Nobody came back from signing in within ${minutes} minutes. Start it again.`),
    );
  }, options.waitMs);
  return {
    redirect: `http://127.0.0.1:${portOf(server)}${path}`,
    answer,
    close() {
      clearTimeout(late);
      options.signal.removeEventListener('abort', stop);
      server.close();
      server.closeIdleConnections();
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port; // it listens on a port
}

function same(url: URL, state: string): boolean {
  const given = url.searchParams.getAll('state');
  const [one = ''] = given;
  const left = Buffer.from(one);
  const right = Buffer.from(state);
  return given.length === 1 && left.length === right.length && timingSafeEqual(left, right);
}

async function open(server: Server, port: number | null): Promise<void> {
  const on = (at: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(at, '127.0.0.1', () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
  if (port === null) return on(0);
  try {
    await on(port);
  } catch {
    await on(0); // taken meanwhile
  }
}
