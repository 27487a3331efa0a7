/** llama.cpp as the desk uses it: one model, one context, one sequence with one owner. Runs inside the worker process. */
import type { Llama, LlamaContextSequence, LlamaModel } from 'node-llama-cpp';
import { getLlama, getModuleVersion, InsufficientMemoryError, LlamaLogLevel, NoBinaryFoundError } from 'node-llama-cpp';
import { Failure, reason } from '../../shared/failures.ts';
import { createGenerate } from './generate.ts';
import { createChoose } from './choose.ts';
import { createPrefix } from './prefix.ts';
import { createPrefixStore } from './prefixStore.ts';
import type { Operation, Operations, Ready, Segment, WorkerOptions } from './protocol.ts';
import { contextFull, createSequenceState } from './sequenceState.ts';
import { createTokens } from './tokens.ts';

export type Engine = {
  [Op in Exclude<Operation, 'open'>]: (
    input: Operations[Op]['input'],
    signal: AbortSignal,
  ) => Promise<Operations[Op]['output']>;
} & { ready: Ready; dispose(): Promise<void> };

/** Tokens evaluated in one call. Larger ones gain 3 % of speed on a 2-core machine and cost 70 MB and quicker cancelling. */
const batchSize = 64;

interface Opened {
  llama: Llama;
  model: LlamaModel;
  sequence: LlamaContextSequence;
  log: string[];
}

/** llama.cpp says why a grammar or file is bad only in its log. */
function createLog(): { lines: string[]; logger: (level: LlamaLogLevel, message: string) => void } {
  const lines: string[] = [];
  return {
    lines,
    logger(_level, message) {
      lines.push(message.trim());
      if (lines.length > 20) lines.shift();
    },
  };
}

async function startLlama(
  options: WorkerOptions,
  logger: (level: LlamaLogLevel, message: string) => void,
): Promise<Llama> {
  try {
    const threads = options.threads === 0 ? {} : { maxThreads: options.threads };
    return await getLlama({
      gpu: options.gpu,
      build: 'never',
      skipDownload: true,
      logLevel: LlamaLogLevel.warn,
      logger,
      ...threads,
    });
  } catch (error) {
    const why =
      error instanceof NoBinaryFoundError
        ? 'there is no ready-made llama.cpp for this kind of computer'
        : reason(error);
    throw new Failure(
      'model.library',
      `The model library could not be started: ${why}. The desk works without a model until it can.`,
    );
  }
}

function openFailure(error: unknown, file: string, log: readonly string[]): Failure {
  if (error instanceof InsufficientMemoryError) {
    const message = `There is not enough memory for the model ${file}: ${reason(error)}. Close other programs or choose a smaller model.`;
    return new Failure('model.memory', message, { file });
  }
  const why = [reason(error), ...log.slice(-1)].join(' ');
  return new Failure('model.damaged', `The model file ${file} cannot be loaded: ${why}. Fetch or add it again.`, {
    file,
  });
}

async function openModel(options: WorkerOptions, signal: AbortSignal): Promise<Opened> {
  const log = createLog();
  const llama = await startLlama(options, log.logger);
  try {
    const onCpu = llama.gpu === false;
    const model = await llama.loadModel({
      modelPath: options.file,
      gpuLayers: onCpu ? 0 : 'auto',
      // Mapped weights are repacked into a second copy on a CPU: nearly twice the memory and a slower start.
      useMmap: onCpu ? false : 'auto',
      loadSignal: signal,
    });
    const context = await model.createContext({
      sequences: 1,
      contextSize: options.contextSize,
      batchSize,
      flashAttention: true,
      threads: options.threads === 0 ? llama.cpuMathCores : options.threads,
      failedCreationRemedy: false,
      createSignal: signal,
    });
    const sequence = context.getSequence({
      contextShift: {
        strategy() {
          throw contextFull(options.contextSize + 1, options.contextSize);
        },
      },
    });
    return { llama, model, sequence, log: log.lines };
  } catch (error) {
    await llama.dispose();
    signal.throwIfAborted();
    throw openFailure(error, options.file, log.lines);
  }
}

export async function createEngine(options: WorkerOptions, signal: AbortSignal): Promise<Engine> {
  const { llama, model, sequence, log } = await openModel(options, signal);
  const version = await getModuleVersion();
  const build = `llama.cpp ${llama.llamaCppRelease.release}, node-llama-cpp ${version}, ${llama.gpu === false ? 'CPU' : llama.gpu}`;
  const contextSize = Math.min(options.contextSize, sequence.contextSize);
  const tokens = createTokens(model);
  const state = createSequenceState(sequence, contextSize);
  const shape = [
    options.sha256,
    build,
    llama.systemInfo,
    'sequences 1',
    'flash attention',
    `cache ${sequence.context.kvCacheKeyType}`,
  ];
  const prefix = createPrefix({ tokens, state, store: createPrefixStore({ folder: options.prefixFolder, shape }) });

  /** An operation that fails or is cancelled leaves the sequence where it was. */
  async function whole<Output>(operation: () => Promise<Output>): Promise<Output> {
    const mark = state.length();
    try {
      return await operation();
    } catch (error) {
      state.forget();
      await state.back(mark);
      throw error;
    }
  }
  function take(segments: readonly Segment[]): number {
    const reused = state.evaluated();
    const ids = tokens.ids(segments);
    state.fits(state.length() + ids.length);
    state.push(ids);
    return reused;
  }
  const choose = createChoose({ tokens, state, model, take });
  const generate = createGenerate({ tokens, state, llama, model, take, temperature: options.temperature, log });
  return {
    ready: { build, contextSize },
    count: ({ segments }) => Promise.resolve(tokens.ids(segments).length),
    prefix: ({ segments }, cancel) => prefix.set(segments, cancel),
    async rewind() {
      await prefix.rewind();
      return null;
    },
    read: ({ segments }, cancel) =>
      whole(async () => {
        const reused = take(segments);
        await state.catchUp(cancel);
        return state.count(reused, 0, 0);
      }),
    choose: (input, cancel) => whole(() => choose(input, cancel)),
    generate: (input, cancel) => whole(() => generate(input, cancel)),
    mark: () => Promise.resolve(state.length()),
    async back({ mark }) {
      if (!Number.isInteger(mark) || mark < 0 || mark > state.length()) {
        throw new Failure(
          'model.mark',
          `Position ${mark} is not one this sequence has reached. Rewind to the prefix instead.`,
          { mark },
        );
      }
      await state.back(mark);
      return null;
    },
    dispose: () => llama.dispose(),
  };
}
