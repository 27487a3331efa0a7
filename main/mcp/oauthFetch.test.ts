// Addresses a server names (spec oauth §2): https, no private network, few redirects, small bodies.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { lookup } from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultLimits } from './limits.ts';
import { createOauthFetch, onThisComputer } from './oauthFetch.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const one of servers.splice(0)) one.close().closeAllConnections();
});
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
}
function fetching(local: boolean, resolve?: typeof lookup) {
  const { signal } = new AbortController();
  return createOauthFetch({ limits: defaultLimits, local, signal, ...(resolve && { resolve }) });
}

describe('addresses that are not asked', () => {
  it.each([
    'http://login.example/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://192.168.0.1/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f.1/',
    'https://localhost/',
    'https://x.localhost./',
    'https://me:secret@login.example/',
    'file:///etc/passwd',
    'nonsense',
  ])('%s', (address) => {
    expect(() => fetching(false).allowed('It', address)).toThrow(/It \(.*\) is not asked/);
  });
  it('on this computer only for a server that is on it too, and no other private network even then', () => {
    for (const good of ['http://127.0.0.1:80/', 'http://localhost:80/', 'http://[::1]/', 'https://login.example/'])
      expect(fetching(true).allowed('It', good).href).toContain('/');
    for (const bad of ['http://10.0.0.1/', 'https://10.0.0.1/', 'http://login.example/'])
      expect(() => fetching(true).allowed('It', bad)).toThrow(/is not asked/);
    expect(onThisComputer('http://127.0.0.1:9/mcp')).toBe(true);
    expect(onThisComputer('https://login.example/mcp')).toBe(false);
  });
  it('a name that leads into a private network is found out when the connection is made', async () => {
    const asked: string[] = [];
    // Stands in for the name service, which a test cannot ask for such a name.
    const resolve = ((name: string, _how: object, done: (e: null, found: object[]) => void) => {
      asked.push(name);
      done(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.7', family: 4 },
      ]);
    }) as unknown as typeof lookup;
    const reading = fetching(false, resolve).json('Its metadata', 'https://login.example/m');
    await expect(reading).rejects.toThrow(/leads into a private network/);
    expect(asked).toEqual(['login.example']);
  });
});

describe('answers', () => {
  it('elsewhere, too long, not JSON, failing: in words; not there: null', async () => {
    const at = await serve((request, response) => {
      const { url = '' } = request;
      if (url === '/away') response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
      else if (url === '/found') response.writeHead(302, { location: '/good' }).end();
      else if (url === '/long') response.end(`{"a":"${'x'.repeat(200_000)}"}`);
      else if (url === '/list') response.end('[1]');
      else if (url === '/down') response.writeHead(500).end();
      else if (url === '/good') response.end('{"a":1}');
      else response.writeHead(404).end();
    });
    const { json } = fetching(true);
    expect(await json('It', `${at}/good`)).toEqual({ a: 1 });
    expect(await json('It', `${at}/none`)).toBeNull();
    await expect(json('It', `${at}/away`)).rejects.toThrow(/another origin/);
    await expect(json('It', `${at}/found`)).rejects.toThrow(/HTTP 302/);
    await expect(json('It', `${at}/long`)).rejects.toThrow(/longer than the 131072 bytes/);
    await expect(json('It', `${at}/list`)).rejects.toThrow(/no JSON object/);
    await expect(json('It', `${at}/down`)).rejects.toThrow(/HTTP 500/);
  });
  it('what carries a code or a secret follows no redirect at all', async () => {
    const seen: string[] = [];
    const at = await serve((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(307, { location: '/other' }).end();
    });
    const sending = fetching(true).fetch(`${at}/token`, { method: 'POST', body: new URLSearchParams({ code: 'c' }) });
    await expect(sending).rejects.toThrow(/more than 0 times/);
    expect(seen).toEqual(['/token']);
  });
});
