/** The three meeting rooms and who has them when; in SQLite, so that bookings survive a restart. */
import type { Asking } from '../sealedQuestions.ts';

export interface Room {
  room: string;
  seats: number;
  floor: number;
}

export const rooms: readonly Room[] = [
  { room: 'aurora', seats: 4, floor: 2 },
  { room: 'basalt', seats: 8, floor: 2 },
  { room: 'cinder', seats: 8, floor: 5 },
];

export interface Booking {
  number: number;
  room: string;
  date: string;
  attendees: number;
}

/** One booking already stands when the company opens. */
export const ROOMS_TABLES = `
  CREATE TABLE IF NOT EXISTS bookings (number INTEGER PRIMARY KEY AUTOINCREMENT, room TEXT NOT NULL, date TEXT NOT NULL, attendees INTEGER NOT NULL, action TEXT NOT NULL UNIQUE, UNIQUE (room, date)) STRICT;
  INSERT OR IGNORE INTO bookings (number, room, date, attendees, action) VALUES (1, 'basalt', '2026-08-03', 6, 'first of all');
`;

export type Bookings = ReturnType<typeof createBookings>;

export function createBookings({ db }: Asking) {
  const taken = db.prepare<[string], { room: string }>('SELECT room FROM bookings WHERE date = ?');
  const find = db.prepare<[string], Booking>('SELECT * FROM bookings WHERE action = ?');
  const add = db.prepare<[string, string, number, string], Booking>(
    'INSERT INTO bookings (room, date, attendees, action) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING *',
  );
  return {
    /** Rooms that are free on the day and have seats enough. */
    fitting(date: string, attendees: number): Room[] {
      const gone = new Set(taken.all(date).map(({ room }) => room));
      return rooms.filter(({ room, seats }) => seats >= attendees && !gone.has(room));
    },
    /** The booking an action made, if it made one. */
    madeBy: (action: string): Booking | undefined => find.get(action),
    /** Undefined when somebody else has the room. */
    book: (room: string, date: string, attendees: number, action: string): Booking | undefined =>
      add.get(room, date, attendees, action),
    /** Nobody else books meanwhile. */
    alone: <T>(work: () => T): T => db.transaction(work).immediate(),
  };
}
