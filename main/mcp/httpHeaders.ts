/** The headers of one message over Streamable HTTP: what a server may route by without reading the body. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';

const named: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Revision, method and name of a message that carries its revision; the older revisions have only the session's. */
export function bodyHeaders(message: JSONRPCMessage, revision: string | null): Record<string, string> {
  const { method, params } = message as unknown as JsonObject; // JSON by its type
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  const own = meta['io.modelcontextprotocol/protocolVersion'];
  if (typeof own !== 'string' || typeof method !== 'string' || !isObject(params))
    return revision === null ? {} : { 'mcp-protocol-version': revision };
  const name = params[named[method] ?? ''];
  return {
    'mcp-protocol-version': own,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': fieldValue(name) }),
  };
}

const headerName = /^[\w!#$%&'*+.^`|~-]{1,128}$/;
const mirrored = new Set<Json | undefined>(['string', 'integer', 'boolean']);

/** Why a tool cannot be called over HTTP because of the headers its schema wants (2026-07-28, "x-mcp-header"), or null. */
export function headerProblem(schema: Json | undefined): string | null {
  const taken = new Set<string>();
  const open: { at: string; schema: Json; isProperty: boolean; reachable: boolean }[] = [
    { at: '', schema: schema ?? null, isProperty: false, reachable: true },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { at, schema: here, isProperty, reachable } = next;
    if (Array.isArray(here))
      for (const one of here) open.push({ at, schema: one, isProperty: false, reachable: false });
    if (!isObject(here)) continue;
    if (Object.hasOwn(here, 'x-mcp-header')) {
      const wants = `It wants the argument "${at}" in an HTTP header`;
      const name = here['x-mcp-header'];
      if (!isProperty) return 'It wants a header ("x-mcp-header") for something that is no named argument.';
      if (typeof name !== 'string' || !headerName.test(name))
        return `${wants} of a name that is none: ${JSON.stringify(name).slice(0, 80)}.`;
      if (!mirrored.has(here.type))
        return `${wants}, which only text, whole numbers, and yes or no can go in; it is ${JSON.stringify(here.type ?? 'of no type').slice(0, 80)}.`;
      if (taken.has(name.toLowerCase())) return `It wants two arguments in the same HTTP header, "${name}".`;
      taken.add(name.toLowerCase());
    }
    for (const [key, value] of Object.entries(here)) {
      if (key === 'properties' && isObject(value))
        for (const [name, one] of Object.entries(value))
          open.push({ at: at === '' ? name : `${at}.${name}`, schema: one, isProperty: reachable, reachable });
      else if (!values.has(key)) open.push({ at, schema: value, isProperty: false, reachable: false });
    }
  }
  return null;
}

/** Members that hold values, not schemas: what they say is no annotation. */
const values = new Set(['default', 'const', 'enum', 'examples', 'required']);

/** Arguments a tool wants mirrored into headers (`x-mcp-header` on a property). */
export function parameterHeaders(schema: Json | undefined, given: JsonObject): Record<string, string> {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const found: Record<string, string> = {};
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property) || !Object.hasOwn(given, key)) continue;
    const value = given[key];
    const header = property['x-mcp-header'];
    if (typeof header === 'string' && headerName.test(header)) {
      if (typeof value === 'string') found[`mcp-param-${header}`] = fieldValue(value);
      if (typeof value === 'boolean' || Number.isSafeInteger(value))
        found[`mcp-param-${header}`] = JSON.stringify(value);
    } else if (isObject(value)) Object.assign(found, parameterHeaders(property, value));
  }
  return found;
}

/** A value as a header may hold it: anything but plain ASCII goes as base64 in its wrapping. */
function fieldValue(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
