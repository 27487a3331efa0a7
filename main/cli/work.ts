// `desk work`: tickets one after the other, each with its ask, turns, draft and verdicts; consent asked on a terminal.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { Call } from '../../shared/calls.ts';
import { Failure } from '../../shared/failures.ts';
import { textOf } from '../../shared/json.ts';
import type { Person } from '../../shared/people.ts';
import type { TicketRun } from '../../shared/runs.ts';
import type { Ticket } from '../../shared/tickets.ts';
import { loadAnswers, type Answers } from '../answers.ts';
import type { Host } from '../host.ts';
import { sha256 } from '../mcp/canonical.ts';
import type { Model } from '../model/model.ts';
import type { ModelChoice } from '../modelChoice.ts';
import { iso } from '../ports.ts';
import type { Report } from '../../shared/report.ts';
import { reportOf } from '../report.ts';
import { runFile } from '../runFile.ts';
import { openSession, type Session } from '../session.ts';
import { lendModels, trialFolder } from '../trialFolder.ts';
import { actor, exit, withHost, type Context } from './context.ts';
import { consentLines, styled, ticketLines } from './present.ts';

export interface WorkOptions {
  ticket?: string[];
  all?: boolean;
  from?: string;
  model?: string;
  playbook?: string;
  descriptions?: string;
  answers?: string;
  out?: string;
  threads?: string;
  /** Work in a fresh data folder in the profile's replay mode, with the models of this one. */
  seedState?: boolean;
}

/** Works tickets; returns the exit code. */
export async function workCommand(context: Context, options: WorkOptions): Promise<number> {
  if (options.seedState !== true) return workIn(context, options, null);
  const real = context.global.data;
  const trial = trialFolder(real);
  try {
    return await workIn({ ...context, global: { ...context.global, data: trial.data } }, options, real);
  } finally {
    trial.remove();
  }
}

/** `lender`: the data folder whose models a fresh one uses. */
async function workIn(context: Context, options: WorkOptions, lender: string | null): Promise<number> {
  const people: {
    answers: Answers | null;
    terminal: ((call: Call) => Promise<'run' | 'dont' | null>) | null;
    actor: Person | null;
  } = { answers: null, terminal: null, actor: null };
  return withHost(
    context,
    {
      replayMode: lender !== null,
      ...(options.playbook === undefined ? {} : { playbookFile: options.playbook }),
      ...(options.descriptions === undefined ? {} : { descriptionsFile: options.descriptions }),
      put: (question, call) => Promise.resolve(people.answers?.question(question, call) ?? null),
      async ask(call) {
        const scripted = people.answers?.consent(call);
        if (scripted) return scripted;
        const said = (await people.terminal?.(call)) ?? null;
        return said === null || people.actor === null ? null : { answer: said, by: people.actor, scripted: false };
      },
    },
    async (host, models) => {
      if (lender !== null) await lendModels(lender, host.settings, host.clock);
      people.actor = await actor(context, host);
      if (options.answers !== undefined) people.answers = loadAnswers(options.answers, await host.people());
      if (process.stdin.isTTY && process.stdout.isTTY && !context.global.json && options.answers === undefined)
        people.terminal = async (call) => askOnTerminal(call, await host.calls.list({ run: call.run }), context.signal);
      const tickets = await selected(host, options);
      const model = await loadModel(context, host, models, options);
      try {
        return await workAll(context, host, model, tickets, options);
      } finally {
        await model?.close();
      }
    },
  );
}

async function askOnTerminal(call: Call, earlier: Call[], signal: AbortSignal): Promise<'run' | 'dont' | null> {
  process.stdout.write(`\n${consentLines(call, earlier)}\n`);
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const said = (await lines.question('  y = run, n = don’t run, Enter = leave it waiting: ', { signal }))
      .trim()
      .toLowerCase();
    return said === 'y' ? 'run' : said === 'n' ? 'dont' : null;
  } finally {
    lines.close();
  }
}

/** The tickets a command names. Throws where one is not known; nothing has happened by then. */
async function selected(host: Host, options: WorkOptions): Promise<Ticket[]> {
  if (options.from !== undefined) {
    const read = await host.tickets.importText(readTicketsFile(options.from), { source: 'import' });
    for (const refused of read.refused)
      host.options.say(`${options.from}: record ${refused.line} was refused: ${refused.reason}`);
    if (read.ids.length === 0) throw new Failure('tickets.none', `${options.from} has no ticket that can be worked.`);
    const wanted = new Set(options.ticket ?? read.ids);
    return (await host.tickets.list()).filter((ticket) => read.ids.includes(ticket.id) && wanted.has(ticket.id));
  }
  const all = await host.tickets.list();
  if (options.ticket !== undefined && options.ticket.length > 0)
    return options.ticket.map((id) => {
      const found = all.find((ticket) => ticket.id === id);
      if (found === undefined)
        throw new Failure('tickets.unknown', `There is no ticket ${id}. "desk tickets" lists what is there.`);
      return found;
    });
  return options.all === true
    ? all.filter((ticket) => ticket.source === 'sample' || ticket.state === 'open')
    : all.filter((ticket) => ticket.state === 'open');
}

/** The text of a tickets file. */
export function readTicketsFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Failure('tickets.unreadable', `The file ${file} cannot be read. Nothing was changed.`);
  }
}

/** The chosen model, loaded, or null with the reason said. */
export async function loadModel(
  context: Context,
  host: Host,
  models: ModelChoice,
  options: { model?: string; threads?: string },
): Promise<Model | null> {
  if (options.model === 'none') return null;
  const { model, why } = await models.chosen(options.model);
  if (model === null) {
    context.say(why);
    return null;
  }
  context.say(`Loading ${model.name} …`);
  return models.load(model, {
    ...(options.threads === undefined ? {} : { threads: Number(options.threads) }),
    signal: context.signal,
  });
}

/** Says how the prefix came to be, once. */
export function prefixWords(session: Session): string | null {
  const { prefix } = session;
  if (prefix === null) return null;
  const how = {
    memory: 'kept in memory',
    disk: 'loaded from disk',
    evaluated: 'read by the model and kept',
    rebuilt: 'read again',
  }[prefix.from];
  return `Instructions, tools and policy: ${prefix.tokens} tokens, ${how} in ${(prefix.ms / 1000).toFixed(1)} s.${prefix.problem === undefined ? '' : ` ${prefix.problem}`}`;
}

async function workAll(
  context: Context,
  host: Host,
  model: Model | null,
  tickets: Ticket[],
  options: WorkOptions,
): Promise<number> {
  const id = `queue-${host.random.hex(6)}`;
  const startedAt = iso(host.clock);
  const session = await openSession(host, model, id, context.signal);
  for (const problem of session.problems) context.say(problem);
  const words = prefixWords(session);
  if (words !== null) context.say(words);
  const runs: TicketRun[] = [];
  const stopped = await each(context, session, tickets, runs);
  const labels = await host.tickets.labels();
  const report = reportOf(runs.map((run) => ({ run, label: labels.get(run.ticket) ?? null })));
  if (options.out !== undefined) {
    const answers = options.answers === undefined ? null : sha256(readFileSync(options.answers, 'utf8'));
    writeFileSync(
      options.out,
      JSON.stringify(
        await runFile({ id, startedAt, endedAt: iso(host.clock), model, host, session, runs, report, answers }),
      ),
    );
    context.say(`The run is in ${options.out}.`);
  }
  if (context.global.json) context.json({ id, report, tickets: runs });
  else if (runs.length > 1) context.print(reportLines(report));
  const waiting = await listWaiting(context, host);
  if (stopped) return exit.stopped;
  return waiting > 0 ? exit.waiting : exit.done;
}

async function each(context: Context, session: Session, tickets: Ticket[], runs: TicketRun[]): Promise<boolean> {
  const stopped = (): boolean => context.signal.aborted;
  for (const [index, ticket] of tickets.entries()) {
    if (stopped()) break;
    const step = process.stderr.isTTY
      ? (words: string) => process.stderr.write(`\r\u001b[K${ticket.id} ${index + 1}/${tickets.length} ${words}`)
      : undefined;
    try {
      const run = await session.workTicket(ticket, { ...(step === undefined ? {} : { step }), signal: context.signal });
      if (step !== undefined) process.stderr.write('\r\u001b[K');
      runs.push(run);
      if (!context.global.json) context.print(ticketLines(ticket, run));
    } catch (error) {
      if (stopped()) break;
      throw error;
    }
  }
  return stopped();
}

/** What waits for a person, last, with the command that answers each. Returns how many. */
export async function listWaiting(context: Context, host: Host): Promise<number> {
  const waiting = await host.calls.waiting();
  const asked = await host.calls.list({ states: ['asked'] });
  if (context.global.json) return waiting.length + asked.length;
  if (waiting.length + asked.length > 0) context.print(styled('bold', 'Waiting for a person'));
  for (const call of waiting) {
    const args = Object.entries(call.arguments).map(([name, value]) => `${name} ${textOf(value).slice(0, 24)}`);
    context.print(
      `  ${call.ticket}  ${call.tool} (${args.join(', ')})\n    npm run desk -- consent ${call.id} --run      (or --dont)`,
    );
  }
  for (const call of asked)
    context.print(`  ${call.ticket}  ${call.tool} asked a question that waits for a lead (call ${call.id})`);
  return waiting.length + asked.length;
}

function reportLines(report: Report): string {
  const kinds = Object.entries(report.first_tool.kinds).map(
    ([kind, count]) => `    ${kind.padEnd(18)} ${count.right} of ${count.total}`,
  );
  const lines = [
    styled('bold', `${report.tickets} tickets`),
    `  ${Object.entries(report.states)
      .map(([state, count]) => `${count} ${state === 'ready' ? 'ready' : state}`)
      .join(', ')}`,
    ...(report.first_tool.total > 0
      ? [`  right first tool: ${report.first_tool.right} of ${report.first_tool.total}`, ...kinds]
      : []),
    ...(report.refunds.due > 0
      ? [
          `  refunds due: ${report.refunds.due}, reached: ${report.refunds.reached.length}, reached though not due: ${report.refunds.reached_though_not_due.length}, issued: ${report.refunds.issued.length}`,
        ]
      : []),
    `  unbacked claims in drafts marked ready: ${report.unbacked_in_ready}`,
    `  seconds per ticket: median ${report.seconds.median ?? '–'}, p95 ${report.seconds.p95 ?? '–'} (n = ${report.seconds.n})`,
    `  tokens per call: median ${report.tokens_per_call.median ?? '–'}, p95 ${report.tokens_per_call.p95 ?? '–'} (n = ${report.tokens_per_call.n})`,
    '',
  ];
  return lines.join('\n');
}
