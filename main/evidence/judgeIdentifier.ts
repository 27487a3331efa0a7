// Identifiers and persons: known to this run, this customer's, and none the customer must not see (spec host §15).
import { foldText } from './foldText.ts';
import type { IdSpan } from './identifiers.ts';
import { byFact, noSource, type Judgement, type Scene } from './judge.ts';
import type { Fact } from './facts.ts';
import { belongs } from './subjects.ts';

function same(a: string, b: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[\s_#.-]/g, '');
  return plain(a) === plain(b);
}

function holds(fact: Fact, value: string, exact: boolean): boolean {
  if (typeof fact.value === 'string' && fact.pointer !== 'text')
    return same(fact.value, value) || (!exact && fact.value.includes(value));
  return (
    fact.pointer === 'text' && typeof fact.value === 'string' && fact.value.toLowerCase().includes(value.toLowerCase())
  );
}

function inTicket(scene: Scene, value: string): boolean {
  return scene.ticketIds.some((one) => same(one, value));
}

function inResource(scene: Scene, value: string): string | null {
  return (
    scene.resources.find(({ text }) => foldText(text).text.toLowerCase().includes(value.toLowerCase()))?.uri ?? null
  );
}

/** A value that must not reach the customer. */
export function hiddenHandle(value: string): Judgement {
  return { verdict: 'contradicted', why: `${value} is a handle the customer must not see. Take it out.` };
}

function judgeValue(scene: Scene, span: IdSpan, value: string): Judgement {
  const own = [scene.ticket.customer, scene.ticket.id].find((known) => known !== null && same(known, value));
  if (own !== undefined) return { verdict: 'backed', source: 'ticket', why: 'It is on the ticket itself.' };
  const resource = inResource(scene, value);
  const facts = scene.facts.filter((fact) =>
    holds(fact, value, span.shape === 'record' || span.shape === 'email' || span.shape === 'opaque'),
  );
  if (scene.isPerson(value) && span.shape !== 'email' && scene.ticket.customer !== null)
    return {
      verdict: 'contradicted',
      why: `${value} is another customer. It must not stand in a reply to ${scene.ticket.customer}.`,
    };
  const mine = facts.filter((fact) => !scene.isForeign(fact));
  const [foreign] = facts;
  const asked = scene.facts.some((fact) => scene.isForeign(fact) && belongs(fact, value));
  if (foreign !== undefined && (mine.every((fact) => fact.pointer.startsWith('arguments')) ? asked : false))
    return {
      verdict: 'contradicted',
      source: 'call',
      call: foreign.call,
      field: foreign.pointer,
      why: `${value} belongs to another customer, as ${foreign.tool} (call ${foreign.call}) says.`,
    };
  const best = [...mine].sort(
    (a, b) =>
      Number(a.reported) - Number(b.reported) ||
      Number(a.pointer.startsWith('arguments')) - Number(b.pointer.startsWith('arguments')),
  )[0];
  if (best !== undefined) {
    const judged = byFact(best, `${best.tool} (call ${best.call}) names ${value}.`);
    // A customer's own identifier needs no system of record: the draft only repeats it.
    if (judged.verdict === 'backed' || !inTicket(scene, value)) return judged;
  }
  if (inTicket(scene, value)) return { verdict: 'backed', source: 'ticket', why: 'The customer wrote it.' };
  if (resource !== null)
    return { verdict: 'backed', source: 'resource', field: resource, why: `The policy ${resource} names it.` };
  return noSource(`Neither a result of this run nor the ticket names ${value}.`);
}

/** One identifier of the draft; a bare number is right if any identifier it can mean is. */
export function judgeIdentifier(scene: Scene, span: IdSpan): Judgement {
  const judged = [span.value, ...span.others].map((value) => judgeValue(scene, span, value));
  const [first] = judged;
  return (
    judged.find(({ verdict }) => verdict === 'backed') ??
    judged.find(({ verdict }) => verdict === 'reported') ??
    first ??
    noSource('Nothing names it.')
  );
}
