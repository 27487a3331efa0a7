// The state of a row as shape and words.
import type { TicketRow } from '../../shared/queue.ts';
import type { MarkKind } from '../parts/Mark.tsx';

export function stateOf(row: TicketRow, step: string | undefined, asked: boolean): { kind: MarkKind; words: string } {
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
      return row.state === 'handed over'
        ? { kind: 'look', words: 'For a person' }
        : row.state === 'failed'
          ? { kind: 'look', words: 'Draft failed' }
          : { kind: 'none', words: 'No draft' };
  }
}

/** A step as it fits a row: "Asking shop…". */
function short(step: string): string {
  const asking = /^(?:asking|asks) (\S+)/i.exec(step)?.[1];
  return asking === undefined ? 'Working…' : `Asking ${asking}…`;
}
