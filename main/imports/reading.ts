// Reading a file of tickets: a small one at once, a large one in a thread of its own that ends with it.
import { Worker } from 'node:worker_threads';
import { Failure } from '../../shared/failures.ts';
import type { ImportOptions } from '../../shared/imports.ts';
import { readAny, type ReadImport } from './readImport.ts';
import type { ReadAnswer, ReadJob } from './readWorker.ts';

/** Read in less time than a thread takes to start. */
const small = 256 * 1024;

/** Failures as of `readAny`. */
export async function readFileOf(bytes: Uint8Array, options: ImportOptions, signal: AbortSignal): Promise<ReadImport> {
  signal.throwIfAborted();
  if (bytes.length < small) return readAny(bytes, options);
  const workerData: ReadJob = { bytes, options };
  const worker = new Worker(new URL('readWorker.ts', import.meta.url), { execArgv: [], env: {}, workerData });
  const stop = (): unknown => worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const answer = await new Promise<ReadAnswer | null>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => resolve(null));
    });
    signal.throwIfAborted();
    if (answer === null) throw new Error('the thread that reads files ended without an answer');
    if ('read' in answer) return answer.read;
    throw new Failure(answer.code, answer.message);
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
