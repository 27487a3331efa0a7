// Addresses servers ask a person to visit (spec host §18): only https (http on loopback), the host as it really is, and
// what could mislead in it said in words. Nothing is fetched, resolved or opened here.
import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import { looksLike } from './lookAlikes.ts';

export type ReadUrl =
  | {
      ok: true;
      /** What would be opened, as a browser spells it. */
      url: string;
      /** For the person: international names in their own letters. */
      host: string;
      /** The same host in plain ASCII, as names are looked up. */
      spelled: string;
      /** The end of `spelled` that somebody registered, by the public suffix list; the whole where there is none. */
      domain: string;
      warnings: string[];
    }
  | { ok: false; why: string };

const longest = 2048;
const hidden = /[\s\\\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;

const scripts: [string, RegExp][] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  // Written together by whole languages, so one script here.
  ['East Asian', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u],
  ['shared', /[\p{Script=Common}\p{Script=Inherited}]/u],
];

function scriptOf(letter: string): string {
  return scripts.find(([, test]) => test.test(letter))?.[0] ?? 'another script';
}

function code(letter: string): string {
  return `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** What may mislead in one part of an international name. */
function labelWarnings(label: string): string[] {
  const letters = [...new Set(label)];
  const foreign = letters.filter((letter) => letter > '\u007f');
  if (foreign.length === 0) return [];
  const warnings: string[] = [];
  const used = [...new Set(letters.map(scriptOf))].filter((script) => script !== 'shared');
  if (used.length > 1) warnings.push(`“${label}” mixes ${used.join(' and ')} letters.`);
  const alike = foreign.flatMap((letter) => {
    const looks = looksLike(letter);
    return looks === undefined ? [] : [`“${letter}” (${code(letter)}, ${scriptOf(letter)}) looks like “${looks}”`];
  });
  if (alike.length > 0) {
    const reads = Array.from(label, (letter) => looksLike(letter) ?? letter).join('');
    warnings.push(`“${label}” can be read as “${reads}” but is another name: ${alike.join(', ')}.`);
  } else {
    const named = foreign.slice(0, 8).map((letter) => `“${letter}” (${code(letter)})`);
    warnings.push(`“${label}” has letters outside a–z: ${named.join(', ')}${foreign.length > 8 ? ', …' : ''}.`);
  }
  return warnings;
}

function isNumeric(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/** Networks an address of the open internet is never in. */
function isPrivate(host: string): boolean {
  const inner =
    /^(?:0|10|127)\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
  return inner.test(host) || /^\[(?:::|f[cd]|fe[89ab])/i.test(host) || /(?:^|\.)localhost\.?$/.test(host);
}

function hostWarnings(written: string, host: string, spelled: string): string[] {
  const warnings: string[] = [];
  const low = written.toLowerCase();
  if (low !== spelled && low.normalize('NFC') !== host)
    warnings.push(`The server wrote the host as “${written}”; it leads to ${spelled}.`);
  if (isNumeric(spelled)) warnings.push(`The host is a bare number address, ${spelled}, not a name.`);
  if (isPrivate(spelled))
    warnings.push(`${spelled} is this computer or a private network, not a site on the internet.`);
  if (host !== spelled) warnings.push(`The host’s real spelling is ${spelled}.`);
  for (const label of host.split('.')) warnings.push(...labelWarnings(label));
  return warnings;
}

function no(why: string): ReadUrl {
  return { ok: false, why };
}

/** Why the text cannot be an address to visit, before it is taken apart. */
function textFault(text: string): string | null {
  if (text === '') return 'The question names no address to visit.';
  if (text.length > longest) return `The address has ${text.length} characters; at most ${longest} are opened.`;
  if (hidden.test(text)) return 'The address has spaces, backslashes or invisible characters in it.';
  const scheme = /^([a-z][a-z\d+.-]{0,30}):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'The address is not a full one: it must begin with https://.';
  if (scheme !== 'https' && scheme !== 'http') return `Addresses of the kind ${scheme}: are not opened, only https:.`;
  return /^https?:\/\/[^/?#]/i.test(text) ? null : `The address must have its host right after ${scheme}://.`;
}

/** An address as a server gave it: what would be opened and what to say about it, or why it is refused. */
export function readUrl(text: string): ReadUrl {
  const fault = textFault(text);
  if (fault !== null) return no(fault);
  const authority = /^[^:]*:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
  if (authority.includes('@')) return no('The address hides its host behind a user name (an “@” before the host).');
  if (authority.includes('%')) return no('The address spells its host with percent signs.');
  const url = URL.parse(text);
  if (!url || url.hostname === '') return no('The address cannot be read: its host is no valid name.');
  if (url.href.length > longest)
    return no(`The address has ${url.href.length} characters; at most ${longest} are opened.`);
  const spelled = url.hostname;
  if (url.protocol === 'http:' && !['127.0.0.1', '[::1]', 'localhost'].includes(spelled))
    return no(`Addresses without encryption (http:) are opened only on this computer, not on ${spelled}.`);
  const host = spelled.includes('xn--') ? domainToUnicode(spelled) : spelled;
  if (host === '' || /(?:^|\.)xn--/.test(host)) return no('The address cannot be read: its host is no valid name.');
  const written = authority.replace(/:\d*$/, '');
  // Also below a suffix that a company lends out (`github.io`): each name there belongs to somebody else.
  const registered = getDomain(spelled, { allowPrivateDomains: true });
  const domain = registered === null ? spelled : `${registered}${spelled.endsWith('.') ? '.' : ''}`;
  return { ok: true, url: url.href, host, spelled, domain, warnings: hostWarnings(written, host, spelled) };
}
