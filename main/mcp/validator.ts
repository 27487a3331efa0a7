/**
 * Foreign JSON Schemas, applied in a worker thread that is killed after 250 ms: one bad `pattern` must not stall the
 * host (spec trust, "Foreign data inside the host"). One validator serves all connections; jobs run one by one.
 */
import { Worker } from 'node:worker_threads';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Limits } from './limits.ts';
import { checkSchema } from './toolCheck.ts';
import type { Job, Verdict } from './validatorWorker.ts';

type Validation = { ok: true } | { ok: false; problems: string[] } | { ok: false; parked: string };

const parkedMs = 60_000;
const mostParked = 100;

export interface Validator {
  /** Problems are sentences with a JSON pointer in front; `parked` says why the schema cannot be used at all. */
  validate(schema: JsonObject, value: Json): Promise<Validation>;
  /** Compiles only: null, or why the schema cannot be used. */
  compile(schema: JsonObject): Promise<string | null>;
  close(): Promise<void>;
}

/** `limits` are asked for each schema; the usual ones without. */
export function createValidator(options: { ms?: number; limits?: () => Limits } = {}): Validator {
  const ms = options.ms ?? 250;
  let worker: Promise<Worker> | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let jobs = 0;
  /** Schemas that ran away, until when: they do not hold up everybody else's again and again. */
  const parked = new Map<string, number>();
  /** Takes what the thread says about the job under way. */
  let settle: (verdict: Verdict | 'slow' | 'ended') => void = () => undefined;

  /** A job's clock starts when the thread is up, so a slow start is not the schema's fault. */
  function ready(): Promise<Worker> {
    worker ??= new Promise((resolve, reject) => {
      const started = new Worker(new URL('validatorWorker.ts', import.meta.url), {
        execArgv: [],
        env: {},
        resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      });
      started.on('message', (message: Verdict | 'ready') => {
        if (message === 'ready') resolve(started);
        else settle(message);
      });
      started.on('error', (error) => {
        reject(error instanceof Error ? error : new Error(String(error)));
        settle('ended');
      });
      started.on('exit', () => settle('ended'));
    });
    return worker;
  }

  async function once(job: Job): Promise<Verdict | 'slow' | 'ended'> {
    const thread = await ready();
    thread.ref();
    const clock = setTimeout(() => settle('slow'), ms);
    const verdict = await new Promise<Verdict | 'slow' | 'ended'>((resolve) => {
      settle = resolve;
      thread.postMessage(job);
    });
    clearTimeout(clock);
    settle = () => undefined;
    thread.unref();
    if (typeof verdict === 'object') return verdict;
    worker = null;
    await thread.terminate();
    return verdict;
  }

  function inTurn(job: Job): Promise<Verdict | 'slow' | 'ended'> {
    const turn = queue.then(() => once(job));
    queue = turn.catch(() => undefined);
    return turn;
  }

  /** A second try, behind all who wait: a busy machine may be what was slow. A runaway schema is slow again. */
  async function twice(job: Job): Promise<Verdict> {
    if (isParked(job.schema)) return inWords(job, 'slow');
    let verdict = await inTurn(job);
    if (verdict === 'slow') verdict = await inTurn(job);
    if (typeof verdict === 'object') return verdict;
    if (parked.size >= mostParked) parked.clear();
    parked.set(JSON.stringify(job.schema), performance.now() + parkedMs);
    return inWords(job, verdict);
  }

  function isParked(schema: JsonObject): boolean {
    return parked.size > 0 && performance.now() < (parked.get(JSON.stringify(schema)) ?? 0);
  }

  function inWords(job: Job, verdict: 'slow' | 'ended'): Verdict {
    const why = verdict === 'slow' ? `checking a value took longer than ${ms} ms` : 'it used up the memory it may have';
    return { id: job.id, parked: `The schema cannot be used: ${why}.` };
  }

  function run(schema: JsonObject, value?: Json): Promise<Verdict> {
    const problem = checkSchema(schema, options.limits?.());
    const id = ++jobs;
    if (problem !== null) return Promise.resolve({ id, parked: `The schema cannot be used: ${problem}` });
    return twice(value === undefined ? { id, schema } : { id, schema, value });
  }

  return {
    async validate(schema, value) {
      const verdict = await run(schema, value);
      if ('parked' in verdict) return { ok: false, parked: verdict.parked };
      return verdict.problems.length === 0 ? { ok: true } : { ok: false, problems: verdict.problems };
    },
    async compile(schema) {
      const verdict = await run(schema);
      return 'parked' in verdict ? verdict.parked : null;
    },
    async close() {
      await queue;
      const thread = await worker?.catch(() => null);
      worker = null;
      await thread?.terminate();
    },
  };
}
