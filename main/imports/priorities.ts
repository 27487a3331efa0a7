// Priorities as tables write them, in the languages people export in.
import type { Priority } from '../../shared/queue.ts';
import { plain } from './columns.ts';

/** As `plain` leaves them. Bare numbers are not here: one suite's 1 is the most urgent, another's the least. */
const words: Record<Priority, string> = {
  urgent:
    'urgent|p1|critical|kritisch|dringend|sofort|hochste|highest|very high|sehr hoch|urgente|critique|critico|tres haute|muy alta|emergency|immediate|blocker|spoed',
  high: 'high|p2|hoch|haute|elevee|alta|alto|hoog|major|important|wichtig',
  normal: 'normal|p3|medium|mittel|moyenne|moyen|media|medio|middel|gemiddeld|normale|standard|default|none|keine',
  low: 'low|p4|p5|niedrig|gering|basse|faible|baja|bajo|bassa|basso|laag|baixa|lowest|minor|trivial',
};
const known = new Map<string, Priority>();
// Keys of the record above.
for (const [priority, all] of Object.entries(words))
  for (const word of all.split('|')) known.set(word, priority as Priority);

/** Null where it is none that is known; an empty cell is normal. */
export function readPriority(cell: string): Priority | null {
  return cell.trim() === '' ? 'normal' : (known.get(plain(cell)) ?? null);
}
