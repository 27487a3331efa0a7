// `npm start`: gets the starter model, shows the desk's state, works three tickets with it, and says what to do next.
// Without any source for a model the desk stays usable by hand, and says so.
import { Command } from 'commander';
import { Failure } from '../shared/failures.ts';
import { getModel } from './cli/models.ts';
import { exit, runCommand, withHost, type Context } from './cli/context.ts';
import { styled, ticketLines } from './cli/present.ts';
import { listWaiting, loadModel, prefixWords } from './cli/work.ts';
import type { Host } from './host.ts';
import type { ModelChoice } from './modelChoice.ts';
import { openSession } from './session.ts';

const shown = 3;

const program = new Command('start')
  .option('--data <dir>', 'data folder')
  .option('--model <name>', 'another model than the starter');
program.action((options: { model?: string }) =>
  runCommand(program, (context) => withHost(context, {}, (host, models) => tour(context, host, models, options))),
);
await program.parseAsync();

async function tour(context: Context, host: Host, models: ModelChoice, options: { model?: string }): Promise<number> {
  await fetchStarter(context, models, options);
  await state(context, host);
  const model = await loadModel(context, host, models, options);
  if (model === null) {
    context.print(`\nThe desk works by hand: ${styled('bold', 'npm run desk -- tickets')} lists what is there.`);
    return exit.done;
  }
  try {
    const session = await openSession(host, model, null, context.signal);
    const words = prefixWords(session);
    if (words !== null) context.say(words);
    context.print('');
    for (const ticket of pick(await host.tickets.list()))
      context.print(ticketLines(ticket, await session.workTicket(ticket, { signal: context.signal })));
  } finally {
    await model.close();
  }
  await listWaiting(context, host);
  next(context);
  return exit.done;
}

/** Open tickets first; where all were worked, the first ones again. */
function pick<T extends { state: string }>(tickets: T[]): T[] {
  const open = tickets.filter((ticket) => ticket.state === 'open');
  return (open.length >= shown ? open : tickets).slice(0, shown);
}

async function fetchStarter(context: Context, models: ModelChoice, options: { model?: string }): Promise<void> {
  const { model } = await models.chosen().catch(() => ({ model: null }));
  if (model !== null || options.model === 'none') return;
  context.say(
    'The starter model is not here yet; getting it once (1.1 GB, some minutes). Ctrl-C stops; the next start goes on from there.',
  );
  try {
    await getModel(context, models, options.model ?? 'starter');
  } catch (error) {
    if (!(error instanceof Failure) || context.signal.aborted) throw error;
    context.say(error.message);
  }
}

async function state(context: Context, host: Host): Promise<void> {
  const tickets = await host.tickets.list();
  const count = (state: string) => tickets.filter((ticket) => ticket.state === state).length;
  context.print(`${styled('bold', `The desk of ${host.profile.company}`)}  ${styled('dim', host.options.data)}`);
  context.print(
    `  ${tickets.length} tickets: ${count('open')} open, ${count('ready')} with a draft, ${count('waiting')} waiting for a person, ${count('handed over')} handed over`,
  );
  for (const { connection, config } of host.servers.all()) {
    const status = connection.status();
    context.print(
      `  server “${config.prefix}”: ${status.state === 'ready' ? `ready, speaks ${status.revision ?? 'an unknown revision'}` : (status.problem ?? status.state)}`,
    );
  }
}

function next(context: Context): void {
  context.print(
    [
      styled('bold', 'What to do next'),
      '  npm run desk -- work --all                 work every ticket; calls with side effects wait for you',
      '  npm run desk -- tickets --view ready       drafts that are ready',
      '  npm run desk -- work --from FILE           your own tickets (JSON or JSON Lines)',
      '  npm run desk -- servers add FILE           your own MCP server',
      '  npm run desk -- models                     other models',
      '  npm run desk -- --help                     everything else',
    ].join('\n'),
  );
}
