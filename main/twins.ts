// "What would it be" and "do it" are told apart by the customer's own words, never by a model: a question about a refund
// must not make a refund legal (spec model, "A turn" 4). What the words are is the playbook's.
import type { Playbook, Twins } from '../shared/playbook.ts';
import type { Ticket } from '../shared/tickets.ts';
import { hasPhrase, sentencesOf } from './phrases.ts';
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
  return sentencesOf(text).some(
    (sentence) => hasPhrase(sentence.text, pair.phrases) && !hasPhrase(sentence.text, pair.asking),
  );
}
