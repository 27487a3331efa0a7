// Which fields ask for a secret: passwords, keys, tokens, cards and bank accounts have no place in a form (spec host §17).
// By words, in the languages a shop meets; a server that paraphrases gets past, so the person still sees who asks.
import { looksLike } from './lookAlikes.ts';

/** What is asked for, in our words, and how it is written: lower case, without accents, separators as one space. */
const kinds: [string, RegExp[]][] = [
  [
    'a password',
    [
      /passwor[dt](?!less)|(?<!\p{L})pass wor[dt]|passwoert|kennw[oö]rt|wachtwoord|losenord|adgangskode|salasana|пароль|密码|密碼|口令|パスワート|ハスワート|비밀번호/u,
      word(
        'passcode|pass ?phrase|passwd|pwd|mots? de passe|contrasena|senha|parola d.ordine|has[lł]o|heslo|palabra secreta',
      ),
      word('credentials?|login (?:details|data)|zugangsdaten|anmeldedaten|identifiants de connexion'),
      word('security answer|answer to (?:your|the) security question|(?:recovery|seed|secret) phrase'),
    ],
  ],
  [
    'a PIN or one-time code',
    [
      word('pin ?(?:code|number|nummer)|geheimzahl|code pin|codigo pin|(?:your|ihre?n?|deine?n?|votre|su|il tuo) pin'),
      word(
        'otp|totp|[2m]fa(?: code)?|(?:one time|verification|authenticat(?:or|ion)|login|sms) (?:pass)?code|tan code',
      ),
    ],
  ],
  [
    'a payment card',
    [
      word(
        'cv[vc] ?2?|card (?:verification|security)(?: (?:code|value))?|security code|kartenprufnummer|sicherheitscode',
      ),
      /(?<!(?:loyalty|membership|member|library|sim|graphics|video|memory|sound|business|report|id) ?)(?<!\p{L})card ?(?:number|num|no|nr|details|data|expiry)(?!\p{L})(?! longer)/u,
      word('(?:credit|debit|bank|payment) ?cards?(?: ?(?:number|no|nr|num|details))?|cc ?(?:number|num|no)'),
      /kredit ?karten?|(?<!kunden ?|mitglieds ?)kartennummer|ec ?karte(?!\p{L})/u,
      word(
        'carte (?:bancaire|bleue|de credit|de paiement)|numero de carte|tarjeta de (?:credito|debito)|numero de tarjeta',
      ),
      word('carta di credito|numero (?:di|della) carta|cartao de (?:credito|debito)|creditkaart|betaalkaart'),
      /信用卡|银行卡|クレシットカート|신용카드/u,
    ],
  ],
  [
    'a bank account',
    [
      word(
        'iban|bank ?(?:account|konto|verbindung)(?: ?(?:number|no|nr|nummer))?|kontonummer|sort code|routing number|compte bancaire|cuenta bancaria|conto bancario|rekeningnummer',
      ),
    ],
  ],
  [
    'a secret key',
    [
      word('(?:api|secret|private|access|signing|encryption|ssh|recovery|master|session|auth|client) ?keys?|your key'),
      word('(?:api|geheim(?:er|en)?|privater?n?|zugangs|zugriffs) ?schlussel|cle (?:d.)?(?:api|privee|secrete|acces)'),
      word('clave (?:api|secreta|privada|de acceso)|chiave (?:api|segreta|privata)|chave (?:api|secreta|privada)'),
    ],
  ],
  [
    'a token',
    [
      // Alone it is asked for; "token of appreciation" is a gift and "token limit" a number.
      /(?<!\p{L})(?:\p{L}*(?:zugangs|zugriffs|auth|access|api|bearer|refresh|session|id) ?)?token(?!\p{L})(?! (?:of (?:our |your |my |their )?(?:appreciation|gratitude|thanks|respect|goodwill|esteem|affection)|counts?|limit|budget|usage|length))/u,
      word('(?:access|api|auth|bearer|refresh|session|your) ?tokens|jeton d.(?:acces|authentification)|jwt|bearer'),
      word('session (?:id|cookie)|authori[sz]ation header'),
    ],
  ],
  [
    'a secret',
    [
      word(
        '(?:client|app|api)?secrets?(?! (?:santa|shopper|menu|garden|sale|message|admirer|gift|recipe|ingredients?))',
      ),
      word('geheimnis|code secret|secreto|segreto'),
    ],
  ],
];

function word(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}])(?:${source})(?![\\p{L}])`, 'u');
}

/** Whole names or titles too short to be told apart from harmless words inside a sentence. */
const alone = new Map([
  ['pass', 'a password'],
  ['clave', 'a password'],
  ['parola', 'a password'],
  ['pin', 'a PIN or one-time code'],
  ['tan', 'a PIN or one-time code'],
  ['card', 'a payment card'],
  ['carte', 'a payment card'],
  ['karte', 'a payment card'],
  ['key', 'a secret key'],
  ['schlussel', 'a secret key'],
]);

/** "Never put passwords here" warns of what others ask for; only a clause that opens so is left out. */
const warning =
  /(?<!\p{L})(?:never|do not|don.t|must not|bitte keine?n?|keine|no) (?:please )?(?:ever )?(?:enter|put|type|include|write|share|paste|send|add|give|provide|use|passworter|zugangsdaten|kartennummern)(?!\p{L})[^.;:!?,]*/gu;

const asks =
  /(?<!\p{L})(?:enter|type|provide|give|paste|submit|supply|tell|confirm|need|write|fill in|eingeben|gib|geben|angeben|bitte|entrez|saisissez|saisir|indiquez|introduzca|ingrese|escriba|inserisci|digite|informe|voer|podaj|введите)(?!\p{L})|输入|入力|입력/u;

/** As the words above are written: lower case, plain letters, accents and invisible characters gone. */
function fold(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u3099\u309a\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .normalize('NFC')
    .toLowerCase();
  // Only words that mix scripts are read as Latin: a Russian sentence stays what it is.
  const latin = bare.replaceAll(/[\p{L}\p{N}]+/gu, (run) =>
    /[a-z]/.test(run) ? Array.from(run, (letter) => looksLike(letter) ?? letter).join('') : run,
  );
  return latin.replaceAll(/[\s_\-–—/]+|\.(?=\S)/gu, ' ').replaceAll('’', "'");
}

/** `apiKey`, `API_KEY` and `api-key` are the two words "api key". */
function identifierWords(name: string): string {
  return name.replaceAll(/(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}

function namedIn(text: string): string | null {
  return kinds.find(([, words]) => words.some((one) => one.test(text)))?.[0] ?? null;
}

function pinIn(name: string, text: string): boolean {
  if (/(?<!\p{L})PIN(?!\p{L})/u.test(text)) return true;
  return /(?<!\p{L})(?:card|bank|user|account|login|security|sim|current|old|new|my) pin$/u.test(name);
}

/** India's PIN code is a postcode. */
function postal(text: string): boolean {
  return /(?<!\p{L})(?:post(?:al|code)?|zip|address|delivery|shipping|area|city)(?!\p{L})/u.test(text);
}

/** What secret a field asks for, in words, or null. All three are the server's own text. */
export function secretAsked(field: { name: string; title: string; description: string }): string | null {
  const name = fold(identifierWords(field.name)).trim();
  const title = fold(field.title).replaceAll(warning, ' ').trim();
  const description = fold(field.description).replaceAll(warning, ' ');
  for (const text of [name, title, description]) {
    const short = alone.get(text.replace(/[\d\s:?*]+$/u, ''));
    const found = namedIn(text) ?? short ?? null;
    if (found?.startsWith('a PIN') && postal(`${name} ${title} ${description}`)) continue;
    if (found !== null) return found;
  }
  const pin = pinIn(name, `${field.title} ${field.description}`) && !postal(`${name} ${title} ${description}`);
  return pin ? 'a PIN or one-time code' : null;
}

/** What secret a form's message asks to be typed, or null: "Enter your password below" over a field named `value`. */
export function secretAskedIn(message: string): string | null {
  const clauses = fold(message)
    .replaceAll(warning, ' ')
    .split(/[;!?]|\. /u);
  const asking = clauses.filter((clause) => asks.test(clause) && !postal(clause));
  return asking.map(namedIn).find((found) => found !== null) ?? null;
}
