// "What would it be" and "do it" are told apart by the customer's own words, never by a model: a question about a refund
// must not make a refund legal (spec model, "A turn" 4). What the words are is the playbook's.
import type { Playbook, Twins } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import { written } from './slots/ticketText.ts';

/** The ask after the twins' rule: the demand only where a sentence of the customer's makes it, else the question. */
export function settleTwins(playbook: Playbook, ask: string, ticket: Ticket): string {
  const pair = playbook.twins.find((one) => one.question === ask || one.demand === ask);
  if (pair === undefined) return ask;
  return demands(pair, ticket) ? pair.demand : pair.question;
}

/** The other half of a pair; its probability belongs to the same first step. */
export function twinOf(playbook: Playbook, ask: string): string | null {
  const pair = playbook.twins.find((one) => one.question === ask || one.demand === ask);
  if (pair === undefined) return null;
  return pair.question === ask ? pair.demand : pair.question;
}

function demands(pair: Twins, ticket: Ticket): boolean {
  const text = `${ticket.subject}.\n${written(ticket.body).own}`;
  const phrases = Object.values(pair.phrases).flat().map(words);
  const asking = Object.values(pair.asking).flat().map(words);
  return text.split(/[.!?;\n]+/).some((sentence) => {
    const said = words(sentence);
    return phrases.some((phrase) => contains(said, phrase)) && !asking.some((phrase) => contains(said, phrase));
  });
}

function words(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/[’']/g, '')
    .split(/[^\p{L}\p{N}*]+/u)
    .filter((word) => word !== '');
}

const gap = 4;

/** Whether the words of a phrase follow each other; `*` lets up to four others stand between. */
function contains(said: string[], phrase: string[]): boolean {
  return said.some((_, start) => matchFrom(said, start, phrase));
}

function matchFrom(said: string[], start: number, phrase: string[]): boolean {
  const [first, ...rest] = phrase;
  if (first === undefined) return true;
  if (first !== '*') return said[start] === first && matchFrom(said, start + 1, rest);
  for (let skipped = 0; skipped <= gap; skipped++) if (matchFrom(said, start + skipped, rest)) return true;
  return false;
}
