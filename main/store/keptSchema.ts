// Step 8 of the schema: a reply that a person wrote, changed, let out or took back stands whatever the model drafts meanwhile;
// the draft is stored and changes nothing that is seen until the reply is discarded. A released step is never edited.
import { refresh } from './queueSchema.ts';

const come = `
  UPDATE queue SET draft_edition = draft_edition + 1
    WHERE ticket = new.ticket
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.ticket = new.ticket AND outbox.state IN ('draft', 'sending'));
  ${refresh('new.ticket')}`;

export const keptSchema = `
DROP TRIGGER drafts_come;
CREATE TRIGGER drafts_come AFTER INSERT ON drafts BEGIN ${come} END;
DROP TRIGGER drafts_change;
CREATE TRIGGER drafts_change AFTER UPDATE OF text, claims, blocked ON drafts BEGIN ${come} END;
CREATE TRIGGER outbox_go AFTER DELETE ON outbox BEGIN ${refresh('old.ticket')} END;
`;
