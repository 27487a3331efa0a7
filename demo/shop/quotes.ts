/** Quotes and answered questions, in SQLite so that they survive a restart and are shared by servers on one store. */
import Database from 'better-sqlite3';
import { createHash, randomBytes } from 'node:crypto';

export interface Quote {
  quote_id: string;
  order_id: string;
  customer_id: string;
  sku: string | null;
  reason: string | null;
  amount: string;
  /** Milliseconds since 1970. */
  expires_at: number;
  refund_id: string | null;
  /** When someone began to make the refund, and the refunds the order had then. */
  claimed_at: number | null;
  refunds_before: string | null;
}

type NewQuote = Omit<Quote, 'quote_id' | 'refund_id' | 'claimed_at' | 'refunds_before'>;

export interface Quotes {
  add(quote: NewQuote): string;
  find(quoteId: string): Quote | undefined;
  /** True for the one caller who may now make the refund. `stale` is the claim that went nowhere, to be taken over. */
  claim(quoteId: string, at: number, refundsBefore: readonly string[], stale: number | null): boolean;
  /** Gives the claim back after the shop refused to make the refund. */
  release(quoteId: string): void;
  made(quoteId: string, refundId: string): void;
  /** True when a quote already made this refund. */
  isTaken(refundId: string): boolean;
  /** True the first time only: an answered question cannot be answered again. */
  use(stateId: string): boolean;
  isUsed(stateId: string): boolean;
  unuse(stateId: string): void;
  close(): void;
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS quotes (quote_id TEXT PRIMARY KEY, order_id TEXT NOT NULL, customer_id TEXT NOT NULL, sku TEXT, reason TEXT, amount TEXT NOT NULL, expires_at INTEGER NOT NULL, refund_id TEXT UNIQUE, claimed_at INTEGER, refunds_before TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS used_states (state_id TEXT PRIMARY KEY) STRICT;
`;

/** A number nobody can guess; with a seed (replays and tests only) the one that follows from how many came before. */
function quoteNumber(seed: number | undefined, before: number): string {
  const bytes = seed === undefined ? randomBytes(16) : createHash('sha256').update(`${seed}:${before}`).digest();
  return `Q-${bytes.subarray(0, 16).toString('hex')}`;
}

export function openQuotes(file: string, seed?: number): Quotes {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('busy_timeout = 5000');
  db.exec(TABLES);
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM quotes');
  const insert = db.prepare(
    'INSERT INTO quotes (quote_id, order_id, customer_id, sku, reason, amount, expires_at) VALUES (@quote_id, @order_id, @customer_id, @sku, @reason, @amount, @expires_at)',
  );
  const add = db.transaction((quote: NewQuote) => {
    const quote_id = quoteNumber(seed, count.get()?.n ?? 0);
    insert.run({ quote_id, ...quote });
    return quote_id;
  });
  return {
    add: (quote) => add.immediate(quote),
    find: (quoteId) => db.prepare<[string], Quote>('SELECT * FROM quotes WHERE quote_id = ?').get(quoteId),
    claim: (quoteId, at, refundsBefore, stale) =>
      db
        .prepare(
          'UPDATE quotes SET claimed_at = ?, refunds_before = coalesce(refunds_before, ?) WHERE quote_id = ? AND refund_id IS NULL AND claimed_at IS ?',
        )
        .run(at, JSON.stringify(refundsBefore), quoteId, stale).changes === 1,
    release: (quoteId) => {
      db.prepare(
        'UPDATE quotes SET claimed_at = NULL, refunds_before = NULL WHERE quote_id = ? AND refund_id IS NULL',
      ).run(quoteId);
    },
    made: (quoteId, refundId) => {
      db.prepare('UPDATE quotes SET refund_id = ? WHERE quote_id = ?').run(refundId, quoteId);
    },
    isTaken: (refundId) => db.prepare('SELECT 1 FROM quotes WHERE refund_id = ?').get(refundId) !== undefined,
    use: (stateId) => db.prepare('INSERT OR IGNORE INTO used_states (state_id) VALUES (?)').run(stateId).changes === 1,
    isUsed: (stateId) => db.prepare('SELECT 1 FROM used_states WHERE state_id = ?').get(stateId) !== undefined,
    unuse: (stateId) => {
      db.prepare('DELETE FROM used_states WHERE state_id = ?').run(stateId);
    },
    close: () => {
      db.close();
    },
  };
}
