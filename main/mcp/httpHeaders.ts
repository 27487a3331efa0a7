/** The headers of one message over Streamable HTTP: what a server may route by without reading the body. */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';

const named: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };

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

/** Arguments a tool wants mirrored into headers (`x-mcp-header` on a property). */
export function parameterHeaders(schema: Json | undefined, given: JsonObject): Record<string, string> {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const found: Record<string, string> = {};
  for (const [key, property] of Object.entries(properties)) {
    if (!isObject(property) || !Object.hasOwn(given, key)) continue;
    const value = given[key];
    const header = property['x-mcp-header'];
    if (typeof header === 'string' && /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(header)) {
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
