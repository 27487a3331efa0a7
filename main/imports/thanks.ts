// Whether a message says thanks and nothing else: it comes into the thread, but opens no ticket that is done again. Every word
// must be one of thanks, of greeting or of the customer's name; in doubt it says more.
const thanks = new Set(
  'thank thanks thx ty tks cheers danke dankeschön dank merci gracias obrigado obrigada grazie bedankt dankjewel tack'.split(
    ' ',
  ),
);
const polite = new Set(
  `you so much very a lot many all again indeed ok okay great perfect wonderful awesome super lovely nice good appreciated for your the
quick fast prompt kind help support reply response answer hi hello hey dear team everyone best kind warm regards wishes sincerely have day
weekend bye i we really it
vielen vielmals für fuer herzlichen besten schönen schön lieben ihre ihnen euch euer die den das eure schnelle prompte hilfe antwort unterstützung
hallo guten tag liebe grüße grüßen grüsse grüssen gruß mit freundlichen freundliche viele mfg lg prima toll alles klar bestens
beaucoup pour votre aide réponse bonjour bien cordialement à vous parfait bonne journée
muchas mil por su tu ayuda respuesta hola saludos un saludo perfecto muito pela sua ajuda mille molte per il tuo suo aiuto hartelijk voor je uw hulp`.split(
    /\s+/,
  ),
);

/** Quoted lines and what a mail program adds below a line of dashes do not count. */
export function onlyThanks(body: string, name: string | null): boolean {
  const own = ownWords(body);
  if (own.length > 300 || own.includes('?')) return false;
  const words = own.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’]*/gu) ?? [];
  const names = new Set((name ?? '').toLowerCase().split(/\s+/));
  return (
    words.some((word) => thanks.has(word)) &&
    words.every((word) => thanks.has(word) || polite.has(word) || names.has(word))
  );
}

const begins =
  /^\s*(?:on\s.{4,160}wrote:|am\s.{4,160}schrieb.*:|le\s.{4,160}a écrit\s*:|-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht)\s*-{2,}|_{10,}|(?:from|von|de)\s*:.*)\s*$/i;
function ownWords(body: string): string {
  const lines = body.split('\n');
  const end = lines.findIndex((line) => begins.test(line) || /^-- ?$/.test(line));
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .filter((line) => !/^\s*>/.test(line) && !/^\[Attachment: /.test(line))
    .join('\n');
}
