/**
 * The payment provider, as far as the sample company needs one: a page on loopback where a person connects their account,
 * and a line on which the payments server, with its own key, opens flows and asks who finished them. A flow is a random
 * number and nothing else; what the page is told never reaches the payments server's client.
 */
import type Database from 'better-sqlite3';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';

export const PROVIDER_TABLES = `
  CREATE TABLE IF NOT EXISTS flows (flow TEXT PRIMARY KEY, finished_by TEXT, finished_at TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS page (only INTEGER PRIMARY KEY CHECK (only = 1), port INTEGER NOT NULL) STRICT;
`;
const MAX_BODY = 4_096;
const FLOW = /^\/(connect|flows)\/([\w-]{22,64})$/;
const PERSON = /^[\w.@-]{1,100}$/;

export interface Provider {
  /** Where a person connects: the flow follows. */
  page: string;
  open(flow: string): Promise<void>;
  /** Who finished the flow; undefined: nobody yet. */
  finishedBy(flow: string): Promise<string | undefined>;
  close(): void;
}

interface Answer {
  status: number;
  body: unknown;
  html?: string;
}

function page(text: string, form = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Payment provider</title><h1>Payment provider</h1><p>${text}</p>${form}</html>`;
}

const FORM =
  '<form method="post"><p><label>Your staff ID <input name="person" required pattern="[\\w.@\\-]{1,100}" autocomplete="off"></label></p><p><button>Connect my account</button></p></form>';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY) throw new Error('the body is too large');
  }
  return text;
}

function same(given: unknown, key: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(key));
}

/** Loopback is no protection from a page in the person's own browser: host and origin are looked at. */
function isForeign({ headers }: IncomingMessage, port: number): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host ?? '')) return true;
  return headers.origin !== undefined && !hosts.some((host) => headers.origin === `http://${host}`);
}

function createPage(db: Database.Database, key: string, now: () => Date): Server {
  const find = db.prepare<[string], { finished_by: string | null }>('SELECT finished_by FROM flows WHERE flow = ?');
  const add = db.prepare('INSERT OR IGNORE INTO flows (flow) VALUES (?)');
  const finish = db.prepare('UPDATE flows SET finished_by = ?, finished_at = ? WHERE flow = ? AND finished_by IS NULL');

  async function answer(request: IncomingMessage): Promise<Answer> {
    const [, kind, flow = ''] = FLOW.exec(request.url ?? '') ?? [];
    const known = find.get(flow);
    if (kind === 'flows') {
      if (!same(request.headers['x-provider-key'], key)) return { status: 401, body: {} };
      if (request.method === 'POST') add.run(flow);
      const row = find.get(flow);
      return row ? { status: 200, body: { finished_by: row.finished_by } } : { status: 404, body: {} };
    }
    if (kind !== 'connect' || !known) return { status: 404, body: {}, html: page('There is no such page.') };
    if (known.finished_by !== null)
      return { status: 200, body: {}, html: page('This is done. You can close the page.') };
    if (request.method !== 'POST') return { status: 200, body: {}, html: page('Sign in to pay refunds.', FORM) };
    const person = new URLSearchParams(await bodyOf(request)).get('person') ?? '';
    if (!PERSON.test(person)) return { status: 422, body: {}, html: page('That is no staff ID.', FORM) };
    finish.run(person, now().toISOString(), flow);
    return { status: 200, body: {}, html: page('Your account is connected. Go back to the desk.') };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const said = isForeign(request, port) ? { status: 403, body: {} } : await answer(request);
    response.writeHead(said.status, {
      'content-type': 'html' in said ? 'text/html; charset=utf-8' : 'application/json',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    response.end('html' in said ? said.html : JSON.stringify(said.body));
  }
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  return server;
}

/** A question outlives its process, so its page is to be found at the same port again where that is free. */
async function listen(server: Server, db: Database.Database): Promise<number> {
  const before = db.prepare<[], { port: number }>('SELECT port FROM page').get()?.port;
  const ports = before === undefined ? [0] : [before, 0];
  for (const port of ports) {
    server.listen(port, '127.0.0.1');
    const failed = await Promise.race([
      once(server, 'listening').then(() => undefined),
      once(server, 'error').then(([error]: unknown[]) => error),
    ]);
    if (failed === undefined) break;
    if (port === 0) throw new Error('the page cannot listen on loopback', { cause: failed });
  }
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the page has no address');
  db.prepare('INSERT OR REPLACE INTO page (only, port) VALUES (1, ?)').run(address.port);
  return address.port;
}

export async function openProvider(db: Database.Database, now: () => Date): Promise<Provider> {
  const key = randomBytes(24).toString('base64url');
  const server = createPage(db, key, now);
  const base = `http://127.0.0.1:${await listen(server, db)}`;
  async function ask(flow: string, method: string): Promise<string | undefined> {
    const response = await fetch(`${base}/flows/${flow}`, { method, headers: { 'x-provider-key': key } });
    if (!response.ok) throw new Error(`the provider answered ${response.status}`);
    // Our own page's answer.
    const { finished_by } = (await response.json()) as { finished_by: string | null };
    return finished_by ?? undefined;
  }
  return {
    page: `${base}/connect/`,
    open: async (flow) => {
      await ask(flow, 'POST');
    },
    finishedBy: (flow) => ask(flow, 'GET'),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
