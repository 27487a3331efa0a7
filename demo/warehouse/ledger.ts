/** The warehouse's own record of its slow work: when each piece began, how far it got, and when and why it stopped. */
import type Database from 'better-sqlite3';

export const LEDGER_TABLES = `
  CREATE TABLE IF NOT EXISTS ledger (entry INTEGER PRIMARY KEY AUTOINCREMENT, work TEXT NOT NULL, began_at TEXT NOT NULL, products INTEGER NOT NULL DEFAULT 0, ended_at TEXT, ended TEXT) STRICT;
  CREATE TABLE IF NOT EXISTS supplier_order (sku TEXT PRIMARY KEY, quantity INTEGER NOT NULL, added_at TEXT NOT NULL) STRICT;
`;
const SHOWN = 100;

interface Entry {
  entry: number;
  work: string;
  began_at: string;
  products: number;
  ended_at: string | null;
  ended: 'finished' | 'cancelled' | 'failed' | 'interrupted' | null;
}

export interface LedgerEntry {
  counted(products: number): void;
  end(how: NonNullable<Entry['ended']>): void;
}

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(db: Database.Database, now: () => Date) {
  const add = db.prepare('INSERT INTO ledger (work, began_at) VALUES (?, ?)');
  const count = db.prepare('UPDATE ledger SET products = ? WHERE entry = ?');
  const end = db.prepare('UPDATE ledger SET ended_at = ?, ended = ? WHERE entry = ?');
  const newest = db.prepare<[number], Entry>('SELECT * FROM ledger ORDER BY entry DESC LIMIT ?');
  return {
    begin: (work: string): LedgerEntry => {
      const { lastInsertRowid: entry } = add.run(work, now().toISOString());
      return {
        counted: (products) => count.run(products, entry),
        end: (how) => end.run(now().toISOString(), how, entry),
      };
    },
    /** Newest first. */
    entries: (): Entry[] => newest.all(SHOWN),
  };
}
