/** Keeps a `subscriptions/listen` stream for list changes: reads again when one opens, and after a dropped one is back. */
import type { Limits } from './limits.ts';
import type { Session } from './session.ts';

/** Runs until the session ends. Older servers send their notices unasked and need no stream. */
export async function keepListening(session: Session, limits: Limits, again: (method: string) => void): Promise<void> {
  const offered = session.client.getServerCapabilities();
  const filter = {
    ...(offered?.tools?.listChanged === true && { toolsListChanged: true }),
    ...(offered?.resources?.listChanged === true && { resourcesListChanged: true }),
    ...(offered?.prompts?.listChanged === true && { promptsListChanged: true }),
  };
  if (session.era !== 'modern' || Object.keys(filter).length === 0) return;
  for (let dropped = false; session.alive(); dropped = true) {
    try {
      const stream = await session.client.listen(filter, { timeout: 10_000 });
      if (dropped) for (const list of ['tools', 'resources', 'prompts']) again(`notifications/${list}/list_changed`);
      await stream.closed;
    } catch {
      // without a stream the lists still go by their time to live
    }
    if (session.alive()) await pause(session, limits.relistMs);
  }
}

async function pause(session: Session, ms: number) {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    const poll = setInterval(() => {
      if (session.alive()) return;
      clearTimeout(timer);
      clearInterval(poll);
      resolve();
    }, 250);
    poll.unref();
    setTimeout(() => clearInterval(poll), ms).unref();
  });
}
