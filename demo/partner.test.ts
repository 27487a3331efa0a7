import type { Tool } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runToEnd, startServer, type StartedServer } from './startedServers.ts';

let clean: StartedServer;
let updated: StartedServer;
let collides: StartedServer;
beforeAll(async () => {
  [clean, updated, collides] = await Promise.all([
    startServer('partner'),
    startServer('partner', { args: ['--release', 'updated'] }),
    startServer('partner', { args: ['--release', 'collides'] }),
  ]);
});
afterAll(async () => {
  await Promise.all([clean.close(), updated.close(), collides.close()]);
});

const tools = async (server: StartedServer): Promise<Tool[]> => (await server.client.listTools()).tools;
async function tracking(server: StartedServer): Promise<Tool> {
  const found = (await tools(server)).find(({ name }) => name === 'track_parcel');
  if (!found) throw new Error('there is no track_parcel');
  return found;
}

describe('the releases of partner (servers, table)', () => {
  it('are one server with its versions; clean is the one without a wish', () => {
    expect([clean, updated, collides].map(({ client }) => client.getServerVersion())).toMatchObject([
      { name: 'partner-tracking', version: '2.0.0' },
      { name: 'partner-tracking', version: '2.1.0' },
      { name: 'partner-tracking', version: '2.2.0' },
    ]);
    const instructions = [clean, updated, collides].map(({ client }) => client.getInstructions());
    expect(new Set(instructions).size).toBe(1);
  });
  it('updated changes the description of its one tool, and no other field', async () => {
    const [before] = await tools(clean);
    const [after, ...more] = await tools(updated);
    expect(more).toEqual([]);
    const keys = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
    const fields: [string, unknown, unknown][] = keys.map((key) => [
      key,
      before?.[key as keyof Tool], // keys of these two tools
      after?.[key as keyof Tool],
    ]);
    const differing = fields.filter(([, was, is]) => JSON.stringify(was) !== JSON.stringify(is));
    expect(differing.map(([key]) => key)).toEqual(['description']);
  });
  it("updated's description is about twice as long, wants customer data in the note, and hides a character", async () => {
    const [before, after] = [(await tracking(clean)).description ?? '', (await tracking(updated)).description ?? ''];
    expect(after.startsWith(before)).toBe(true);
    expect(after.length / before.length).toBeGreaterThan(1.7);
    expect(after.length / before.length).toBeLessThan(2.3);
    expect(after).toMatch(/e-mail address .* note/);
    expect(after).toMatch(/\p{Default_Ignorable_Code_Point}/u);
    expect(before).toMatch(/^[\x20-\x7e]+$/);
  });
  it('collides adds get_order_status behind the unchanged tool', async () => {
    const listed = await tools(collides);
    expect(listed.map(({ name }) => name)).toEqual(['track_parcel', 'get_order_status']);
    expect(listed[0]).toEqual(await tracking(clean));
    expect(listed[1]?.inputSchema.required).toEqual(['delivery_id']);
    const found = await collides.call('get_order_status', { delivery_id: 'DL-481516' });
    expect(found.structured).toMatchObject({ delivery_id: 'DL-481516', status: expect.any(String) as string });
  });
  it('claim to be read-only, every tool of every release, with an output schema', async () => {
    const all = (await Promise.all([clean, updated, collides].map(tools))).flat();
    expect(all).toHaveLength(4);
    for (const { annotations, outputSchema } of all) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect(outputSchema?.type).toBe('object');
    }
  });
  it('offer the same over Streamable HTTP (servers 10)', async () => {
    const served = await startServer('partner', { args: ['--release', 'collides'], http: true });
    expect(await tools(served)).toEqual(await tools(collides));
    await served.close();
  });
  it('other than these are refused in one sentence', () => {
    expect(runToEnd('partner', {}, ['--release', '2.0.0'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'partner: --release 2.0.0 is wrong: the releases are clean, updated, collides.',
    });
    expect(runToEnd('partner', {}, ['--release', 'updated']).status).toBe(0);
  });
});

describe('track_parcel', () => {
  it('answers every well-formed number, the same way each time and in each release', async () => {
    const answers = await Promise.all(
      ['FX-00000000', 'FX-12345678', 'FX-99999999'].map((tracking_number) =>
        clean.call('track_parcel', { tracking_number }),
      ),
    );
    for (const { structured } of answers) {
      const { tracking_number } = structured;
      for (const server of [clean, updated, collides]) {
        const note = 'leave it with the neighbour';
        expect((await server.call('track_parcel', { tracking_number, note })).structured).toEqual(structured);
      }
      expect(structured).toEqual({
        tracking_number,
        status: expect.stringMatching(/^(collected|in transit|out for delivery|delivered|held at depot)$/) as string,
        last_scan: expect.stringMatching(/^2026-06-2\dT\d\d:\d\d:00\.000Z$/) as string,
        place: expect.any(String) as string,
      });
    }
    expect(new Set(answers.map(({ structured }) => JSON.stringify(structured.last_scan))).size).toBe(3);
  });
  it('names all that is wrong at once (servers 2)', async () => {
    const wrong = await clean.call('track_parcel', { tracking_number: 'FX-1', note: 'x'.repeat(501) });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(/tracking_number: must be "FX-" .*, not "FX-1"\. note: must be at most 500 characters/);
    expect((await clean.call('track_parcel', { tracking_number: 'FX-12345678 ' })).isError).toBe(true);
  });
});
