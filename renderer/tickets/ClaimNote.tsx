// The line under a draft's text, always there: what the claim under the eye rests on, else what holds the draft back, else
// that nothing does.
import type { OpenTicket, ReplyDraft } from '../../shared/queue.ts';
import type { Claim } from '../../shared/runs.ts';
import { cx } from '../classes.ts';
import { Foreign, spelled } from '../parts/Foreign.tsx';
import { isBacked, isHeld } from './claims.ts';
import styles from './DraftCard.module.css';
import { onlyAttached } from './since.ts';
import { Seconds } from './UndoBar.tsx';

export function ClaimNote({ ticket, draft, looked }: { ticket: OpenTicket; draft: ReplyDraft; looked: Claim | null }) {
  const { words, look } = looked === null ? standing(ticket, draft) : { words: looked.why, look: !isBacked(looked) };
  const until = Date.parse(draft.undo_until ?? '');
  const leaving = draft.state === 'sending' && !Number.isNaN(until);
  return (
    <div className={cx(styles.note, look && !leaving && styles.look)} title={spelled(words)}>
      {leaving ? (
        <>
          Goes out in <Seconds until={until} />
        </>
      ) : (
        <Foreign text={words} />
      )}
    </div>
  );
}

function standing(ticket: OpenTicket, draft: ReplyDraft): { words: string; look: boolean } {
  if (draft.state === 'retired' && onlyAttached(ticket))
    return { words: 'The next draft reads it: draft anew, or edit this one.', look: true };
  if (draft.state === 'retired')
    return { words: 'A newer message, note or reply came. Read it, then draft anew or edit.', look: true };
  const [first, ...more] = draft.claims.filter((claim) => !isBacked(claim) && claim.verdict !== 'reported');
  if (first === undefined) return { words: backedWords(draft.claims.length), look: false };
  if (isHeld(draft)) {
    const others = more.length === 0 ? '' : ` ${more.length} more like it.`;
    return { words: `“${first.text}” has no call behind it.${others} Edit it, or run the call first.`, look: true };
  }
  if (draft.override !== null) return { words: `Let out: ${draft.override.why}`, look: true };
  const count = more.length === 0 ? '1 claim stands' : `${more.length + 1} claims stand`;
  return { words: `${count} on no call, only on your word.`, look: true };
}

function backedWords(claims: number): string {
  return claims === 0 ? 'Nothing in it to check.' : claims === 1 ? '1 claim, backed.' : `${claims} claims, all backed.`;
}
