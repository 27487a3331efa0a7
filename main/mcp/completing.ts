/** `completion/complete`: what an argument of a prompt or of a template may be, as far as a person has typed it. */
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { Failure } from '../../shared/failures.ts';
import type { JsonObject } from '../../shared/json.ts';
import { isObject } from '../../shared/json.ts';
import { anyResult } from './ask.ts';
import type { Session } from './session.ts';

export interface Completion {
  ref: { prompt: string } | { template: string };
  argument: string;
  value: string;
  /** The arguments that are typed already. */
  others: Record<string, string>;
  meta: JsonObject;
}
/** `more`: there are others that begin so. */
export interface Completed {
  values: string[];
  total: number | null;
  more: boolean;
}

const mostValues = 100;
const longest = 1_000;

/** Nothing where the server completes nothing. A server that asks something first is wrong (spec host §19). */
export async function completed(session: Session, asked: Completion, signal?: AbortSignal): Promise<Completed> {
  if (session.offers.completions === undefined) return { values: [], total: null, more: false };
  const { ref, argument: name, value, others, meta } = asked;
  const params = {
    ref: 'prompt' in ref ? { type: 'ref/prompt', name: ref.prompt } : { type: 'ref/resource', uri: ref.template },
    argument: { name, value },
    ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
  const request = session.client.request({ method: 'completion/complete', params }, anyResult, {
    timeout: 10_000,
    ...(signal && { signal }),
  });
  const result = (await request.catch(unusable)) as JsonObject; // came in as JSON
  const { completion } = result;
  if (!isObject(completion) || !Array.isArray(completion.values)) return unusable(null);
  const texts = completion.values.filter((one) => typeof one === 'string' && one.length <= longest);
  const values = texts.slice(0, mostValues) as string[]; // by the line before
  const { total, hasMore } = completion;
  return {
    values,
    total: typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : null,
    more: hasMore === true || texts.length > mostValues,
  };
}

/** The SDK refuses what is no list of at most a hundred texts, with all that is wrong with it. */
function unusable(error: unknown): never {
  const refused = SdkError.isInstance(error) && error.code === SdkErrorCode.InvalidResult;
  if (error instanceof Error && !refused) throw error;
  throw new Failure('servers.read', 'The server answered with no list of at most 100 texts.');
}
