// Signing in to servers by a person's word (spec oauth §4): the page is shown first, opened only when they say so, the same
// way as the address of a question, and how it went is told. One at a time for each server.
import { Failure, reason } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { ServerConfig } from '../shared/servers.ts';
import type { SignInShown, SignInState } from '../shared/signIn.ts';
import { defaultLimits } from './mcp/limits.ts';
import { createSignIn, type SignIn, type SignInPage } from './mcp/oauth.ts';
import type { Clock, Random, Secrets } from './ports.ts';
import { readUrl } from './questionUrls.ts';

interface One {
  signing: SignIn;
  page: SignInShown | null;
  problem: string | null;
  running: { stop: AbortController; done: Promise<void> } | null;
  /** Told when a page is there to be shown. */
  shown: (page: SignInShown) => void;
}
export type SignIns = ReturnType<typeof createSignIns>;

export function createSignIns(deps: {
  secrets: Secrets;
  clock: Clock;
  random: Random;
  openUrl: ((url: string) => void) | undefined;
  /** Something about a server's sign-in changed; `done`: somebody is signed in now. */
  changed: (prefix: string, done: boolean) => void;
}) {
  const all = new Map<string, One>();

  function need(prefix: string): One {
    const one = all.get(prefix);
    if (one === undefined)
      throw new Failure(
        'servers.oauth',
        `Signing in is not set up for “${prefix}”. An admin gives its configuration an "oauth" part: the authorization servers it may use, and how the desk is known there.`,
      );
    return one;
  }

  function shownPage(prefix: string, page: SignInPage): SignInShown {
    const read = readUrl(page.url);
    if (!read.ok) throw new Failure('servers.oauth', `The page to sign in cannot be opened. ${read.why}`);
    const { url, host, spelled, domain, warnings } = read;
    const { by, issuer, scope, client } = page;
    return { prefix, by, url, host, spelled, domain, warnings, issuer, scope, client };
  }

  /** Goes through it beside; how it ended is kept and told. */
  async function run(prefix: string, one: One, by: Person, signal: AbortSignal): Promise<void> {
    try {
      await one.signing.signIn(by.id, signal);
      one.problem = null;
    } catch (error) {
      one.problem = reason(error);
      throw error;
    } finally {
      one.page = null;
      one.running = null;
      deps.changed(prefix, one.problem === null);
    }
  }

  return {
    /** What a connection signs its requests with; nothing for a server that is not set up for it. */
    access(config: ServerConfig): { signIn?: SignIn } {
      all.get(config.prefix)?.running?.stop.abort();
      all.delete(config.prefix);
      if (config.kind !== 'http' || config.oauth === undefined) return {};
      const { prefix } = config;
      const one: One = {
        page: null,
        problem: null,
        running: null,
        shown: () => undefined,
        signing: createSignIn({
          url: config.url,
          config: config.oauth,
          limits: defaultLimits,
          secrets: deps.secrets,
          clock: deps.clock,
          random: deps.random,
          visit(page) {
            one.page = shownPage(prefix, page);
            one.shown(one.page);
            deps.changed(prefix, false);
            return Promise.resolve();
          },
        }),
      };
      all.set(prefix, one);
      return { signIn: one.signing };
    },
    /**
     * Begins it anew for a person; null where their token still counts and there is nothing to open. Failures of `oauth.ts`.
     */
    async begin(prefix: string, by: Person): Promise<SignInShown | null> {
      const one = need(prefix);
      while (one.running !== null) {
        one.running.stop.abort();
        await one.running.done.catch(() => undefined);
      }
      const shown = new Promise<SignInShown>((resolve) => (one.shown = resolve));
      const stop = new AbortController();
      const done = run(prefix, one, by, stop.signal);
      one.running = { stop, done };
      done.catch(() => undefined);
      return await Promise.race([shown, done.then(() => null)]);
    },
    /** Opens the page that waits, for the person it is for. `opened` false: here only the view can open it. */
    visit(prefix: string, by: Person): { url: string; opened: boolean } {
      const { page } = need(prefix);
      if (page === null) throw new Failure('servers.oauth', `No page of “${prefix}” waits to be opened. Begin again.`);
      if (page.by !== by.id)
        throw new Failure('servers.oauth', `The page that waits is for ${page.by}; begin a sign-in of your own.`);
      deps.openUrl?.(page.url);
      return { url: page.url, opened: deps.openUrl !== undefined };
    },
    async state(prefix: string): Promise<SignInState> {
      const one = all.get(prefix);
      const { lasting } = deps.secrets;
      if (one === undefined) return { ready: false, wanted: null, as: null, page: null, problem: null, lasting };
      const wanted = one.signing.wanted();
      return {
        ready: true,
        wanted: wanted === null ? null : { kind: wanted.kind, scope: wanted.scope },
        as: await one.signing.as(),
        page: one.page,
        problem: one.problem,
        lasting,
      };
    },
    close(): void {
      for (const one of all.values()) one.running?.stop.abort();
    },
  };
}
