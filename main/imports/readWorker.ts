// Reads a large file of tickets in a thread of its own, so that nobody else waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import { Failure } from '../../shared/failures.ts';
import type { ImportOptions } from '../../shared/imports.ts';
import { readAny, type ReadImport } from './readImport.ts';

export interface ReadJob {
  bytes: Uint8Array;
  options: ImportOptions;
}
/** A Failure loses its class on the way between threads. */
export type ReadAnswer = { read: ReadImport } | { code: string; message: string };

async function answer({ bytes, options }: ReadJob): Promise<ReadAnswer> {
  try {
    return { read: await readAny(bytes, options) };
  } catch (error) {
    if (error instanceof Failure) return { code: error.code, message: error.message };
    throw error;
  }
}

// `reading.ts` starts this with a job and nothing else.
parentPort?.postMessage(await answer(workerData as ReadJob));
