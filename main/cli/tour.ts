// `desk tour`: three tickets in the terminal, from the model to what to do next. Without any source for a model the desk
// stays usable by hand, and says so.
import { Failure } from '../../shared/failures.ts';
import type { Desk } from '../client.ts';
import { exit, withDesk, type Context } from './context.ts';
import { getModel } from './models.ts';
import { styled } from './present.ts';
import { listWaiting, modelOf, workShown } from './work.ts';

const shown = 3;

export function tourCommand(context: Context, options: { model?: string }): Promise<number> {
  return withDesk(context, {}, (desk) => tour(context, desk, options));
}

async function tour(context: Context, desk: Desk, options: { model?: string }): Promise<number> {
  await fetchStarter(context, desk, options);
  await state(context, desk);
  const models = await desk.request('models.list', {});
  const ready = options.model === undefined ? models.some((model) => model.in_use) : options.model !== 'none';
  if (!ready) {
    context.print(`\nThe desk works by hand: ${styled('bold', 'npm run desk -- tickets')} lists what is there.`);
    return exit.done;
  }
  context.print('');
  const tickets = pick(await desk.request('tickets.list', {})).map(({ id }) => id);
  const { stopped } = await workShown(context, desk, { tickets, ...modelOf(options) });
  if (stopped) return exit.stopped;
  await listWaiting(context, desk);
  next(context);
  return exit.done;
}

/** Open tickets first; where all were worked, the first ones again. */
function pick<T extends { state: string }>(tickets: T[]): T[] {
  const open = tickets.filter((ticket) => ticket.state === 'open');
  return (open.length >= shown ? open : tickets).slice(0, shown);
}

async function fetchStarter(context: Context, desk: Desk, options: { model?: string }): Promise<void> {
  const models = await desk.request('models.list', {});
  if (models.some((model) => model.in_use) || options.model === 'none') return;
  context.say(
    'The starter model is not here yet; getting it once (1.1 GB, some minutes). Ctrl-C stops; the next start goes on from there.',
  );
  try {
    await getModel(context, desk, options.model ?? 'starter');
  } catch (error) {
    if (!(error instanceof Failure) || context.signal.aborted) throw error;
    context.say(error.message);
  }
}

async function state(context: Context, desk: Desk): Promise<void> {
  const tickets = await desk.request('tickets.list', {});
  const count = (state: string) => tickets.filter((ticket) => ticket.state === state).length;
  const { company, data } = await desk.request('doctor.about', {});
  context.print(`${styled('bold', `The desk of ${company}`)}  ${styled('dim', data)}`);
  context.print(
    `  ${tickets.length} tickets: ${count('open')} open, ${count('ready')} with a draft, ${count('waiting')} waiting for a person, ${count('handed over')} handed over`,
  );
  const servers = await desk.request('servers.list', {}, context.signal);
  for (const { prefix, state: is, revision, problem } of servers.filter((server) => server.state !== 'disabled'))
    context.print(
      `  server “${prefix}”: ${is === 'ready' ? `ready, speaks ${revision ?? 'an unknown revision'}` : (problem ?? is)}`,
    );
}

function next(context: Context): void {
  context.print(
    [
      styled('bold', 'What to do next'),
      '  npm run desk -- work --all                 work every ticket; calls with side effects wait for you',
      '  npm run desk -- tickets --view ready       drafts that are ready',
      '  npm run desk -- import FILE                your own tickets (CSV, JSON, mails)',
      '  npm run desk -- servers add FILE           your own MCP server',
      '  npm run desk -- models                     other models',
      '  npm run desk -- --help                     everything else',
    ].join('\n'),
  );
}
