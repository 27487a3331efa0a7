/** Looking for a room and booking one: a person chooses where more than one fits, and never gets another than chosen. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createQuestion, newAction, type Asking, type Said, type Settled, type State } from '../sealedQuestions.ts';
import { answer, lookUp, ToolError } from '../shop/tool.ts';
import { offerTool, type Call, type OfferedTool } from '../toolServer.ts';
import { rooms, type Booking, type Bookings, type Room } from './bookings.ts';

/** A host that may send the same booking twice names it here; then both are one booking. */
const IDEMPOTENCY_KEY = 'example.fernhill/idempotency';

const input = z.object({
  date: z.iso.date('must be a date like 2031-02-28').describe('The day, like 2031-02-28.'),
  attendees: z.int('must be a whole number').min(1, 'must be at least 1').describe('How many people come.'),
});
type Args = z.output<typeof input>;

const names = rooms.map(({ room }) => room);
const content = z.object({ room: z.enum(names, `must be one of ${names.join(', ')}`) });
type Content = z.output<typeof content>;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export function checkAvailability(bookings: Bookings): OfferedTool {
  return offerTool({
    name: 'check_availability',
    title: 'Check room availability',
    description:
      'Lists the meeting rooms that are free on a day and have seats enough; nothing is booked. Use it when someone asks whether there is room for a meeting. When they want the room, use book_room instead.',
    input,
    output: z.object({
      date: z.string(),
      attendees: z.int(),
      rooms: z.array(z.object({ room: z.string(), seats: z.int(), floor: z.int() })),
    }),
    annotations: lookUp,
    run: ({ date, attendees }) => answer({ date, attendees, rooms: bookings.fitting(date, attendees) }),
  });
}

function booked(booking: Booking): CallToolResult {
  const { number, room, date, attendees } = booking;
  const floor = rooms.find((one) => one.room === room)?.floor ?? null;
  const booking_id = `B-${String(number).padStart(4, '0')}`;
  return answer({ date, attendees, status: 'booked', booking_id, room, floor });
}

function notBooked({ date, attendees }: Args, text: string): CallToolResult {
  return answer({ date, attendees, status: 'not_booked', booking_id: null, room: null, floor: null }, text);
}

/** The rooms that fit, at least one. */
function someFitting(bookings: Bookings, { date, attendees }: Args): Room[] {
  const fitting = bookings.fitting(date, attendees);
  if (fitting.length > 0) return fitting;
  const most = Math.max(...rooms.map(({ seats }) => seats));
  throw new ToolError(
    attendees > most
      ? `No room seats ${attendees} people; the largest seat ${most}. Send at most ${most} attendees.`
      : `No room with ${attendees} seats is free on ${date}. Look for another day with check_availability.`,
  );
}

function form(bookings: Bookings, args: Args, why: string | undefined) {
  const choices = someFitting(bookings, args).map(({ room, seats, floor }) => ({
    const: room,
    title: `${capital(room)}, ${seats} seats, floor ${floor}`,
  }));
  return {
    message: `${why ? `${why} ` : ''}Which room on ${args.date} for ${args.attendees}?`,
    requestedSchema: {
      type: 'object' as const,
      properties: { room: { type: 'string' as const, title: 'Room', oneOf: choices } },
      required: ['room'],
    },
  };
}

function idempotencyKey(meta: Record<string, unknown>): string | undefined {
  const key = z.string().min(1).max(128).optional().safeParse(meta[IDEMPOTENCY_KEY]);
  if (key.success) return key.data === undefined ? undefined : `named ${key.data}`;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `_meta["${IDEMPOTENCY_KEY}"] must be a text of 1 to 128 characters.`,
  );
}

/** What the action already booked; the same key for another booking is a fault of the host, not of the model. */
function madeBefore(bookings: Bookings, { date, attendees }: Args, action: string): CallToolResult | undefined {
  const booking = bookings.madeBy(action);
  if (!booking) return undefined;
  if (booking.date === date && booking.attendees === attendees) return booked(booking);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `_meta["${IDEMPOTENCY_KEY}"] already named another booking. Send a new key for a new booking.`,
  );
}

const output = z.object({
  date: z.string(),
  attendees: z.int(),
  status: z.enum(['booked', 'not_booked']),
  booking_id: z.string().nullable(),
  room: z.string().nullable(),
  floor: z.int().nullable(),
});

export function bookRoom(asking: Asking, bookings: Bookings): OfferedTool {
  function settle(args: Args, said: Said<Content>, { action }: State): Settled {
    if (said.action === 'decline') return { closed: notBooked(args, 'No room was wanted: nothing is booked.') };
    if (said.action === 'cancel') return { open: notBooked(args, 'Nobody chose a room: nothing is booked yet.') };
    const { room } = said.content;
    const seats = rooms.find((one) => one.room === room)?.seats ?? 0;
    const booking = seats >= args.attendees ? bookings.book(room, args.date, args.attendees, action) : undefined;
    if (booking) return { closed: booked(booking) };
    return { again: `${capital(room)} cannot be had any more.` };
  }
  const question = createQuestion(asking, {
    tool: 'book_room',
    key: 'room',
    content,
    form: (args: Args, why) => form(bookings, args, why),
    settle,
  });

  function run(args: Args, { round, meta }: Call): CallToolResult | InputRequiredResult {
    const key = idempotencyKey(meta);
    const state = question.read(args, round.state, key);
    const action = state?.action ?? key ?? newAction();
    const before = madeBefore(bookings, args, action);
    if (before) return before;
    if (state) return question.take(args, state, round);
    const [only, ...others] = someFitting(bookings, args);
    const booking =
      only && others.length === 0 ? bookings.book(only.room, args.date, args.attendees, action) : undefined;
    return booking ? booked(booking) : question.ask(args, action, 1);
  }

  return offerTool({
    name: 'book_room',
    title: 'Book a meeting room',
    description:
      'Books a meeting room for a day. Use it when someone wants the room; when they only ask whether there is one, use check_availability instead. Where more than one room fits a person is asked which, and nothing is booked if they want none. Each call books a room of its own.',
    input,
    output,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run: (args, call) => bookings.alone(() => run(args, call)),
  });
}
