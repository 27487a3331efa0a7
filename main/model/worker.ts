/**
 * The model in a process of its own: a native crash or a lack of memory ends one draft, not the desk. Started by `model.ts`
 * with a channel; when that closes, however the host went, this process is gone at once.
 */
import { Failure, reason } from '../../shared/failures.ts';
import { createEngine, type Engine } from './engine.ts';
import type { Cancel, Reply, Request, WorkerOptions } from './protocol.ts';

const running = new Map<number, AbortController>();
let engine: Engine | null = null;
let queue: Promise<unknown> = Promise.resolve();

async function perform({ op, input }: Request, signal: AbortSignal): Promise<unknown> {
  signal.throwIfAborted();
  if (op === 'open') {
    // The only sender is model.ts, which is checked against the same Operations.
    engine = await createEngine(input as WorkerOptions, signal);
    return engine.ready;
  }
  if (engine === null) throw new Error('The model is not open.');
  // As above: op and input belong together, which a union of calls cannot express.
  const operation = engine[op] as (input: unknown, signal: AbortSignal) => Promise<unknown>;
  return operation(input, signal);
}

async function answer(request: Request): Promise<void> {
  const { id } = request;
  const controller = running.get(id);
  let reply: Reply;
  try {
    reply = { id, ok: true, value: await perform(request, controller?.signal ?? AbortSignal.abort()) };
  } catch (error) {
    const failure =
      error instanceof Failure ? error : new Failure('model.failed', `The model stopped: ${reason(error)}. Try again.`);
    reply = { id, ok: false, code: failure.code, message: failure.message, data: failure.data };
  }
  running.delete(id);
  process.send?.(reply);
}

function receive(message: Request | Cancel): void {
  if ('cancel' in message) {
    running.get(message.cancel)?.abort();
    return;
  }
  running.set(message.id, new AbortController());
  // One owner of the sequence: two evaluations at once would mix their tokens without an error.
  queue = queue.then(() => answer(message));
}

// Not process.exit: that would wait for a decode, or crash in it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('message', receive);
if (!process.connected) process.exit(1);
