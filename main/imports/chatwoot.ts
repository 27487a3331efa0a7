// Conversations as Chatwoot exports them. Activities and surveys are the system's own words: no messages, kept in the record.
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { priorities } from '../../shared/queue.ts';
import { utc } from '../ticketRecord.ts';
import { htmlText } from './htmlText.ts';
import { idOf, longestBody, nameIn, textIn, type Read, type ReadMessage } from './record.ts';

const kinds: Record<string, 'customer' | 'reply'> = {
  0: 'customer',
  incoming: 'customer',
  1: 'reply',
  outgoing: 'reply',
};

export function isChatwoot(value: JsonObject): boolean {
  return 'inbox_id' in value || ('messages' in value && 'account_id' in value) || channelOf(value) !== null;
}

export function readChatwoot(value: Json): Read {
  if (!isObject(value)) return { ok: false, why: 'it is no JSON object' };
  const id = idOf(value['id']);
  if (id === null) return { ok: false, why: 'it has no id' };
  const all = Array.isArray(value['messages']) ? value['messages'].filter(isObject) : [];
  const messages = all.flatMap(messageOf).sort((a, b) => (a.at === b.at ? byId(a.id, b.id) : a.at < b.at ? -1 : 1));
  const first = messages.findIndex(({ kind }) => kind !== 'note');
  const opening = messages[first];
  if (opening === undefined) return { ok: false, id, why: 'it has no message' };
  return {
    ok: true,
    ticket: {
      source_id: `chatwoot/${id}`,
      id,
      customer: customerOf(value, all),
      customer_name: nameOf(value, all),
      machine: false,
      subject: subjectOf(value, all).slice(0, 2_000),
      body: opening.body,
      received_at: utc(value['created_at']) ?? opening.at,
      channel: channelOf(value),
      messages: messages.toSpliced(first, 1),
      done: value['status'] === 'resolved',
      priority:
        priorities.find((one) => one === (value['priority'] === 'medium' ? 'normal' : value['priority'])) ?? 'normal',
      updated_at: utc(value['updated_at']) ?? null,
    },
  };
}

function messageOf(message: JsonObject): ReadMessage[] {
  const type = message['message_type'];
  const kind = typeof type === 'string' || typeof type === 'number' ? kinds[type] : undefined;
  const id = idOf(message['id']);
  const at = utc(message['created_at']);
  if (kind === undefined || id === null || at === undefined) return [];
  const body = wordsOf(message).slice(0, longestBody);
  if (body === '') return [];
  return [{ id, kind: message['private'] === true ? 'note' : kind, body, at }];
}

function wordsOf(message: JsonObject): string {
  const mail = mailOf(message);
  const texts = mail?.['text_content'];
  const html = mail?.['html_content'];
  const words =
    textIn(message['content']).trim() ||
    (isObject(texts) ? textIn(texts['reply']).trim() || textIn(texts['full']).trim() : '') ||
    (isObject(html) ? htmlText(textIn(html['reply']) || textIn(html['full'])) : '');
  return [words, ...attachments(message['attachments'])].filter((one) => one !== '').join('\n');
}
/** Files are named, never fetched. */
function attachments(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isObject).map((one) => {
    const name = textIn(one['data_url']).split(/[?#]/)[0]?.split('/').at(-1) ?? '';
    return `[Attachment: ${name || textIn(one['file_type']) || 'a file'}]`;
  });
}

function mailOf({ content_attributes: attributes }: JsonObject): JsonObject | null {
  const mail = isObject(attributes) ? attributes['email'] : undefined;
  return isObject(mail) ? mail : null;
}
function subjectOf({ additional_attributes: attributes }: JsonObject, messages: JsonObject[]): string {
  const own = isObject(attributes) ? textIn(attributes['mail_subject']) : '';
  return own || (messages.map((one) => textIn(mailOf(one)?.['subject'])).find((one) => one !== '') ?? '');
}
function customerOf(conversation: JsonObject, messages: JsonObject[]): string | null {
  const meta = conversation['meta'];
  const sender = isObject(meta) && isObject(meta['sender']) ? meta['sender'] : {};
  const from = messages.map((one) => mailOf(one)?.['from']).find((one) => Array.isArray(one));
  const address =
    textIn(sender['email']) || textIn(Array.isArray(from) ? from[0] : '') || textIn(sender['phone_number']);
  return address.slice(0, 320) || null;
}
/** Of the contact; a conversation without one may carry its sender in the messages. */
function nameOf({ meta }: JsonObject, messages: JsonObject[]): string | null {
  const contact = isObject(meta) && isObject(meta['sender']) ? nameIn(meta['sender']['name']) : null;
  if (contact !== null) return contact;
  const first = messages.find(({ message_type: type }) =>
    typeof type === 'number' || typeof type === 'string' ? kinds[type] === 'customer' : false,
  );
  const sender = first?.['sender'];
  return isObject(sender) ? nameIn(sender['name']) : null;
}
function channelOf({ meta }: JsonObject): string | null {
  const channel = isObject(meta) ? textIn(meta['channel']) : '';
  return channel.startsWith('Channel::') ? channel.slice('Channel::'.length).toLowerCase().slice(0, 64) : null;
}
/** Numbers by their size, other IDs by their letters. */
function byId(a: string, b: string): number {
  return a.length === b.length || !/^\d+$/.test(a + b) ? (a < b ? -1 : 1) : a.length - b.length;
}
