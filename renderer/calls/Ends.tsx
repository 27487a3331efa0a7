// Until when the result holds that a waiting call was made from (a quote), and having it looked up again once it does not: the
// ticket is drafted anew, so what comes of it is asked anew too (spec host §13).
import type { Call } from '../../shared/calls.ts';
import { expiryOf } from '../../shared/expiry.ts';
import { Button } from '../parts/Button.tsx';
import { momentWords, useNow } from '../parts/Time.tsx';
import { useMay } from '../session.ts';
import { draft } from '../tickets/drafting.ts';
import { toolWords } from './words.ts';

/** In words, and whether it is over; null where no result behind the call runs out. */
export function useEnds(call: Call, earlier: readonly Call[]): { words: string; over: boolean } | null {
  const now = useNow();
  const found = expiryOf(call, earlier);
  if (found === null) return null;
  const what = found.noun === null ? `The result of “${toolWords(found.source)}”` : `The ${found.noun}`;
  const over = found.end <= now;
  return { words: over ? `${what} has ended` : `${what} ends ${momentWords(new Date(found.end).toISOString())}`, over };
}

/** Not asked twice: the call it stands at is taken back as soon as the draft begins. */
export function LookUpAgain({ call, look = 'primary' }: { call: Call; look?: 'primary' | 'plain' }) {
  const able = useMay('staff');
  return (
    <Button look={look} disabled={!able} onPress={() => void draft([call.ticket])}>
      Look it up again
    </Button>
  );
}
