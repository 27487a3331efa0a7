/** Apps: views that servers have for the results of their tools (spec host §22, protocol revision 2026-01-26). */
import type { UrlForm } from './forms.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

export const appsExtension = 'io.modelcontextprotocol/ui';
export const viewType = 'text/html;profile=mcp-app';
/** Elements that could do what a view cannot: it is not shown with one, and makes none of text. */
export const outward = /<[\w.-]*:?(?:i?frame|link\b)/i;

/** What is shown of a call in its view; the call's own text is whole without it. */
export interface OpenedView {
  uri: string;
  html: string;
}
/** `refused`: why no call was made of what a view asked for, in the words its server would use. */
export type ViewCall = { call: string } | { refused: string };
/** An address a view wants opened, to be looked at by a person first. */
export interface ViewLink {
  id: string;
  form: UrlForm;
}

/** The view a tool's definition names; null where it names none that may be one. */
export function viewUri(definition: JsonObject): string | null {
  const meta = definition['_meta'];
  if (!isObject(meta)) return null;
  const uri = isObject(meta['ui']) ? (meta['ui']['resourceUri'] ?? meta['ui/resourceUri']) : meta['ui/resourceUri'];
  return typeof uri === 'string' && uri.startsWith('ui://') && uri.length <= 2_048 ? uri : null;
}

/** Whether a tool is for the model, or for views of its server; for both unless its definition says otherwise. */
export function isFor(who: 'model' | 'app', definition: JsonObject): boolean {
  const meta = definition['_meta'];
  const ui: Json | undefined = isObject(meta) ? meta['ui'] : undefined;
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return visibility === undefined || (Array.isArray(visibility) && visibility.includes(who));
}
