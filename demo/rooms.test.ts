import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accepting,
  answering,
  changed,
  refusedState,
  runToEnd,
  startServer,
  type Answered,
  type StartedServer,
} from './startedServers.ts';
import { temporaryFolder } from './startedPrograms.ts';

const folder = temporaryFolder();
const env = { ROOMS_DATA: folder.path };
let rooms: StartedServer;
beforeAll(async () => {
  rooms = await startServer('rooms', { env });
});
afterAll(async () => {
  await rooms.close();
  folder.remove();
});

const book = (date: string, attendees: number, more: Record<string, unknown> = {}, on: StartedServer = rooms) =>
  on.call('book_room', { date, attendees }, more);
async function free(date: string, attendees = 1): Promise<unknown[]> {
  const { structured } = await rooms.call('check_availability', { date, attendees });
  return (structured.rooms as { room: string }[]).map(({ room }) => room);
}
/** The rooms the person may choose from, by the key of the question. */
function offered({ forms }: Answered): Record<string, string[]> {
  const choices = Object.entries(forms).map(([key, { schema }]) => {
    // The form is this server's own; anything else fails the test here.
    const { room } = schema.properties as { room: { oneOf: { const: string }[] } };
    return [key, room.oneOf.map((one) => one.const)] as const;
  });
  return Object.fromEntries(choices);
}
const choosing = (state: string, room: string, key = 'room') => answering(state, key, accepting({ room }));
const named = (key: string) => ({ _meta: { 'example.fernhill/idempotency': key } });
const nothing = { status: 'not_booked', booking_id: null, room: null, floor: null };

describe('rooms (servers, table)', () => {
  it('are three with their seats and floors, as a resource; every other URI is refused', async () => {
    const { resources } = await rooms.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['rooms://all']);
    const { contents } = await rooms.client.readResource({ uri: 'rooms://all' });
    const [content] = contents;
    expect(JSON.parse(content && 'text' in content ? content.text : '')).toEqual({
      rooms: [
        { room: 'aurora', seats: 4, floor: 2 },
        { room: 'basalt', seats: 8, floor: 2 },
        { room: 'cinder', seats: 8, floor: 5 },
      ],
    });
    for (const uri of ['rooms://', 'rooms://all/', 'rooms://ALL', 'rooms://all?x', 'file:///etc/passwd'])
      await expect(rooms.client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32602, data: { uri } });
  });
  it('are available when free and large enough; basalt is booked on 2026-08-03', async () => {
    expect(await free('2026-08-04')).toEqual(['aurora', 'basalt', 'cinder']);
    expect(await free('2026-08-04', 5)).toEqual(['basalt', 'cinder']);
    expect(await free('2026-08-04', 9)).toEqual([]);
    expect(await free('2026-08-03')).toEqual(['aurora', 'cinder']);
    expect(await free('2026-08-03', 4)).toEqual(['aurora', 'cinder']);
    expect(await free('2026-08-03', 5)).toEqual(['cinder']);
  });
});

describe('book_room', () => {
  it('asks which room, with titles, where more than one fits, and books the one chosen', async () => {
    const asked = await book('2026-09-01', 3);
    expect(asked.forms.room?.schema).toMatchObject({
      properties: {
        room: {
          type: 'string',
          oneOf: [
            { const: 'aurora', title: 'Aurora, 4 seats, floor 2' },
            { const: 'basalt', title: 'Basalt, 8 seats, floor 2' },
            { const: 'cinder', title: 'Cinder, 8 seats, floor 5' },
          ],
        },
      },
      required: ['room'],
    });
    expect(await free('2026-09-01')).toHaveLength(3);
    const done = await book('2026-09-01', 3, choosing(asked.state, 'cinder'));
    expect(done.structured).toEqual({
      date: '2026-09-01',
      attendees: 3,
      status: 'booked',
      booking_id: expect.stringMatching(/^B-\d{4}$/) as string,
      room: 'cinder',
      floor: 5,
    });
    expect(await free('2026-09-01')).toEqual(['aurora', 'basalt']);
  });
  it('asks only about rooms that fit, and not at all where one fits', async () => {
    expect(offered(await book('2026-09-02', 5))).toEqual({ room: ['basalt', 'cinder'] });
    expect((await book('2026-08-03', 6)).structured).toMatchObject({ status: 'booked', room: 'cinder' });
    const full = await book('2026-08-03', 6);
    expect([full.isError, full.text]).toEqual([
      true,
      'No room with 6 seats is free on 2026-08-03. Look for another day with check_availability.',
    ]);
    expect((await book('2026-09-02', 9)).text).toContain('Send at most 8 attendees');
  });
  it('sent again with the same state gives the first booking, whatever it says now', async () => {
    const { state } = await book('2026-09-03', 3);
    const first = await book('2026-09-03', 3, choosing(state, 'aurora'));
    expect(await book('2026-09-03', 3, choosing(state, 'aurora'))).toEqual(first);
    expect((await book('2026-09-03', 3, choosing(state, 'basalt'))).structured).toEqual(first.structured);
    expect((await book('2026-09-03', 3, { requestState: state })).structured).toEqual(first.structured);
    expect(await free('2026-09-03')).toEqual(['basalt', 'cinder']);
  });
  it('sent again under the same idempotency key gives the first booking, where nobody is asked too', async () => {
    const sure = await book('2026-08-03', 4, named('retry-1'));
    expect(sure.structured).toMatchObject({ room: 'aurora' });
    expect((await book('2026-08-03', 4, named('retry-1'))).structured).toEqual(sure.structured);
    const { state } = await book('2026-09-04', 3, named('retry-2'));
    const chosen = await book('2026-09-04', 3, choosing(state, 'basalt'));
    expect((await book('2026-09-04', 3, named('retry-2'))).structured).toEqual(chosen.structured);
    await expect(book('2026-09-05', 3, named('retry-2'))).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('already named another booking') as string,
    });
    await expect(book('2026-09-05', 3, named(''))).rejects.toMatchObject({ code: -32602 });
    expect(await free('2026-09-04')).toEqual(['aurora', 'cinder']);
  });
  it('asks again when the chosen room is gone, and never takes the one left', async () => {
    const [mine, theirs] = [await book('2026-09-06', 5), await book('2026-09-06', 5)];
    await book('2026-09-06', 5, choosing(theirs.state, 'basalt'));
    const again = await book('2026-09-06', 5, choosing(mine.state, 'basalt'));
    expect(offered(again)).toEqual({ room_2: ['cinder'] });
    expect(again.forms.room_2?.message).toContain('Basalt cannot be had any more.');
    expect(await free('2026-09-06', 5)).toEqual(['cinder']);
    // An answer of the first round is none of the second, and the first round is over.
    expect((await book('2026-09-06', 5, choosing(again.state, 'cinder', 'room'))).asked).toBe(true);
    expect(offered(await book('2026-09-06', 5, choosing(mine.state, 'cinder')))).toEqual({ room_2: ['cinder'] });
    expect(await free('2026-09-06', 5)).toEqual(['cinder']);
    const done = await book('2026-09-06', 5, choosing(again.state, 'cinder', 'room_2'));
    expect(done.structured).toMatchObject({ status: 'booked', room: 'cinder' });
    expect((await book('2026-09-06', 5, choosing(mine.state, 'basalt'))).structured).toEqual(done.structured);
  });
  it('says that nothing is free when the last room went meanwhile', async () => {
    const [mine, one, two] = [await book('2026-09-07', 5), await book('2026-09-07', 5), await book('2026-09-07', 5)];
    await book('2026-09-07', 5, choosing(one.state, 'basalt'));
    await book('2026-09-07', 5, choosing(two.state, 'cinder'));
    const none = await book('2026-09-07', 5, choosing(mine.state, 'cinder'));
    expect([none.isError, none.text]).toEqual([true, expect.stringContaining('is free on 2026-09-07')]);
    expect(await free('2026-09-07')).toEqual(['aurora']);
  });
  it('gives one room to one of two servers on one folder that book it at once', async () => {
    const other = await startServer('rooms', { env });
    const [mine, theirs] = [await book('2026-09-08', 5), await book('2026-09-08', 5, {}, other)];
    const both = await Promise.all([
      book('2026-09-08', 5, choosing(mine.state, 'basalt')),
      book('2026-09-08', 5, choosing(theirs.state, 'basalt'), other),
    ]);
    await other.close();
    expect(both.map(({ asked }) => asked).sort()).toEqual([false, true]);
    expect(await free('2026-09-08')).toEqual(['aurora', 'cinder']);
  });
  it('books nothing on decline, for good', async () => {
    const { state } = await book('2026-09-09', 3);
    const declined = await book('2026-09-09', 3, answering(state, 'room', { action: 'decline' }));
    expect(declined.structured).toEqual({ date: '2026-09-09', attendees: 3, ...nothing });
    expect(await book('2026-09-09', 3, choosing(state, 'aurora'))).toEqual(declined);
    expect(await free('2026-09-09')).toHaveLength(3);
  });
  it('books nothing on cancel, and the question may still be answered', async () => {
    const { state } = await book('2026-09-10', 3);
    const open = await book('2026-09-10', 3, answering(state, 'room', { action: 'cancel' }));
    expect(open.structured).toEqual({ date: '2026-09-10', attendees: 3, ...nothing });
    expect(await free('2026-09-10')).toHaveLength(3);
    expect((await book('2026-09-10', 3, choosing(state, 'aurora'))).structured).toMatchObject({ room: 'aurora' });
  });
  it('refuses a changed state and one of another booking, and a room that is none, booking nothing (servers 5)', async () => {
    const { state } = await book('2026-09-11', 3);
    const refused = (call: Promise<unknown>) => expect(call).rejects.toMatchObject(refusedState);
    await refused(book('2026-09-11', 3, choosing(changed(state), 'aurora')));
    await refused(book('2026-09-12', 3, choosing(state, 'aurora')));
    await refused(book('2026-09-11', 2, choosing(state, 'aurora')));
    await refused(book('2026-09-11', 3, { ...choosing(state, 'aurora'), ...named('another') }));
    await expect(book('2026-09-11', 3, choosing(state, 'dolomite'))).rejects.toMatchObject({ code: -32602 });
    await expect(book('2026-09-11', 3, answering(state, 'room', { action: 'accept' }))).rejects.toMatchObject({
      code: -32602,
    });
    expect(await free('2026-09-11')).toHaveLength(3);
  });
  it('never books a room too small, though it was chosen', async () => {
    const { state } = await book('2026-09-13', 5);
    const again = await book('2026-09-13', 5, choosing(state, 'aurora'));
    expect(offered(again)).toEqual({ room_2: ['basalt', 'cinder'] });
    expect(await free('2026-09-13')).toHaveLength(3);
  });
  it('is finished after a restart between asking and answering, and the booking survives one', async () => {
    const first = await startServer('rooms', { env });
    const { state } = await book('2026-09-14', 3, {}, first);
    await first.close();
    const second = await startServer('rooms', { env });
    const done = await book('2026-09-14', 3, choosing(state, 'aurora'), second);
    await second.close();
    expect(done.structured).toMatchObject({ room: 'aurora' });
    expect((await book('2026-09-14', 3, choosing(state, 'aurora'))).structured).toEqual(done.structured);
    expect(await free('2026-08-03')).not.toContain('basalt');
  });
});

describe('the server', () => {
  it('asks and books the same over Streamable HTTP, each round a request of its own (servers 10)', async () => {
    const served = await startServer('rooms', { env, http: true });
    const { state } = await book('2026-09-15', 3, {}, served);
    const done = await book('2026-09-15', 3, choosing(state, 'aurora'), served);
    await served.close();
    expect(done.structured).toMatchObject({ room: 'aurora' });
    expect((await book('2026-09-15', 3, choosing(state, 'aurora'))).structured).toEqual(done.structured);
  });
  it('names all wrong arguments at once, with rule and value (servers 2)', async () => {
    for (const tool of ['check_availability', 'book_room']) {
      const wrong = await rooms.call(tool, { date: '3 August', attendees: 0 });
      expect(wrong.isError).toBe(true);
      expect(wrong.text).toMatch(/date: must be .*, not "3 August"\. attendees: must be at least 1, not 0\./);
    }
  });
  it('annotates check_availability as read-only and book_room as neither destructive nor idempotent', async () => {
    const { tools } = await rooms.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      [
        'check_availability',
        { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      ],
      ['book_room', { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }],
    ]);
  });
  it('says in one sentence what is wrong with its settings, and ends with its stdin', () => {
    expect(runToEnd('rooms', {})).toMatchObject({ status: 2, stderr: 'rooms: ROOMS_DATA is not set.' });
    expect(runToEnd('rooms', env).status).toBe(0);
  });
});
