// `desk work`: tickets one after the other, each with its ask, turns, draft and verdicts; consent asked on a terminal.
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Call } from '../../shared/calls.ts';
import type { GivenOf } from '../../shared/contract.ts';
import { Failure, reason } from '../../shared/failures.ts';
import { textOf, type Json } from '../../shared/json.ts';
import type { Report } from '../../shared/report.ts';
import type { TicketRun } from '../../shared/runs.ts';
import { readAnswers } from '../answers.ts';
import type { Desk } from '../client.ts';
import { exit, withDesk, type Context } from './context.ts';
import { sendFile } from './imports.ts';
import { askConsent, askQuestion, follow, personAtTerminal } from './news.ts';
import { styled, ticketLines } from './present.ts';

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
  /** In a fresh data folder, in the profile's replay mode. */
  seedState?: boolean;
}

/** Works tickets; returns the exit code. */
export async function workCommand(context: Context, options: WorkOptions): Promise<number> {
  if (options.out !== undefined) checkOut(options.out);
  // Parsed JSON; the host checks the rules.
  const answers = options.answers === undefined ? undefined : (readAnswers(options.answers) as Json);
  const trial = {
    ...(options.seedState === true ? { replayMode: true } : {}),
    ...(options.playbook === undefined ? {} : { playbookFile: options.playbook }),
    ...(options.descriptions === undefined ? {} : { descriptionsFile: options.descriptions }),
  };
  return withDesk(context, trial, async (desk) => {
    const asked: WorkGiven = {
      ...(await selected(context, desk, options)),
      ...modelOf(options),
      ...(answers === undefined ? {} : { answers }),
      attended: answers === undefined && personAtTerminal(context),
      file: options.out !== undefined,
    };
    const { id, report, stopped, file, runs } = await workShown(context, desk, asked);
    if (options.out !== undefined) {
      writeFileSync(options.out, JSON.stringify(file, null, 1));
      context.say(`The run is in ${options.out}.`);
    }
    if (context.global.json) context.json({ id, report, tickets: runs });
    else if (runs.length > 1) context.print(reportLines(report));
    const waiting = await listWaiting(context, desk);
    if (stopped) return exit.stopped;
    return waiting > 0 ? exit.waiting : exit.done;
  });
}

/** Whether a run file can be written is found out before the work, not after. */
function checkOut(file: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new Failure('cli.use', `The run cannot be written to ${file}: ${reason(error)}. Nothing was worked.`);
  }
}

type WorkGiven = GivenOf<'runs.work'>;

/** Works tickets and shows each as it is finished. */
export async function workShown(context: Context, desk: Desk, asked: Omit<WorkGiven, 'watch'>) {
  const runs: TicketRun[] = [];
  const terminal = process.stderr.isTTY;
  const clear = (): unknown => terminal && process.stderr.write('\r\u001b[K');
  const asking: Promise<void>[] = [];
  const { watch, end } = follow(context, desk, {
    step: ({ ticket, n, of, words }) => {
      if (terminal) process.stderr.write(`\r\u001b[K${ticket} ${n}/${of} ${words}`);
    },
    asks: ({ call, question }) => {
      clear();
      const asked =
        question === null ? askConsent(context, desk, call) : askQuestion(context, desk, { question, call });
      asking.push(asked.catch((error: unknown) => context.say(reason(error))));
    },
    finished: ({ ticket, run }) => {
      clear();
      runs.push(run);
      if (!context.global.json) context.print(ticketLines(ticket, run));
    },
  });
  try {
    return { ...(await desk.request('runs.work', { ...asked, watch }, context.signal)), runs };
  } finally {
    end();
    await Promise.all(asking);
  }
}

/** The model and threads an option names, as requests carry them. */
export function modelOf(options: { model?: string; threads?: string }): { model?: string; threads?: number } {
  return {
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.threads === undefined ? {} : { threads: Number(options.threads) }),
  };
}

/** The tickets a command names; those of a file are brought in first. */
async function selected(
  context: Context,
  desk: Desk,
  options: WorkOptions,
): Promise<Pick<WorkGiven, 'tickets' | 'select'>> {
  const named = options.ticket !== undefined && options.ticket.length > 0 ? options.ticket : null;
  if (options.from === undefined)
    return named === null ? { select: options.all === true ? 'all' : 'open' } : { tickets: named };
  const read = await desk.request('imports.run', await sendFile(desk, options.from), context.signal);
  for (const refused of read.refused)
    context.say(`${options.from}: record ${refused.line} was refused: ${refused.reason}`);
  if (read.ids.length === 0) throw new Failure('tickets.none', `${options.from} has no ticket that can be worked.`);
  const known = new Set(read.ids);
  const wanted = new Set(named ?? read.ids);
  const all = await desk.request('tickets.list', {});
  return { tickets: all.flatMap(({ id }) => (known.has(id) && wanted.has(id) ? [id] : [])) };
}

/** What waits for a person, last, with the command that answers each. Returns how many. */
export async function listWaiting(context: Context, desk: Desk): Promise<number> {
  const waiting = await desk.request('calls.waiting', {});
  const asked = await desk.request('calls.list', { states: ['asked', 'unknown', 'consented'] });
  const open = asked.filter((call) => call.consent?.by !== 'host' || call.state !== 'consented');
  if (context.global.json) return waiting.length + open.length;
  if (waiting.length + open.length > 0) context.print(styled('bold', 'Waiting for a person'));
  for (const call of waiting) {
    const args = Object.entries(call.arguments).map(([name, value]) => `${name} ${textOf(value).slice(0, 24)}`);
    context.print(
      `  ${call.ticket}  ${call.tool} (${args.join(', ')})\n    npm run desk -- consent ${call.id} --run      (or --dont)`,
    );
  }
  for (const call of open) context.print(`  ${call.ticket}  ${call.tool} ${openWords(call)}`);
  return waiting.length + open.length;
}

function openWords(call: Call): string {
  if (call.state === 'asked') return 'asked a question\n    npm run desk -- questions      (a lead: --as staff-0002)';
  if (call.state === 'consented') return `was consented to and not sent\n    npm run desk -- consent ${call.id} --run`;
  return `may have happened: look it up\n    npm run desk -- settle ${call.id} --happened --why TEXT      (or --did-not)`;
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
