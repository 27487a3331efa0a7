// `desk servers` and `desk approve`: what each server is and costs, and definitions that wait for an admin.
import { readFileSync } from 'node:fs';
import type { ValueOf } from '../../shared/contract.ts';
import { Failure, reason } from '../../shared/failures.ts';
import { isObject, textOf, type JsonObject } from '../../shared/json.ts';
import { asksAdmin, seenDecision, type FieldDifference, type Reviewed } from '../../shared/pins.ts';
import { requestWords } from '../../shared/requestWords.ts';
import { readServers } from '../../shared/serverFile.ts';
import type { ServerConfig } from '../../shared/servers.ts';
import type { Desk } from '../client.ts';
import { actor, exit, withDesk, type Context } from './context.ts';
import { visible } from '../visible.ts';
import { signInCommand } from './signIn.ts';
import { styled } from './present.ts';

const verbs = ['add', 'remove', 'check', 'enable', 'disable', 'sign-in'];

export async function serversCommand(
  context: Context,
  verb: string | undefined,
  what: string | undefined,
): Promise<number> {
  if (verb !== undefined && !verbs.includes(verb)) {
    context.say(
      `"desk servers ${verb}" is not known. Known: add FILE, remove PREFIX, check PREFIX, enable PREFIX, disable PREFIX, sign-in PREFIX.`,
    );
    return exit.wrongUse;
  }
  return withDesk(context, {}, async (desk) => {
    if (verb === undefined) return list(context, desk);
    if (verb === 'add') return add(context, desk, what);
    if (what === undefined) throw new Failure('cli.use', `"desk servers ${verb}" needs the prefix of a server.`);
    const prefix = what;
    if (verb === 'check') return check(context, desk, prefix);
    if (verb === 'sign-in') return signInCommand(context, desk, prefix);
    if (verb === 'remove') {
      await desk.request('servers.remove', { prefix });
      context.print(`The server "${prefix}" is removed. Its approvals are kept in the history.`);
      return exit.done;
    }
    await desk.request('servers.enable', { prefix, enabled: verb === 'enable' });
    context.print(
      verb === 'enable'
        ? `The server "${prefix}" is on. Tools of it that nobody approved stay out: desk approve ${prefix}`
        : `The server "${prefix}" is off. Its approvals are kept: desk servers enable ${prefix}`,
    );
    return exit.done;
  });
}

async function list(context: Context, desk: Desk): Promise<number> {
  const rows = await desk.request('servers.list', {}, context.signal);
  if (context.global.json) context.json(rows);
  else
    for (const row of rows) {
      context.print(
        row.state === 'disabled'
          ? `${styled('bold', row.prefix)}  off: desk servers enable ${row.prefix}`
          : `${styled('bold', row.prefix)}  ${row.state}, ${row.revision ?? 'revision unknown'}, ${row.approved} of ${row.tools} tools approved, ${row.bytes} bytes of definitions, ${row.restarts} restarts`,
      );
      if (row.requests !== null) context.print(`  ${requestWords(row.requests)}`);
      if (row.problem !== null) context.print(`  ${visible(row.problem)}`);
    }
  return rows.every(({ state }) => state === 'ready' || state === 'disabled') ? exit.done : exit.failed;
}

/** Our own configuration, or the `mcpServers` JSON people already have. */
function configurations(file: string): ServerConfig[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure('servers.file', `${file} cannot be read: ${reason(error)}. Nothing was added.`);
  }
  return readServers(text, file);
}

async function add(context: Context, desk: Desk, file: string | undefined): Promise<number> {
  if (file === undefined)
    throw new Failure(
      'cli.use',
      '"desk servers add" needs a file: {"prefix": "mine", "kind": "stdio", "command": "node", "args": ["server.js"]}, or the mcpServers JSON you already have.',
    );
  for (const config of configurations(file)) {
    await desk.request('servers.add', { config });
    const runs =
      config.kind === 'stdio'
        ? `runs: ${[config.command, ...config.args].map(visible).join(' ')}`
        : `connects to: ${visible(config.url)}`;
    context.print(`Added “${config.prefix}”. It ${runs}`);
    if (config.kind === 'stdio')
      context.print('  It runs with your rights, the desk’s own database included; the desk does not sandbox it.');
    context.print(
      `  None of its tools is offered yet: desk approve ${config.prefix} --as ${await actor(context, desk)}`,
    );
  }
  return exit.done;
}

async function check(context: Context, desk: Desk, prefix: string): Promise<number> {
  const { status, tools } = await desk.request('servers.check', { prefix, anew: true }, context.signal);
  const said = prefix.includes('/') ? undefined : await instructionsOf(context, desk, prefix);
  if (context.global.json)
    context.json({
      status,
      ...(said !== undefined && { instructions: { hash: said.definition.hash, status: said.status } }),
      tools: tools.map(({ definition, status: decided }) => ({
        tool: definition.name,
        hash: definition.hash,
        status: decided,
        problem: definition.problem,
      })),
    });
  else {
    context.print(`${prefix}: ${status.state}, ${status.revision ?? ''}`);
    for (const one of tools)
      context.print(
        `  ${visible(one.definition.name).padEnd(24)} ${one.status.padEnd(9)} ${one.definition.hash?.slice(0, 16) ?? '–'}  ${visible(one.definition.problem ?? '')}`,
      );
    if (said !== undefined) context.print(`  instructions: ${readWords(prefix, said)}`);
    for (const note of status.notes) context.print(`  ${visible(note)}`);
    if (status.stderr !== '') context.print(styled('dim', visible(status.stderr.split('\n').slice(-5).join('\n'))));
  }
  return exit.done;
}

/** What a server says of itself as a whole, and how that stands; undefined where it says nothing. */
async function instructionsOf(context: Context, desk: Desk, prefix: string): Promise<Reviewed | undefined> {
  try {
    const { tools } = await desk.request('servers.check', { prefix: `${prefix}/instructions` }, context.signal);
    return tools.find(({ status }) => status !== 'removed');
  } catch (error) {
    // They are beside the point here: its tools are there all the same.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
function readWords(prefix: string, { status }: Reviewed): string {
  const open = status === 'new' || status === 'changed';
  return status === 'approved'
    ? 'read by the model'
    : `${status}, not read by the model${open ? `: desk approve ${prefix}/instructions` : ''}`;
}

export interface ApproveOptions {
  yes?: boolean;
  refuse?: boolean;
  why?: string;
  history?: boolean;
}

/** Shows what waits, one definition after the other; with --yes or --refuse an admin decides. */
export async function approveCommand(
  context: Context,
  what: string | undefined,
  options: ApproveOptions,
): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const [prefix, ...rest] = what?.split('.') ?? [];
    const tool = rest.join('.');
    const changed = what === undefined || what === 'playbook' ? await desk.request('playbook.waiting', {}) : null;
    if (what === 'playbook') return approvePlaybook(context, desk, options, changed);
    if (changed?.status === 'changed') context.print('The playbook changed too: desk approve playbook\n');
    if (options.history === true) return history(context, desk, prefix ?? '', tool);
    const asked = { ...(prefix === undefined ? {} : { prefix }), ...(tool === '' ? {} : { tool }) };
    const open = await desk.request('pins.waiting', asked, context.signal);
    if (context.global.json && options.yes === options.refuse) {
      context.json(open);
      return open.length === 0 ? exit.done : exit.waiting;
    }
    const rows = await desk.request('servers.list', {});
    const from = new Map(rows.map((row) => [row.prefix, row.target]));
    for (const { prefix: of, one } of open) show(context, of, one, from.get(of.split('/')[0] ?? '') ?? '');
    if (open.length === 0) context.print('No definition waits for a decision.');
    if (what === undefined) await sayUnread(context, desk, rows);
    if (options.yes === true && options.refuse === true)
      throw new Failure('cli.use', 'Give one of --yes and --refuse.');
    if (open.length === 0 || options.yes === options.refuse) return open.length === 0 ? exit.done : exit.waiting;
    if (what === undefined)
      throw new Failure(
        'cli.use',
        'Name what you decide on: desk approve PREFIX, or desk approve PREFIX.TOOL. Nothing was decided.',
      );
    for (const { prefix: of, one } of open) {
      const { name, hash } = one.definition;
      if (hash === null) continue;
      const decision = options.yes === true ? 'approved' : 'refused';
      const pin = await desk.request('pins.decide', {
        prefix: of,
        tool: name,
        decision,
        hash,
        seen: one.pin ? seenDecision(one.pin) : null,
        why: options.why ?? null,
      });
      context.print(`${of}.${visible(name)} is ${decision} by ${pin.by}.`);
    }
    return exit.done;
  });
}

/** Instructions wait without asking: a line for all servers whose own the model never read. */
async function sayUnread(context: Context, desk: Desk, rows: ValueOf<'servers.list'>): Promise<void> {
  const unread: string[] = [];
  for (const { prefix, state } of rows) {
    const said = state === 'ready' ? await instructionsOf(context, desk, prefix) : undefined;
    const isOpen = said?.status === 'new' || said?.status === 'changed';
    if (said !== undefined && isOpen && !asksAdmin(`${prefix}/instructions`, said)) unread.push(prefix);
  }
  const [first] = unread;
  if (first !== undefined)
    context.print(
      `What these servers say of themselves is not read by the model, and need not be: ${unread.join(', ')}. To let it: desk approve ${first}/instructions`,
    );
}

/** The playbook's changes in words; with --yes or --refuse an admin decides. */
async function approvePlaybook(
  context: Context,
  desk: Desk,
  options: ApproveOptions,
  waiting: ValueOf<'playbook.waiting'>,
): Promise<number> {
  if (context.global.json && options.yes === options.refuse) context.json(waiting);
  else if (waiting === null) context.print('The playbook is as it was approved.');
  else {
    context.print(`${styled('bold', 'playbook')}  ${waiting.status}`);
    for (const field of waiting.difference) context.print(differenceLines(field));
    if (options.yes === options.refuse)
      context.print('  Decide with --yes or --refuse, as an admin (sample company: --as staff-0001).');
  }
  if (waiting === null) return exit.done;
  if (options.yes === options.refuse) return exit.waiting;
  const decision = options.yes === true ? 'approved' : 'refused';
  await desk.request('playbook.decide', { hash: waiting.hash, decision, why: options.why ?? null });
  const by = await actor(context, desk);
  context.print(
    decision === 'approved'
      ? `The playbook is approved by ${by}; it is in force from the next start of the desk.`
      : `The playbook is refused by ${by}; the one approved before it stays in force.`,
  );
  return exit.done;
}

/** Every decision on a tool, the oldest first. */
async function history(context: Context, desk: Desk, prefix: string, tool: string): Promise<number> {
  if (tool === '') throw new Failure('cli.use', '--history needs a tool: desk approve PREFIX.TOOL --history');
  const decisions = await desk.request('pins.history', { prefix, tool });
  if (context.global.json) context.json(decisions);
  else if (decisions.length === 0) context.print(`Nobody has decided on ${prefix}.${tool}.`);
  else
    for (const { at, decision, by, hash, why, no_side_effects } of decisions)
      context.print(
        `${at.slice(0, 16).replace('T', ' ')}  ${decision} by ${by}  ${hash.slice(0, 16)}…${no_side_effects ? '  on the list without side effects' : ''}${why === null ? '' : `  ${visible(why)}`}`,
      );
  return exit.done;
}

function show(context: Context, prefix: string, one: Reviewed, target: string): void {
  context.print(`${styled('bold', `${prefix}.${visible(one.definition.name)}`)}  ${one.status}`);
  context.print(styled('dim', `  of the server that ${visible(target)}`));
  const said = one.definition.raw['instructions'];
  if (one.difference === undefined || one.status === 'new')
    context.print(
      prefix.endsWith('/instructions') && typeof said === 'string'
        ? visible(said).replaceAll(/^/gm, '  ')
        : definitionLines(one.definition.raw).join('\n'),
    );
  else for (const field of one.difference) context.print(differenceLines(field));
  if (prefix.endsWith('/instructions'))
    context.print('  Approved, the model reads it before every ticket, as words from outside.');
  for (const warning of warnings(one)) context.print(styled('red', `  ${warning}`));
  for (const free of one.freeText) {
    const need = free.required ? 'the tool needs it' : 'the tool does not need it';
    context.print(
      styled('yellow', `  “${visible(free.pointer.slice(1))}” takes any text; ${need}; treated as ${free.guess}`),
    );
  }
  context.print('  Decide with --yes or --refuse, as an admin (sample company: --as staff-0001).');
}

/** All of a definition: its words and its arguments by line, everything else as it came. The exact JSON: `--json`. */
function definitionLines({ title, description, inputSchema, ...rest }: JsonObject): string[] {
  const { properties, required, ...schema } = isObject(inputSchema) ? inputSchema : {};
  const needed = Array.isArray(required) ? required : [];
  const words = [title, description].filter((one) => one !== undefined && one !== null);
  const args = Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => {
    const { type, description: says, ...more } = isObject(value) ? value : { type: value };
    const must = needed.includes(name) ? 'needed' : 'optional';
    return `  · ${visible(name)} (${[must, ...(type === undefined ? [] : [visible(textOf(type))])].join(', ')})${says === undefined ? '' : `: ${visible(textOf(says))}`}${Object.keys(more).length === 0 ? '' : `  ${visible(JSON.stringify(more))}`}`;
  });
  const others = [...Object.entries(schema), ...Object.entries(rest)]
    .filter(([name]) => name !== 'name' && name !== 'type')
    .map(([name, value]) => `  ${visible(name)}: ${visible(JSON.stringify(value))}`);
  return [
    ...words.map((one) => visible(textOf(one)).replaceAll(/^/gm, '  ')),
    ...(inputSchema === undefined ? [] : [args.length === 0 ? '  Takes no arguments.' : '  Arguments:']),
    ...args,
    ...others,
  ];
}

/** What a person should not read past. */
function warnings({ definition, difference, freeText }: Reviewed): string[] {
  const added = (difference ?? []).flatMap(({ words }) => words ?? []).filter(({ kind }) => kind === 'added');
  const text = difference === undefined ? JSON.stringify(definition.raw) : added.map((piece) => piece.text).join(' ');
  const found: string[] = [];
  if (visible(text) !== text || text.includes('⟨U+'))
    found.push('It holds invisible characters (drawn as ⟨U+…⟩): text is hidden from people and read by the model.');
  if (added.length > 0 && freeText.some(({ required }) => !required))
    found.push(
      'Its description changed and it takes free text it does not need: read what it tells the model to put there.',
    );
  return found;
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
