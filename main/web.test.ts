import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Answer } from '../shared/contract.ts';
import type { Handlers } from './asked.ts';
import { createHandlers } from './handlers.ts';
import { createHost, type Host } from './host.ts';
import { createModelChoice } from './modelChoice.ts';
import { createRouter, type Router } from './router.ts';
import { serveWeb, type Web } from './web.ts';
import { createWork } from './work.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-web-'));
const data = path.join(folder, 'data');
const pages = path.join(folder, 'pages');
const refused = { count: 0 };
const clock = { at: 0, now: () => clock.at };
let host: Host;
let handlers: Handlers;
let web: Web;
let router: Router;
const lines: WebSocket[] = [];

beforeAll(async () => {
  mkdirSync(path.join(pages, 'assets'), { recursive: true });
  writeFileSync(path.join(pages, 'index.html'), '<!doctype html><title>Desk</title>');
  writeFileSync(path.join(pages, 'assets', 'index-a.js'), 'export {};');
  writeFileSync(path.join(pages, '.hidden.js'), 'hidden');
  writeFileSync(path.join(pages, 'notes.txt'), 'no page');
  writeFileSync(path.join(folder, 'secret.js'), 'secret');
  symlinkSync(path.join(folder, 'secret.js'), path.join(pages, 'link.js'));
  const profileFile = path.resolve(import.meta.dirname, '../demo/profile.json');
  host = await createHost({ data, profileFile, servers: false, say: () => undefined });
  const models = createModelChoice(data, host.settings);
  handlers = createHandlers({ host, models, work: createWork({ host: () => host, models: () => models }), refused });
  router = createRouter({ host, handlers, refused, say: () => undefined });
  const random = { hex: (n: number) => randomBytes(n).toString('hex') };
  web = await serveWeb({ pages, connect: router.connect, port: 0, clock, random });
});
afterEach(() => {
  for (const line of lines.splice(0)) line.terminate();
});
afterAll(async () => {
  await web.close();
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
/** A request as it is written: `fetch` would tidy the path and hold back headers. */
function ask(target: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  const { port } = new URL(web.origin);
  return new Promise<Got>((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    const sent = request({ host: '127.0.0.1', port, path: target, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end(options.body);
  });
}
function redeem(token: string, headers: Record<string, string> = { origin: web.origin }): Promise<Got> {
  return ask('/session', { method: 'POST', headers, body: token });
}
async function cookie(): Promise<string> {
  const { headers } = await redeem(new URL(web.link()).hash.slice(1));
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}
/** A line, or the status it was refused with. */
async function dial(headers: Record<string, string>, target = '/desk'): Promise<WebSocket | number> {
  const line = new WebSocket(web.origin.replace('http', 'ws') + target, { headers, perMessageDeflate: false });
  lines.push(line);
  return new Promise((resolve, reject) => {
    line.on('open', () => resolve(line));
    line.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0));
    line.on('error', reject);
  });
}
async function signedIn(): Promise<WebSocket> {
  const line = await dial({ origin: web.origin, cookie: await cookie() });
  if (typeof line === 'number') throw new Error(`The line was refused with ${line}`);
  line.on('error', () => undefined);
  return line;
}
async function next(line: WebSocket): Promise<Answer> {
  const [text] = (await once(line, 'message')) as [Buffer]; // ws gives text as bytes
  return JSON.parse(text.toString('utf8')) as Answer; // the router's own words
}

describe('in the browser mode (spec trust)', () => {
  it('listens on 127.0.0.1 only', async () => {
    const others = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const address of ['::1', ...others.filter((one) => !one.internal).map((one) => one.address)]) {
      const socket = connect(Number(new URL(web.origin).port), address);
      const outcome = await new Promise((resolve) => {
        socket.once('connect', () => resolve('connected'));
        socket.once('error', () => resolve('refused'));
      });
      socket.destroy();
      expect(outcome).toBe('refused');
    }
  });

  it('the start token stands in the fragment, is good once, and becomes a cookie scripts cannot read', async () => {
    const link = new URL(web.link());
    expect(link.pathname + link.search).toBe('/');
    const token = link.hash.slice(1);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const first = await redeem(token);
    expect(first.status).toBe(204);
    expect(first.headers['set-cookie']?.[0]).toMatch(/^desk-\d+=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/);
    const second = await redeem(token);
    expect([second.status, second.headers['set-cookie']]).toEqual([401, undefined]);
  });

  it('the start token is good for 60 s', async () => {
    const [early, late] = [new URL(web.link()).hash.slice(1), new URL(web.link()).hash.slice(1)];
    clock.at += 59_999;
    expect((await redeem(early)).status).toBe(204);
    clock.at += 1;
    expect((await redeem(late)).status).toBe(401);
  });

  it('an open page comes back by itself after the desk was started again: same address, same cookie, only its hash kept', async () => {
    const kept = path.join(folder, 'web.json');
    const random = { hex: (n: number) => randomBytes(n).toString('hex') };
    const start = () => serveWeb({ pages, connect: router.connect, port: 0, clock, random, kept });
    const first = await start();
    const usual = web;
    web = first;
    const mine = await cookie();
    await first.close();
    expect(readFileSync(kept, 'utf8')).not.toContain(mine.split('=')[1]);
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const again = await start();
    web = again;
    expect(again.origin).toBe(first.origin);
    expect((await ask('/session', { headers: { cookie: mine } })).status).toBe(204);
    expect((await ask('/session', { headers: { cookie: `${mine.slice(0, -1)}x` } })).status).toBe(401);
    clock.at += 7 * 24 * 3_600_000;
    expect((await ask('/session', { headers: { cookie: mine } })).status).toBe(401);
    // Where the address of before is taken, it is another one.
    const beside = await start();
    expect(beside.origin).not.toBe(again.origin);
    await beside.close();
    await again.close();
    web = usual;
  });

  it('a token is taken only from our own page, and no long text for one', async () => {
    const token = new URL(web.link()).hash.slice(1);
    expect((await redeem(token, {})).status).toBe(403);
    expect((await redeem(token, { origin: 'http://evil.example' })).status).toBe(403);
    expect((await redeem(token.repeat(4))).status).toBe(401);
    expect((await redeem(token)).status).toBe(204);
  });

  it('GET /session says whether there is a cookie, and nothing else', async () => {
    expect((await ask('/session')).status).toBe(401);
    expect((await ask('/session', { headers: { cookie: await cookie() } })).status).toBe(204);
    const forged = { cookie: `desk-${new URL(web.origin).port}=${'0'.repeat(64)}` };
    expect((await ask('/session', { headers: forged })).status).toBe(401);
  });

  it('Host is checked on pages: another name for this machine gets nothing', async () => {
    const { port } = new URL(web.origin);
    for (const name of [`localhost:${port}`, `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port}.evil.example`]) {
      const { status, body } = await ask('/', { headers: { host: name } });
      expect([status, body.includes('<title>')]).toEqual([403, false]);
    }
  });

  it('Origin is checked on pages', async () => {
    for (const origin of ['http://evil.example', 'null', web.origin.replace('127.0.0.1', 'localhost')])
      expect((await ask('/', { headers: { origin } })).status).toBe(403);
  });

  it('Host, Origin and cookie are checked on the line; each refusal is counted', async () => {
    const good = { origin: web.origin, cookie: await cookie() };
    const before = refused.count;
    expect(await dial({ ...good, origin: 'http://evil.example' })).toBe(403);
    expect(await dial({ ...good, host: 'evil.example' })).toBe(403);
    expect(await dial({ cookie: good.cookie })).toBe(403);
    expect(await dial({ origin: good.origin })).toBe(403);
    expect(await dial({ ...good, cookie: good.cookie.slice(0, -1) })).toBe(403);
    expect(await dial(good, '/other')).toBe(403);
    expect(refused.count - before).toBe(6);
    expect(await dial(good)).toBeInstanceOf(WebSocket);
  });
});

describe('pages', () => {
  it('are those of the built folder, never cached, under a policy that loads nothing else', async () => {
    for (const target of ['/', '/index.html', '/assets/index-a.js']) {
      const { status, headers } = await ask(target);
      expect([status, headers['cache-control'], headers['x-content-type-options']]).toEqual([
        200,
        'no-store',
        'nosniff',
      ]);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
    }
    expect((await ask('/assets/index-a.js')).headers['content-type']).toContain('text/javascript');
  });

  it.each([
    '/../secret.js',
    '/assets/../../secret.js',
    '/%2e%2e/secret.js',
    '/..%2fsecret.js',
    '/assets/..\\..\\secret.js',
    '//secret.js',
    '/.hidden.js',
    '/link.js',
    '/notes.txt',
    '/assets',
    '/index.html?x',
    '/index.html%00.js',
    `${'/a'.repeat(200)}.js`,
  ])('%s is none (strict path check)', async (target) => {
    const { status, body } = await ask(target);
    expect([status, /secret|hidden|no page/.test(body)]).toEqual([404, false]);
  });

  it('are only read', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await ask('/', { method })).status).toBe(405);
  });
});

describe('the line', () => {
  it('speaks the contract; every tab is a connection of its own', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    for (const line of [one, other]) line.send(JSON.stringify({ id: 1, route: 'people.list', params: {} }));
    const answers = await Promise.all([next(one), next(other)]);
    for (const answer of answers) expect(answer).toMatchObject({ id: 1, ok: true });
  });

  it.each([
    ['no JSON', '{{{', 'host.malformed'],
    ['half of a pair of letters and a zero', '\ud800\u0000', 'host.malformed'],
    ['JSON 100,000 deep', '['.repeat(100_000) + ']'.repeat(100_000), 'host.malformed'],
    [
      'parameters 20,000 deep',
      `{"id":1,"route":"people.list","params":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      'host.malformed',
    ],
    ['a field too many', '{"id":1,"route":"people.list","params":{},"more":1}', 'host.malformed'],
    ['a request there is none of', '{"id":1,"route":"tickets.burn","params":{}}', 'host.route'],
    ['one that every object has', '{"id":1,"route":"constructor","params":{}}', 'host.route'],
    ['__proto__ for a request', '{"id":1,"route":"__proto__","params":{}}', 'host.route'],
    [
      '__proto__ beside them',
      '{"id":1,"route":"people.list","params":{},"__proto__":{"as":"staff-0001"}}',
      'host.malformed',
    ],
    [
      'a path in the place of bytes',
      '{"id":1,"route":"imports.preview","params":{"name":"x","path":"/etc/passwd"}}',
      'host.params',
    ],
  ])('%s is refused and counted, and the line lives on (spec trust 8)', async (_, text, code) => {
    const line = await signedIn();
    const before = refused.count;
    line.send(text);
    expect(await next(line)).toMatchObject({
      ok: false,
      failure: { code: expect.stringContaining(code) as string },
    });
    expect(refused.count - before).toBe(1);
    line.send('{"id":2,"route":"people.list","params":{}}');
    expect(await next(line)).toMatchObject({ id: 2, ok: true });
  });

  it('__proto__ among the parameters changes nothing of any object', async () => {
    const line = await signedIn();
    line.send('{"id":1,"route":"people.list","params":{"__proto__":{"foreign":1}}}');
    expect(await next(line)).toMatchObject({ id: 1 });
    expect(Reflect.get({}, 'foreign')).toBeUndefined();
  });

  it('a flood of requests is answered or refused, each of them, and another tab is served meanwhile', async () => {
    const [line, other] = [await signedIn(), await signedIn()];
    const answers: Answer[] = [];
    const all = new Promise<void>((resolve) => {
      line.on('message', (text: Buffer) => {
        answers.push(JSON.parse(text.toString('utf8')) as Answer); // the router's own words
        if (answers.length === 2_000) resolve();
      });
      line.on('close', () => resolve());
    });
    for (let id = 1; id <= 2_000; id++) line.send(JSON.stringify({ id, route: 'people.list', params: {} }));
    other.send('{"id":1,"route":"people.list","params":{}}');
    expect(await next(other)).toMatchObject({ id: 1, ok: true });
    await all;
    const failures = answers.flatMap((one) => ('ok' in one && !one.ok ? [one.failure.code] : []));
    expect(new Set(failures)).toEqual(new Set(failures.length === 0 ? [] : ['host.busy']));
    expect(answers.length === 2_000 || failures.length === 20).toBe(true);
  });

  it('a message of more than 8 MiB is refused, counted, and ends the line', async () => {
    const line = await signedIn();
    const before = refused.count;
    line.send('x'.repeat(8 * 1024 * 1024 + 1));
    const [code] = (await once(line, 'close')) as [number];
    expect([code, refused.count - before]).toEqual([1009, 1]);
  });

  it('20 refusals in a row end the line; bytes are no message', async () => {
    const line = await signedIn();
    const before = refused.count;
    for (let n = 0; n < 40; n++) line.send(n % 2 === 0 ? Buffer.from('{}') : '{"route":"nothing"}');
    const [code] = (await once(line, 'close')) as [number];
    expect([code, refused.count - before]).toEqual([1008, 20]);
  });
});
