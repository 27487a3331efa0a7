// The socket of a data folder: how a second `desk` on the same machine reaches the host that holds the folder. One JSON
// document a line, bounded; only this user can open it.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure } from '../shared/failures.ts';
import { createFraming } from './mcp/framing.ts';
import type { Peer, Port } from './router.ts';

const lineLimit = 8 * 1024 * 1024;
/** A view that does not read what it asked for is cut off. */
const unreadLimit = 64 * 1024 * 1024;
/** Addresses of sockets are short: 104 bytes on some systems. */
const longest = 100;
const placeName = 'desk.sock.place';

/** Where the socket of a folder is; the file in the folder says so where the folder's own path is too long. */
function placeOf(data: string): { address: string; file: string | null } {
  const folder = realpathSync(data);
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return { address: `\\\\.\\pipe\\desk-${name}`, file: null };
  const own = path.join(folder, 'desk.sock');
  if (Buffer.byteLength(own) <= longest) return { address: own, file: null };
  const uid = process.getuid?.() ?? 0;
  return { address: path.join(tmpdir(), `desk-${uid}`, `${name}.sock`), file: path.join(folder, placeName) };
}

/** Nobody else may have made the folder, or may look into it. */
function prepareShort(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  if (uid !== process.getuid?.() || (mode & 0o77) !== 0 || !lstatSync(folder).isDirectory())
    throw new Failure(
      'host.socket',
      `The folder ${folder} is not this user's alone. Remove it, or choose a data folder with a shorter path.`,
    );
}

/** Serves views over the folder's socket. The folder's lock must be held: a socket left by a killed host is replaced. */
export async function serveSocket(data: string, connect: (port: Port) => Peer): Promise<{ close(): Promise<void> }> {
  const { address, file } = placeOf(data);
  if (file !== null) {
    prepareShort(path.dirname(address));
    writeFileSync(file, address, { mode: 0o600 });
  }
  const windows = process.platform === 'win32';
  if (!windows) rmSync(address, { force: true });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    serve(socket, connect);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  if (!windows) chmodSync(address, 0o600);
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroySoon();
      await closed;
      if (file !== null) rmSync(file, { force: true });
    },
  };
}

function serve(socket: Socket, connect: (port: Port) => Peer): void {
  const peer = connect({
    send(text) {
      if (socket.writableLength > unreadLimit) socket.destroy();
      else if (socket.writable) socket.write(`${text}\n`);
    },
    end: () => socket.destroySoon(),
  });
  const framing = createFraming({
    limit: lineLimit,
    onLine: (line) => {
      // What comes after the end is not looked at: twenty bad lines may come in one piece.
      if (socket.writable) peer.receive(line.toString('utf8'));
    },
    onOversize: (bytes) => {
      if (socket.writable) peer.refuse(`A message of ${bytes} bytes: at most ${lineLimit} are taken.`);
    },
  });
  socket.on('data', (chunk: Buffer) => framing.push(chunk));
  socket.on('error', () => undefined);
  socket.on('close', () => peer.gone());
}

export interface Line {
  send(text: string): void;
  close(): void;
}

/** Connects to the host of a folder; null where none listens (yet). */
export async function dialSocket(
  data: string,
  on: { text: (text: string) => void; gone: () => void },
): Promise<Line | null> {
  const { address, file } = placeOf(data);
  const said = file !== null && existsSync(file) ? readFileSync(file, 'utf8') : address;
  const socket = createConnection(said);
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  if (!connected) return null;
  // The host is the same user's own program: its answers, a run file for one, may be longer than what it takes.
  const framing = createFraming({
    limit: Number.MAX_SAFE_INTEGER,
    onLine: (line) => on.text(line.toString('utf8')),
    onOversize: () => undefined,
  });
  socket.on('data', (chunk: Buffer) => framing.push(chunk));
  socket.on('error', () => undefined);
  socket.on('close', on.gone);
  return {
    send(text) {
      if (Buffer.byteLength(text) > lineLimit)
        throw new Failure(
          'host.long',
          'This is more than 8 MiB at once. Wait until the other desk on this data folder has ended, or split the file.',
        );
      socket.write(`${text}\n`);
    },
    close: () => socket.destroySoon(),
  };
}
