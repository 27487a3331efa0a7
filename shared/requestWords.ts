/** What a server was asked, in words, for its page and the command line. */
import type { RequestCounts } from './servers.ts';

const day = 86_400_000;

/** "412 requests since 09:10, 3 ended in an error (-32602 twice, timed out once)"; times in the zone of whoever reads. */
export function requestWords({ since, total, revisions, errors }: RequestCounts, now: number = Date.now()): string {
  const began = new Date(since);
  const clock = began.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const date = began.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' });
  const from = now - began.getTime() < day ? clock : `${date}, ${clock}`;
  const asked = total === 0 ? 'no request' : total === 1 ? '1 request' : `${total.toLocaleString('en-GB')} requests`;
  const older = Object.entries(revisions);
  const spoken = older.length < 2 ? '' : ` (${older.map(([name, count]) => `${count} in ${name}`).join(', ')})`;
  const wrong = Object.entries(errors).sort(([, one], [, other]) => other - one);
  const failed = wrong.reduce((sum, [, count]) => sum + count, 0);
  if (failed === 0) return `${asked} since ${from}${spoken}${total === 0 ? '' : ', none ended in an error'}`;
  const which = wrong.map(([what, count]) => `${what} ${times(count)}`).join(', ');
  return `${asked} since ${from}${spoken}, ${failed.toLocaleString('en-GB')} ended in an error (${which})`;
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count.toLocaleString('en-GB')} times`;
}
