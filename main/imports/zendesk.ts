// Tickets as Zendesk exports them: incremental export with its users, or one ticket a line. Comments become the thread,
// private ones notes; what the system wrote is no message and stays in the original record.
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { priorities } from '../../shared/queue.ts';
import { utc } from '../ticketRecord.ts';
import { htmlText } from './htmlText.ts';
import { idOf, longestBody, nameIn, textIn, type Read, type ReadMessage, type Users } from './record.ts';

const system = '-1';

export function isZendesk(value: JsonObject): boolean {
  return 'created_at' in value && ('requester_id' in value || 'submitter_id' in value || 'raw_subject' in value);
}

export function readZendesk(value: Json, users: Users): Read {
  if (!isObject(value)) return { ok: false, why: 'it is no JSON object' };
  const id = idOf(value['id']);
  if (id === null) return { ok: false, why: 'it has no id' };
  if (value['status'] === 'deleted') return { ok: false, id, why: 'it was deleted at the source' };
  const received = utc(value['created_at']);
  if (received === undefined) return { ok: false, id, why: 'created_at is no time this desk can read' };
  const requester = idOf(value['requester_id']);
  const { messages, wordless } = threadOf(value, requester, users, received);
  const description = textIn(value['description']).trim();
  const [first] = messages;
  // The description repeats the first comment.
  const opening = first !== undefined && first.kind !== 'note' ? first : undefined;
  const body = opening?.body ?? description;
  if (body === '') return { ok: false, id, why: wordless ? 'none of its messages has words' : 'it has no message' };
  return {
    ok: true,
    ticket: {
      source_id: `zendesk/${id}`,
      id,
      customer: customerOf(value, requester, users),
      customer_name: nameOf(value, requester, users),
      machine: false,
      subject: (textIn(value['raw_subject']) || textIn(value['subject'])).slice(0, 2_000),
      body,
      received_at: received,
      channel: channelOf(value),
      messages: opening === undefined ? messages : messages.slice(1),
      done: value['status'] === 'solved' || value['status'] === 'closed',
      priority: priorities.find((one) => one === value['priority']) ?? 'normal',
      updated_at: utc(value['updated_at']) ?? null,
    },
  };
}

function threadOf(
  ticket: JsonObject,
  requester: string | null,
  users: Users,
  received: string,
): { messages: ReadMessage[]; wordless: boolean } {
  const comments = Array.isArray(ticket['comments']) ? ticket['comments'].filter(isObject) : [];
  const messages = comments.flatMap((comment, index): ReadMessage[] => {
    const author = idOf(comment['author_id']);
    const via = comment['via'];
    if (author === system || (isObject(via) && via['channel'] === 'system')) return [];
    const body = wordsOf(comment).slice(0, longestBody);
    if (body === '') return [];
    const at = utc(comment['created_at']) ?? received;
    return [
      { id: idOf(comment['id']) ?? String(index + 1), kind: kindOf(comment, author, requester, users), body, at },
    ];
  });
  return { messages, wordless: comments.length > 0 };
}

function kindOf(
  comment: JsonObject,
  author: string | null,
  requester: string | null,
  users: Users,
): ReadMessage['kind'] {
  if (comment['public'] === false) return 'note';
  const role = author === null ? undefined : users.get(author)?.['role'];
  return author === requester || role === 'end-user' ? 'customer' : 'reply';
}

function wordsOf(comment: JsonObject): string {
  const plain = textIn(comment['plain_body']).trim() || textIn(comment['body']).trim();
  const words = plain || htmlText(textIn(comment['html_body']));
  return [words, ...attachments(comment['attachments'])].filter((one) => one !== '').join('\n');
}
/** Files are named, never fetched. */
function attachments(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    const name = isObject(one) ? textIn(one['file_name']) : '';
    return name === '' ? [] : [`[Attachment: ${name}]`];
  });
}

function customerOf(ticket: JsonObject, requester: string | null, users: Users): string | null {
  const user = (requester === null ? undefined : users.get(requester)) ?? ticket['requester'];
  const address = isObject(user) ? textIn(user['email']) || textIn(user['phone']) : '';
  return (address || sender(ticket['via'])).slice(0, 320) || null;
}
/** Of the requester, from the users beside the tickets, in the ticket itself, or as the mail said it. */
function nameOf(ticket: JsonObject, requester: string | null, users: Users): string | null {
  const user = (requester === null ? undefined : users.get(requester)) ?? ticket['requester'];
  const name = isObject(user) ? nameIn(user['name']) : null;
  return name ?? nameIn(from(ticket['via'])?.['name']);
}
function sender(via: Json | undefined): string {
  return textIn(from(via)?.['address']);
}
function from(via: Json | undefined): JsonObject | null {
  const source = isObject(via) ? via['source'] : undefined;
  const said = isObject(source) ? source['from'] : undefined;
  return isObject(said) ? said : null;
}
function channelOf({ via }: JsonObject): string | null {
  return (isObject(via) ? textIn(via['channel']) : '').slice(0, 64) || null;
}
