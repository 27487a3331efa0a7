// Which language a text is in, by its small words. A draft in a language without rules is never ready (spec model, "Evidence").
const languages = ['en', 'de', 'fr', 'es', 'nl'] as const;
export type Language = (typeof languages)[number];

const smallWords: Record<Language, string> = {
  en: 'the and you your is are was have has for with that this not will been of to we it my please thank thanks order hello i in on when where can what how from there since any did do would been',
  de: 'der die das und ist sind ich sie ihr ihre ihnen nicht mit für von dem den ein eine wir haben hat wurde werden auf zu im bitte danke bestellung hallo wann wo wie kann mein meine es noch am seit guten tag',
  fr: 'le la les et est sont je vous votre vos ne pas avec pour de des un une nous avons a été sera dans ce cette merci bonjour commande quand où mon ma que qui du au est-ce',
  es: 'el la los las y es son yo usted su sus no con para de un una hemos ha sido será en este esta gracias hola pedido cuándo dónde mi que qué por del al está se lo',
  nl: 'de het een en is zijn ik u uw je jouw niet met voor van wij we hebben heeft werd worden op te in dit deze bedankt hallo bestelling wanneer waar mijn nog dat er kan wat aan bij',
};
const sets = Object.fromEntries(languages.map((language) => [language, new Set(smallWords[language].split(' '))]));

/** The language of a text, or `unknown` where fewer than two small words or no clear lead speak for one. */
export function language(text: string): Language | 'unknown' {
  const words = text.toLowerCase().match(/[\p{L}'-]+/gu) ?? [];
  const scores = languages
    .map((name) => ({ name, hits: words.filter((word) => sets[name]?.has(word)).length }))
    .sort((a, b) => b.hits - a.hits);
  const [best, second] = scores;
  if (best === undefined || second === undefined || best.hits < 2) return 'unknown';
  if (best.hits === second.hits || best.hits / words.length < 0.08) return 'unknown';
  return best.name;
}

/** True where the evidence rules know the language; for any other a person writes. */
export function hasRules(name: string): name is Language {
  return languages.some((known) => known === name);
}
