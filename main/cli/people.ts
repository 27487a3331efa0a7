// `desk signin`, `desk signout` and `desk people`: who acts, and who may. A passphrase is typed at the terminal, unseen, or
// comes as the first line of standard input; never as an argument, which others can see.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Role } from '../../shared/people.ts';
import { Failure } from '../../shared/failures.ts';
import type { Desk } from '../client.ts';
import { exit, withDesk, type Context } from './context.ts';
import { visible } from '../visible.ts';

export async function signinCommand(context: Context, id: string): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const me = await desk.request('people.me', {});
    if (me.first) return begin(context, desk, id);
    const found = (await desk.request('people.list', {})).find((one) => one.id === id);
    const secret = found?.signs_in === true ? { passphrase: await passphrase(context, 'Passphrase') } : {};
    const { person } = await desk.request('people.signin', { id, keep: true, ...secret });
    if (context.global.json) context.json(person);
    else if (found?.open === true)
      context.print(
        `${id} is one of the sample company’s people and needs no passphrase: add --as ${id} to a command.`,
      );
    else
      context.print(
        `Signed in as ${id} (${person?.role ?? ''}) for this data folder, for 12 hours or until desk signout.`,
      );
    return exit.done;
  });
}

/** The first person of a desk without people becomes its admin. */
async function begin(context: Context, desk: Desk, id: string): Promise<number> {
  context.say(
    `Nobody can act on this desk yet: ${id} becomes its first admin. The passphrase is a guard against mistakes between those who share this desk, not against the owner of this account.`,
  );
  const chosen = await newPassphrase(context);
  await desk.request('people.begin', { id, name: id, passphrase: chosen });
  const { person } = await desk.request('people.signin', { id, passphrase: chosen, keep: true });
  if (context.global.json) context.json(person);
  else context.print(`${id} is the admin of this desk and signed in. Add others: desk people add ID --name NAME`);
  return exit.done;
}

export async function signoutCommand(context: Context): Promise<number> {
  return withDesk(context, {}, async (desk) => {
    const { person } = await desk.request('people.me', {});
    await desk.request('people.signout', {});
    context.print(person === null ? 'Nobody was signed in.' : `${person.id} is signed out.`);
    return exit.done;
  });
}

export interface PeopleOptions {
  name?: string;
  role?: string;
}
const roles: readonly Role[] = ['staff', 'lead', 'admin'];

export async function peopleCommand(
  context: Context,
  verb: string | undefined,
  id: string | undefined,
  options: PeopleOptions,
): Promise<number> {
  const role = roles.find((one) => one === (options.role ?? 'staff'));
  if (
    role === undefined ||
    (verb !== undefined && verb !== 'acts' && id === undefined) ||
    (verb === 'role' && options.role === undefined)
  ) {
    context.say(
      'desk people [add ID --name NAME --role staff|lead|admin · role ID --role ROLE · passphrase ID · acts]',
    );
    return exit.wrongUse;
  }
  return withDesk(context, {}, async (desk) => {
    if (verb === 'acts') await acts(context, desk);
    else if (verb === undefined || id === undefined) await list(context, desk);
    else if (verb === 'add') {
      const given = { id, name: options.name ?? id, role, passphrase: await newPassphrase(context) };
      await desk.request('people.add', given);
      context.print(`${id} is added (${role}). They sign in with desk signin ${id}, and may change the passphrase.`);
    } else if (verb === 'role') {
      await desk.request('people.role', { id, role });
      context.print(`${id} is ${role} now.`);
    } else if (verb === 'passphrase') await changePassphrase(context, desk, id);
    else {
      context.say(`There is no "desk people ${verb}": add, role, passphrase or acts.`);
      return exit.wrongUse;
    }
    return exit.done;
  });
}

async function list(context: Context, desk: Desk): Promise<void> {
  const people = await desk.request('people.list', {});
  if (context.global.json) context.json(people);
  else
    for (const { id, name, role, open, signs_in } of people) {
      const how = open ? 'acts without a passphrase' : signs_in ? 'signs in' : 'has no passphrase yet';
      context.print(`${id.padEnd(14)} ${role.padEnd(6)} ${how.padEnd(26)} ${visible(name)}`);
    }
}

/** Who did what lately, the newest first; calls, questions and definitions have logs of their own. */
async function acts(context: Context, desk: Desk): Promise<void> {
  const all = await desk.request('people.acts', {});
  if (context.global.json) context.json(all);
  else
    for (const { at, by, route, about, outcome } of all)
      context.print(
        `${at.slice(0, 19).replace('T', ' ')}  ${by.padEnd(14)} ${route.padEnd(18)} ${outcome === 'done' ? '' : `(${outcome}) `}${visible(about)}`,
      );
}

async function changePassphrase(context: Context, desk: Desk, id: string): Promise<void> {
  const own = (await desk.request('people.me', {})).person?.id === id && context.global.as === undefined;
  const has = (await desk.request('people.list', {})).find((one) => one.id === id)?.signs_in === true;
  const current = own && has ? { current: await passphrase(context, 'Passphrase so far') } : {};
  await desk.request('people.passphrase', { id, ...current, passphrase: await newPassphrase(context) });
  context.print(`${id} has a new passphrase; whoever was signed in as ${id} signs in again.`);
}

async function newPassphrase(context: Context): Promise<string> {
  const chosen = await passphrase(context, 'New passphrase, at least 12 characters');
  if (process.stdin.isTTY && (await passphrase(context, 'Once more')) !== chosen)
    throw new Failure('people.differ', 'The two were not the same. Nothing was changed.');
  return chosen;
}

/** Lines of standard input that were not asked for yet. */
const piped: { lines: AsyncIterator<string> | null } = { lines: null };

async function passphrase(context: Context, words: string): Promise<string> {
  if (process.stdin.isTTY) return unseen(words);
  piped.lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const next = await piped.lines.next();
  if (next.done === true)
    throw new Failure('people.input', `${words}: type it at a terminal, or give it as a line of standard input.`);
  context.signal.throwIfAborted();
  return next.value;
}

/** What is typed is not shown: readline echoes into nothing. */
async function unseen(words: string): Promise<string> {
  process.stderr.write(`${words}: `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new Failure('stopped', 'Stopped.')));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
