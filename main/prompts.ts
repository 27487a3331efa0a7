// Prompts a person picks from a menu (spec host §21): what one returns is shown, and used as it was shown. It is text from
// outside without any role; what it embeds becomes an attachment of its own, once.
import type { PromptPart, ShownPrompt } from '../shared/attaching.ts';
import type { ParamsOf } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import { isObject, type Json } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import type { TicketRow } from '../shared/queue.ts';
import type { Host } from './host.ts';
import { sha256 } from './mcp/canonical.ts';
import { approvedOne, filled } from './offers.ts';
import { readOnce } from './reads.ts';
import { isAttached } from './servers.ts';

interface Kept {
  ticket: string;
  prefix: string;
  name: string;
  title: string;
  parts: PromptPart[];
}
const mostKept = 100;
const mostParts = 50;

export function createPrompts(host: Host) {
  /** What was shown, by its hash: only that can be used. */
  const shown = new Map<string, Kept>();

  /** Failures `pins.none`, `calls.arguments`, `servers.read`, `servers.asks`. */
  async function show(asked: ParamsOf<'calls.prompt'>, by: Person, signal: AbortSignal): Promise<ShownPrompt> {
    const { prefix, name } = asked;
    const ticket = await host.tickets.find(asked.ticket);
    if (ticket === undefined) throw new Failure('tickets.unknown', `There is no ticket ${asked.ticket}.`);
    const { blanks, title } = await approvedOne(host, prefix, 'prompts', name);
    const given = Object.fromEntries(filled(blanks, asked.arguments));
    const wanted = { prefix, method: 'prompts/get', name, arguments: given, ticket, by } as const;
    const { text: description, structured } = await readOnce({ ...host, signal }, wanted);
    const parts = await partsOf(prefix, ticket.id, structured);
    const hash = sha256(JSON.stringify([ticket.id, prefix, name, parts]));
    shown.delete(hash);
    shown.set(hash, { ticket: ticket.id, prefix, name, title, parts });
    const [oldest] = shown.keys();
    if (shown.size > mostKept && oldest !== undefined) shown.delete(oldest);
    const bytes = parts.reduce((sum, part) => sum + (part.attached ? 0 : Buffer.byteLength(part.text)), 0);
    return { hash, description, parts, bytes };
  }

  async function partsOf(prefix: string, ticket: string, messages: Json | null): Promise<PromptPart[]> {
    const listed =
      (await host.servers
        .get(prefix)
        ?.connection.resources()
        .catch(() => [])) ?? [];
    const config = host.servers.get(prefix)?.config;
    const always = listed.filter((one) => config !== undefined && isAttached(config, one)).map(({ uri }) => uri);
    const added = (await host.attachments.list(ticket)).filter(
      (one) => one.prefix === prefix && one.kind === 'resource',
    );
    const taken = new Set([...always, ...added.map(({ uri }) => uri)]);
    return (Array.isArray(messages) ? messages : []).slice(0, mostParts).map((message) => {
      const part = partOf(message);
      const attached = part.uri !== null && taken.has(part.uri);
      if (part.uri !== null) taken.add(part.uri);
      return { ...part, attached };
    });
  }

  return {
    show,
    /** Failure `calls.prompt` where it was not shown, or too long ago. */
    async use({ id, version, hash }: ParamsOf<'calls.usePrompt'>, by: Person): Promise<TicketRow> {
      const kept = shown.get(hash);
      if (kept?.ticket !== id)
        throw new Failure('calls.prompt', 'Look at what the prompt says first: it is used as it was shown.');
      const { prefix, name, title, parts } = kept;
      const fresh = parts.filter((part) => !part.attached && part.text.trim() !== '');
      const own = fresh.filter((part) => part.uri === null).map((part) => part.text);
      const embedded = fresh.flatMap(({ uri, text }) =>
        uri === null ? [] : [{ kind: 'resource' as const, prefix, uri, title: null, text }],
      );
      if (own.length + embedded.length === 0)
        throw new Failure('calls.prompt', 'The prompt holds no text that is not attached already.');
      const prompt = { kind: 'prompt' as const, prefix, uri: name, title, text: own.join('\n\n') };
      return host.attachments.add({ id, version }, by, [...embedded, ...(own.length > 0 ? [prompt] : [])]);
    },
  };
}

/** One message of a prompt, whatever it claims to be. */
function partOf(message: Json): Omit<PromptPart, 'attached'> {
  const { role, content } = isObject(message) ? message : {};
  const base = { role: typeof role === 'string' ? role.slice(0, 20) : '', uri: null };
  if (!isObject(content)) return { ...base, kind: 'other', text: '' };
  const { type, text, resource } = content;
  if (type === 'text' && typeof text === 'string') return { ...base, kind: 'text', text };
  if (type === 'resource' && isObject(resource) && typeof resource['uri'] === 'string') {
    const inside = resource['text'];
    return {
      ...base,
      kind: 'resource',
      uri: resource['uri'].slice(0, 2_048),
      text: typeof inside === 'string' ? inside : '',
    };
  }
  return { ...base, kind: 'other', text: '' };
}
