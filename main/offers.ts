// What servers offer a person for one ticket: resources, and templates and prompts an admin approved (spec host §§8, 21).
import type { Attachable, Blank, OfferedPrompt, OfferedTemplate } from '../shared/attaching.ts';
import { Failure, reason } from '../shared/failures.ts';
import { isObject, type JsonObject } from '../shared/json.ts';
import type { Pin } from '../shared/pins.ts';
import type { Host } from './host.ts';
import { isAttached, type Server } from './servers.ts';

const longest = 500;

/** Of every server that runs; one that cannot be read is named, and the others are there. */
export async function attachable(host: Host): Promise<Attachable> {
  const found: Attachable = { resources: [], templates: [], problems: [] };
  for (const server of host.servers.all()) {
    const { prefix } = server.config;
    if (server.connection.status().state !== 'ready') continue;
    try {
      for (const one of await server.connection.resources())
        found.resources.push({
          prefix,
          uri: one.uri,
          title: one.title ?? one.name,
          bytes: one.size ?? null,
          always: isAttached(server.config, one),
        });
      for (const { raw, tool: uri } of await approvedOf(host, server, 'templates'))
        found.templates.push({ prefix, uri, ...saidIn(raw), blanks: blanksOf(uri) });
    } catch (error) {
      found.problems.push(reason(error));
    }
  }
  return found;
}

export async function offeredPrompts(host: Host): Promise<OfferedPrompt[]> {
  const found: OfferedPrompt[] = [];
  for (const server of host.servers.all())
    if (server.connection.status().state === 'ready')
      for (const { raw, tool: name } of await approvedOf(host, server, 'prompts').catch(() => []))
        found.push({ prefix: server.config.prefix, name, ...saidIn(raw), blanks: askedIn(raw) });
  return found;
}

/** A template or prompt that is approved as it is now, with its server. Failures `servers.unknown`, `pins.none`. */
export async function approvedOne(
  host: Host,
  prefix: string,
  kind: 'templates' | 'prompts',
  name: string,
): Promise<{ server: Server; blanks: Blank[]; title: string }> {
  const server = host.servers.get(prefix);
  if (server === undefined) throw new Failure('servers.unknown', `There is no server "${prefix}".`);
  const pin = (await approvedOf(host, server, kind)).find((one) => one.tool === name);
  if (pin === undefined)
    throw new Failure(
      'pins.none',
      `${prefix} offers no approved ${kind === 'prompts' ? 'prompt' : 'template'} ${name.slice(0, 200)} now.`,
    );
  const { title } = saidIn(pin.raw);
  return { server, title, blanks: kind === 'templates' ? blanksOf(name) : askedIn(pin.raw) };
}

async function approvedOf(host: Host, { config }: Server, kind: 'templates' | 'prompts'): Promise<Pin[]> {
  const reviewed = await host.servers.review(`${config.prefix}/${kind}`);
  return reviewed.flatMap(({ status, pin }) => (status === 'approved' && pin !== undefined ? [pin] : []));
}

function saidIn(raw: JsonObject): Pick<OfferedTemplate, 'title' | 'description'> {
  const { title, name, description } = raw;
  const named = typeof title === 'string' && title.trim() !== '' ? title : typeof name === 'string' ? name : '';
  return {
    title: named.slice(0, longest),
    description: typeof description === 'string' ? description.slice(0, longest) : null,
  };
}

/** The words between braces of a template; it is filled in no other way. */
function blanksOf(template: string): Blank[] {
  const names = [...template.matchAll(/\{([A-Za-z0-9_]{1,64})\}/g)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)].map((name) => ({ name, description: null, required: true }));
}

function askedIn(raw: JsonObject): Blank[] {
  const given = Array.isArray(raw['arguments']) ? raw['arguments'] : [];
  return given.flatMap((one) => {
    if (!isObject(one) || typeof one['name'] !== 'string') return [];
    const { name, description, required } = one;
    return [
      {
        name,
        description: typeof description === 'string' ? description.slice(0, longest) : null,
        required: required === true,
      },
    ];
  });
}

/** The values a person gave, by name, where they fit what is asked. Failure `calls.arguments`. */
export function filled(blanks: Blank[], given: Record<string, string>): Map<string, string> {
  const values = new Map(Object.entries(given).filter(([, value]) => value.trim() !== ''));
  const unknown = Object.keys(given).filter((name) => !blanks.some((blank) => blank.name === name));
  const missing = blanks.filter(({ name, required }) => required && !values.has(name));
  if (unknown.length > 0) throw new Failure('calls.arguments', `There is no ${unknown.join(', ')} to fill in.`);
  if (missing.length > 0)
    throw new Failure('calls.arguments', `Fill in ${missing.map(({ name }) => name).join(', ')} first.`);
  return values;
}

/** Values go in percent-encoded: one cannot climb out of its place in the URI. Failure `calls.arguments`. */
export function filledUri(template: string, values: Map<string, string>): string {
  return template.replaceAll(/\{([A-Za-z0-9_]{1,64})\}/g, (_, name: string) => {
    const value = (values.get(name) ?? '').trim();
    // No spelling helps these: servers read %2E as a dot too.
    if (value === '.' || value === '..')
      throw new Failure('calls.arguments', `${name} cannot be “${value}”: in an address that leads elsewhere.`);
    if (!value.isWellFormed())
      throw new Failure('calls.arguments', `${name} holds half of a character. Type it again.`);
    return encodeURIComponent(value);
  });
}
