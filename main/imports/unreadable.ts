// A file that cannot be read as a whole: nothing of it is stored, and its person is told what to do.
import { Failure } from '../../shared/failures.ts';

export function unreadable(why: string): Failure {
  return new Failure('tickets.unreadable', `The tickets file cannot be read: ${why}. Nothing was stored.`);
}
