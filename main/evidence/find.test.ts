import { describe, expect, it } from 'vitest';
import { findAmounts, readNumber, sayAmount } from './amounts.ts';
import { bearing } from './bearing.ts';
import { findDates } from './dates.ts';
import { findDurations, findRelative } from './durations.ts';
import { foldText, storedSpan } from './foldText.ts';
import { findIdentifiers } from './identifiers.ts';
import { hasRules, language } from './language.ts';
import { findPromises } from './promises.ts';
import { sentences } from './sentences.ts';

describe('amounts', () => {
  it.each<[string, string, (number | string | null)[][]]>([
    ['€1,234.50', 'en', [[123450, 'EUR']]],
    ['1.234,50 €', 'en', [[123450, 'EUR']]],
    ['1.234 €', 'en', [[null, 'EUR']]],
    ['1.234 €', 'de', [[123400, 'EUR']]],
    ['1,234 euros', 'en', [[123400, 'EUR']]],
    ['1,234 €', 'de', [[null, 'EUR']]],
    ['1 234,50 €', 'fr', [[123450, 'EUR']]],
    [
      '$23.98, £5 and CHF 7.50',
      'en',
      [
        [2398, 'USD'],
        [500, 'GBP'],
        [750, 'CHF'],
      ],
    ],
    [
      '€20-30',
      'en',
      [
        [3000, 'EUR'],
        [2000, 'EUR'],
      ],
    ],
    ['two hundred euros', 'en', [[20000, 'EUR']]],
    ['20 % off', 'en', [[2000, '%']]],
    ['€5k', 'en', [[null, 'EUR']]],
    ['-€5.00', 'en', [[-500, 'EUR']]],
    ['503.99', 'en', [[50399, null]]],
    ['2.50 kg, 24.06.2026, 14.30 Uhr, O-2415, 12', 'en', []],
    ['0.001 €', 'en', [[null, 'EUR']]],
    ['999999999999999999999.00 €', 'en', [[null, 'EUR']]],
  ])('%s (%s)', (text, tongue, expected) => {
    expect(findAmounts(foldText(text).text, tongue).map(({ minor, currency }) => [minor, currency])).toEqual(expected);
  });

  it('are never read twice differently: both separators settle the locale', () => {
    expect(readNumber('1.234.567', 'de')).toBe(123456700);
    expect(readNumber('1.234,5', 'en')).toBe(123450);
    expect(readNumber('1.23.45', 'en')).toBeNull();
    expect(sayAmount(2398, 'EUR')).toBe('€23.98');
    expect(sayAmount(5, 'CHF')).toBe('0.05 CHF');
  });
});

describe('dates', () => {
  it.each<[string, string, string[][]]>([
    [
      '24 June, June 24, 24th of June 2026, 2026-06-24',
      'en',
      [['2026-06-24'], ['2026-06-24'], ['2026-06-24'], ['2026-06-24']],
    ],
    ['am 24.6. und 24. Juni', 'de', [['2026-06-24'], ['2026-06-24']]],
    ['le 24 juin', 'fr', [['2026-06-24']]],
    ['el 24 de junio de 2025', 'es', [['2025-06-24']]],
    ['op 24 juni', 'nl', [['2026-06-24']]],
    ['06/07/2026', 'en', [['2026-07-06', '2026-06-07']]],
    ['06/07/2026', 'de', [['2026-07-06']]],
    ['5 January', 'en', [['2026-01-05']]],
    ['5 July', 'en', [['2026-07-05']]],
    ['31 June', 'en', [[]]],
    ['you may 3 times', 'en', []],
  ])('%s (%s)', (text, tongue, expected) => {
    expect(findDates(text, tongue, '2026-06-30').map(({ days }) => days)).toEqual(expected);
  });

  it('durations and moving words are dates too; courtesies are not', () => {
    expect(
      findDurations('within 5 working days, two weeks, 5-7 business days, 24 hours').map(({ least, most, unit }) => [
        least,
        most,
        unit,
      ]),
    ).toEqual([
      [5, 5, 'working day'],
      [2, 2, 'week'],
      [5, 7, 'working day'],
      [24, 24, 'hour'],
    ]);
    expect(findDurations('Have a good day! One day.')).toEqual([]);
    expect(findRelative('tomorrow, by Friday, on the 24th, at 14:00', '2026-06-30').map(({ form }) => form)).toEqual([
      'moving',
      'weekday',
      'day of month',
      'time',
    ]);
    expect(findRelative('Thank you for contacting us today.', '2026-06-30')).toEqual([]);
  });
});

describe('identifiers', () => {
  const patterns = [{ pattern: '^O-[0-9]{4}$', kind: 'order' }, { pattern: '^(a+)+$' }];
  it.each<[string, string[]]>([
    ['o2415, O 2415, O‑2415', ['O-2415', 'O-2415', 'O-2415']],
    ['order 2496 and #2415', ['O-2496', 'O-2415']],
    ['FX-12345678 and KG-1019', ['FX-12345678', 'KG-1019']],
    ['a@b.example', ['a@b.example']],
    ['+49 30 1234567', ['+49 30 1234567']],
    ['card ending 4242', ['4242']],
    ['the A4 page, MP3, 3-piece set, 24th, x-ray, 12cm, top-10', []],
  ])('%s', (text, values) =>
    expect(findIdentifiers(foldText(text).text, patterns).map(({ value }) => value)).toEqual(values),
  );
});

describe('how a word of promise is meant', () => {
  it.each<[string, string]>([
    ['Wir haben O-1 nicht erstattet.', 'negated'],
    ['Wir haben Ihnen das Geld erstattet.', 'asserted'],
    ['Wir könnten die Bestellung erstatten, wenn Sie möchten. Es wird erstattet.', 'asserted'],
    ['Sobald das Paket da ist, wird es erstattet.', 'conditional'],
    ['Nous ne vous avons pas remboursé.', 'negated'],
    ['Nous vous avons remboursé.', 'asserted'],
    ['No hemos reembolsado nada: no está reembolsado.', 'negated'],
    ['We hebben het niet terugbetaald.', 'negated'],
    ['It was refunded, not replaced.', 'asserted'],
    ['Not only was it refunded.', 'asserted'],
    ["Don't worry, it was refunded.", 'asserted'],
    ['It will be refunded once you send it back.', 'conditional'],
    ['If you were wondering: it has been refunded.', 'asserted'],
    ['I can confirm it was refunded.', 'asserted'],
    ['> it was refunded', 'quoted'],
  ])('%s is %s', (text, expected) => {
    const span = findPromises(text, language(text), []).at(-1);
    const place = span ?? { start: 0, end: 0 };
    const sentence = sentences(text).find((one) => place.start >= one.start && place.start < one.end);
    expect(sentence && bearing(text, place.start, place.end, sentence)).toBe(expected);
  });
});

describe('promises without a playbook', () => {
  const asserted = (text: string): number =>
    findPromises(text, 'en', []).filter(
      ({ start, end }) =>
        bearing(text, start, end, sentences(text)[0] ?? { start: 0, end: text.length, paragraph: 0 }) === 'asserted',
    ).length;
  it.each([
    'I have processed a full refund to your card.',
    'The amount has been credited back to your account.',
    'We are happy to refund you in full.',
    'I will make sure you get your money back.',
    'Expect your refund soon.',
    'Refund approved.',
    'You are entitled to a refund and we have sent the money.',
    'The refund was successful.',
    'We can confirm the refund went through.',
    'You should know that your refund is on its way.',
    'We are issuing you a refund.',
    'Your payment was reversed.',
    'We will ship a replacement right away.',
    'Your order is cancelled.',
  ])('promises: %s', (text) => expect(asserted(text)).toBeGreaterThan(0));
  it.each([
    'Please tell us if you want a refund.',
    'We received your request for a refund.',
    'I cannot issue a refund without the order number.',
    'Could you send a photo of the damage?',
    'You did not get your money back yet.',
    'We would be happy to refund you.',
    'Nothing has been refunded yet: please tell us if you would like us to go ahead.',
    'Only orders that have been delivered or returned can be refunded.',
  ])('promises nothing: %s', (text) => expect(asserted(text)).toBe(0));
});

describe('texts', () => {
  it('are folded with a way back', () => {
    const text = 'a\u200B２ﬁ\u0301u\u0308x';
    const folded = foldText(text);
    expect(folded.text).toBe('a2fíüx');
    expect(storedSpan(folded, 1, 2)).toEqual({ start: 2, end: 3 });
    expect(folded.from.at(-1)).toBe(text.length);
  });

  it('keep days and abbreviations inside their sentence, lists apart', () => {
    const text = 'It left on 24. Juni, e.g. by post. O-2415. It came.\n- one\n- two\n\nBye';
    expect(sentences(text).map((one) => text.slice(one.start, one.end).trim())).toEqual([
      'It left on 24. Juni, e.g. by post.',
      'O-2415.',
      'It came.',
      '- one',
      '- two',
      'Bye',
    ]);
    expect(sentences(text).at(-1)?.paragraph).toBe(1);
  });

  it.each([
    ['Where is my order 2496? I need it', 'en'],
    ['Wo ist meine Bestellung, ich warte noch', 'de'],
    ['Où est ma commande', 'fr'],
    ['¿Dónde está mi pedido?', 'es'],
    ['Waar is mijn bestelling', 'nl'],
    ['Gdzie jest moje zamówienie', 'unknown'],
    ['', 'unknown'],
  ])('%s is %s', (text, expected) => expect(language(text)).toBe(expected));

  it('in a language without rules are never ready', () => {
    expect(hasRules('pl')).toBe(false);
    expect(hasRules('unknown')).toBe(false);
    expect(hasRules('de')).toBe(true);
  });
});
