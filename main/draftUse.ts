// What became of the model's drafts: sent as they were, edited, written anew, thrown away, overtaken. Each figure has its
// definition beside it, and is null until what it measures has happened.
import type { DraftUse, DraftUses, Quantiles } from '../shared/queue.ts';
import { madeDrafts, sentReplies } from './store/draftUse.ts';
import type { Store } from './store/open.ts';

/** How long a reply can be taken back before it counts as sent. */
const undoTime = 8_000;

const definitions: Record<keyof DraftUses, string> = {
  unedited: 'sent word for word as the model wrote it',
  light: 'sent with less than a tenth of its words removed or added',
  heavy: 'sent with a tenth to a half of its words removed or added',
  rewritten: 'sent with more than a half of its words removed or added',
  discarded: 'not sent: another reply to the same messages went out, it was drafted anew, or the ticket was closed',
  stale: 'not sent: the thread went on before anybody sent it',
};

export async function draftUse({ db }: Store): Promise<DraftUse> {
  const drafts = await madeDrafts(db);
  const sent = await sentReplies(db);
  const byRun = new Map(sent.flatMap((one) => (one.run === null ? [] : [[one.run, one]])));
  const answered = new Set(sent.map(({ ticket, version }) => `${version} ${ticket}`));
  const newest = new Map(drafts.map(({ run, ticket, version }) => [`${version} ${ticket}`, run]));
  const uses: DraftUses = { unedited: 0, light: 0, heavy: 0, rewritten: 0, discarded: 0, stale: 0 };
  const shares: number[] = [];
  const seconds: number[] = [];
  const read: number[] = [];
  let waiting = 0;
  for (const { run, ticket, version, at, now, done } of drafts) {
    const reply = byRun.get(run);
    const about = `${version} ${ticket}`;
    if (reply?.difference != null) {
      const { kind, share } = reply.difference;
      uses[kind]++;
      shares.push(share);
      const took = Math.max(0, (Date.parse(reply.at) - undoTime - Date.parse(at)) / 1_000);
      seconds.push(took);
      if (kind === 'unedited') read.push(took);
    } else if (answered.has(about) || newest.get(about) !== run || (done && now === version)) uses.discarded++;
    else if (now > version) uses.stale++;
    else waiting++;
  }
  const unbacked = drafts.reduce((sum, one) => sum + one.unbacked, 0);
  return {
    drafts: drafts.length,
    waiting,
    uses,
    definitions,
    share: quantiles(shares),
    seconds: quantiles(seconds),
    read: quantiles(read),
    unbacked_per_100: drafts.length === 0 ? null : rounded((unbacked / drafts.length) * 100),
  };
}

function quantiles(values: number[]): Quantiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number | null => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
    return value === undefined ? null : rounded(value);
  };
  return { median: at(0.5), p90: at(0.9), n: sorted.length };
}
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
