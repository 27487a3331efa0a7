/** Compiles and applies foreign schemas in a thread of its own: the host kills it when a pattern or a `$ref` runs away. */
import { parentPort } from 'node:worker_threads';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';

export interface Job {
  id: number;
  schema: JsonObject;
  /** Absent: the schema is only compiled. */
  value?: Json;
}
export type Verdict = { id: number; problems: string[] } | { id: number; parked: string };

function judge(job: Job): Verdict {
  try {
    // A fresh engine each time: one schema's `$id` must not be found by another's `$ref`.
    const validate = new AjvJsonSchemaValidator().getValidator(job.schema);
    if (job.value === undefined) return { id: job.id, problems: [] };
    const result = validate(job.value);
    return { id: job.id, problems: result.valid ? [] : inWords(result.errorMessage) };
  } catch (error) {
    const why =
      error instanceof RangeError
        ? 'it refers to itself without end'
        : error instanceof Error
          ? error.message
          : String(error);
    return { id: job.id, parked: `The schema cannot be used: ${why.slice(0, 300)}` };
  }
}

/** The engine joins its sentences as "data/a must …, data/b must …". */
function inWords(text: string): string[] {
  return text
    .split(/, (?=data[ /])/)
    .slice(0, 20)
    .map((problem) => problem.replace(/^data/, '').trim());
}

// The first use builds the engine; done before any clock runs.
judge({ id: 0, schema: { type: 'object', properties: { a: { type: 'string', format: 'date' } } }, value: { a: '' } });
parentPort?.on('message', (job: unknown) => {
  if (isObject(job as Json)) parentPort?.postMessage(judge(job as Job)); // the host posts nothing else
});
parentPort?.postMessage('ready');
