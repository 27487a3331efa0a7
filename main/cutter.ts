/** Stands between a desk and a server of the sample company and cuts connections where a test says so. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export const places = ['request', 'sent', 'head', 'body', 'end'] as const;
export interface Cut {
  /** Before the request is through, after it, in the answer's head or body, after its last byte. */
  place: (typeof places)[number];
  /** How far into that, from 0 to 1. */
  at: number;
  /** With a reset instead of an end. */
  reset: boolean;
  /** The answer comes as a stream of events that only its end closes, as a server may choose. */
  stream: boolean;
  /** Of the requests that may be cut, how many are let through first. */
  after: number;
}
const requestHead = /^POST [\s\S]*?\r\n\r\n/;

/** A place from `from` up to, and never at, `to`. */
function between({ at }: Cut, from: number, to: number): number {
  return from + Math.floor(at * (to - from));
}

/** The same answer as a stream of events. */
function asStream(answer: string): Buffer {
  // Short enough to be sent in one piece, and so one line.
  const json = /^\{.*\}\r?$/m.exec(answer)?.[0].trim();
  if (json === undefined) throw new Error(`no answer in ${answer}`);
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';
  return Buffer.from(`${head}: it works\n\nevent: message\ndata: ${json}\n\n`);
}

/** In front of a server: every request of a kind is kept in `seen`, and cut where the test says so. */
export async function createCutter(target: string, kinds: string[]) {
  /** `whole`: all of it was passed on. */
  const seen: { body: string; whole: boolean }[] = [];
  const kind = new RegExp(`^mcp-method: (?:${kinds.join('|')})\\r$`, 'im');
  const upstream = { host: '127.0.0.1', port: Number(new URL(target).port) };
  const open = new Set<Socket>();
  let armed: Cut | null = null;
  let cuts = 0;

  function kept(socket: Socket): Socket {
    open.add(socket);
    // What breaks here is the point of it.
    return socket.on('error', () => undefined).on('close', () => open.delete(socket));
  }
  function breakOff(socket: Socket, { reset }: Cut): void {
    if (reset) socket.resetAndDestroy();
    else socket.destroy();
  }
  /** The cut for this request, where it is one of the kind and its turn. */
  function cutFor(head: string): Cut | null {
    if (!kind.test(head) || armed === null || armed.after-- > 0) return null;
    const cut = armed;
    armed = null;
    cuts++;
    return cut;
  }

  function pass(desk: Socket, request: Buffer, head: string): void {
    const cut = cutFor(head);
    const server = kept(connect(upstream));
    const whole = cut?.place !== 'request';
    if (kind.test(head)) seen.push({ body: request.subarray(head.length).toString(), whole });
    if (cut === null) {
      server.write(request);
      server.pipe(desk);
      desk.on('close', () => server.destroy());
      return;
    }
    if (cut.place === 'request' || cut.place === 'sent') {
      server.write(whole ? request : request.subarray(0, between(cut, 1, request.length)), () => {
        server.destroy();
        breakOff(desk, cut);
      });
      return;
    }
    const parts: Buffer[] = [];
    server.on('data', (part: Buffer) => parts.push(part));
    server.on('end', () => {
      const plain = Buffer.concat(parts);
      const answer = cut.stream ? asStream(plain.toString()) : plain;
      const body = answer.indexOf('\r\n\r\n') + 4;
      const [from, to] = cut.place === 'head' ? [1, body] : [body, answer.length];
      const until = cut.place === 'end' ? answer.length : between(cut, from, to);
      desk.write(answer.subarray(0, until), () => breakOff(desk, cut));
    });
    server.write(request);
  }

  const listener = createServer((desk) => {
    kept(desk);
    let request = Buffer.alloc(0);
    desk.on('data', (part: Buffer) => {
      request = Buffer.concat([request, part]);
      const head = requestHead.exec(request.toString('latin1'))?.[0];
      const length = Number(/^content-length: (\d+)\r$/im.exec(head ?? '')?.[1] ?? Infinity);
      if (head !== undefined && request.length === head.length + length) pass(desk, request, head);
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // listens on TCP
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    cuts: () => cuts,
    arm(cut: Cut) {
      armed = { ...cut };
    },
    disarm() {
      armed = null;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
export type Cutter = Awaited<ReturnType<typeof createCutter>>;
