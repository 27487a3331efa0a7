// Promises, and whatever else a playbook ties to conditions: a promise is true only where the call that keeps it had its
// result in this run, for the same record.
import { argumentIds, type CheckedCall, type Fact } from './facts.ts';
import { noSource, sentenceText, subjectAt, tooLarge, type Judgement, type Scene } from './judge.ts';
import type { ClaimRule, PromiseSpan } from './promises.ts';
import { belongs, saySubject, type Subject } from './subjects.ts';

type Place = ClaimRule['backed_by'][number];

function anyItem(pointer: string): string {
  return pointer.replace(/\/(?:\d+|\*|-)(?=\/|$)/g, '/*');
}

function number(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : null;
}

function valueOf(scene: Scene, place: Place): unknown {
  const { ref } = place;
  if (ref === undefined) return place.value;
  if (ref === 'ticket.customer') return scene.ticket.customer;
  if (ref === 'ticket.received_at') return scene.reference;
  // Its last value may stand in what was not looked at.
  if (scene.calls.some((call) => call.tool === ref.call && scene.left.has(call.n))) return undefined;
  return scene.facts.findLast((fact) => fact.tool === ref.call && anyItem(fact.pointer) === anyItem(ref.field))?.value;
}

function holds(scene: Scene, place: Place, fact: Fact): boolean {
  const wanted = valueOf(scene, place);
  const [a, b] = [number(fact.value), number(wanted)];
  switch (place.op) {
    case undefined:
    case 'present':
      return fact.value !== null && fact.value !== '';
    case 'absent':
      return fact.value === null || fact.value === '';
    case 'eq':
      return fact.value === wanted || (a !== null && a === b);
    case 'gt':
      return a !== null && b !== null && a > b;
    case 'le':
      return a !== null && b !== null && a <= b;
    case 'before':
      return typeof fact.value === 'string' && typeof wanted === 'string' && fact.value < wanted;
  }
}

function about(scene: Scene, call: CheckedCall, subject: Subject): boolean {
  if (subject.any || subject.ids.length === 0 || scene.left.has(call.n)) return true;
  const ids = new Set([
    ...argumentIds(call, scene.facts).values(),
    ...scene.facts.filter((fact) => fact.call === call.n).flatMap((fact) => [...fact.ids.values()]),
  ]);
  // A promise over several records needs a call for each; see `judgeRule`.
  return subject.ids.some((id) => ids.has(id));
}

function settled(call: CheckedCall): Judgement | null {
  const at = { source: 'call' as const, call: call.n };
  if (call.outcome === 'unknown')
    return {
      ...at,
      verdict: 'outcome unknown',
      why: `The outcome of ${call.tool} (call ${call.n}) is not known. Look it up before promising anything.`,
    };
  if (call.outcome === 'waiting')
    return {
      ...at,
      verdict: 'no source',
      why: `${call.tool} (call ${call.n}) waits for ${call.asked ?? 'an answer'}; nothing has been done yet.`,
    };
  if (call.outcome === 'declined')
    return { ...at, verdict: 'contradicted', why: `${call.tool} (call ${call.n}) was declined; nothing was done.` };
  if (call.outcome !== 'result')
    return {
      ...at,
      verdict: 'contradicted',
      why: `${call.tool} (call ${call.n}) did not go through (${call.outcome}).`,
    };
  return null;
}

function judgePlace(scene: Scene, place: Place, subject: Subject): Judgement {
  const calls = scene.calls.filter((call) => call.tool === place.call);
  const mine = calls.filter((call) => about(scene, call, subject));
  if (place.outcome === 'none')
    return mine.length === 0
      ? { verdict: 'backed', source: 'call', why: `${place.call} was not called.` }
      : noSource(`${place.call} was called.`);
  const right = mine.filter((call) => call.outcome === place.outcome);
  const large = right.find((call) => scene.left.has(call.n));
  for (const call of right) {
    if (scene.left.has(call.n)) continue;
    const facts = scene.facts.filter(
      (fact) =>
        fact.call === call.n &&
        !scene.isForeign(fact) &&
        (subject.any || subject.ids.length === 0 || subject.ids.some((id) => belongs(fact, id))),
    );
    const fact =
      place.field === undefined
        ? undefined
        : facts.find((one) => anyItem(one.pointer) === anyItem(place.field ?? '') && holds(scene, place, one));
    const foreign = scene.facts.some((one) => one.call === call.n && scene.isForeign(one));
    const bound =
      place.bound !== true || scene.facts.some((one) => one.call === call.n && one.value === scene.ticket.customer);
    const absent =
      place.op === 'absent' && !scene.facts.some((one) => one.call === call.n && one.pointer === place.field);
    if ((place.field !== undefined && fact === undefined && !absent) || foreign || !bound) continue;
    const verdict = call.systemOfRecord ? 'backed' : 'reported';
    return {
      verdict,
      source: 'call',
      call: call.n,
      ...(place.field === undefined ? {} : { field: fact?.pointer ?? place.field }),
      why: `${call.tool} (call ${call.n}) did it for ${saySubject(subject)}.`,
    };
  }
  if (large !== undefined) return noSource(tooLarge(large));
  const [other] = right;
  if (other !== undefined) {
    const fact = scene.facts.find((one) => one.call === other.n && one.pointer === place.field);
    return {
      verdict: 'contradicted',
      source: 'call',
      call: other.n,
      ...(place.field === undefined ? {} : { field: place.field }),
      why: `${other.tool} (call ${other.n}) had a result, but ${place.field?.slice(1) ?? 'it'} is ${JSON.stringify(fact?.value ?? null)}.`,
    };
  }
  const found = mine.map(settled).find((judged) => judged !== null);
  if (found !== undefined) return found;
  const elsewhere = calls.find((call) => call.outcome === 'result');
  return noSource(
    elsewhere === undefined
      ? `No call of ${place.call} was made in this run.`
      : `${place.call} was called (call ${elsewhere.n}), but not for ${saySubject(subject)}.`,
  );
}

const worst = ['contradicted', 'no source', 'outcome unknown', 'reported', 'backed'] as const;

/** All conditions of a rule, for every record meant. The weakest answer counts. */
export function judgeRule(scene: Scene, rule: ClaimRule, subject: Subject): Judgement {
  if (subject.where === 'several')
    return noSource('It is not said which record is meant, and this run looked at several.');
  const each: Subject[] =
    subject.any || subject.ids.length < 2 ? [subject] : subject.ids.map((id) => ({ ...subject, ids: [id] }));
  const judged = each.flatMap((one) => rule.backed_by.map((place) => judgePlace(scene, place, one)));
  return (
    judged.sort((a, b) => worst.indexOf(a.verdict) - worst.indexOf(b.verdict))[0] ??
    noSource('The playbook names no call that could keep this promise.')
  );
}

/** One promise of the draft: the best of the rules whose words it uses. */
export function judgePromise(scene: Scene, span: PromiseSpan): Judgement {
  const subject = subjectAt(scene, span.start, span.end);
  const sentence = sentenceText(scene, span.start).trim().toLowerCase().replace(/[*_]/g, '');
  const policy =
    sentence.length > 20
      ? scene.resources.find(({ text }) =>
          text.toLowerCase().replace(/[*_]/g, '').replace(/\s+/g, ' ').includes(sentence.replace(/\s+/g, ' ')),
        )
      : undefined;
  if (policy !== undefined)
    return {
      verdict: 'backed',
      source: 'resource',
      field: policy.uri,
      why: `It is the policy’s own sentence (${policy.uri}).`,
    };
  const judged = span.rules.map((rule) => judgeRule(scene, rule, subject));
  const best = judged.sort((a, b) => worst.indexOf(b.verdict) - worst.indexOf(a.verdict))[0];
  return best ?? noSource('It promises something, and the playbook names no call that could keep it.');
}
