// What the view of a call may do (spec host §22): be shown while an admin's approval of exactly this HTML stands, ask for calls
// of its own server's tools through the gate, read its own server's resources, propose an address. All else is refused.
import { isFor, viewUri, type OpenedView, type ViewCall, type ViewLink } from '../shared/apps.ts';
import type { Call, Origin } from '../shared/calls.ts';
import { Failure } from '../shared/failures.ts';
import { isObject, type JsonObject } from '../shared/json.ts';
import type { Pin } from '../shared/pins.ts';
import { ownName } from './exchange.ts';
import type { Host } from './host.ts';
import { readUrl } from './questionUrls.ts';
import type { Server } from './servers.ts';

/** Calls of one ticket's views that may wait for a person at the same time. */
const mostWaiting = 3;
/** Above every number that a run gives its calls, so that both can stand in one log. */
const firstNumber = 101;
const mostLinks = 50;

type AppsHost = Pick<Host, 'calls' | 'pins' | 'servers' | 'gate' | 'tickets' | 'random' | 'options'>;
export type Apps = ReturnType<typeof createApps>;

export function createApps(host: AppsHost) {
  const { calls, pins, servers } = host;
  const links = new Map<string, string>();
  /** Calls are made one after the other: how many wait is counted. */
  let last: Promise<unknown> = Promise.resolve();

  /** The call a view belongs to, while its tool's definition is approved and names one. */
  async function viewed(id: string): Promise<{ call: Call; server: Server; uri: string }> {
    const call = await calls.get(id);
    const server = servers.get(call.prefix);
    if (server === undefined)
      throw new Failure('servers.unknown', `${call.prefix} is switched off or gone, and its views with it.`);
    const pin = await pins.approved(call.prefix, ownName(call), server.configuration);
    const uri = pin === null ? null : viewUri(pin.raw);
    if (call.method !== 'tools/call' || call.state !== 'result' || uri === null)
      throw new Failure('apps.none', `There is no view for call ${id}: its text is all there is.`);
    return { call, server, uri };
  }
  /** As it is now at its server. Failure `apps.unapproved`. */
  async function htmlOf(server: Server, uri: string): Promise<string> {
    const name = viewsOf(server);
    const one = (await servers.review(name)).find(({ definition }) => definition.name === uri);
    const text = one?.definition.raw['text'];
    if (one?.status === 'approved' && typeof text === 'string') return text;
    const why =
      one === undefined || one.status === 'removed'
        ? 'its server does not offer it any more'
        : one.status === 'parked'
          ? (one.definition.problem ?? 'it cannot be used').replace(/\.$/, '')
          : one.status === 'refused'
            ? 'an admin refused it'
            : `${one.status === 'changed' ? 'it changed since it was approved' : 'it is new'}; an admin decides under Tools`;
    throw new Failure('apps.unapproved', `The view ${uri} of ${server.config.prefix} is not shown: ${why}.`);
  }
  /** The approval of a view that is open; what was shown under it counts no more once it is gone. */
  async function stillApproved(id: string): Promise<{ call: Call; server: Server }> {
    const { call, server, uri } = await viewed(id);
    if ((await pins.approved(viewsOf(server), uri, server.configuration)) !== null) return { call, server };
    throw new Failure('apps.unapproved', `The view ${uri} is not approved any more. Close it.`);
  }

  /** A tool that this server has for its views. Failure `apps.tool`. */
  async function toolFor(server: Server, tool: string): Promise<Pin> {
    const { prefix } = server.config;
    const pin = await pins.approved(prefix, tool, server.configuration);
    if (pin === null) throw new Failure('apps.tool', `${prefix} has no approved tool “${tool}”.`);
    if (!isFor('app', pin.raw)) throw new Failure('apps.tool', `${prefix}.${tool} is for the model, not for views.`);
    return pin;
  }

  async function propose({ call: id, tool, arguments: args }: Asked): Promise<ViewCall> {
    const { call: from, server } = await stillApproved(id);
    const pin = await toolFor(server, tool);
    const ticket = await host.tickets.find(from.ticket);
    if (ticket === undefined) throw new Failure('apps.none', 'A view calls tools for a ticket only.');
    const before = (await calls.list({ ticket: ticket.id, run: '' })).filter(({ method }) => method === 'tools/call');
    if (before.filter(({ state }) => state === 'asking').length >= mostWaiting)
      throw new Failure('apps.busy', `${mostWaiting} calls of views wait for a person already.`);
    const n = Math.max(firstNumber - 1, ...before.map((one) => one.n)) + 1;
    const schema = pin.raw['inputSchema'];
    const { prefix } = server.config;
    const offered = {
      name: `${prefix}.${tool}`,
      prefix,
      tool,
      description: '',
      inputSchema: isObject(schema) ? schema : {},
      marks: pin.marks,
      configuration: server.configuration,
      definition: pin.hash,
      listed: pin.no_side_effects,
    };
    const answer = await host.gate.propose(
      { n, offered, arguments: args, origins: originsOf(args) },
      { run: '', ticket, view: from.tool },
    );
    const made = (await calls.list({ ticket: ticket.id, run: '' })).findLast((one) => one.n === n);
    return made === undefined ? { refused: answer.content ?? '' } : { call: made.id };
  }

  return {
    /** Failures `apps.none`, `apps.unapproved`. */
    async open({ call: id }: { call: string }): Promise<OpenedView> {
      const { server, uri } = await viewed(id);
      return { uri, html: await htmlOf(server, uri) };
    },
    /** Stores the call a view asks for; a person decides on it. Failures `apps.tool`, `apps.busy`, `apps.unapproved`. */
    call(asked: Asked): Promise<ViewCall> {
      const next = last.then(() => propose(asked));
      last = next.catch(() => undefined);
      return next;
    },
    /** A resource of the view's own server. Failure `servers.read`. */
    async read({ call: id, uri }: { call: string; uri: string }, signal: AbortSignal): Promise<{ text: string }> {
      const { server } = await stillApproved(id);
      const { prefix } = server.config;
      const answer = await host.gate.read({ prefix, method: 'resources/read', name: uri, arguments: {}, signal });
      if (answer.outcome === 'result') return { text: answer.content ?? '' };
      throw new Failure('servers.read', `${prefix}: ${uri.slice(0, 200)} could not be read.`);
    },
    /** Reads an address a view proposes. Nothing is fetched or opened. Failure `apps.link`. */
    async link({ call: id, url }: { call: string; url: string }): Promise<ViewLink> {
      const { call } = await stillApproved(id);
      const read = readUrl(url);
      if (!read.ok) throw new Failure('apps.link', read.why);
      const link = host.random.hex(16);
      links.set(link, read.url);
      const [oldest] = links.keys();
      if (links.size > mostLinks && oldest !== undefined) links.delete(oldest);
      const { host: name, spelled, domain, warnings } = read;
      const message = `The view of ${call.tool} wants to open an address.`;
      return { id: link, form: { kind: 'url', message, url: read.url, host: name, spelled, domain, warnings } };
    },
    /** Opens it, by a person's word. `opened` false: here only the view of the desk can. */
    visit({ id }: { id: string }): { url: string; opened: boolean } {
      const url = links.get(id);
      if (url === undefined) throw new Failure('apps.link', 'This address does not wait any more; it is not opened.');
      const { openUrl } = host.options;
      openUrl?.(url);
      return { url, opened: openUrl !== undefined };
    },
  };
}

interface Asked {
  call: string;
  /** The server's own name of the tool: a view has no way to name another server. */
  tool: string;
  arguments: JsonObject;
}

function viewsOf(server: Server): string {
  return `${server.config.prefix}/views`;
}

function originsOf(args: JsonObject): Record<string, Origin> {
  const pointer = (name: string) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return Object.fromEntries(Object.keys(args).map((name) => [pointer(name), { from: 'view', trust: 'untrusted' }]));
}
