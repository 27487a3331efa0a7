/**
 * What a trace may show of a message: never the state a server hands over, never what a person typed into its forms
 * (spec trust §9).
 */
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';

/** The keys stand in the text as they are or with an escaped letter; anything else holds no secret of ours. */
const mayBeSecret = /requestState|inputResponses|"action"|\\u00/;

/** The text of a message for a trace. `message` is its parsed form, or null where only the text is at hand. */
export function traceText(text: string, message: JsonObject | null): string {
  if (!mayBeSecret.test(text)) return text;
  if (message === null) return text.replace(/"requestState"\s*:\s*"(?:[^"\\]|\\.)*"/g, '"requestState":"[kept]"');
  const answer =
    isObject(message.result) && 'action' in message.result ? { result: withoutContent(message.result) } : {};
  return JSON.stringify({ ...message, ...answer }, (key, value: Json) => {
    if (key === 'requestState') return '[kept]';
    if (key !== 'inputResponses' || !isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, response]) => [name, withoutContent(response)]));
  });
}

function withoutContent(answer: Json): Json {
  return isObject(answer) && 'content' in answer ? { ...answer, content: '[kept]' } : answer;
}
