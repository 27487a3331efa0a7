/**
 * Keeps a `subscriptions/listen` stream for list changes and for every resource shown (spec host §5): opened again after a
 * drop. What was read before a stream opened may have changed unheard and is read again; what the server does not tell of
 * falls back to reading.
 */
import { ProtocolError } from '@modelcontextprotocol/client';
import { isObject, type Json } from '../../shared/json.ts';
import type { Followed } from './followed.ts';
import type { Limits } from './limits.ts';
import type { List, Reader } from './reader.ts';
import type { Session } from './session.ts';

interface Filter {
  toolsListChanged?: true;
  resourcesListChanged?: true;
  promptsListChanged?: true;
  resourceSubscriptions?: string[];
}
const lists: readonly List[] = ['tools', 'resources', 'prompts'];

/** Runs until the session ends. Older servers send their notices unasked; only their resources are subscribed to. */
export async function keepListening(
  session: Session,
  limits: Limits,
  { reader, followed }: { reader: Pick<Reader, 'changed' | 'opened' | 'unheard'>; followed: Followed },
): Promise<void> {
  const ended = endOf(session);
  if (session.era === 'legacy') return subscribe(session, { reader, followed }, ended);
  while (!ended.aborted) {
    const asked = filterOf(session, followed);
    if (Object.keys(asked).length === 0) {
      await followed.more(ended);
      continue;
    }
    if ((await listenOnce(asked)) === 'dropped') await pause(limits.relistMs, ended);
  }

  /** `left` for a stream with more in it; `refused`: for a resource that is not asked for any more. */
  async function listenOnce(asked: Filter): Promise<'left' | 'refused' | 'dropped'> {
    const change = new AbortController();
    const either = AbortSignal.any([ended, change.signal]);
    // Also what is named before the server has answered is more than was asked for.
    const more = followed.more(either).then(() => 'more' as const);
    try {
      const stream = await session.client.listen(asked, { timeout: 10_000, signal: ended });
      reader.unheard(unheardOf(asked, stream.honoredFilter));
      reader.opened(session);
      const told = new Set(stream.honoredFilter.resourceSubscriptions ?? []);
      for (const uri of asked.resourceSubscriptions ?? [])
        if (told.has(uri)) reader.changed('notifications/resources/updated', uri);
        else followed.drop(uri);
      const how = await Promise.race([more, stream.closed]);
      if (how !== 'more' || ended.aborted) return 'dropped';
      await stream.close();
      return 'left';
    } catch (error) {
      // Without a stream the lists still go by their time to live. A resource nobody may listen to spoils no stream.
      const refused = refusedUri(error, asked);
      for (const uri of refused) followed.drop(uri);
      return refused.length > 0 ? 'refused' : 'dropped';
    } finally {
      change.abort();
    }
  }
}

function filterOf({ offers }: Session, followed: Followed): Filter {
  const uris = offers.resources?.subscribe === true ? followed.uris() : [];
  return {
    ...(offers.tools?.listChanged === true && { toolsListChanged: true }),
    ...(offers.resources?.listChanged === true && { resourcesListChanged: true }),
    ...(offers.prompts?.listChanged === true && { promptsListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  };
}

function listsOf(filter: Filter): List[] {
  return lists.filter((list) => filter[`${list}ListChanged`] === true);
}

/** Asked for, and not honoured. */
function unheardOf(asked: Filter, honoured: { [K in `${List}ListChanged`]?: boolean | undefined }): List[] {
  return listsOf(asked).filter((list) => honoured[`${list}ListChanged`] !== true);
}

/** Which resources a refusal is about: the one it names, else all that were asked for. */
function refusedUri(error: unknown, asked: Filter): string[] {
  const uris = asked.resourceSubscriptions ?? [];
  if (!ProtocolError.isInstance(error) || uris.length === 0) return [];
  const data = error.data as Json | undefined; // came in as JSON
  const named = isObject(data) ? data.uri : undefined;
  return typeof named === 'string' && uris.includes(named) ? [named] : uris;
}

/** Resources of a server of 2025-11-25, one by one. */
async function subscribe(
  session: Session,
  { reader, followed }: { reader: Pick<Reader, 'changed'>; followed: Followed },
  ended: AbortSignal,
): Promise<void> {
  if (session.offers.resources?.subscribe !== true) return;
  const done = new Set<string>();
  while (!ended.aborted) {
    const next = followed.uris().find((uri) => !done.has(uri));
    if (next === undefined) {
      await followed.more(ended);
      continue;
    }
    done.add(next);
    await session.client.subscribeResource({ uri: next }, { timeout: 10_000, signal: ended }).then(
      () => reader.changed('notifications/resources/updated', next),
      () => undefined,
    );
  }
}

/** Aborted when the session is over. */
function endOf(session: Session): AbortSignal {
  const end = new AbortController();
  const poll = setInterval(() => {
    if (session.alive()) return;
    clearInterval(poll);
    end.abort();
  }, 250);
  poll.unref();
  return end.signal;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    timer.unref();
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
