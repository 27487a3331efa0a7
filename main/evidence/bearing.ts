// How a sentence means a word of promise or status: said of the world, denied, only offered, asked, or repeated from the
// customer. "We have not refunded", "we would refund" and "you wrote: refunded" promise nothing.
import type { Stretch } from './sentences.ts';

export type Bearing = 'asserted' | 'negated' | 'conditional' | 'question' | 'quoted';

// Courtesies that look like doubt or denial but are none; blanked before looking.
const idioms = new RegExp(
  [
    String.raw`\b(?:no doubt|without (?:any )?(?:doubt|delay|further ado)|not only|no worries|no problem|do(?:n't| not) worry|(?:do not|don't) hesitate|why not|not to worry|nothing to worry about)\b`,
    String.raw`\b(?:would|can|could|may|might)\b(?:\s+[\w']+){0,6}?\s+(?:inform|confirm|tell|say|see|know|assure|report|add|announce|share|promise|guarantee)\b`,
    String.raw`\bif (?:you were|you are|you're) wondering\b|\bin case you(?:'re| are| were) wondering\b|\bif i may say so\b|\bas you (?:may|might|can) (?:know|see|imagine)\b`,
    String.raw`\b(?:if|falls|wenn|si|als)\s+(?:you|sie|u|vous)\s+(?:have|need|haben|avez|heeft)\s+(?:any|further|more|another|weitere|noch|d'autres|nog)\b`,
    String.raw`\bnicht nur\b|\bkeine sorge\b|\bkein problem\b|\bpas de (?:souci|problème)\b|\bno solo\b|\bno se preocupe\b|\bgeen zorgen\b|\bniet alleen\b`,
  ].join('|'),
  'giu',
);
const negation =
  /\b(?:not|never|no|none|nothing|neither|nor|cannot|unable|refused?|declined?|nobody|yet to be|failed to|nicht|kein\w*|nie|niemals|nichts|weder|ohne|ne|n'|pas|aucune?|jamais|rien|nunca|ningún|ninguna|niet|geen|nooit|niets)\b|n't\b/iu;
const negationAfter =
  /^(?:\s+[\p{L}\d€.,-]+){0,6}?\s+(?:nicht|kein\p{L}*|nichts|niet|geen|pas|nothing|neither)(?![\p{L}])/iu;
const offer =
  /\b(?:would|could|can|may|might|should|shall we|shall i|want(?:s)? us to|like us to|würde\w*|könnte\w*|kann|können|soll\w*|möchte\w*|pourrai\w*|pouvons|peut|peuvent|podría\w*|podemos|puede\w*|zou\w*|kan|kunnen|eligible|possible|entitled|in order to|asked (?:for|us)|request(?:ed|s)? (?:for|that)|whether|ob)\b/iu;
const condition =
  /\b(?:if|once|when|whenever|unless|until|as soon as|provided|in case|before|wenn|falls|sobald|sofern|bevor|si|dès que|lorsque|quand|una vez|cuando|als|zodra|wanneer|mits)\b/iu;
const perfect =
  /\b(?:been|has|have|had|was|were|already|wurde\w*|haben|hat|worden|bereits|avons|hemos|sido|is|werd|heeft|hebben)\b|'ve\b/iu;
const laterCondition =
  /^[^.!?;]{0,60}?\b(?:if|once|unless|as soon as|provided|wenn|falls|sobald|sofern|si|dès que|cuando|una vez|als|zodra)\s/iu;
const asks =
  /^\W*(?:would|shall|should|do|does|did|has|have|is|are|was|were|can|could|may|will|what|which|when|where|who|why|how|soll\p{L}*|möchten|haben|hat|ist|sind|wurde|wann|wo|was|welche\p{L}*|wie|est-ce|avez|voulez|quand|où|quel\p{L}*|ha|desea|quiere|cuándo|dónde|qué|wilt|heeft|is|wanneer|waar|welke)(?![\p{L}])/iu;
const attributed =
  /\b(?:you (?:wrote|said|say|told us|mention(?:ed)?|report(?:ed)?|state[sd]?|ask(?:ed)?|were told|claim(?:ed)?|paid|described?)|your (?:message|mail|email|note)|sie (?:schrieben|schreiben|sagten|erwähnten|fragten|haben geschrieben)|vous (?:avez (?:écrit|dit|demandé)|écrivez|demandez)|usted (?:escribió|dijo|preguntó)|u (?:schreef|zei|vroeg))\b/iu;
const attributedTo = new RegExp(
  String.raw`${attributed.source}(?:\s+(?:that|whether|if|about|for|in|dass|ob|que|si|of|dat))?:?[^,;:.]*$`,
  'iu',
);

function blank(text: string, form: RegExp): string {
  return text.replace(form, (found) => '·'.repeat(found.length));
}

/** True where the words before say that what follows is the customer's ("you wrote that …"). */
export function saysCustomer(text: string, start: number, sentence: Stretch): boolean {
  return attributedTo.test(text.slice(sentence.start, start));
}

/** True inside quotation marks or a quoted line. */
function inQuotes(text: string, start: number, sentence: Stretch): boolean {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  if (/^\s*>/.test(text.slice(line, start))) return true;
  return (text.slice(sentence.start, start).match(/"/g) ?? []).length % 2 === 1 && text.indexOf('"', start) !== -1;
}

/** The words of the clause before an offset: from the last comma, colon, "but" or "that" on. */
function clauseBefore(sentenceBefore: string): string {
  const cut = Math.max(
    ...[
      ...sentenceBefore.matchAll(
        /[,;:()–—]\s|\s-\s|\b(?:but|however|although|though|and (?:we|i|it|your)|aber|jedoch|doch|mais|pero|maar)\b/giu,
      ),
    ].map((match) => match.index + match[0].length),
    0,
  );
  return sentenceBefore.slice(cut);
}

function lastWords(text: string, count: number): string {
  return text.split(/\s+/).slice(-count).join(' ');
}

/** The bearing of the words from `start` to `end` in their sentence (folded text). */
export function bearing(text: string, start: number, end: number, sentence: Stretch): Bearing {
  const whole = text.slice(sentence.start, sentence.end);
  const before = blank(text.slice(sentence.start, start), idioms);
  const after = text.slice(end, sentence.end);
  const words = text.slice(start, end);
  const clause = clauseBefore(before);
  if (saysCustomer(text, start, sentence) || inQuotes(text, start, sentence)) return 'quoted';
  if (/\?["')\s]*$/.test(whole) && asks.test(whole) && !/^\W*did you know/i.test(whole)) return 'question';
  if (
    negation.test(lastWords(clause, 9)) ||
    negation.test(blank(words, idioms)) ||
    negationAfter.test((/^[^,;:.!?]*/.exec(after) ?? [''])[0])
  )
    return 'negated';
  const afterThat = clause.split(/\b(?:that|dass|que|dat)\b/iu).at(-1) ?? clause;
  if (offer.test(afterThat) || offer.test(words)) return 'conditional';
  if (condition.test(lastWords(afterThat, 8))) return 'conditional';
  // What is said to have happened already is not made conditional by another clause.
  if (
    perfect.test(`${lastWords(clause, 4)} ${words}`) &&
    !/\bwill be\b|\bwird\b|\bwerden\b/iu.test(`${clause} ${words}`)
  )
    return 'asserted';
  if (condition.test(before) || laterCondition.test(blank(after, idioms))) return 'conditional';
  return 'asserted';
}
