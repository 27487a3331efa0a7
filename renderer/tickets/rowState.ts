// The state of a row as shape and words.
import type { TicketRow } from '../../shared/queue.ts';
import type { MarkKind } from '../parts/Mark.tsx';

export function stateOf(
  row: TicketRow,
  step: string | undefined,
  asked: boolean,
  name: (id: string | null) => string,
): { kind: MarkKind; words: string } {
  if (step !== undefined) return { kind: 'work', words: short(step) };
  if (asked && row.draft !== 'working') return { kind: 'none', words: 'In line' };
  if (row.status === 'done') return { kind: 'none', words: 'Done' };
  if (row.status === 'snoozed') return { kind: 'none', words: 'Snoozed' };
  switch (row.draft) {
    case 'working':
      return { kind: 'work', words: 'Working…' };
    case 'asks you':
      return row.waits === 'lead' || row.waits === 'admin'
        ? { kind: 'asks', words: row.waits === 'lead' ? 'Held for a lead' : 'Held for an admin' }
        : { kind: 'asks', words: 'Asks you' };
    case 'ready':
      return { kind: 'ready', words: 'Ready' };
    case 'blocked':
      return { kind: 'look', words: row.unbacked === 1 ? '1 claim to check' : `${row.unbacked} claims to check` };
    case 'none':
      if (row.machine) return { kind: 'none', words: 'Automatic mail' };
      return row.state === 'handed over'
        ? forWhom(row, name)
        : row.state === 'failed'
          ? { kind: 'look', words: 'Draft failed' }
          : { kind: 'none', words: 'No draft' };
  }
}

/** For whom a ticket is that was handed over, by a person or by the model. */
function forWhom({ waits, owner }: TicketRow, name: (id: string | null) => string): { kind: MarkKind; words: string } {
  if (owner !== null) return { kind: 'asks', words: `For ${name(owner)}` };
  if (waits === null) return { kind: 'look', words: 'For a person' };
  return { kind: 'asks', words: { staff: 'For a person', lead: 'For a lead', admin: 'For an admin' }[waits] };
}

/** A step as it fits a row: "Asking shop…". */
function short(step: string): string {
  const asking = /^(?:asking|asks) (\S+)/i.exec(step)?.[1];
  return asking === undefined ? 'Working…' : `Asking ${asking}…`;
}
