// The desk in a browser on this machine: the built renderer and the contract over WebSocket, on 127.0.0.1 only (spec trust,
// "In the browser mode"). To look at screens: `npm run build`, then `npm start -- --browser --data DIR` prints the address.
// The page posts the token of its address to /session, then opens /line; every tab is a connection of its own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { linePath, sessionPath, viewPath } from '../shared/shell.ts';
import { pageHeaders, readPage, viewPage } from './pages.ts';
import type { Clock, Random } from './ports.ts';
import type { Peer, Port } from './router.ts';
import { createWebSessions, keepWeb, readKeptWeb, type WebSessions } from './webSessions.ts';

export interface WebOptions {
  /** Folder of the built renderer. */
  pages: string;
  connect: (port: Port) => Peer;
  /** 0: any free one. */
  port: number;
  clock: Clock;
  random: Random;
  /** File of what outlives this desk: sessions, so that an open page comes back by itself, and the port. */
  kept?: string;
}
export interface Web {
  origin: string;
  /** The address with a new start token, good once and for a minute. */
  link: () => string;
  close: () => Promise<void>;
}

const messageLimit = 8 * 1024 * 1024;
/** A view that does not read what it asked for is cut off. */
const unreadLimit = 64 * 1024 * 1024;
const mostConnections = 256;
const host = '127.0.0.1';

interface Serving {
  origin: string;
  pages: string;
  sessions: WebSessions;
  connect: (port: Port) => Peer;
}

/** Rejects where the port is taken. */
export async function serveWeb(options: WebOptions): Promise<Web> {
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16_384 });
  server.maxConnections = mostConnections;
  const serving: Serving = {
    origin: `http://${host}:${await listenAgain(server, options)}`,
    pages: options.pages,
    sessions: createWebSessions(options),
    connect: options.connect,
  };
  const lines = new WebSocketServer({ noServer: true, maxPayload: messageLimit });
  server.on('request', (request, response) => void answer(serving, request, response));
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    const wrong = foreign(serving, request) ?? notALine(serving, request);
    if (wrong === null) lines.handleUpgrade(request, socket, head, (line) => serveLine(line, serving.connect));
    else refuseLine(serving, socket, wrong);
  });
  return {
    origin: serving.origin,
    link: () => `${serving.origin}/#${serving.sessions.token()}`,
    async close() {
      for (const line of lines.clients) line.close(1001);
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // A page that does not answer the goodbye is not waited for.
      const cut = setTimeout(() => {
        for (const line of lines.clients) line.terminate();
        server.closeAllConnections();
      }, 500);
      await closed;
      clearTimeout(cut);
    },
  };
}

/** At the port of before, where none is asked for and that one is free. */
async function listenAgain(server: Server, { port, kept }: WebOptions): Promise<number> {
  if (port !== 0 || kept === undefined) return listen(server, port);
  const before = readKeptWeb(kept);
  if (before.port !== null)
    try {
      return await listen(server, before.port);
    } catch {
      // Another desk, or another program, has it.
    }
  const chosen = await listen(server, 0);
  if (before.port === null) keepWeb(kept, { ...before, port: chosen });
  return chosen;
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server on TCP has a port');
  return address.port;
}

/** Why a request is not from our own page: another name for this machine, or a page of another origin. */
function foreign({ origin }: Serving, { headers }: IncomingMessage): string | null {
  if (`http://${headers.host ?? ''}` !== origin) return `It was sent to another host than ${origin}.`;
  if (headers.origin !== undefined && headers.origin !== origin) return 'It was sent by a page of another origin.';
  return null;
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const frames = `${new URL(serving.origin).host}${viewPath}`;
  for (const [name, value] of Object.entries(pageHeaders(frames))) response.setHeader(name, value);
  const wrong = foreign(serving, request);
  if (wrong !== null) end(response, 403, wrong);
  else if (request.url === sessionPath) await session(serving, request, response);
  else if (request.method !== 'GET' && request.method !== 'HEAD') end(response, 405, 'Pages are only read.');
  else if (request.url === viewPath) {
    const { body, headers } = viewPage(serving.origin);
    response.writeHead(200, headers).end(request.method === 'HEAD' ? undefined : body);
  } else {
    const file = await readPage(serving.pages, request.url ?? '');
    if (file === null) end(response, 404, 'There is no such page.');
    else response.writeHead(200, { 'content-type': file.type }).end(request.method === 'HEAD' ? undefined : file.body);
  }
}

function end(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(words);
}

/** POST changes a start token into the cookie, GET says whether there is one. */
async function session(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(signedIn(serving, request) ? 204 : 401).end();
    return;
  }
  if (request.method !== 'POST' || request.headers.origin !== serving.origin) {
    end(response, 403, 'Only the desk’s own page asks this.');
    return;
  }
  const token = await textOf(request);
  const value = token === null ? null : serving.sessions.redeem(token);
  if (value === null) {
    end(response, 401, 'The link was used before, or is older than a minute.');
    return;
  }
  response.setHeader('set-cookie', `${cookieName(serving)}=${value}; Path=/; HttpOnly; SameSite=Strict`);
  response.writeHead(204).end();
}

/** Null where it is longer than a token. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  let text = '';
  request.setEncoding('ascii');
  try {
    for await (const chunk of request) {
      text += String(chunk);
      if (text.length > 200) return null;
    }
    return text;
  } catch {
    return null;
  }
}

/** Cookies are shared by all ports of a host: the name tells two desks apart. */
function cookieName({ origin }: Serving): string {
  return `desk-${new URL(origin).port}`;
}
function signedIn(serving: Serving, request: IncomingMessage): boolean {
  const start = `${cookieName(serving)}=`;
  const cookies = (request.headers.cookie ?? '').split('; ').filter((one) => one.startsWith(start));
  return cookies.some((one) => serving.sessions.knows(one.slice(start.length)));
}

function notALine(serving: Serving, request: IncomingMessage): string | null {
  if (request.url !== linePath) return 'There is no line there.';
  if (request.headers.origin !== serving.origin) return 'It does not say which page sent it.';
  return signedIn(serving, request) ? null : 'It came without the cookie of a start token.';
}
/** Refused and counted by the host, as any foreign message (spec trust, invariant 8). */
function refuseLine({ connect }: Serving, socket: Duplex, why: string): void {
  socket.end(`HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  const peer = connect({ send: () => undefined, end: () => undefined });
  peer.refuse(why);
  peer.gone();
}

function serveLine(line: WebSocket, connect: (port: Port) => Peer): void {
  const peer = connect({
    send(text) {
      if (line.bufferedAmount > unreadLimit) line.terminate();
      else if (line.readyState === line.OPEN) line.send(text);
    },
    end: () => line.close(1008),
  });
  line.on('message', (data: Buffer, binary) => {
    // What comes after the end is not looked at.
    if (line.readyState !== line.OPEN) return;
    if (binary) peer.refuse('A message of bytes: only text is taken.');
    else peer.receive(data.toString('utf8'));
  });
  // The library closes the line after what broke its limits.
  line.on('error', (error) => peer.refuse(`${error.message}: at most ${messageLimit} bytes of text are taken.`));
  line.on('close', () => peer.gone());
}
