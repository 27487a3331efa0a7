// What became of drafts (desk practice: metrics print their definition: median and p90 with n, null until the event).
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draftUse } from './draftUse.ts';
import { openQueueTrial, type QueueTrial } from './queueTrial.ts';

let trial: QueueTrial;
beforeEach(async () => {
  trial = await openQueueTrial();
  await trial.bring(...Array.from({ length: 8 }, (_, n) => `Hello ${n}`));
});
afterEach(() => trial.end());

const words = 'Hello and thank you for your letter we have looked at what you wrote and will answer soon kind regards';
async function at(ticket: string) {
  const { version } = await trial.queue.row(ticket);
  return { ticket, version, edition: (await trial.drafts.get(ticket))?.edition ?? 0 };
}
async function edit(ticket: string, text: string): Promise<void> {
  await trial.drafts.edit({ ...(await at(ticket)), text }, trial.ines);
}
/** Pressed `seconds` after now, and gone out. */
async function send(ticket: string, seconds = 0): Promise<void> {
  trial.now.at += seconds * 1_000;
  await trial.outbox.send({ ...(await at(ticket)), done: true }, trial.ines);
  trial.now.at += 8_001;
  await trial.outbox.due();
}

it('is nothing, and no figure, before there is a draft', async () => {
  expect(await draftUse(trial.store)).toMatchObject({
    drafts: 0,
    share: { median: null, p90: null, n: 0 },
    read: { median: null, n: 0 },
    unbacked_per_100: null,
  });
});

it('counts each draft once, by what was done with it', async () => {
  await trial.draft('T-1', words);
  await send('T-1', 30);
  await trial.draft('T-2', words);
  await edit('T-2', words.replace('soon', 'today'));
  await send('T-2', 60);
  await trial.draft('T-3', words);
  await edit('T-3', words.replace('and will answer soon kind regards', 'then'));
  await send('T-3');
  await trial.draft('T-4', words);
  await edit('T-4', 'No.');
  await send('T-4');
  // Overtaken by a note.
  await trial.draft('T-5', words);
  await trial.queue.note({ id: 'T-5', version: 1, text: 'Called.' }, trial.ines);
  // Drafted anew, the second still waits.
  await trial.draft('T-6', words);
  await trial.draft('T-6', 'We have refunded €500.00 today.');
  // Closed without an answer.
  await trial.draft('T-7', words);
  const { edition } = await trial.queue.row('T-7');
  await trial.queue.change({ id: 'T-7', edition }, trial.ines, { kind: 'done', done: true });
  const use = await draftUse(trial.store);
  expect(use).toMatchObject({
    drafts: 8,
    waiting: 1,
    uses: { unedited: 1, light: 1, heavy: 1, rewritten: 1, stale: 1, discarded: 2 },
    read: { median: 30, p90: 30, n: 1 },
    seconds: { n: 4 },
    share: { n: 4 },
    // Three claims of one draft.
    unbacked_per_100: 37.5,
  });
  expect(Object.keys(use.definitions).sort()).toEqual(Object.keys(use.uses).sort());
});
