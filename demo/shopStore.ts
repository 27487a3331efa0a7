/** The shop's records in one SQLite file: filled from data.json on the first start, kept ever after. */
import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';

export interface ShopStore {
  ticket(id: string): Record<string, unknown> | undefined;
  /** Newest first; `total` counts all that match. */
  orders(filter: { customer_id?: string; status?: string; limit: number }): { orders: OrderRecord[]; total: number };
  order(id: string): OrderRecord | undefined;
  product(sku: string): ProductRecord | undefined;
  products(): ProductRecord[];
  stock(sku: string): StockRecord[];
  /** Counts the shelves: a negative figure was never real. */
  recount(sku: string, day: string): StockRecord[];
  setOnHand(sku: string, warehouse: string, onHand: number, day: string): StockRecord[];
  refund(id: string): RefundRecord | undefined;
  refundsOf(orderId: string): RefundRecord[];
  addRefund(refund: Omit<RefundRecord, 'refund_id'>): RefundRecord;
  /** Only a held refund moves; otherwise undefined. */
  moveHeld(id: string, status: string): RefundRecord | undefined;
  /** Only a requested refund is paid; otherwise undefined. */
  markPaid(id: string): RefundRecord | undefined;
  close(): void;
}
interface OrderRecord {
  order_id: string;
  customer_id: string;
  status: string;
  placed_on: string;
  shipped_on: string | null;
  delivered_on: string | null;
  returned_on: string | null;
  lines: { sku: string; name: string; quantity: number; unit_price: string }[];
  shipping: string;
  total: string;
}
interface ProductRecord {
  sku: string;
  name: string;
  price: string;
}
interface StockRecord {
  warehouse: string;
  on_hand: number;
  last_counted: string;
}
interface RefundRecord {
  refund_id: string;
  order_id: string;
  amount: string;
  reason: string | null;
  status: string;
  created_at: string;
}

const TABLES = `
  CREATE TABLE customers (customer_id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL, payment TEXT NOT NULL) STRICT;
  CREATE TABLE products (sku TEXT PRIMARY KEY, name TEXT NOT NULL, price_cents INTEGER NOT NULL) STRICT;
  CREATE TABLE stock (sku TEXT NOT NULL, warehouse TEXT NOT NULL, on_hand INTEGER NOT NULL, last_counted TEXT NOT NULL, PRIMARY KEY (sku, warehouse)) STRICT;
  CREATE TABLE orders (order_id TEXT PRIMARY KEY, customer_id TEXT NOT NULL, status TEXT NOT NULL, placed_on TEXT NOT NULL, shipped_on TEXT, delivered_on TEXT, returned_on TEXT, shipping_cents INTEGER NOT NULL, total_cents INTEGER NOT NULL) STRICT;
  CREATE INDEX orders_of ON orders (customer_id, placed_on);
  CREATE TABLE order_lines (order_id TEXT NOT NULL, sku TEXT NOT NULL, quantity INTEGER NOT NULL, unit_price_cents INTEGER NOT NULL, PRIMARY KEY (order_id, sku)) STRICT;
  CREATE TABLE refunds (number INTEGER PRIMARY KEY AUTOINCREMENT, order_id TEXT NOT NULL, amount_cents INTEGER NOT NULL, reason TEXT, status TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;
  CREATE INDEX refunds_of ON refunds (order_id);
  CREATE TABLE tickets (ticket_id TEXT PRIMARY KEY, customer_id TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, received_at TEXT NOT NULL, channel TEXT NOT NULL) STRICT;
`;

function money(cents: number): string {
  return `${String(Math.trunc(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
}

export function cents(amount: string): number {
  const [whole = '', part = ''] = amount.split('.');
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

type Row = Record<string, string | number | null>;

function fill(db: Database.Database): void {
  // Our own generated file: its shape is what generate.ts writes, and a test compares the two.
  const data = JSON.parse(readFileSync(new URL('data.json', import.meta.url), 'utf8')) as Record<string, Row[]>;
  db.exec(TABLES);
  const insert = (table: string, row: Row): void => {
    const columns = Object.keys(row);
    const statement = `INSERT INTO ${table} (${columns.join(',')}) VALUES (${columns.map(() => '?').join(',')})`;
    db.prepare(statement).run(Object.values(row));
  };
  for (const table of ['customers', 'products', 'stock', 'tickets']) {
    for (const row of data[table] ?? []) insert(table, row);
  }
  for (const { lines, ...order } of data.orders ?? []) {
    insert('orders', order);
    // Lines are the one nested field of the file.
    for (const line of lines as unknown as Row[]) insert('order_lines', { order_id: order.order_id ?? null, ...line });
  }
  for (const { created_on = '', order_id = '', amount_cents = 0, reason = '', status = '' } of data.refunds ?? []) {
    insert('refunds', { order_id, amount_cents, reason, status, created_at: `${String(created_on)}T12:00:00Z` });
  }
}

function openDatabase(file: string): Database.Database {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  if (db.pragma('user_version', { simple: true }) === 0) {
    db.transaction(() => {
      fill(db);
      db.pragma('user_version = 1');
    }).immediate();
  }
  return db;
}

type OrderRow = Omit<OrderRecord, 'lines' | 'shipping' | 'total'> & { shipping_cents: number; total_cents: number };
type RefundRow = Omit<RefundRecord, 'refund_id' | 'amount'> & { number: number; amount_cents: number };

function toRefund({ number, amount_cents, ...row }: RefundRow): RefundRecord {
  return { refund_id: `R-${String(number).padStart(4, '0')}`, ...row, amount: money(amount_cents) };
}

/** Opens the shop's database, creating and filling it when the file is new. Close it when done. */
export function openShopStore(file: string): ShopStore {
  const db = openDatabase(file);
  const numberOf = (id: string): number => Number(id.slice(2));
  const linesOf = db.prepare<[string], { sku: string; name: string; quantity: number; cents: number }>(
    'SELECT l.sku, p.name, l.quantity, l.unit_price_cents AS cents FROM order_lines l JOIN products p USING (sku) WHERE order_id = ? ORDER BY l.sku',
  );
  function toOrder({ shipping_cents, total_cents, ...row }: OrderRow): OrderRecord {
    const lines = linesOf.all(row.order_id).map(({ cents: unit, ...line }) => ({ ...line, unit_price: money(unit) }));
    return { ...row, lines, shipping: money(shipping_cents), total: money(total_cents) };
  }
  const stock = (sku: string): StockRecord[] =>
    db
      .prepare<[string], StockRecord>(
        'SELECT warehouse, on_hand, last_counted FROM stock WHERE sku = ? ORDER BY warehouse',
      )
      .all(sku);
  const refund = (number: number): RefundRecord | undefined => {
    const row = db.prepare<[number], RefundRow>('SELECT * FROM refunds WHERE number = ?').get(number);
    return row && toRefund(row);
  };
  const products = (): ProductRecord[] =>
    db
      .prepare<[], { sku: string; name: string; price_cents: number }>('SELECT * FROM products ORDER BY sku')
      .all()
      .map(({ price_cents, ...row }) => ({ ...row, price: money(price_cents) }));
  return {
    ticket: (id) =>
      db
        .prepare<[string], Record<string, unknown>>(
          'SELECT ticket_id, customer_id, subject, body, received_at FROM tickets WHERE ticket_id = ?',
        )
        .get(id),
    orders: ({ customer_id, status, limit }) => {
      const where =
        'FROM orders WHERE (@customer IS NULL OR customer_id = @customer) AND (@status IS NULL OR status = @status)';
      const values = { customer: customer_id ?? null, status: status ?? null };
      const rows = db
        .prepare<[typeof values & { limit: number }], OrderRow>(
          `SELECT * ${where} ORDER BY placed_on DESC, order_id DESC LIMIT @limit`,
        )
        .all({ ...values, limit });
      const total = db.prepare<[typeof values], { n: number }>(`SELECT count(*) AS n ${where}`).get(values)?.n ?? 0;
      return { orders: rows.map(toOrder), total };
    },
    order: (id) => {
      const row = db.prepare<[string], OrderRow>('SELECT * FROM orders WHERE order_id = ?').get(id);
      return row && toOrder(row);
    },
    product: (sku) => products().find((product) => product.sku === sku),
    products,
    stock,
    recount: (sku, day) => {
      db.prepare('UPDATE stock SET on_hand = max(0, on_hand), last_counted = ? WHERE sku = ?').run(day, sku);
      return stock(sku);
    },
    setOnHand: (sku, warehouse, onHand, day) => {
      db.prepare('UPDATE stock SET on_hand = ?, last_counted = ? WHERE sku = ? AND warehouse = ?').run(
        onHand,
        day,
        sku,
        warehouse,
      );
      return stock(sku);
    },
    refund: (id) => refund(numberOf(id)),
    refundsOf: (orderId) =>
      db
        .prepare<[string], RefundRow>('SELECT * FROM refunds WHERE order_id = ? ORDER BY number')
        .all(orderId)
        .map(toRefund),
    addRefund: (added) => {
      const { lastInsertRowid } = db
        .prepare('INSERT INTO refunds (order_id, amount_cents, reason, status, created_at) VALUES (?, ?, ?, ?, ?)')
        .run(added.order_id, cents(added.amount), added.reason, added.status, added.created_at);
      return { refund_id: `R-${String(lastInsertRowid).padStart(4, '0')}`, ...added };
    },
    moveHeld: (id, status) => {
      const moved = db
        .prepare("UPDATE refunds SET status = ? WHERE number = ? AND status = 'needs_confirmation'")
        .run(status, numberOf(id));
      return moved.changes === 1 ? refund(numberOf(id)) : undefined;
    },
    markPaid: (id) => {
      const paid = db
        .prepare("UPDATE refunds SET status = 'paid' WHERE number = ? AND status = 'requested'")
        .run(numberOf(id));
      return paid.changes === 1 ? refund(numberOf(id)) : undefined;
    },
    close: () => {
      db.close();
    },
  };
}
