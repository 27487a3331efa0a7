/** What may be asked of a server and answered with questions first: calls, resources and prompts, each with its outcome. */
import type { Json, JsonObject } from '../../shared/json.ts';
import { isObject } from '../../shared/json.ts';
import type { Question, Round, Unfinished } from './ask.ts';
import { canonical } from './canonical.ts';

export interface CallRequest extends Round {
  /** The server's own name of the tool, without our prefix. */
  tool: string;
  arguments: JsonObject;
  /** The caller follows a task, where the server answers with one. */
  tasks?: boolean | undefined;
}
export type WireOutcome =
  | { kind: 'result'; text: string; content: Json[]; structured?: Json }
  | { kind: 'tool error'; text: string; structured?: Json }
  | Unfinished;

export interface ReadRequest extends Round {
  uri: string;
}
/** `text` is null where the resource holds none: binary contents are not for a model. */
export type ReadOutcome =
  { kind: 'result'; uri: string; text: string | null; mimeType?: string; contents: Json[] } | Unfinished;

export interface PromptRequest extends Round {
  name: string;
  arguments?: Record<string, string>;
}
export type PromptOutcome = { kind: 'result'; description?: string; messages: Json[] } | Unfinished;

export function callQuestion(request: CallRequest, headers: Record<string, string>): Question {
  return { method: 'tools/call', params: { name: request.tool, arguments: request.arguments }, headers };
}

export function readQuestion({ uri }: ReadRequest): Question {
  return { method: 'resources/read', params: { uri } };
}

export function promptQuestion(request: PromptRequest): Question {
  return { method: 'prompts/get', params: { name: request.name, arguments: request.arguments ?? {} } };
}

export function callOutcome(result: JsonObject): WireOutcome {
  const content = Array.isArray(result.content) ? result.content : [];
  const structured = result.structuredContent;
  const texts = content.flatMap(wordsOf);
  const text = content.length === 0 && structured !== undefined ? written(structured) : texts.join('\n');
  if (result.isError === true) return { kind: 'tool error', text, ...(structured !== undefined && { structured }) };
  return { kind: 'result', text, content, ...(structured !== undefined && { structured }) };
}

/** What a person and the model read of one block: links are named, never followed; pictures and sound are only said. */
function wordsOf(block: Json): string[] {
  if (!isObject(block)) return [];
  const { type, text, uri, name, mimeType, resource } = block;
  if (type === 'text') return typeof text === 'string' ? [text] : [];
  if (type === 'resource_link')
    return typeof uri === 'string' ? [`${typeof name === 'string' ? name : 'link'}: ${uri}`] : [];
  if (type === 'resource' && isObject(resource) && typeof resource.text === 'string') return [resource.text];
  const held = type === 'resource' && isObject(resource) ? resource.mimeType : mimeType;
  return type === 'image' || type === 'audio' || type === 'resource'
    ? [`(${typeof held === 'string' ? held.slice(0, 80) : type}, not shown)`]
    : [];
}

function written(value: Json): string {
  try {
    return canonical(value);
  } catch {
    return JSON.stringify(value);
  }
}

export function readOutcome(uri: string, result: JsonObject): ReadOutcome {
  const contents = Array.isArray(result.contents) ? result.contents : [];
  const texts = contents.filter((one) => isObject(one) && typeof one.text === 'string') as {
    text: string;
    mimeType?: Json;
  }[]; // by the line itself
  const type = texts[0]?.mimeType;
  const text = texts.length === 0 ? null : texts.map((one) => one.text).join('\n');
  return { kind: 'result', uri, text, ...(typeof type === 'string' && { mimeType: type }), contents };
}

export function promptOutcome(result: JsonObject): PromptOutcome {
  const { description, messages } = result;
  if (!Array.isArray(messages)) return { kind: 'unknown', reason: 'the prompt holds no messages' };
  return { kind: 'result', ...(typeof description === 'string' && { description }), messages };
}
