/**
 * What a trace may show of a message: never the state or the handle of a task a server hands over, never what a person
 * typed into its forms (spec trust §9).
 */
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';

/** The keys stand in the text as they are or with an escaped letter; anything else holds no secret of ours. */
const mayBeSecret = /requestState|inputResponses|"action"|taskId|\\u00/;
const related = 'io.modelcontextprotocol/related-task';

/** The text of a message for a trace. `message` is its parsed form, or null where only the text is at hand. */
export function traceText(text: string, message: JsonObject | null): string {
  if (!mayBeSecret.test(text)) return text;
  if (message === null) return text.replace(/"(requestState|taskId)"\s*:\s*"(?:[^"\\]|\\.)*"/g, '"$1":"[kept]"');
  const { method, params, result } = message;
  const about = typeof method === 'string' && /^(notifications\/)?tasks\b/.test(method);
  const shown = {
    ...message,
    ...(about && isObject(params) && { params: withoutHandle(params) }),
    ...(isObject(result) && { result: withoutHandle('action' in result ? withoutContent(result) : result) }),
  };
  const written = JSON.stringify(shown, (key, value: Json) => {
    if (key === 'requestState') return '[kept]';
    if (key === related) return withoutHandle(value);
    if (key !== 'inputResponses' || !isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, response]) => [name, withoutContent(response)]));
  });
  // A server may speak of its task by name elsewhere in the same message.
  return handlesIn(about ? params : undefined, result).reduce(
    (kept, handle) => kept.replaceAll(JSON.stringify(handle).slice(1, -1), '[kept]'),
    written,
  );
}

/** Shorter ones are words that occur everywhere. */
const shortest = 8;
function handlesIn(...all: (Json | undefined)[]): string[] {
  return all.flatMap((one) => {
    if (!isObject(one)) return [];
    const named = [one.taskId, isObject(one.task) ? one.task.taskId : undefined];
    return named.filter((handle) => typeof handle === 'string' && handle.length >= shortest) as string[]; // by this line
  });
}

function withoutContent(answer: Json): Json {
  return isObject(answer) && 'content' in answer ? { ...answer, content: '[kept]' } : answer;
}

/** A task names itself in what stands for it; an argument of a tool may bear the same name. */
function withoutHandle(value: Json): Json {
  if (!isObject(value)) return value;
  return {
    ...value,
    ...('taskId' in value && { taskId: '[kept]' }),
    ...(isObject(value.task) && 'taskId' in value.task && { task: { ...value.task, taskId: '[kept]' } }),
  };
}
