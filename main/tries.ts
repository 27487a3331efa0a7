// Wrong passphrases: five in a row are free, then each makes the next wait longer. Kept in the settings, so that starting the
// desk anew does not begin the count anew.
import { z } from 'zod';
import { Failure } from '../shared/failures.ts';
import { iso, type Clock } from './ports.ts';
import type { Settings } from './settings.ts';

const free = 5;
const shortest = 30_000;
const longest = 15 * 60_000;

const wrong = z.object({ count: z.number(), at: z.string() }).nullish();

export function createTries(settings: Settings, clock: Clock) {
  const keyOf = (id: string): string => `people.wrong.${id}`;
  const read = async (id: string) => wrong.parse(await settings.get(keyOf(id))) ?? { count: 0, at: iso(clock) };
  return {
    /** Failure `people.wait` while the next try must wait. */
    async allow(id: string): Promise<void> {
      const { count, at } = await read(id);
      if (count < free) return;
      const wait = Math.min(longest, shortest * 2 ** (count - free));
      // A clock set back does not make anyone wait longer than the wait itself.
      const left = Math.min(wait, Date.parse(at) + wait - clock.now());
      if (left > 0)
        throw new Failure(
          'people.wait',
          `Too many wrong passphrases for ${id}: the next can be tried in ${Math.ceil(left / 1_000)} s. An admin can set a new one.`,
          { seconds: Math.ceil(left / 1_000) },
        );
    },
    async count(id: string): Promise<void> {
      const { count } = await read(id);
      await settings.set(keyOf(id), { count: count + 1, at: iso(clock) });
    },
    forget: (id: string): Promise<void> => settings.set(keyOf(id), null),
  };
}
