// Drafts that views ask for. A draft goes on when the page that asked is reloaded or closed (spec layout, "One ticket draft"),
// so whoever looks at the ticket next can stop it.
import type { ParamsOf, Worked } from '../shared/contract.ts';
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { Work } from './work.ts';

interface Job {
  tickets: readonly string[];
  stop: AbortController;
}

export function createDrafting(work: Pick<Work, 'workTickets'>) {
  const jobs = new Set<Job>();
  return {
    /**
     * Those that are in line already are left to whoever asked first. Those that a person wrote a reply to are left alone, but
     * for one that is asked for by itself. Failure `model.missing`: the tickets stay as they are.
     */
    async draft(
      { tickets, ahead, ...working }: ParamsOf<'tickets.draft'>,
      by: Person,
      signal: AbortSignal,
    ): Promise<Worked | null> {
      const inLine = new Set([...jobs].flatMap((job) => job.tickets));
      const wanted = tickets.filter((id) => !inLine.has(id));
      if (wanted.length === 0) return null;
      const job = { tickets: wanted, stop: new AbortController() };
      jobs.add(job);
      try {
        const rest = { select: 'open', attended: false, file: false, needsModel: true } as const;
        const sparing = ahead || tickets.length > 1;
        const ends = AbortSignal.any([signal, job.stop.signal]);
        return await work.workTickets({ ...working, ...rest, sparing, tickets: wanted }, by, ends);
      } finally {
        jobs.delete(job);
      }
    },
    /** Stops what works on a ticket, and with it the others of the same request; false where none does. */
    stop(ticket: string): boolean {
      const those = [...jobs].filter((job) => job.tickets.includes(ticket));
      for (const { stop } of those) stop.abort(new Failure('stopped', 'Stopped: what was done is kept.'));
      return those.length > 0;
    },
  };
}
