// `desk servers sign-in PREFIX`: shows where a server wants a person to sign in, opens it or prints its address, and waits.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SignInShown } from '../../shared/signIn.ts';
import type { Desk } from '../client.ts';
import { visible } from '../visible.ts';
import { exit, type Context } from './context.ts';
import { styled } from './present.ts';

/** How often the terminal looks whether the person came back. */
const lookMs = 300;

export async function signInCommand(context: Context, desk: Desk, prefix: string): Promise<number> {
  const page = await desk.request('servers.signIn', { prefix }, context.signal);
  if (page !== null) {
    show(context, page);
    const { url, opened } = await desk.request('servers.visitSignIn', { prefix });
    context.print(opened ? 'It is open in your browser now.' : `Open this address in your browser:\n${visible(url)}`);
    context.say('Waiting until you come back (Ctrl-C stops) …');
  }
  for (;;) {
    const state = await desk.request('servers.signInState', { prefix }, context.signal);
    if (state.page === null) {
      if (context.global.json) context.json(state);
      else if (state.problem !== null) context.say(visible(state.problem));
      else {
        context.print(`“${prefix}” is asked as ${state.as?.person ?? 'nobody'} now.`);
        if (!state.lasting) context.say('The sign-in is kept in memory only, until this desk ends.');
      }
      return state.problem === null ? exit.done : exit.failed;
    }
    await sleep(lookMs, undefined, { signal: context.signal });
  }
}

function show(context: Context, page: SignInShown): void {
  context.print(`“${page.prefix}” wants ${page.by} to sign in at ${styled('bold', visible(page.host))}`);
  context.print(`  authorization server: ${visible(page.issuer)}`);
  context.print(`  asks for: ${page.scope === null ? 'nothing in particular' : visible(page.scope)}`);
  context.print(`  the desk is known there: ${page.client}`);
  for (const warning of page.warnings) context.print(styled('yellow', `  ${visible(warning)}`));
}
