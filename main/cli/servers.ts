// `desk servers` and `desk approve`: what each server is and costs, and definitions that wait for an admin.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure, reason } from '../../shared/failures.ts';
import { serverConfig, type ServerConfig } from '../../shared/servers.ts';
import type { Host } from '../host.ts';
import type { FieldDifference, Reviewed } from '../../shared/pins.ts';
import { actor, exit, withHost, type Context } from './context.ts';
import { visible } from '../visible.ts';
import { styled } from './present.ts';

export async function serversCommand(
  context: Context,
  verb: string | undefined,
  what: string | undefined,
): Promise<number> {
  switch (verb) {
    case undefined:
      return withHost(context, {}, (host) => list(context, host));
    case 'add':
      return withHost(context, { servers: false }, (host) => add(context, host, what));
    case 'remove':
      return withHost(context, { servers: false }, async (host) => {
        await host.settings.removeServer(what ?? '');
        context.print(`The server "${what ?? ''}" is removed. Its approvals are kept in the history.`);
        return exit.done;
      });
    case 'check':
      return withHost(context, {}, (host) => check(context, host, what));
    default:
      context.say(`"desk servers ${verb}" is not known. Known: add FILE, remove PREFIX, check PREFIX.`);
      return exit.wrongUse;
  }
}

async function list(context: Context, host: Host): Promise<number> {
  const rows = [];
  for (const { config, connection } of host.servers.all()) {
    const status = connection.status();
    const reviewed = status.state === 'ready' ? await host.servers.review(config.prefix) : [];
    const bytes = reviewed.reduce((sum, one) => sum + JSON.stringify(one.definition.raw).length, 0);
    rows.push({
      prefix: config.prefix,
      kind: config.kind,
      state: status.state,
      revision: status.revision,
      tools: reviewed.length,
      approved: reviewed.filter((one) => one.status === 'approved').length,
      bytes,
      restarts: status.restarts,
      problem: status.problem,
    });
  }
  if (context.global.json) context.json(rows);
  else
    for (const row of rows) {
      context.print(
        `${styled('bold', row.prefix)}  ${row.state}, ${row.revision ?? 'revision unknown'}, ${row.approved} of ${row.tools} tools approved, ${row.bytes} bytes of definitions, ${row.restarts} restarts`,
      );
      if (row.problem !== null) context.print(`  ${visible(row.problem)}`);
    }
  return rows.every((row) => row.state === 'ready') ? exit.done : exit.failed;
}

const pasted = z.object({
  mcpServers: z.record(
    z.string(),
    z.object({
      command: z.string(),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
    }),
  ),
});

/** Our own configuration, or the `mcpServers` JSON people already have. */
function configurations(file: string): ServerConfig[] {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('servers.file', `${file} cannot be read as JSON: ${reason(error)}. Nothing was added.`);
  }
  const known = pasted.safeParse(json);
  const list = known.success
    ? Object.entries(known.data.mcpServers).map(([prefix, server]) => ({ prefix, kind: 'stdio', ...server }))
    : [json].flat();
  return list.map((one) => {
    const parsed = serverConfig.safeParse(one);
    if (parsed.success) return parsed.data;
    throw new Failure(
      'servers.file',
      `${file}: ${parsed.error.issues
        .map((issue) => `${issue.path.join('/') || '(top)'}: ${issue.message}`)
        .slice(0, 4)
        .join('; ')}. Nothing was added.`,
    );
  });
}

async function add(context: Context, host: Host, file: string | undefined): Promise<number> {
  if (file === undefined)
    throw new Failure(
      'cli.use',
      '"desk servers add" needs a file: {"prefix": "mine", "kind": "stdio", "command": "node", "args": ["server.js"]}, or the mcpServers JSON you already have.',
    );
  const by = await actor(context, host);
  if (by.role !== 'admin')
    throw new Failure(
      'servers.role',
      `Only an admin adds servers; ${by.id} is ${by.role}. In the sample company: --as staff-0001`,
    );
  const configs = configurations(file);
  for (const config of configs) {
    await host.settings.addServer(
      config,
      host.servers.all().map((server) => server.config.prefix),
    );
    const runs =
      config.kind === 'stdio'
        ? `runs: ${[config.command, ...config.args].map(visible).join(' ')}`
        : `connects to: ${visible(config.url)}`;
    context.print(`Added “${config.prefix}”. It ${runs}`);
    if (config.kind === 'stdio')
      context.print('  It runs with your rights, the desk’s own database included; the desk does not sandbox it.');
    context.print(`  None of its tools is offered yet: desk approve ${config.prefix} --as ${by.id}`);
  }
  return exit.done;
}

async function check(context: Context, host: Host, prefix: string | undefined): Promise<number> {
  const reviewed = await host.servers.review(prefix ?? '');
  const status = host.servers.get(prefix ?? '')?.connection.status();
  if (context.global.json)
    context.json({
      status,
      tools: reviewed.map((one) => ({
        tool: one.definition.name,
        hash: one.definition.hash,
        status: one.status,
        problem: one.definition.problem,
      })),
    });
  else {
    context.print(`${prefix ?? ''}: ${status?.state ?? ''}, ${status?.revision ?? ''}`);
    for (const one of reviewed)
      context.print(
        `  ${visible(one.definition.name).padEnd(24)} ${one.status.padEnd(9)} ${one.definition.hash?.slice(0, 16) ?? '–'}  ${visible(one.definition.problem ?? '')}`,
      );
    if ((status?.stderr ?? '') !== '')
      context.print(styled('dim', visible(status?.stderr.split('\n').slice(-5).join('\n') ?? '')));
  }
  return exit.done;
}

/** Shows what waits, one definition after the other; with --yes or --refuse an admin decides. */
export async function approveCommand(
  context: Context,
  what: string | undefined,
  options: { yes?: boolean; refuse?: boolean; why?: string },
): Promise<number> {
  return withHost(context, {}, async (host) => {
    const [prefix, ...rest] = (what ?? '').split('.');
    const tool = rest.join('.');
    const servers = host.servers.all().filter((server) => what === undefined || server.config.prefix === prefix);
    if (servers.length === 0)
      throw new Failure(
        'servers.unknown',
        `There is no server "${prefix ?? ''}". Known: ${host.servers
          .all()
          .map((server) => server.config.prefix)
          .join(', ')}.`,
      );
    const open: { prefix: string; one: Reviewed }[] = [];
    for (const server of servers)
      for (const one of await host.servers.review(server.config.prefix))
        if (
          (tool === '' || one.definition.name === tool) &&
          (one.status === 'new' ||
            one.status === 'changed' ||
            (tool !== '' && one.status !== 'parked' && one.status !== 'removed'))
        )
          open.push({ prefix: server.config.prefix, one });
    for (const { prefix: of, one } of open) show(context, of, one);
    if (open.length === 0) context.print('No definition waits for a decision.');
    if (open.length === 0 || options.yes === options.refuse) return open.length === 0 ? exit.done : exit.waiting;
    const by = await actor(context, host);
    for (const { prefix: of, one } of open) {
      if (one.definition.hash === null) continue;
      const decision = options.yes === true ? 'approved' : 'refused';
      await host.pins.decide({
        prefix: of,
        tool: one.definition.name,
        by,
        decision,
        hash: one.definition.hash,
        why: options.why ?? null,
      });
      context.print(`${of}.${visible(one.definition.name)} is ${decision} by ${by.id}.`);
    }
    return exit.done;
  });
}

function show(context: Context, prefix: string, one: Reviewed): void {
  context.print(`${styled('bold', `${prefix}.${visible(one.definition.name)}`)}  ${one.status}`);
  if (one.difference === undefined || one.status === 'new')
    context.print(visible(JSON.stringify(one.definition.raw, null, 2)));
  else for (const field of one.difference) context.print(differenceLines(field));
  for (const free of one.freeText) {
    const need = free.required ? 'the tool needs it' : 'the tool does not need it';
    context.print(
      styled('yellow', `  “${visible(free.pointer.slice(1))}” takes any text; ${need}; treated as ${free.guess}`),
    );
  }
  context.print('  Decide with --yes or --refuse, as an admin (sample company: --as staff-0001).');
}

/** One changed field: schemas as sentences, text with its words marked `{+added+}` and `[-removed-]`. */
function differenceLines(field: FieldDifference): string {
  if (field.schema !== undefined)
    return field.schema
      .map((change) => {
        const breaks = change.breaking === null ? '' : styled('red', ` (may break ${change.breaking})`);
        return `  ${field.field}${visible(change.at)}: ${visible(change.text)}${breaks}`;
      })
      .join('\n');
  if (field.words === undefined)
    return `  ${field.field}: ${field.before ?? 'nothing'} → ${styled('yellow', field.after ?? 'nothing')}`;
  const words = field.words.map(({ kind, text }) =>
    kind === 'same' ? text : kind === 'added' ? styled('green', `{+${text}+}`) : styled('red', `[-${text}-]`),
  );
  return `  ${field.field}: ${words.join('')}`;
}
