/** The lists of one server through their time to live; a notice means "read again" (spec host §5). */
import { ProtocolError } from '@modelcontextprotocol/client';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { Definition } from '../../shared/pins.ts';
import type { Clock } from '../ports.ts';
import { headerProblem } from './httpHeaders.ts';
import type { Limits } from './limits.ts';
import { readList, type Listing } from './listing.ts';
import { compileAll, definition, merge, resource, type ListedResource } from './lists.ts';
import type { Session } from './session.ts';
import { checkPrompt, checkTemplate, checkTool } from './toolCheck.ts';
import type { Validator } from './validator.ts';

interface Kept<T> {
  session: Session;
  value: T;
  at: number;
  until: number;
}

export type List = 'tools' | 'resources' | 'prompts';

const unheardMs = 60_000;

export interface Reader {
  tools(refresh: boolean): Promise<Definition[]>;
  resources(): Promise<ListedResource[]>;
  prompts(): Promise<Definition[]>;
  /** Templates of resources, named by their `uriTemplate`. */
  templates(): Promise<Definition[]>;
  /** The input schema a tool was last listed with on this session; lists first where it never was. */
  schemaOf(session: Session, tool: string): Promise<Json | undefined>;
  /** The same of the whole tool. */
  rawOf(session: Session, tool: string): Promise<JsonObject | undefined>;
  /** A notice of the server, by its method. */
  changed: (method: string, uri?: string) => void;
  /** A stream of notices opened: what was read before it may have changed unheard. */
  opened(session: Session): void;
  /** Lists whose changes the server does not tell: they are read again by the minute at the latest. */
  unheard(lists: readonly List[]): void;
  /** Whether a session whose era was not probed answers at all: reads its tools. */
  holds(session: Session): Promise<boolean>;
  /** Why the list of tools is not whole, or null. */
  problem(): string | null;
}

export function createReader(deps: {
  prefix: string;
  limits: Limits;
  clock: Clock;
  validator?: Validator | undefined;
  /** Over HTTP a tool may want arguments in headers; one that wants impossible ones is parked (2026-07-28). */
  overHttp: boolean;
  ensure: () => Promise<Session>;
  onChanged: (list: List) => void;
  onUpdated: (uri: string) => void;
}): Reader {
  const { limits, clock } = deps;
  const compiled = new Map<string, string | null>();
  const dirty = { tools: false, resources: false, templates: false, prompts: false };
  let deaf: readonly List[] = [];
  let tools: Kept<Definition[]> | null = null;
  let resources: Kept<ListedResource[]> | null = null;
  let prompts: Kept<Definition[]> | null = null;
  let templates: Kept<Definition[]> | null = null;
  let cut: string | null = null;
  let noticed = -Infinity;
  let turn: Promise<unknown> = Promise.resolve();

  /** Lists are read one at a time: their raw elements are collected by the transport. */
  function next<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  /** A notice is followed at most every five seconds; in between the list as it was stands. */
  function good<T>(kept: Kept<T> | null, session: Session, list: keyof typeof dirty): kept is Kept<T> {
    if (kept?.session !== session) return false;
    const now = clock.now();
    const isDeaf = deaf.includes(list === 'templates' ? 'resources' : list);
    if (!dirty[list]) return now < (isDeaf ? Math.min(kept.until, kept.at + unheardMs) : kept.until);
    if (now - noticed < limits.relistMs) return true;
    noticed = now;
    return false;
  }

  function kept<T>(session: Session, value: T, ttlMs: number): Kept<T> {
    const at = clock.now();
    return { session, value, at, until: at + ttlMs };
  }

  async function readTools(session: Session): Promise<Definition[]> {
    dirty.tools = false;
    const offered = session.offers.tools !== undefined;
    const empty: Listing = { elements: [], ttlMs: 0, cut: null };
    const listing = offered ? await readList(session, 'tools/list', limits.tools, limits) : empty;
    const value = merge(
      listing.elements.map((text, index) => definition(text, index + 1, limits.depth, (raw) => checkTool(raw, limits))),
    );
    if (deps.overHttp && session.era === 'modern')
      for (const one of value) one.problem ??= headerProblem(one.raw.inputSchema);
    if (deps.validator) await compileAll(value, deps.validator, compiled);
    cut = listing.cut === null ? null : `${deps.prefix}: ${listing.cut}`;
    tools = kept(session, value, listing.ttlMs);
    return value;
  }

  async function readResources(session: Session): Promise<ListedResource[]> {
    dirty.resources = false;
    if (session.offers.resources === undefined) return [];
    const listing = await readList(session, 'resources/list', limits.tools, limits);
    const value = listing.elements.map((text) => resource(text, limits.depth)).filter((one) => one !== null);
    resources = kept(session, value, listing.ttlMs);
    return value;
  }

  async function readPrompts(session: Session): Promise<Definition[]> {
    dirty.prompts = false;
    if (session.offers.prompts === undefined) return [];
    const listing = await readList(session, 'prompts/list', limits.tools, limits);
    const value = merge(listing.elements.map((text, at) => definition(text, at + 1, limits.depth, checkPrompt)));
    prompts = kept(session, value, listing.ttlMs);
    return value;
  }

  async function readTemplates(session: Session): Promise<Definition[]> {
    dirty.templates = false;
    if (session.offers.resources === undefined) return [];
    const listing = await readList(session, 'resources/templates/list', limits.tools, limits).catch(noTemplates);
    const found = listing.elements.map((text, at) => definition(text, at + 1, limits.depth, checkTemplate));
    const value = merge(found.map((one) => ({ ...one, name: textIn(one.raw.uriTemplate) ?? one.name })));
    templates = kept(session, value, listing.ttlMs);
    return value;
  }

  async function rawOf(session: Session, tool: string): Promise<JsonObject | undefined> {
    const listed = await next(() => (tools?.session === session ? Promise.resolve(tools.value) : readTools(session)));
    return listed.find((one) => one.name === tool)?.raw;
  }

  function note(list: List) {
    if (list === 'resources') dirty.templates = true;
    if (dirty[list]) return;
    dirty[list] = true;
    deps.onChanged(list);
  }

  return {
    async tools(refresh) {
      const session = await deps.ensure();
      return await next(() =>
        !refresh && good(tools, session, 'tools') ? Promise.resolve(tools.value) : readTools(session),
      );
    },
    async resources() {
      const session = await deps.ensure();
      return await next(() =>
        good(resources, session, 'resources') ? Promise.resolve(resources.value) : readResources(session),
      );
    },
    async prompts() {
      const session = await deps.ensure();
      return await next(() =>
        good(prompts, session, 'prompts') ? Promise.resolve(prompts.value) : readPrompts(session),
      );
    },
    async templates() {
      const session = await deps.ensure();
      return await next(() =>
        good(templates, session, 'templates') ? Promise.resolve(templates.value) : readTemplates(session),
      );
    },
    schemaOf: async (session, tool) => (await rawOf(session, tool))?.inputSchema,
    rawOf,
    changed(method, uri) {
      if (method.endsWith('resources/updated')) {
        if (uri !== undefined) deps.onUpdated(uri);
        return;
      }
      const list = (['tools', 'resources', 'prompts'] as const).find((one) => method.includes(one));
      if (list !== undefined) note(list);
    },
    opened(session) {
      if (tools?.session === session) note('tools');
      if (resources?.session === session || templates?.session === session) note('resources');
      if (prompts?.session === session) note('prompts');
    },
    unheard(lists) {
      deaf = lists;
    },
    async holds(session) {
      try {
        await next(() => readTools(session));
        return true;
      } catch {
        return false;
      }
    },
    problem: () => cut,
  };
}

function textIn(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A server may have resources and know nothing of templates. */
function noTemplates(error: unknown): Listing {
  if (ProtocolError.isInstance(error) && error.code === -32601) return { elements: [], ttlMs: 0, cut: null };
  throw error;
}
