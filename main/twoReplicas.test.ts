// Two replicas of the shop behind one address (spec servers 6), through the desk's own gate: a question asked by the one is
// answered to the other. Every program is a real process, the address a real listener that takes them in turns.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as send, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Person } from '../shared/people.ts';
import { serverConfig } from '../shared/servers.ts';
import { startDesk, startProgram, type StartedProgram } from './startedDesk.ts';

const lead: Person = { id: 'staff-0002', name: 'Tomas', role: 'lead' };
const yes = { action: 'accept', content: { release: true } } as const;
const apiKey = 'key-for-tests';
const env = { SHOP_CLOCK: '2026-06-30T09:00:00Z', SHOP_RECOUNT_MS: '0' };

/** A call as it came by, and which replica had it. */
interface Passed {
  replica: number;
  headers: IncomingHttpHeaders;
  body: string;
}
let folder: string;
let api: StartedProgram;
let replicas: StartedProgram[];
let address: Awaited<ReturnType<typeof oneAddress>>;
let desk: Awaited<ReturnType<typeof startDesk>>;

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer); // no encoding is set
  return Buffer.concat(chunks).toString();
}
/** Each call goes to the next replica; whatever else is asked, to the first. */
async function oneAddress(targets: string[]) {
  const passed: Passed[] = [];
  const server = createServer((incoming, response) => {
    void textOf(incoming).then((body) => {
      const isCall = incoming.headers['mcp-method'] === 'tools/call';
      const replica = isCall ? passed.length % targets.length : 0;
      if (isCall) passed.push({ replica, headers: incoming.headers, body });
      const out = send(targets[replica] ?? '', { method: incoming.method, headers: incoming.headers, agent: false });
      out.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
      out.on('error', () => response.destroy());
      response.on('close', () => out.destroy());
      out.end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}/mcp`, passed, stop };
}
/** The very bytes of a call once more, to a replica of the test's choice. */
async function replay({ headers, body }: Passed, replica: number): Promise<string> {
  const out = send(replicas[replica]?.url ?? '', { method: 'POST', headers, agent: false }).end(body);
  const [answer] = (await once(out, 'response')) as [IncomingMessage];
  return textOf(answer);
}
const refunds = z.object({ refunds: z.array(z.object({ refund_id: z.string(), status: z.string() })) });
async function statuses(order: string): Promise<string[]> {
  const response = await fetch(`${api.url}/refunds?order_id=${order}`, { headers: { 'x-api-key': apiKey } });
  return refunds.parse(await response.json()).refunds.map(({ status }) => status);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-replicas-'));
  api = await startProgram('api', { ...env, SHOP_DB: join(folder, 'shop.db'), SHOP_KEY: apiKey });
  const shared = { SHOP_KEYS: randomBytes(32).toString('hex'), SHOP_STORE: join(folder, 'shared.db') };
  const shop = { ...env, ...shared, SHOP_API_URL: api.url, SHOP_API_KEY: apiKey };
  const replica = (name: string) =>
    startProgram('servers/shop', { ...shop, SHOP_DATA: join(folder, name) }, ['--http', '0']);
  replicas = [await replica('one'), await replica('other')];
  address = await oneAddress(replicas.map(({ url }) => url));
  const config = serverConfig.parse({
    ...{ prefix: 'shop', kind: 'http', url: address.url },
    no_side_effects: ['quote_refund'],
    question_roles: { issue_refund: 'lead' },
  });
  desk = await startDesk([config]);
});
afterAll(async () => {
  await desk.close();
  await address.stop();
  await Promise.all(replicas.map((one) => one.stop()));
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a refund asked on one and answered on the other completes once; the same answer again is refused', async () => {
  const order = 'O-2289';
  const quoted = await desk.run('shop.quote_refund', { order_id: order });
  expect(quoted.answer).toMatchObject({ outcome: 'result', structured: { within_limit: false } });
  const { quote_id } = z.object({ quote_id: z.string() }).parse(quoted.answer.structured);
  const asked = await desk.run('shop.issue_refund', { quote_id });
  expect(asked.answer).toMatchObject({ outcome: 'waiting', asked: expect.stringContaining('for a lead') as string });
  expect(await statuses(order)).toEqual(['needs_confirmation']);

  const [question] = await desk.questions.of(asked.call.id);
  const given = { by: lead, answer: yes, scripted: false };
  await desk.questions.answer(question?.id ?? '', given);
  const done = await desk.gate.resume(await desk.calls.get(asked.call.id), asked.of);
  expect(done).toMatchObject({ outcome: 'result', structured: { quote_id, order_id: order, status: 'requested' } });
  expect(await statuses(order)).toEqual(['requested']);
  const [, first, second] = address.passed;
  expect(first?.body).not.toContain('inputResponses');
  expect(second?.body).toContain('inputResponses');
  expect([first?.replica, second?.replica]).toEqual([1, 0]);

  // At the desk: neither the answer nor the call goes out a second time.
  await expect(desk.questions.answer(question?.id ?? '', given)).rejects.toMatchObject({ code: 'questions.answered' });
  const ended = await desk.calls.get(asked.call.id);
  await desk.gate.resume(ended, asked.of);
  await desk.gate.send(ended, asked.of);
  expect(address.passed).toHaveLength(3);
  expect(await desk.calls.get(asked.call.id)).toEqual(ended);

  // At the servers: the very request once more, to either of them.
  if (second === undefined) throw new Error('the answer did not come by');
  for (const replica of [0, 1]) expect(await replay(second, replica)).toMatch(/was already confirmed/);
  expect(await statuses(order)).toEqual(['requested']);
  expect(await desk.calls.verifyChain()).toEqual([]);
});
