// Servers as views list them: how each stands, what it offers and what that costs before the model reads a ticket.
import type { Reviewed } from '../shared/pins.ts';
import type { ServerConfig, ServerRow } from '../shared/servers.ts';
import type { Events } from './events.ts';
import type { Host } from './host.ts';
import { instructed } from './instructions.ts';
import { instructionSegments, toolSegments, type ServerInstructions } from './prompt.ts';

/** Characters of English prose a token holds, in the models of the catalogue. */
const perToken = 4.2;

type ToolCost = ReturnType<typeof createToolCost>;

/** Tokens of texts: counted by the model that is loaded, in the background, since it may be busy for long; reckoned until then. */
export function createToolCost(deps: {
  count: (text: string) => Promise<number | null>;
  /** The file of the model that is loaded. */
  model: () => string | null;
  events: Events;
}) {
  const counted = new Map<string, number>();
  const asked = new Set<string>();
  async function count(key: string, text: string): Promise<void> {
    asked.add(key);
    const tokens = await deps.count(text).finally(() => asked.delete(key));
    if (tokens === null) return;
    counted.set(key, tokens);
    deps.events.publish('servers', '*', null);
  }
  return {
    of(text: string): ServerRow['tokens'] {
      if (text === '') return { count: 0, counted: true };
      const model = deps.model();
      const key = `${model ?? ''} ${text}`;
      const known = counted.get(key);
      if (known !== undefined) return { count: known, counted: true };
      if (model !== null && !asked.has(key)) void count(key, text);
      return { count: Math.ceil(text.length / perToken), counted: false };
    },
  };
}

export async function serverRows(host: Host, cost: ToolCost): Promise<ServerRow[]> {
  const rows: ServerRow[] = [];
  const { instructions } = await instructed(host);
  for (const config of await host.configured()) {
    const { prefix, kind } = config;
    const server = host.servers.get(prefix);
    const status = server?.connection.status();
    const reviewed = status?.state === 'ready' ? await host.servers.review(prefix) : [];
    rows.push({
      prefix,
      target: targetOf(host, config),
      kind,
      state: status?.state ?? 'disabled',
      revision: status?.revision ?? null,
      tools: reviewed.length,
      approved: reviewed.filter((one) => one.status === 'approved').length,
      bytes: reviewed.reduce((sum, one) => sum + JSON.stringify(one.definition.raw).length, 0),
      tokens: cost.of(readText(host, prefix, reviewed, instructions)),
      restarts: status?.restarts ?? 0,
      // Reading its list just now is one of them.
      requests: server?.connection.status().requests ?? null,
      problem: status?.problem ?? null,
      bundled: config.bundled !== undefined,
      trusted: config.trusted,
      system_of_record: config.system_of_record,
      no_side_effects: config.no_side_effects,
      question_roles: config.question_roles,
      secrets: config.secrets,
    });
  }
  return rows;
}

function targetOf(host: Host, config: ServerConfig): string {
  if (config.kind === 'stdio') return `runs ${host.commandOf(config).join(' ')}`;
  const headers = Object.keys(config.headers ?? {}).join(', ');
  return `is reached at ${config.url}${headers === '' ? '' : `, with ${headers}`}`;
}

/** What the model reads of a server before each ticket: its tools, and its instructions where an admin lets it. */
function readText(
  host: Host,
  prefix: string,
  reviewed: readonly Reviewed[],
  instructions: readonly ServerInstructions[],
): string {
  const said = instructions.filter((one) => one.prefix === prefix).flatMap(instructionSegments);
  const tools = reviewed
    .filter(({ status }) => status === 'approved')
    .flatMap(({ definition, pin }) => {
      const said = pin?.raw['description'];
      const tool = definition.name;
      const description = typeof said === 'string' ? said : '';
      return toolSegments(host.playbook.playbook, { name: `${prefix}.${tool}`, tool, description });
    });
  return [...tools, ...said].map(({ text }) => text).join('');
}
