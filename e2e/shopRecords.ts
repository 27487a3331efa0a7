// What the sample company's own database says, read beside every program of the desk: the witness of the end-to-end tests.
import Database from 'better-sqlite3';
import path from 'node:path';

/** How the refunds of an order stand that were made since the seed state. `data` is the desk's folder. */
export function refundsSince(data: string, order: string): string[] {
  const database = new Database(path.join(data, 'profile', 'shop.db'), { readonly: true });
  try {
    const rows = database
      .prepare('select status from refunds where number > 110 and order_id = ? order by number')
      .all(order) as { status: string }[]; // the column named in the query
    return rows.map(({ status }) => status);
  } finally {
    database.close();
  }
}
