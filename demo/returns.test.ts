import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accepting,
  answering,
  changed,
  refusedState,
  runToEnd,
  startServer,
  type StartedServer,
  type StartOptions,
} from './startedServers.ts';
import { temporaryFolder } from './startedPrograms.ts';

const folder = temporaryFolder();
const env = { RETURNS_DATA: folder.path, RETURNS_CLOCK: '2026-06-30T09:00:00Z' };
let returns: StartedServer;
beforeAll(async () => {
  returns = await startServer('returns', { env });
});
afterAll(async () => {
  await returns.close();
  folder.remove();
});

const record = (order_id: string, more: Record<string, unknown> = {}, on: StartedServer = returns) =>
  on.call('record_return', { order_id, sku: 'KG-1043' }, more);
const good = { reason: 'damaged in transit', restock: false };
const none = { return_id: null, reason: null, restock: null, note: null, recorded_at: null };
async function recorded(order_id: string): Promise<boolean> {
  return !(await record(order_id)).asked;
}

describe('what returns asks (servers, table)', () => {
  it('is a reason of five with titles, a boolean without a default and an optional note, with nothing readable in the state', async () => {
    const { forms, state } = await record('O-9301');
    expect(Object.keys(forms)).toEqual(['return']);
    expect(forms.return?.message).toContain('KG-1043 from order O-9301');
    expect(forms.return?.schema).toMatchObject({
      type: 'object',
      required: ['reason', 'restock'],
      properties: {
        reason: {
          type: 'string',
          oneOf: [
            { const: 'damaged in transit', title: 'Damaged in transit' },
            { const: 'wrong item sent', title: 'Wrong item sent' },
            { const: 'missing part', title: 'Missing part' },
            { const: 'arrived late', title: 'Arrived late' },
            { const: 'changed mind', title: 'Changed mind' },
          ],
        },
        restock: { type: 'boolean' },
        note: { type: 'string', maxLength: 200 },
      },
    });
    expect(JSON.stringify(forms)).not.toContain('default');
    expect(Buffer.from(state.slice(3), 'base64url').toString('latin1')).not.toContain('O-9301');
  });
});

describe('an answer', () => {
  it('of accept records the return, and sent again it gives the same one', async () => {
    const { state } = await record('O-9302');
    const said = answering(state, 'return', accepting({ ...good, note: 'box crushed', extra: 1 }));
    const first = await record('O-9302', said);
    expect(first.structured).toEqual({
      order_id: 'O-9302',
      sku: 'KG-1043',
      status: 'recorded',
      return_id: expect.stringMatching(/^RT-\d{4}$/) as string,
      reason: 'damaged in transit',
      restock: false,
      note: 'box crushed',
      recorded_at: expect.stringMatching(/^2026-06-30T09:0/) as string,
    });
    expect(await record('O-9302', said)).toEqual(first);
    const other = answering(state, 'return', accepting({ ...good, restock: true }));
    expect((await record('O-9302', other)).structured).toEqual(first.structured);
    expect((await record('O-9302')).structured).toEqual(first.structured);
  });
  it('of decline records nothing and says not to ask again, and no later accept of that question changes it', async () => {
    const { state } = await record('O-9303');
    const declined = await record('O-9303', answering(state, 'return', { action: 'decline' }));
    expect(declined.structured).toEqual({ order_id: 'O-9303', sku: 'KG-1043', status: 'declined', ...none });
    expect(declined.text).toContain('is not recorded. Do not ask again.');
    expect(await record('O-9303', answering(state, 'return', accepting(good)))).toEqual(declined);
    expect(await recorded('O-9303')).toBe(false);
  });
  it('of cancel records nothing and leaves it open: it can be asked later, and answered then', async () => {
    const { state } = await record('O-9304');
    const open = await record('O-9304', answering(state, 'return', { action: 'cancel' }));
    expect(open.structured).toEqual({ order_id: 'O-9304', sku: 'KG-1043', status: 'open', ...none });
    expect(open.text).toContain('Ask again later.');
    expect(await recorded('O-9304')).toBe(false);
    const later = await record('O-9304', answering(state, 'return', accepting(good)));
    expect(later.structured).toMatchObject({ status: 'recorded' });
  });
  it('to the second of two open questions gives the return of the first', async () => {
    const [one, two] = [await record('O-9305'), await record('O-9305')];
    const first = await record('O-9305', answering(one.state, 'return', accepting(good)));
    const second = await record(
      'O-9305',
      answering(two.state, 'return', accepting({ reason: 'changed mind', restock: true })),
    );
    expect(second.structured).toEqual(first.structured);
    expect(second.text).toContain('this answer was not used');
  });
  it.each([
    ['no reason', { restock: true }, 'reason: '],
    ['a reason of its own', { reason: 'do not like it', restock: true }, 'reason: must be one of damaged in transit'],
    ['no boolean', { reason: 'arrived late' }, 'restock: '],
    ['text for the boolean', { reason: 'arrived late', restock: 'true' }, 'restock: '],
    ['a long note', { ...good, note: 'x'.repeat(201) }, 'note: must be at most 200 characters'],
    ['all of it wrong', { reason: '', restock: 0, note: 5 }, /reason: .*restock: .*note: /],
  ])('with %s is a protocol error that says why, and records nothing (servers 5)', async (_name, content, why) => {
    const { state } = await record('O-9306');
    await expect(record('O-9306', answering(state, 'return', accepting(content)))).rejects.toMatchObject({
      code: -32602,
      message: (typeof why === 'string' ? expect.stringContaining(why) : expect.stringMatching(why)) as string,
    });
    expect(await recorded('O-9306')).toBe(false);
  });
  it('counts the note in characters, as the form does', async () => {
    const { state } = await record('O-9307');
    const note = '🌿'.repeat(200);
    const kept = await record('O-9307', answering(state, 'return', accepting({ ...good, note })));
    expect(kept.structured).toMatchObject({ status: 'recorded', note });
  });
  it('that is missing is asked for again, without a state too (servers 5)', async () => {
    const { state } = await record('O-9308');
    expect((await record('O-9308', { requestState: state })).asked).toBe(true);
    expect((await record('O-9308', { inputResponses: { return: accepting(good) } })).asked).toBe(true);
    expect((await record('O-9308', answering(state, 'another', accepting(good)))).asked).toBe(true);
    expect(await recorded('O-9308')).toBe(false);
  });
});

describe('a state (servers 5)', () => {
  it('that was changed, of other arguments or too old is refused with one message; the reason is in the log only', async () => {
    const { state } = await record('O-9309');
    const accepted = (token: string) => answering(token, 'return', accepting(good));
    await expect(record('O-9309', accepted(changed(state)))).rejects.toMatchObject(refusedState);
    await expect(record('O-9309', accepted(`${state}=`))).rejects.toMatchObject(refusedState);
    await expect(record('O-9310', accepted(state))).rejects.toMatchObject(refusedState);
    const otherSku = { order_id: 'O-9309', sku: 'KG-1044' };
    await expect(returns.call('record_return', otherSku, accepted(state))).rejects.toMatchObject(refusedState);
    const late = await startServer('returns', { env: { ...env, RETURNS_CLOCK: '2026-07-15T09:00:00Z' } });
    await expect(record('O-9309', accepted(state), late)).rejects.toMatchObject(refusedState);
    await expect.poll(() => late.log()).toContain('it is too old');
    await late.close();
    await expect.poll(() => returns.log()).toMatch(/changed[\s\S]*other arguments[\s\S]*other arguments/);
    expect([await recorded('O-9309'), await recorded('O-9310')]).toEqual([false, false]);
  });
  it('survives a restart between asking and answering, and so does the return', async () => {
    const open = (): Promise<StartedServer> => startServer('returns', { env });
    const first = await open();
    const { state } = await record('O-9311', {}, first);
    await first.close();
    const second = await open();
    const kept = await record('O-9311', answering(state, 'return', accepting(good)), second);
    await second.close();
    expect(kept.structured).toMatchObject({ status: 'recorded' });
    const third = await open();
    expect((await record('O-9311', {}, third)).structured).toEqual(kept.structured);
    await third.close();
  });
  it('of another folder is refused: its key is its own', async () => {
    const elsewhere = temporaryFolder();
    const other = await startServer('returns', { env: { RETURNS_DATA: elsewhere.path } });
    const { state } = await record('O-9312', {}, other);
    await other.close();
    elsewhere.remove();
    await expect(record('O-9312', answering(state, 'return', accepting(good)))).rejects.toMatchObject(refusedState);
  });
});

describe('the server', () => {
  it('names all wrong arguments at once, with rule and value (servers 2)', async () => {
    const wrong = await returns.call('record_return', { order_id: '9305', sku: 'pan' });
    expect([wrong.asked, wrong.isError]).toEqual([false, true]);
    expect(wrong.text).toMatch(/order_id: must be "O-" and four digits.*, not "9305"\. sku: must be .*, not "pan"\./);
  });
  it('asks a client of 2025-11-25 by a pushed question, and one without forms not at all', async () => {
    const older = await startServer('returns', { env, mode: 'legacy' } satisfies StartOptions);
    older.client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: good }));
    const args = { order_id: 'O-9313', sku: 'KG-1043' };
    const result = await older.client.callTool({ name: 'record_return', arguments: args });
    expect(result.structuredContent).toMatchObject({ status: 'recorded', reason: 'damaged in transit' });
    await older.close();
    const mute = await startServer('returns', { env, capabilities: {} });
    await expect(record('O-9314', {}, mute)).rejects.toMatchObject({ code: -32021 });
    await mute.close();
  });
  it('says in one sentence what is wrong with its settings, and ends with its stdin', () => {
    expect(runToEnd('returns', { RETURNS_STATE_TTL: '0', RETURNS_CLOCK: 'noon' })).toMatchObject({
      status: 2,
      stdout: '',
      stderr:
        'returns: RETURNS_DATA is not set; RETURNS_STATE_TTL is wrong: is at least one second; RETURNS_CLOCK is wrong: is a time like 2026-06-30T09:00:00Z.',
    });
    expect(runToEnd('returns', { RETURNS_DATA: '/dev/null/x' })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^returns: RETURNS_DATA cannot be used: [^\n]*$/) as string,
    });
    expect(runToEnd('returns', env).status).toBe(0);
  });
});
