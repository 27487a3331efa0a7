// A playbook under which even a model that chooses at random comes to a refund: only refunds, no skeletons, no margins.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TicketInput } from '../shared/tickets.ts';

/** Writes the playbook into a folder and returns its file. */
export function refundPlaybook(folder: string): string {
  // A playbook that the desk itself checks when it loads it.
  const playbook = JSON.parse(readFileSync(path.join(import.meta.dirname, '../demo/playbook.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const tools = [
    { tool: 'shop.quote_refund' },
    { tool: 'shop.issue_refund', requires: [{ call: 'shop.quote_refund' }] },
  ];
  const rules = {
    'shop.quote_refund': { sources: { '/order_id': ['ticket.text'] } },
    'shop.issue_refund': { sources: { '/quote_id': ['result'] } },
  };
  const file = path.join(folder, 'refunds.json');
  const rest = { twins: [], worked: [], nearest: 0, skeletons: [], claims: [] };
  const asks = [{ id: 'refund', label: 'refund', says: 'wants money', tools }];
  writeFileSync(
    file,
    JSON.stringify({ ...playbook, ...rest, asks, tools: rules, handover: { margins: { '*': 0 }, words: {} } }),
  );
  return file;
}

/** One wording of a ticket; among 300 of them the random model sooner or later reaches the refund. */
export function refundTicket(at: number, order = 'O-2415'): TicketInput {
  const words = Array.from(
    { length: 4 },
    (_, n) => ['pan', 'lid', 'cup', 'jar', 'fork'][(at * (n + 3) + (at >> n)) % 5] ?? '',
  );
  return {
    id: `R-${order}-${at}`,
    customer: 'C-0083',
    subject: '',
    body: `Order ${order}: ${words.join(' ')} ${at}.`,
    received_at: '2026-06-30T08:00:00Z',
  };
}
