// Encodings from before Unicode: which of them a file's bytes can be, by whether they make words. Each language brings the
// letters it is written with; a reading that needs letters of no one language, or mixes scripts within words, scores low.
import { tryDecode } from './decode.ts';

export interface Reading {
  name: string;
  text: string;
  /** From 0 to 1: how much of what is not ASCII is as it would be written. */
  score: number;
}

const western = {
  German: 'äöüÄÖÜß',
  French: 'àâçéèêëîïôùûüÿœæÀÂÇÉÈÊËÎÏÔÙÛÜŸŒÆ',
  Spanish: 'áéíóúüñÁÉÍÓÚÜÑ¿¡ªº',
  Portuguese: 'áâãàçéêíóôõúüÁÂÃÀÇÉÊÍÓÔÕÚÜªº',
  Italian: 'àèéìíîòóùúÀÈÉÌÍÎÒÓÙÚ',
  Nordic: 'åäöæøéÅÄÖÆØÉ',
  Dutch: 'áéëïóöüèêÁÉËÏÓÖÜÈÊ',
  Icelandic: 'áðéíóúýþæöÁÐÉÍÓÚÝÞÆÖ',
};
const central = {
  German: western.German,
  Polish: 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ',
  Czech: 'áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽľĺŕôäĽĹŔÔÄ',
  Hungarian: 'áéíóöőúüűÁÉÍÓÖŐÚÜŰ',
  Romanian: 'ăâîşţĂÂÎŞŢ',
  Croatian: 'čćđšžČĆĐŠŽ',
};
const russian = 'абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ';
const cyrillic = { Russian: russian, Ukrainian: `${russian}іїєґІЇЄҐ` };
const turkish = { Turkish: 'çğıöşüâîûÇĞİÖŞÜÂÎÛ', German: western.German };
const greek = { Greek: 'αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώΑΆΒΓΔΕΈΖΗΉΘΙΊΪΚΛΜΝΞΟΌΠΡΣΤΥΎΫΦΧΨΩΏ' };

interface Single {
  name: string;
  languages: Record<string, string>;
  /** Words are of these letters alone, not of ASCII and them. */
  whole: boolean;
}
const singles: Single[] = [
  { name: 'windows-1252', languages: western, whole: false },
  { name: 'windows-1250', languages: central, whole: false },
  { name: 'windows-1254', languages: turkish, whole: false },
  { name: 'macintosh', languages: western, whole: false },
  { name: 'iso-8859-2', languages: central, whole: false },
  { name: 'windows-1251', languages: cyrillic, whole: true },
  { name: 'koi8-u', languages: cyrillic, whole: true },
  { name: 'ibm866', languages: cyrillic, whole: true },
  { name: 'x-mac-cyrillic', languages: cyrillic, whole: true },
  { name: 'iso-8859-5', languages: cyrillic, whole: true },
  { name: 'windows-1253', languages: greek, whole: true },
  { name: 'windows-1255', languages: { Hebrew: 'אבגדהוזחטיךכלםמןנסעףפץצקרשת' }, whole: true },
  { name: 'windows-1256', languages: { Arabic: 'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي،؛؟' }, whole: true },
];
const punctuation = new Set('„“”‚‘’«»‹›–—…€£§°·•™®©±×½¼¾²³µ´¨†‡№\u00a0');

/** Every reading with a score, the best first. */
export function legacyReadings(bytes: Uint8Array): Reading[] {
  const found = [
    ...singles.map((one) => readingOf(bytes, one.name, (text) => singleScore(text, one))),
    ...['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'].map((name) => readingOf(bytes, name, wideScore)),
  ].filter((one) => one !== null && one.score > 0.1);
  return found.filter((one) => one !== null).sort((a, b) => b.score - a.score);
}

function readingOf(bytes: Uint8Array, name: string, score: (text: string) => number): Reading | null {
  // A sample may end within a letter of two bytes.
  const text = tryDecode(bytes, name) ?? tryDecode(bytes.subarray(0, -1), name);
  return text === null ? null : { name, text, score: score(text) };
}

function singleScore(text: string, { languages, whole }: Single): number {
  const words = text.match(/[\p{L}\p{M}]*[^\p{ASCII}][^\s\p{ASCII}\p{L}]*[\p{L}\p{M}]*/gu) ?? [];
  const odd = text.match(/[^\p{ASCII}]/gu) ?? [];
  if (odd.length === 0) return 0;
  const letters = odd.filter((one) => !punctuation.has(one));
  // Controls and signs no one writes: the bytes are of another encoding.
  const strange = letters.filter((one) => !/[\p{L}ªº¿¡]/u.test(one)).length;
  const spelled = Math.max(...Object.values(languages).map((all) => covered(letters, all)));
  const built = words.filter((word) => wellBuilt(word, whole)).length / Math.max(1, words.length);
  const score = (1 - strange / odd.length) ** 4 * spelled ** 2 * built ** 2;
  return letters.length === 0 ? 0.5 : score;
}
function covered(letters: string[], all: string): number {
  const known = new Set(all);
  return letters.filter((one) => known.has(one)).length / Math.max(1, letters.length);
}

/** No capital after a small letter; one script only where the language has its own. */
function wellBuilt(word: string, whole: boolean): boolean {
  const letters = word.match(/\p{L}/gu) ?? [];
  if (/\p{Ll}\p{Lu}/u.test(word)) return false;
  const ascii = letters.filter((one) => /\p{ASCII}/u.test(one)).length;
  // One letter alone is more likely a sign of another encoding.
  if (whole) return ascii === 0 && letters.length > 1;
  // A word of three accented letters and no other is none.
  return letters.length < 3 || ascii >= letters.length / 2;
}

/** The commonest characters of Chinese, written either way. */
const common = new Set(
  '的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如然作方成者多日都三小军二无同这單订货收退换请问没有您好發這個們來為國說時會後對過無訂貨請問沒',
);
function wideScore(text: string): number {
  const odd = text.match(/[^\p{ASCII}]/gu) ?? [];
  if (odd.length === 0) return 0;
  const share = (pattern: RegExp): number => odd.filter((one) => pattern.test(one)).length / odd.length;
  const half = share(/[\uff61-\uff9f]/u);
  const kana = share(/[\u3041-\u30fe]/u);
  const hangul = share(/[\uac00-\ud7a3]/u);
  const known = odd.filter((one) => common.has(one)).length / odd.length;
  const strange = share(/[\ue000-\uf8ff\u0400-\u04ff\u2500-\u257f]/u);
  return Math.max(0, Math.min(1, Math.max(kana * 2, hangul > 0.6 ? hangul : 0, known * 3)) - strange - half);
}
