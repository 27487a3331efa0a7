// Step 3 of the schema: the queue (one small row a ticket, kept in step by triggers whoever writes), threads, replies and
// their outbox, full-text search. A released step is never edited.

/** The beginning of a text on one line. */
export const line = (text: string, most: number) =>
  `trim(substr(replace(replace(replace(substr(${text}, 1, ${most + 200}), char(13), ' '), char(10), ' '), char(9), ' '), 1, ${most}))`;

const unbackedIn = (claims: string) =>
  `(SELECT count(*) FROM json_each(${claims}) claim WHERE json_extract(claim.value, '$.verdict') NOT IN ('backed', 'reported')
    AND coalesce(json_extract(claim.value, '$.source'), '') <> 'person')`;

/** Draft state, who must act and what is unbacked, of one ticket, from its runs, calls, questions, drafts and reply. */
export const refresh = (ticket: string) => `
UPDATE queue SET
  draft = coalesce(
    (SELECT CASE WHEN EXISTS (SELECT 1 FROM calls WHERE calls.run = last.id AND calls.state IN ('asking', 'asked'))
       THEN 'asks you' ELSE 'working' END
     FROM (SELECT id, state FROM runs WHERE runs.ticket = ${ticket} ORDER BY started_at DESC, rowid DESC LIMIT 1) last
     WHERE last.state IN ('running', 'waiting')),
    (SELECT CASE WHEN outbox.blocked = 1 AND outbox.override_by IS NULL THEN 'blocked' ELSE 'ready' END FROM outbox
     WHERE outbox.ticket = ${ticket} AND outbox.state IN ('draft', 'sending')),
    (SELECT CASE WHEN drafts.blocked = 0 AND runs.state = 'ready' AND queue.state <> 'handed over' THEN 'ready' ELSE 'blocked' END
     FROM drafts JOIN runs ON runs.id = drafts.run
     WHERE drafts.ticket = ${ticket} AND drafts.ticket_version = queue.version ORDER BY drafts.at DESC LIMIT 1),
    'none'),
  unbacked = coalesce(
    (SELECT ${unbackedIn('outbox.claims')} FROM outbox
     WHERE outbox.ticket = ${ticket} AND outbox.state IN ('draft', 'sending')),
    (SELECT ${unbackedIn('drafts.claims')} FROM drafts
     WHERE drafts.ticket = ${ticket} AND drafts.ticket_version = queue.version ORDER BY drafts.at DESC LIMIT 1),
    0)
  WHERE ticket = ${ticket};
UPDATE queue SET waits = CASE draft WHEN 'asks you' THEN coalesce(
    (SELECT role FROM questions JOIN calls ON calls.id = questions.call
     WHERE calls.ticket = ${ticket} AND questions.state = 'open'
     ORDER BY CASE role WHEN 'admin' THEN 2 WHEN 'lead' THEN 1 ELSE 0 END DESC LIMIT 1),
    'staff') END
  WHERE ticket = ${ticket};`;

/** A time as the number searched rows are ordered by: milliseconds, with room for a million rows of the same one. */
const instant = (time: string) => `coalesce(CAST(round(unixepoch(${time}, 'subsec') * 1000) AS INTEGER), 0) * 1048576`;
export const searched = (ticket: string, message: string, time: string) => `
INSERT INTO search_rows (id, ticket, message, status, owner)
  SELECT coalesce((SELECT max(id) + 1 FROM search_rows WHERE id >= first AND id < first + 1048576), first), ${ticket}, ${message},
    queue.status, queue.owner
  FROM queue, (SELECT ${instant(time)} AS first) WHERE queue.ticket = ${ticket};`;
const head = (row: string) => `${row}.id || ' ' || coalesce(${row}.customer, '') || ' ' || ${row}.subject`;
export const firstWords = 160;
export const subjectMost = 200;
const queueOf = (row: string) =>
  `${row}.id, ${row}.customer, ${line(`${row}.subject`, subjectMost)}, ${line(`${row}.body`, firstWords)}, ${row}.received_at,
   ${row}.received_at, ${row}.state, ${row}.version`;

export const queueSchema = `
CREATE TABLE messages (
  "order" INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ticket TEXT NOT NULL REFERENCES tickets (id),
  kind TEXT NOT NULL CHECK (kind IN ('customer', 'reply', 'note')), body TEXT NOT NULL, by TEXT, at TEXT NOT NULL,
  difference TEXT
) STRICT;
CREATE INDEX messages_by_ticket ON messages (ticket, "order");
CREATE TABLE outbox (
  id TEXT PRIMARY KEY, ticket TEXT NOT NULL REFERENCES tickets (id), ticket_version INTEGER NOT NULL, run TEXT REFERENCES runs (id),
  state TEXT NOT NULL CHECK (state IN ('draft', 'sending', 'sent', 'retired')), text TEXT NOT NULL, claims TEXT NOT NULL,
  blocked INTEGER NOT NULL CHECK (blocked IN (0, 1)), edited_by TEXT, edited_at TEXT, override_by TEXT, override_why TEXT,
  override_at TEXT, by TEXT, done INTEGER NOT NULL CHECK (done IN (0, 1)), undo_until TEXT, sent_at TEXT, sent_text TEXT,
  difference TEXT
) STRICT;
CREATE UNIQUE INDEX outbox_live ON outbox (ticket) WHERE state IN ('draft', 'sending');
CREATE INDEX outbox_sending ON outbox (undo_until) WHERE state = 'sending';
CREATE INDEX outbox_by_ticket ON outbox (ticket);

CREATE TABLE queue (
  ticket TEXT PRIMARY KEY REFERENCES tickets (id), customer TEXT, subject TEXT NOT NULL, words TEXT NOT NULL,
  received_at TEXT NOT NULL, since TEXT NOT NULL, state TEXT NOT NULL, version INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'snoozed', 'done')), snoozed_until TEXT,
  draft TEXT NOT NULL DEFAULT 'none', waits TEXT, unbacked INTEGER NOT NULL DEFAULT 0, owner TEXT,
  priority INTEGER NOT NULL DEFAULT 1, edition INTEGER NOT NULL DEFAULT 1, draft_edition INTEGER NOT NULL DEFAULT 0,
  changed_by TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX queue_by_owner ON queue (status, owner, priority, since, ticket, draft, state);
CREATE INDEX queue_by_draft ON queue (status, draft, waits, priority, since, ticket);
CREATE INDEX queue_by_status ON queue (status, since, ticket, draft, state, priority);
CREATE INDEX queue_by_since ON queue (since, ticket, draft, state, priority);
CREATE INDEX queue_by_customer ON queue (customer, since, ticket);
CREATE INDEX queue_snoozed ON queue (snoozed_until) WHERE status = 'snoozed';

CREATE TABLE search_rows (id INTEGER PRIMARY KEY, ticket TEXT NOT NULL, message TEXT, status TEXT NOT NULL, owner TEXT) STRICT;
CREATE INDEX search_rows_by_ticket ON search_rows (ticket, id);
CREATE VIRTUAL TABLE search USING fts5 (
  head, body, content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);

INSERT INTO queue (ticket, customer, subject, words, received_at, since, state, version) SELECT ${queueOf('tickets')} FROM tickets;
${refresh('queue.ticket')}
UPDATE queue SET draft_edition = 1 WHERE ticket IN (SELECT ticket FROM drafts);
INSERT INTO search_rows (id, ticket, message, status, owner)
  SELECT ${instant('received_at')} + row_number() OVER (ORDER BY received_at, id), id, NULL, 'open', NULL FROM tickets;
INSERT INTO search (rowid, head, body)
  SELECT search_rows.id, ${head('tickets')}, tickets.body FROM search_rows JOIN tickets ON tickets.id = search_rows.ticket;

CREATE TRIGGER tickets_come AFTER INSERT ON tickets BEGIN
  INSERT INTO queue (ticket, customer, subject, words, received_at, since, state, version) VALUES (${queueOf('new')});
  ${searched('new.id', 'NULL', 'new.received_at')}
  INSERT INTO search (rowid, head, body)
    SELECT id, ${head('new')}, new.body FROM search_rows WHERE ticket = new.id AND message IS NULL;
END;
CREATE TRIGGER tickets_go_on AFTER UPDATE OF state ON tickets WHEN old.state <> new.state BEGIN
  UPDATE queue SET state = new.state WHERE ticket = new.id;
  ${refresh('new.id')}
END;
CREATE TRIGGER tickets_change AFTER UPDATE OF version ON tickets WHEN old.version <> new.version BEGIN
  UPDATE queue SET version = new.version, edition = edition + 1, draft_edition = draft_edition + 1, changed_by = NULL
    WHERE ticket = new.id;
  UPDATE outbox SET state = 'retired' WHERE ticket = new.id AND state IN ('draft', 'sending') AND ticket_version < new.version;
  ${refresh('new.id')}
END;
CREATE TRIGGER tickets_speak AFTER UPDATE OF customer, subject, body, received_at ON tickets
WHEN old.customer IS NOT new.customer OR old.subject <> new.subject OR old.body <> new.body OR old.received_at <> new.received_at
BEGIN
  UPDATE queue SET customer = new.customer, subject = ${line('new.subject', subjectMost)}, received_at = new.received_at
    WHERE ticket = new.id;
  UPDATE queue SET words = ${line('new.body', firstWords)}, since = new.received_at
    WHERE ticket = new.id AND NOT EXISTS (SELECT 1 FROM messages WHERE messages.ticket = new.id AND kind = 'customer');
  UPDATE queue SET status = 'open', snoozed_until = NULL
    WHERE ticket = new.id AND (old.subject <> new.subject OR old.body <> new.body);
  DELETE FROM search WHERE rowid IN (SELECT id FROM search_rows WHERE ticket = new.id AND message IS NULL);
  DELETE FROM search_rows WHERE ticket = new.id AND message IS NULL;
  ${searched('new.id', 'NULL', 'new.received_at')}
  INSERT INTO search (rowid, head, body)
    SELECT id, ${head('new')}, new.body FROM search_rows WHERE ticket = new.id AND message IS NULL;
END;
CREATE TRIGGER messages_come AFTER INSERT ON messages BEGIN
  UPDATE queue SET since = new.at, words = ${line('new.body', firstWords)}, status = 'open', snoozed_until = NULL
    WHERE ticket = new.ticket AND new.kind = 'customer';
  ${searched('new.ticket', 'new.id', 'new.at')}
  INSERT INTO search (rowid, head, body)
    SELECT search_rows.id, '', new.body FROM search_rows WHERE search_rows.message = new.id AND search_rows.ticket = new.ticket;
END;
CREATE TRIGGER queue_change AFTER UPDATE OF status, owner ON queue WHEN old.status <> new.status OR old.owner IS NOT new.owner BEGIN
  UPDATE search_rows SET status = new.status, owner = new.owner WHERE ticket = new.ticket;
END;
CREATE TRIGGER runs_come AFTER INSERT ON runs BEGIN ${refresh('new.ticket')} END;
CREATE TRIGGER runs_change AFTER UPDATE OF state ON runs BEGIN ${refresh('new.ticket')} END;
CREATE TRIGGER calls_come AFTER INSERT ON calls WHEN new.run <> '' BEGIN ${refresh('new.ticket')} END;
CREATE TRIGGER calls_change AFTER UPDATE OF state ON calls WHEN new.run <> '' BEGIN ${refresh('new.ticket')} END;
CREATE TRIGGER questions_come AFTER INSERT ON questions BEGIN
  ${refresh('(SELECT ticket FROM calls WHERE id = new.call)')}
END;
CREATE TRIGGER questions_change AFTER UPDATE OF state ON questions BEGIN
  ${refresh('(SELECT ticket FROM calls WHERE id = new.call)')}
END;
CREATE TRIGGER drafts_come AFTER INSERT ON drafts BEGIN
  UPDATE queue SET draft_edition = draft_edition + 1 WHERE ticket = new.ticket;
  UPDATE outbox SET state = 'retired' WHERE ticket = new.ticket AND state = 'draft';
  ${refresh('new.ticket')}
END;
CREATE TRIGGER drafts_change AFTER UPDATE OF text, claims, blocked ON drafts BEGIN
  UPDATE queue SET draft_edition = draft_edition + 1 WHERE ticket = new.ticket;
  UPDATE outbox SET state = 'retired' WHERE ticket = new.ticket AND state = 'draft';
  ${refresh('new.ticket')}
END;
CREATE TRIGGER outbox_come AFTER INSERT ON outbox BEGIN ${refresh('new.ticket')} END;
CREATE TRIGGER outbox_change AFTER UPDATE OF state, blocked, override_by, claims ON outbox BEGIN ${refresh('new.ticket')} END;
`;
