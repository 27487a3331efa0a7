// The rule all kinds share: one source with value and subject together backs a claim. Everything else says why not.
import type { Claim } from '../../shared/runs.ts';
import { ruleWords, type ClaimRule } from './promises.ts';
import { sayFact, type CheckedCall, type Fact } from './facts.ts';
import type { Derived } from './derive.ts';
import type { IdPattern, IdSpan } from './identifiers.ts';
import { belongs, factsAbout, saySubject, subjectOf, type Subject } from './subjects.ts';
import { sentenceAt, type Stretch } from './sentences.ts';

export interface Resource {
  uri: string;
  text: string;
}
/** Everything a judgement may look at; `text` is the folded draft. */
export interface Scene {
  text: string;
  language: string;
  /** `YYYY-MM-DD` of the ticket. */
  reference: string;
  currency: string;
  /** The ticket's subject and body, folded. */
  ticketText: string;
  /** Identifiers of the ticket's text, in every form they can mean. */
  ticketIds: string[];
  ticket: { id: string; customer: string | null };
  calls: CheckedCall[];
  facts: Fact[];
  /** Calls whose results are too large to look through: they back nothing. */
  left: Set<number>;
  resources: Resource[];
  derived: Derived[];
  rules: ClaimRule[];
  statuses: string[];
  /** Words a customer reads for a status, by status and language. */
  statusWords: Record<string, Record<string, string>>;
  patterns: IdPattern[];
  stretches: Stretch[];
  /** Records named in the draft: subjects of what is said beside them. */
  subjects: IdSpan[];
  isPerson: (id: string) => boolean;
  /** Another customer's: backs nothing, whatever it holds. */
  isForeign: (fact: Fact) => boolean;
}
export type Judgement = Pick<Claim, 'verdict' | 'source' | 'call' | 'field' | 'why'>;

export function sentenceText(scene: Scene, start: number): string {
  const one = sentenceAt(scene.stretches, start);
  return scene.text.slice(one.start, one.end);
}

export function subjectAt(scene: Scene, start: number, end: number): Subject {
  return subjectOf(
    scene.text,
    start,
    end,
    scene.subjects,
    scene.stretches,
    scene.calls,
    scene.facts,
    scene.left,
    (id) => !scene.isPerson(id) && id !== scene.ticket.id,
  );
}

export function noSource(why: string): Judgement {
  return { verdict: 'no source', why };
}

export function tooLarge(call: CheckedCall): string {
  return `The result of ${call.tool} (call ${call.n}) is too large for the desk to look through: check it yourself.`;
}

export function byFact(fact: Fact, why: string): Judgement {
  const verdict = fact.reported ? 'reported' : 'backed';
  const said = fact.reported ? `${why} This server is no system of record.` : why;
  return { verdict, source: 'call', call: fact.call, field: fact.pointer, why: said };
}

/** A pointer with every list position alike, so that a rule can name a field of any item. */
function anyItem(pointer: string): string {
  return pointer.replace(/\/(?:\d+|\*|-)(?=\/|$)/g, '/*');
}

/** Where the playbook says such a value must come from, for the words of this sentence; null where it says nothing. */
function ruledFacts(scene: Scene, kind: ClaimRule['kind'], start: number, facts: Fact[]): Fact[] | null {
  const sentence = sentenceText(scene, start);
  const rules = scene.rules.filter(
    (rule) => rule.kind === kind && ruleWords(sentence, rule.words[scene.language] ?? []).length > 0,
  );
  const places = rules.flatMap((rule) =>
    rule.backed_by.flatMap((place) => (place.op === undefined || place.op === 'present' ? [place] : [])),
  );
  if (places.length === 0) return null;
  return facts.filter((fact) =>
    places.some(
      (place) =>
        place.call === fact.tool && (place.field === undefined || anyItem(place.field) === anyItem(fact.pointer)),
    ),
  );
}

export interface Wanted {
  start: number;
  end: number;
  kind: ClaimRule['kind'];
  /** The value as a person reads it. */
  said: string;
  equals: (fact: Fact) => boolean;
  /** True for facts of the same kind of field: another value there contradicts. */
  like: (fact: Fact) => boolean;
  sayValue: (fact: Fact) => string;
  /** Narrows by the words beside the claim ("shipped on" → the field `shipped_on`). */
  narrow: (facts: Fact[]) => Fact[];
}

function unsettled(scene: Scene, subject: Subject): CheckedCall | undefined {
  return scene.calls.find(
    (call) =>
      call.outcome === 'unknown' &&
      (subject.any || subject.ids.some((id) => Object.values(call.arguments).includes(id))),
  );
}

function otherRecord(scene: Scene, wanted: Wanted, subject: Subject): string {
  const other = scene.facts.find((fact) => wanted.equals(fact) && !subject.ids.some((id) => belongs(fact, id)));
  if (scene.facts.some((fact) => wanted.equals(fact) && scene.isForeign(fact)))
    return ' The value stands in the record of another customer.';
  if (other === undefined) return '';
  const owner = [...other.ids.values()].filter((id) => !scene.isPerson(id)).at(-1);
  return owner === undefined ? '' : ` ${wanted.said} belongs to ${owner}.`;
}

/** Judges a value against the results of the run. Null: nothing there speaks for or against it. */
export function judgeByFacts(scene: Scene, wanted: Wanted): Judgement {
  const subject = subjectAt(scene, wanted.start, wanted.end);
  if (subject.where === 'several')
    return noSource(
      `It is not said which record is meant, and this run looked at several.${otherRecord(scene, wanted, subject)}`,
    );
  const own = scene.facts.filter((fact) => !scene.isForeign(fact));
  const about = factsAbout(own, subject).filter((fact) => !fact.pointer.startsWith('arguments'));
  const ruled = ruledFacts(scene, wanted.kind, wanted.start, about);
  const pool = ruled ?? wanted.narrow(about);
  const hits = pool.filter((fact) => wanted.equals(fact));
  const ids: (string | null)[] = subject.any || subject.ids.length === 0 ? [null] : subject.ids;
  const each = ids.map((id) =>
    [...hits].sort((a, b) => Number(a.reported) - Number(b.reported)).find((fact) => id === null || belongs(fact, id)),
  );
  const weakest = each.find((fact) => fact?.reported) ?? each[0];
  if (weakest !== undefined && !each.includes(undefined))
    return byFact(weakest, `${sayFact(weakest)} says ${wanted.said} for ${saySubject(subject)}.`);
  const missing = ids.filter((_, index) => each[index] === undefined).map((id) => id ?? saySubject(subject));
  const waits = unsettled(scene, subject);
  if (waits !== undefined)
    return {
      verdict: 'outcome unknown',
      source: 'call',
      call: waits.n,
      why: `The outcome of ${waits.tool} (call ${waits.n}) is not known. Look it up first.`,
    };
  const others = pool.filter((fact) => wanted.like(fact) && missing.some((id) => ids[0] === null || belongs(fact, id)));
  const [against] = others;
  if (against !== undefined) {
    const values = [...new Set(others.map((fact) => `${fact.name.join(' ')} ${wanted.sayValue(fact)}`.trim()))]
      .slice(0, 3)
      .join(', ');
    return {
      verdict: 'contradicted',
      source: 'call',
      call: against.call,
      field: against.pointer,
      why: `The record of ${missing.join(' and ')} says otherwise: ${values}.${otherRecord(scene, wanted, subject)}`,
    };
  }
  const where =
    ruled !== null && about.some((fact) => wanted.equals(fact))
      ? ` It occurs for ${saySubject(subject)}, but not where the playbook says such a value comes from.`
      : '';
  return noSource(
    `No result of this run says ${wanted.said} for ${missing.join(' and ')}.${where}${otherRecord(scene, wanted, subject)}`,
  );
}
