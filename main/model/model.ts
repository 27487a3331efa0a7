/** The host's side of the model worker: starts it, sends it one operation after the other, notices when it is gone. */
import { fork, type ChildProcess } from 'node:child_process';
import { open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Failure, reason } from '../../shared/failures.ts';
import type { Meter } from '../../shared/runs.ts';
import { knownSum } from './fileSum.ts';
import type {
  Cancel,
  Chosen,
  Generation,
  Operation,
  Operations,
  Prefix,
  Reply,
  Request,
  Segment,
  Written,
} from './protocol.ts';

export type { Prefix, Segment } from './protocol.ts';

export interface ModelOptions {
  file: string;
  name: string;
  /** As the catalogue or the person who added the file has it; a file with another sum is not loaded. */
  sha256?: string;
  /** Tokens, 8,192 by default. */
  contextSize?: number;
  /** As many as there are physical cores by default. */
  threads?: number;
  gpu?: 'auto' | false;
  /** Holds evaluated prefixes: the instructions and policies in clear form. */
  prefixFolder: string;
  temperature?: number;
}
export interface Model {
  info: { name: string; sha256: string; build: string; contextSize: number };
  /** Of the worker process. */
  pid: number;
  /** Tokens of these segments, for budgets. */
  count(segments: Segment[]): Promise<number>;
  /** What every ticket shares. Reused from memory or disk where possible; ends at its last token. */
  setPrefix(segments: Segment[], signal?: AbortSignal): Promise<Prefix>;
  /** Back to the end of the prefix. */
  rewind(): Promise<void>;
  /** A reading, choice or generation that fails or is cancelled (within a slice) leaves the sequence where it was. */
  read(segments: Segment[], signal?: AbortSignal): Promise<Meter>;
  /** Ranks options by their first tokens, which must differ (else `model.labels`); the choice itself is not read in. */
  choose(segments: Segment[], options: string[], signal?: AbortSignal): Promise<Chosen>;
  /** What was written stays in the sequence, a stop string and all after it excepted. */
  generate(segments: Segment[], generation: Generation, signal?: AbortSignal): Promise<Written>;
  /** A position to go back to. */
  mark(): Promise<number>;
  back(mark: number): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}
/** What a worker needs of the environment; keys and tokens of the host are none of its business. */
const environment = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'LD_LIBRARY_PATH',
  'LANG',
  'CUDA_PATH',
  'VK_ICD_FILENAMES',
];

function startProcess(): ChildProcess {
  const env = Object.fromEntries(
    environment.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [], {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

function createWorker() {
  const child = startProcess();
  const waiting = new Map<number, Waiting>();
  let next = 1;
  let closing = false;
  let ended: Failure | null = null;
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4000)));

  const gone = new Promise<void>((resolve) => {
    function end(how: string): void {
      const last = said.trim().split('\n').at(-1) ?? '';
      const message = closing
        ? 'The model was closed.'
        : `The model's process ended (${how}). ${last} Start the draft again; the model is loaded anew.`;
      ended ??= new Failure('model.ended', message.replace(/ {2,}/g, ' '), { how, stderr: said });
      for (const { reject } of waiting.values()) reject(ended);
      waiting.clear();
      resolve();
    }
    child.on('exit', (code, signal) => end(signal ?? `code ${code ?? 'unknown'}`));
    child.on('error', (error) => end(reason(error)));
  });
  child.on('message', (reply: Reply) => {
    const request = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.ok) request?.resolve(reply.value);
    else request?.reject(new Failure(reply.code, reply.message, reply.data));
  });

  function send(message: Request | Cancel): void {
    // A channel that closes meanwhile is told by `exit`, which rejects what waits.
    child.send(message, () => undefined);
  }
  async function call<Op extends Operation>(
    op: Op,
    input: Operations[Op]['input'],
    signal?: AbortSignal,
  ): Promise<Operations[Op]['output']> {
    signal?.throwIfAborted();
    if (ended !== null) throw ended;
    const id = next++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.set(id, { resolve, reject });
    function abort(): void {
      send({ cancel: id });
      // Opening ends with the process. All else is settled by the worker within a slice, so that refused means undone.
      if (op === 'open') reject(signal?.reason);
    }
    signal?.addEventListener('abort', abort, { once: true });
    send({ id, op, input });
    try {
      // The worker answers an operation with that operation's output.
      return (await promise) as Operations[Op]['output'];
    } catch (error) {
      throw signal?.aborted === true ? signal.reason : error;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }
  async function close(): Promise<void> {
    closing = true;
    if (child.connected) child.disconnect();
    child.kill('SIGKILL');
    await gone;
  }
  return { pid: child.pid ?? 0, call, close };
}

async function checkFile(
  file: string,
  name: string,
  sha256: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) {
    const message = `The model ${name} is not at ${file}. Fetch it with \`desk models get ${name}\`, or name a file you have with \`desk models add FILE\`.`;
    throw new Failure('model.missing', message, { file, name });
  }
  const handle = await open(file);
  const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0).finally(() => handle.close());
  const sum = buffer.toString('latin1') === 'GGUF' ? await knownSum(file, signal) : null;
  if (sum !== null && (sha256 === undefined || sum === sha256)) return sum;
  const why = sum === null ? 'it is not a GGUF file' : 'its checksum is not the expected one';
  throw new Failure('model.damaged', `The model file ${file} is not loaded: ${why}. Fetch or add it again.`, {
    file,
    name,
    sha256: sum,
  });
}

/** Failures: model.missing, model.damaged, model.memory, model.library, model.ended. */
export async function createModel(options: ModelOptions, signal?: AbortSignal): Promise<Model> {
  const { file, name, contextSize = 8192, threads = 0, gpu = 'auto', prefixFolder, temperature = 0 } = options;
  const sha256 = await checkFile(file, name, options.sha256, signal);
  const { pid, call, close } = createWorker();
  try {
    const ready = await call('open', { file, sha256, contextSize, threads, gpu, prefixFolder, temperature }, signal);
    return {
      info: { name, sha256, ...ready },
      pid,
      count: (segments) => call('count', { segments }),
      setPrefix: (segments, cancel) => call('prefix', { segments }, cancel),
      async rewind() {
        await call('rewind', {});
      },
      read: (segments, cancel) => call('read', { segments }, cancel),
      choose: (segments, choices, cancel) => call('choose', { segments, options: choices }, cancel),
      generate: (segments, generation, cancel) => call('generate', { segments, ...generation }, cancel),
      mark: () => call('mark', {}),
      async back(mark) {
        await call('back', { mark });
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
