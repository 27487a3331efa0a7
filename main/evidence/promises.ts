// Words that promise an action, by language. The playbook's own words come first; the lists here make sure that a
// promise is found even where a playbook has none for that language.
import type { Playbook } from '../../shared/playbook.ts';
import { hasRules, type Language } from './language.ts';

export type ClaimRule = Playbook['claims'][number];

export interface PromiseSpan {
  start: number;
  end: number;
  /** Which promise: a rule's id, or `refund`, `replacement`, `cancellation`, `gift`. */
  id: string;
  rules: ClaimRule[];
}

const done =
  'issued|processed|sent|made|paid|approved|released|credited|completed|initiated|confirmed|authori[sz]ed|granted|on its way|under way|underway';
const builtIn: Record<Language, Record<string, string[]>> = {
  en: {
    refund: [
      String.raw`(?:re)?funded`,
      String.raw`reimbursed`,
      String.raw`(?:will|'ll|shall|going to|am|are|is)\s+(?:be\s+)?(?:now\s+)?(?:refund(?:ing)?|reimburs(?:e|ing)|credit(?:ing)?)`,
      String.raw`(?:issued?|process(?:ed)?|sent|made|initiated?|approved?|released?|arranged?|issuing|processing)\s+(?:you\s+)?(?:a|the|your|this)?\s*(?:full\s+|partial\s+)?refund`,
      String.raw`refund(?:\s+of\s+\S+)?(?:\s+for\s+(?:order\s+)?\S+)?\s+(?:has been|was|is being|is|will be)\s+(?:now\s+|already\s+)?(?:${done})`,
      String.raw`(?:you(?:'ll| will)\s+(?:get|receive|have))\s+(?:back\s+\S+|\S+\s+back|your money|(?:a|the|your)\s+(?:full\s+)?refund)`,
      String.raw`money\s+(?:back\s+)?(?:will|is|has|should)\s+(?:be\s+|been\s+)?(?:arriv\w*|on its way|returned|sent|back|credited)`,
      String.raw`(?:returned|credited)\s+(?:back\s+)?to\s+your\s+(?:card|account|bank)`,
      String.raw`(?:happy|glad|pleased|delighted)\s+to\s+(?:refund|reimburse|issue|replace|send)`,
      String.raw`(?:get|receive|have|expect|see)\s+(?:your\s+money|(?:your|the|a)\s+(?:full\s+)?refund)(?:\s+(?:back|soon|shortly|on|in|within))?`,
      String.raw`refund\s+(?:(?:was|is|has been)\s+successful|went\s+through|(?:is\s+)?(?:approved|confirmed|granted|complete))`,
      String.raw`(?:sent|send|returned|wired|transferred)\s+(?:you\s+)?(?:the|your)\s+money`,
      String.raw`payment\s+(?:was|has been|is being|will be)\s+(?:reversed|returned|sent back)`,
    ],
    replacement: [
      String.raw`(?:will|'ll|have|has|'ve|are|am)\s+(?:be\s+|been\s+)?(?:replac(?:e|ed|ing)|re-?s(?:end|ent|hip\w*))`,
      String.raw`(?:send(?:ing)?|sent|ship(?:ped|ping)?|dispatch(?:ed|ing)?)\s+(?:you\s+|out\s+)?(?:a|the|your)\s+(?:new|replacement)`,
      String.raw`replacement(?:\s+\p{L}+)?\s+(?:has been|was|is being|is|will be)\s+(?:${done}|shipped|dispatched|ordered|arranged)`,
    ],
    cancellation: [
      String.raw`cancel(?:l)?ed`,
      String.raw`(?:will|'ll|are|am|have)\s+(?:be\s+)?cancel(?:l?ing)?`,
      String.raw`cancellation\s+(?:has been|was|is|will be)\s+(?:${done})`,
    ],
    gift: [
      String.raw`(?:will|'ll|have|'ve|are|am)\s+(?:give|given|giving|offer(?:ing)?|send(?:ing)?|sent|add(?:ed|ing)?|appl(?:y|ied|ying)|include[d]?)\s+(?:you\s+)?(?:a|an|your)?\s*(?:\S+\s+){0,3}?(?:voucher|discount|credit|coupon|gift\s?card|compensation)`,
      String.raw`free of charge`,
      String.raw`waived?`,
    ],
  },
  de: {
    refund: [
      String.raw`(?:zurück)?erstattet`,
      String.raw`erstatten\s+wir`,
      String.raw`wir\s+erstatten`,
      String.raw`(?:rück)?erstattung\s+(?:\S+\s+){0,5}?(?:veranlasst|ausgelöst|gebucht|freigegeben|unterwegs|ausgezahlt|erfolgt)`,
      String.raw`(?:veranlasst|überwiesen|gutgeschrieben|zurückgezahlt|zurücküberwiesen)`,
      String.raw`(?:bekommen|erhalten)\s+(?:sie\s+)?(?:ihr\s+geld|\S+(?:\s+€)?)\s+zurück`,
      String.raw`geld\s+(?:ist|wird|kommt|trifft)\s+(?:\S+\s+){0,5}?(?:unterwegs|ein|an|zurück)`,
    ],
    replacement: [
      String.raw`ersatz\p{L}*\s+(?:\S+\s+){0,4}?(?:verschickt|versendet|versandt|geschickt|zu)`,
      String.raw`(?:schicken|senden)\s+(?:wir\s+)?(?:ihnen\s+)?(?:\S+\s+){0,2}?(?:ersatz|neue)\p{L}*`,
      'umgetauscht',
      'ausgetauscht',
    ],
    cancellation: ['storniert', String.raw`wir\s+stornieren`, String.raw`stornieren\s+wir`],
    gift: [String.raw`(?:gutschein|rabatt|gutschrift|entschädigung)`],
  },
  fr: {
    refund: [
      String.raw`rembours(?:é|ée|és|ées|ons|erons|era|ez)`,
      String.raw`remboursement\s+(?:\S+\s+){0,4}?(?:effectué|envoyé|émis|lancé|en cours)`,
    ],
    replacement: [
      String.raw`remplac(?:é|ée|és|ées|ons|erons|era)`,
      String.raw`(?:envoyons|enverrons|envoyé)\s+(?:\S+\s+){0,2}?(?:nouveau|nouvelle|remplacement)`,
    ],
    cancellation: [String.raw`annul(?:é|ée|és|ées|ons|erons|era)`],
    gift: [String.raw`bon d'achat|remise|avoir de`],
  },
  es: {
    refund: [
      String.raw`reembols(?:ado|ada|amos|aremos|ará)`,
      String.raw`reembolso\s+(?:\S+\s+){0,4}?(?:emitido|enviado|realizado|en camino|procesado)`,
      String.raw`devuelto\s+(?:el|su)\s+dinero`,
      String.raw`devolveremos`,
    ],
    replacement: [
      String.raw`reemplaz(?:ado|ada|amos|aremos|ará)`,
      String.raw`(?:enviamos|enviaremos|enviado)\s+(?:\S+\s+){0,2}?(?:nuevo|nueva|reemplazo)`,
    ],
    cancellation: [String.raw`cancel(?:ado|ada|amos|aremos|ará)|anulad[oa]`],
    gift: ['vale de', 'descuento'],
  },
  nl: {
    refund: [
      String.raw`terugbetaald|terugbetalen|teruggestort|vergoed`,
      String.raw`terugbetaling\s+(?:\S+\s+){0,4}?(?:gedaan|verwerkt|verstuurd|onderweg)`,
    ],
    replacement: [
      String.raw`vervangen|vervanging\s+(?:\S+\s+){0,3}?(?:verstuurd|verzonden)`,
      String.raw`(?:sturen|gestuurd)\s+(?:\S+\s+){0,2}?(?:nieuwe?|vervang\p{L}*)`,
    ],
    cancellation: ['geannuleerd', 'annuleren'],
    gift: ['cadeaubon', 'korting', 'tegoed'],
  },
};

function whole(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${words})(?![\p{L}\p{N}_])`, 'giu');
}

/** Where any of a rule's words stand in folded text; words are literal, spaces match any white space. */
export function ruleWords(text: string, words: string[]): { start: number; end: number }[] {
  const forms = words
    .map((word) =>
      word
        .trim()
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replace(/\s+/g, '\\s+'),
    )
    .filter((word) => word !== '');
  if (forms.length === 0) return [];
  const longest = forms.sort((a, b) => b.length - a.length).join('|');
  return [...text.matchAll(whole(longest))].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

const roots: Record<string, RegExp> = {
  refund: /refund|erstatt|reimburs|money/i,
  replacement: /replac|ersatz/i,
  cancellation: /cancel|storn/i,
  gift: /gift|voucher|discount|credit/i,
};

/** Promises in folded text, whatever their bearing. In a language without rules every list is tried. */
export function findPromises(text: string, language: string, rules: ClaimRule[]): PromiseSpan[] {
  const found: PromiseSpan[] = [];
  const promised = rules.filter((rule) => rule.kind === 'promise');
  for (const rule of promised)
    for (const span of ruleWords(text, rule.words[language] ?? Object.values(rule.words).flat())) {
      const same = found.find((other) => other.start < span.end && span.start < other.end);
      if (same === undefined) found.push({ ...span, id: rule.id, rules: [rule] });
      else same.rules.push(rule);
    }
  for (const name of hasRules(language) ? [language] : (['en', 'de', 'fr', 'es', 'nl'] as const))
    for (const [id, words] of Object.entries(builtIn[name]))
      for (const match of text.matchAll(whole(words.join('|')))) {
        const span = { start: match.index, end: match.index + match[0].length };
        if (found.some((other) => other.start < span.end && span.start < other.end)) continue;
        found.push({ ...span, id, rules: promised.filter((rule) => roots[id]?.test(rule.id)) });
      }
  return found.sort((a, b) => a.start - b.start);
}
