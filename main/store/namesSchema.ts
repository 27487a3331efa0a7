// Step 5 of the schema: what customers are called, in the row and in the search; mail of machines, which never gets a draft;
// what money a call moves; mails as they came. A released step is never edited.
import { firstWords, line, searched, subjectMost } from './queueSchema.ts';

const head = (row: string) =>
  `${row}.id || ' ' || coalesce(${row}.customer, '') || ' ' || coalesce(${row}.customer_name, '') || ' ' || ${row}.subject`;
const indexed = `
  ${searched('new.id', 'NULL', 'new.received_at')}
  INSERT INTO search (rowid, head, body)
    SELECT id, ${head('new')}, new.body FROM search_rows WHERE ticket = new.id AND message IS NULL;`;

export const namesSchema = `
ALTER TABLE tickets ADD COLUMN customer_name TEXT;
ALTER TABLE tickets ADD COLUMN machine INTEGER NOT NULL DEFAULT 0 CHECK (machine IN (0, 1));
ALTER TABLE queue ADD COLUMN customer_name TEXT;
ALTER TABLE queue ADD COLUMN machine INTEGER NOT NULL DEFAULT 0 CHECK (machine IN (0, 1));
CREATE INDEX queue_by_name ON queue (customer_name, since, ticket) WHERE customer_name IS NOT NULL;
ALTER TABLE calls ADD COLUMN money TEXT;
CREATE TABLE mails (
  id TEXT PRIMARY KEY, ticket TEXT NOT NULL REFERENCES tickets (id), original BLOB NOT NULL, at TEXT NOT NULL
) STRICT;
CREATE INDEX mails_by_ticket ON mails (ticket);

DROP TRIGGER tickets_come;
CREATE TRIGGER tickets_come AFTER INSERT ON tickets BEGIN
  INSERT INTO queue (ticket, customer, customer_name, machine, subject, words, received_at, since, state, version)
    VALUES (new.id, new.customer, new.customer_name, new.machine, ${line('new.subject', subjectMost)},
      ${line('new.body', firstWords)}, new.received_at, new.received_at, new.state, new.version);
  ${indexed}
END;
DROP TRIGGER tickets_speak;
CREATE TRIGGER tickets_speak AFTER UPDATE OF customer, customer_name, machine, subject, body, received_at ON tickets
WHEN old.customer IS NOT new.customer OR old.customer_name IS NOT new.customer_name OR old.machine <> new.machine
  OR old.subject <> new.subject OR old.body <> new.body OR old.received_at <> new.received_at
BEGIN
  UPDATE queue SET customer = new.customer, customer_name = new.customer_name, machine = new.machine,
    subject = ${line('new.subject', subjectMost)}, received_at = new.received_at WHERE ticket = new.id;
  UPDATE queue SET words = ${line('new.body', firstWords)}, since = new.received_at
    WHERE ticket = new.id AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.ticket = new.id AND kind = 'customer');
  UPDATE queue SET status = 'open', snoozed_until = NULL
    WHERE ticket = new.id AND (old.subject <> new.subject OR old.body <> new.body);
  DELETE FROM search WHERE rowid IN (SELECT id FROM search_rows WHERE ticket = new.id AND message IS NULL);
  DELETE FROM search_rows WHERE ticket = new.id AND message IS NULL;
  ${indexed}
END;
`;
