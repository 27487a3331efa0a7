import { expect, test } from 'vitest';
import type { OpenTicket } from '../../shared/queue.ts';
import { onlyAttached } from './since.ts';

const early = '2026-06-01T10:00:00.000Z';
const made = '2026-06-01T11:00:00.000Z';
const late = '2026-06-01T12:00:00.000Z';
/** Only times count here. */
function ticket(attached: string[], thread: string[], run: string | null = made) {
  const given = { attached: attached.map((at) => ({ at })), thread: thread.map((at) => ({ at })) };
  return { ...given, run: run === null ? null : { started_at: run } } as unknown as OpenTicket;
}

test('a draft is told from what came after it: a document alone, or a message too', () => {
  expect(onlyAttached(ticket([late], [early]))).toBe(true);
  expect(onlyAttached(ticket([late], [early, late]))).toBe(false);
  expect(onlyAttached(ticket([early], [early]))).toBe(false);
  expect(onlyAttached(ticket([late], [early], null))).toBe(false);
});
