// Which column of a table holds what, by its name in the languages people export in. What is not sure is asked.
import type { ImportField } from '../../shared/imports.ts';

type Known = Exclude<ImportField, 'other'>;
/** Names without accents and signs, the surest first. */
const names: Record<Known, string> = {
  id: 'id|ticket id|ticketid|ticket number|ticket no|ticket nr|ticketnummer|ticketnr|case id|case number|case no|vorgangsnummer|vorgang|fallnummer|anfragenummer|numero de ticket|no de ticket|numero ticket|id del ticket|id ticket|ticket|reference|ref|referenz|key|issue key|number|nummer|numero|nr|no|#',
  customer:
    'customer email|customer e mail|requester email|contact email|sender email|from email|customer id|customer|email|e mail|mail|email address|e mail adresse|emailadresse|adresse e mail|adresse email|correo|correo electronico|kundennummer|kunden e mail|kunde|client|cliente|klant|requester|sender|absender|von|from|de|contact|kontakt',
  customer_name:
    'customer name|requester name|contact name|sender name|from name|full name|fullname|display name|name|kundenname|name des kunden|vollstandiger name|absendername|nom du client|nom complet|nom|nombre del cliente|nombre completo|nombre|nome do cliente|nome cliente|nome completo|nome|klantnaam|naam',
  subject: 'subject|betreff|title|titel|objet|sujet|asunto|titulo|oggetto|onderwerp|assunto|summary|topic|thema',
  body: 'body|message|message body|nachricht|text|description|beschreibung|content|inhalt|anliegen|anfrage|first message|mensaje|descripcion|messaggio|descrizione|corps|contenu|bericht|omschrijving|mensagem|descricao|comment|kommentar|question|frage',
  received_at:
    'received at|received|received on|eingegangen am|eingegangen|eingang|created at|created|created on|creation date|erstellt am|erstellt|date|datum|datum uhrzeit|zeitpunkt|timestamp|date time|datetime|time|zeit|opened at|opened|submitted at|submitted|requested at|recu le|cree le|date de creation|fecha|fecha de creacion|creado|creado el|recibido|data|data di creazione|creato il|ricevuto il|ontvangen|ontvangen op|aangemaakt op|recebido em|criado em',
  channel: 'channel|kanal|canal|canale|kanaal|via|medium|source|quelle|origen|origine',
  priority:
    'priority|ticket priority|prioritat|priorite|prioridad|priorita|prioriteit|prioridade|urgency|dringlichkeit|urgence|urgencia|urgenza|prio',
};
const ranked = new Map<string, { field: Known; rank: number }>();
for (const [field, all] of Object.entries(names))
  // Keys of the record above.
  for (const [rank, name] of all.split('|').entries()) ranked.set(name, { field: field as Known, rank });

/** Where another column holds the address, these say who it is. */
const alsoNames = [
  'requester',
  'customer',
  'contact',
  'sender',
  'absender',
  'kunde',
  'client',
  'cliente',
  'klant',
  'kontakt',
  'from',
  'von',
  'de',
];

export const needed = ['id', 'body', 'received_at'] as const;

/** Columns with names of their own: a second `Note` becomes `Note (2)`, one without a name `Column 3`. */
export function columnNames(header: string[]): string[] {
  const taken = new Map<string, number>();
  return header.map((cell, index) => {
    const name = cell.trim() === '' ? `Column ${index + 1}` : cell.trim();
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

/** The field of each column: what a person said, else what its name says; a field is one column's only. */
export function columnFields(columns: string[], given: Record<string, ImportField>): ImportField[] {
  const said = columns.map((name) => (Object.hasOwn(given, name) ? given[name] : undefined));
  const taken = new Set(said);
  const best = new Map<Known, { index: number; rank: number }>();
  for (const [index, name] of columns.entries()) {
    const found = said[index] === undefined ? ranked.get(plain(name)) : undefined;
    if (found === undefined || taken.has(found.field)) continue;
    if (found.rank < (best.get(found.field)?.rank ?? Infinity)) best.set(found.field, { index, rank: found.rank });
  }
  const fields = said.map((field): ImportField => field ?? 'other');
  for (const [field, { index }] of best) fields[index] = field;
  if (!fields.includes('customer_name') && fields.includes('customer')) {
    const also = columns.findIndex(
      (name, index) => fields[index] === 'other' && said[index] === undefined && alsoNames.includes(plain(name)),
    );
    if (also >= 0) fields[also] = 'customer_name';
  }
  return fields;
}

/** Whether a first row can hold names: nothing in it looks like what a ticket says. */
export function looksLikeNames(cells: string[]): boolean {
  return cells.every((cell) => cell.length <= 80 && !/\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d:\d\d|@\w|\n/.test(cell));
}

/** Without accents and signs, in small letters. */
export function plain(name: string): string {
  const letters = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return letters === '#' ? letters : letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
