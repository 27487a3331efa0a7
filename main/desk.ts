// The command line `desk` (spec cli): it talks to the host and has no rules of its own.
import { Command, CommanderError } from 'commander';
import { approveCommand, serversCommand, type ApproveOptions } from './cli/servers.ts';
import { consentCommand, type ConsentOptions } from './cli/consent.ts';
import { exit, runCommand, type Context } from './cli/context.ts';
import { contractCommand } from './cli/contract.ts';
import { ticketsCommand } from './cli/data.ts';
import { doctorCommand } from './cli/doctor.ts';
import { exportCommand } from './cli/exports.ts';
import { importCommand, type ImportFlags } from './cli/imports.ts';
import { limitsCommand } from './cli/limits.ts';
import { modelsCommand } from './cli/models.ts';
import { peopleCommand, signinCommand, signoutCommand, type PeopleOptions } from './cli/people.ts';
import { replayCommand, type ReplayFlags } from './cli/replay.ts';
import { scoreCommand, type ScoreFlags } from './cli/score.ts';
import { inSeedState } from './cli/seedState.ts';
import {
  answerCommand,
  questionsCommand,
  settleCommand,
  type AnswerOptions,
  type SettleOptions,
} from './cli/questions.ts';
import { consentReportCommand, eraseCommand, traceCommand } from './cli/trace.ts';
import { tourCommand } from './cli/tour.ts';
import { workCommand, type WorkOptions } from './cli/work.ts';

const program = new Command('desk')
  .description('A support desk you can trust with a model.')
  .option('--data <dir>', 'data folder (default: the platform’s)')
  .option('--as <person>', 'who acts (sample company: staff-0007, staff-0002 lead, staff-0001 admin)')
  .option('--json', 'print one JSON document')
  .showHelpAfterError('(desk --help lists every command)')
  .exitOverride();

function action(work: (context: Context, ...args: never[]) => Promise<number>) {
  return async (...all: unknown[]): Promise<void> => {
    const command = all.at(-1);
    if (!(command instanceof Command)) throw new Error('commander passes the command last');
    // Commander hands over what the command declares, in that order.
    await runCommand(command, (context) => work(context, ...(all.slice(0, -1) as never[])));
  };
}

program
  .command('work')
  .description('work tickets: look up, prepare, draft; calls with side effects wait for consent')
  .option('--ticket <id...>', 'these tickets')
  .option('--all', 'every ticket')
  .option('--from <file>', 'the tickets of a file (JSON array or JSON Lines)')
  .option('--model <name>', 'another model for this run; "none" works without one')
  .option('--playbook <file>', 'another playbook for this run')
  .option('--descriptions <file>', 'other sentences per tool for this run')
  .option('--answers <file>', 'rules that answer in the place of people')
  .option('--threads <n>', 'processor threads of the model')
  .option('--out <file>', 'write the run there')
  .option('--seed-state', 'work in a fresh data folder in the replay mode, with the models of this one')
  .action(
    action((context, options: WorkOptions) =>
      options.seedState === true
        ? inSeedState(context, (trial) => workCommand(trial, options))
        : workCommand(context, options),
    ),
  );
program
  .command('tour')
  .description('works three tickets in the terminal and says what to do next')
  .option('--model <name>', 'another model than the starter')
  .action(action((context, options: { model?: string }) => tourCommand(context, options)));
program
  .command('replay <run>')
  .description('reads a recorded run again without a model; exact, or names the first difference')
  .option('--servers', 'ask the live servers again (fixed clock, seeded numbers: the sample company)')
  .option('--current', 'compare with today’s definitions, policies and playbook')
  .option('--playbook <file>', 'with --current: another playbook')
  .option('--profile <file>', 'another company than the sample one')
  .action(action((context, run: string, flags: ReplayFlags) => replayCommand(context, run, flags)));
program
  .command('score <run>')
  .description('scores of a recorded run with 95 % intervals')
  .option('--against <run>', 'compare with another run, ticket by ticket')
  .option('--twins <run>', 'the run of the plain twins of tickets that carry instructions')
  .action(action((context, run: string, flags: ScoreFlags) => scoreCommand(context, run, flags)));
program
  .command('consent <id>')
  .description('run a waiting call or not; shows what would be sent')
  .option('--run', 'send it')
  .option('--dont', 'do not send it')
  .option('--edit <json>', 'other arguments in place of all of these; it then waits anew')
  .option('--model <name>', 'model for the rest of the ticket')
  .option('--threads <n>', 'processor threads of the model')
  .action(action((context, id: string, options: ConsentOptions) => consentCommand(context, id, options)));
program
  .command('questions')
  .description('what waits for you: questions of servers, consents, calls to look up')
  .action(action((context) => questionsCommand(context)));
program
  .command('answer <id>')
  .description('answer a server’s question; the same call goes on, also after a restart')
  .option('--accept [json]', 'the form’s values as a JSON object; without them for a form without fields')
  .option('--decline', 'say no')
  .option('--cancel', 'say neither yes nor no')
  .option('--model <name>', 'model for the rest of the ticket')
  .option('--threads <n>', 'processor threads of the model')
  .action(action((context, id: string, options: AnswerOptions) => answerCommand(context, id, options)));
program
  .command('settle <call>')
  .description('say what a call of unknown outcome did, after looking it up')
  .option('--happened', 'it happened')
  .option('--did-not', 'it did not')
  .option('--why <text>', 'how you know; kept with the call')
  .option('--model <name>', 'model for the rest of the ticket')
  .option('--threads <n>', 'processor threads of the model')
  .action(action((context, id: string, options: SettleOptions) => settleCommand(context, id, options)));
program
  .command('trace <run>')
  .description('messages on the wire of a run (its file or ID) or a call; states and answers blotted out')
  .option('--ticket <id>', 'of this ticket only')
  .option('--call <n>', 'of this call of each ticket only')
  .action(
    action((context, run: string, options: { ticket?: string; call?: string }) => traceCommand(context, run, options)),
  );
program
  .command('report')
  .description('how people answer consents: quick yeses, tools nobody ever declines')
  .action(action((context) => consentReportCommand(context)));
program
  .command('erase')
  .description('erase what old calls sent and got; that they were made stays in the log')
  .requiredOption('--before <date>', 'calls settled before this day, like 2026-06-30')
  .action(action((context, options: { before: string }) => eraseCommand(context, options)));
program
  .command('tickets [id]')
  .description('what is there; with an ID that ticket, its run and its draft')
  .option('--view <name>', 'all, open, ready, waiting, handed-over')
  .action(
    action((context, id: string | undefined, options: { view?: string }) => ticketsCommand(context, id, options)),
  );
program
  .command('import <file>')
  .description(
    'bring tickets in: a table (CSV), JSON or JSON Lines of ours, of Zendesk or of Chatwoot, or mails (mbox, EML)',
  )
  .option('--dry-run', 'say what would happen, store nothing')
  .option('--encoding <name>', 'how its letters are encoded, as windows-1252')
  .option('--delimiter <sign>', 'between the columns of a table: , ; | or tab')
  .option('--header', 'the first row of the table holds the names of its columns')
  .option('--no-header', 'the first row of the table is a ticket')
  .option(
    '--column <name=field...>',
    'what a column holds: id, customer, customer_name, subject, body, received_at, channel, other',
  )
  .option('--dates <order>', '"day first" or "month first"')
  .option('--zone <name>', 'of times without one, as Europe/Berlin')
  .action(action((context, file: string, flags: ImportFlags) => importCommand(context, file, flags)));
program
  .command('export <what>')
  .description('tickets, calls or runs as JSON; no secrets')
  .option('--csv', 'a table for spreadsheets, safe against formulas')
  .option('--out <file>', 'write it there')
  .action(
    action((context, what: string, options: { csv?: boolean; out?: string }) => exportCommand(context, what, options)),
  );
program
  .command('signin <person>')
  .description('act as this person on this data folder; asks for the passphrase')
  .action(action((context, id: string) => signinCommand(context, id)));
program
  .command('signout')
  .description('nobody acts on this data folder until the next signin')
  .action(action((context) => signoutCommand(context)));
program
  .command('people [verb] [person]')
  .description('who may act; add ID, role ID, passphrase ID; acts: who did what')
  .option('--name <name>', 'with add: as others read it')
  .option('--role <role>', 'staff, lead or admin')
  .action(
    action((context, verb: string | undefined, id: string | undefined, options: PeopleOptions) =>
      peopleCommand(context, verb, id, options),
    ),
  );
program
  .command('servers [verb] [what]')
  .description('status, cost and era; add FILE, remove PREFIX, check PREFIX, enable PREFIX, disable PREFIX')
  .action(action((context, verb?: string, what?: string) => serversCommand(context, verb, what)));
program
  .command('limits [verb] [name] [value]')
  .description('what servers may at most do to the desk; set NAME VALUE, reset NAME (an admin)')
  .action(action((context, verb?: string, name?: string, value?: string) => limitsCommand(context, verb, name, value)));
program
  .command('approve [what]')
  .description('definitions that wait for an admin: shows each difference, then decides')
  .option('--yes', 'approve')
  .option('--refuse', 'refuse')
  .option('--why <text>', 'reason, kept with the decision')
  .option('--history', 'every decision on a tool')
  .action(
    action((context, what: string | undefined, options: ApproveOptions) => approveCommand(context, what, options)),
  );
program
  .command('contract <old> <new>')
  .description('what changed between two tool lists (files, or servers by their prefix), for callers and for readers')
  .action(action((context, before: string, after: string) => contractCommand(context, before, after)));
program
  .command('models [verb] [name]')
  .description('the catalogue and what is on disk; get NAME, add FILE, use NAME, bench')
  .action(action((context, verb?: string, name?: string) => modelsCommand(context, verb, name)));
program
  .command('doctor')
  .description('checks data, model, servers, versions and free disk; one line each')
  .action(action((context) => doctorCommand(context)));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exit.done : exit.wrongUse;
  if (process.connected) process.disconnect();
}
