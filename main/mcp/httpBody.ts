/** Bodies of HTTP answers, bounded after decompression: whole, as events, or the beginning of an error. */
import type { Readable } from 'node:stream';
import { Failure } from '../../shared/failures.ts';
import { createEvents, type StreamMark } from './events.ts';
import type { HttpAnswer } from './httpExchange.ts';
import type { Limits } from './limits.ts';

const errorBytes = 64 * 1024;
const errorMs = 5_000;

/** The whole body. Failure `servers.http` once it is too long; the rest is not read. */
export async function readBody(answer: HttpAnswer, limits: Limits): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of chunks(answer.body)) {
    bytes += part.length;
    if (bytes > limits.messageBytes)
      throw new Failure('servers.http', `The answer is longer than the ${limits.messageBytes} bytes allowed.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The beginning of a body nobody will use but in words. */
export async function readError(answer: HttpAnswer, limits: Limits): Promise<string> {
  const late = setTimeout(() => answer.body.destroy(), Math.min(errorMs, limits.connectMs));
  const parts: Buffer[] = [];
  try {
    let bytes = 0;
    for await (const part of chunks(answer.body)) {
      parts.push(part);
      if ((bytes += part.length) > errorBytes) break;
    }
  } catch {
    // what came is enough
  } finally {
    clearTimeout(late);
    answer.body.destroy();
  }
  return Buffer.concat(parts).toString('utf8').trim();
}

/** Reads events while they are wanted; a stream that floods is left alone until the second is over. */
export async function readEvents(
  body: Readable,
  options: {
    limits: Limits;
    signal: AbortSignal;
    onData: (data: Buffer) => void;
    wanted: () => boolean;
    mark?: StreamMark;
  },
): Promise<void> {
  const { limits, signal } = options;
  const events = createEvents(limits.messageBytes, options.onData, options.mark);
  let since = performance.now();
  let count = 0;
  for await (const part of chunks(body)) {
    count += events.push(part);
    if (!options.wanted()) return;
    const now = performance.now();
    if (now - since >= 1_000) {
      since = now;
      count = 0;
    } else if (count > limits.linesPerSecond) await pause(1_000 - (now - since), signal);
  }
}

async function* chunks(body: Readable): AsyncGenerator<Buffer> {
  for await (const part of body) yield part as Buffer; // a stream without encoding gives buffers
}

/** Waits; an abort ends the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
