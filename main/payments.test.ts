// Whose page a server means (spec servers, "payments"): the sample company's payments server over a desk's own gate, with the
// provider's page on this machine and the shop's records as real programs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { at, textOf } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';
import type { Question } from '../shared/questions.ts';
import { serverConfig } from '../shared/servers.ts';
import { lead, staff } from './oneTicket.ts';
import { loadProfile } from './profile.ts';
import { startDesk, startProgram, type StartedProgram } from './startedDesk.ts';

const KEY = 'a-key-of-the-test';
const demo = fileURLToPath(new URL('../demo', import.meta.url));
let folder: string;
let api: StartedProgram;
let desk: Awaited<ReturnType<typeof startDesk>>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'desk-payments-'));
  api = await startProgram('api', { SHOP_KEY: KEY, SHOP_DB: join(folder, 'shop.db') });
  const shipped = loadProfile(join(demo, 'profile.json')).servers.find(({ prefix }) => prefix === 'payments');
  desk = await startDesk([
    serverConfig.parse({
      ...shipped,
      enabled: true,
      command: process.execPath,
      args: [join(demo, 'servers/payments.ts')],
      env: {
        PAYMENTS_API_URL: api.url,
        PAYMENTS_API_KEY: KEY,
        PAYMENTS_DATA: join(folder, 'payments'),
        PAYMENTS_PAGE: 'loopback',
      },
    }),
  ]);
});
afterEach(async () => {
  await desk.close();
  await api.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function asked(path: string, body?: object): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', 'x-api-key': KEY };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(`${api.url}${path}`, { ...init, headers });
  return (await response.json()) as Record<string, string>; // the API's own records
}
async function open(): Promise<Question> {
  const [question] = await desk.questions.open();
  if (question === undefined) throw new Error('nothing waits');
  return question;
}
const accept = (question: Question, by: Person) =>
  desk.questions.answer(question.id, { by, answer: { action: 'accept' }, scripted: false });
async function finish(question: Question, person: Person): Promise<void> {
  const url = textOf(at(question.request, '/params/url') ?? '');
  await fetch(url, { method: 'POST', body: new URLSearchParams({ person: person.id }) });
}

it('is that of the person who consented: nobody else may accept, and nothing is paid by another’s visit', async () => {
  const { refund_id = '' } = await asked('/refunds', { order_id: 'O-1004', amount: '10.00' });
  const status = async () => (await asked(`/refunds/${refund_id}`))['status'];
  const { answer, call, of } = await desk.run('payments.pay_refund', { refund_id });
  expect(answer).toMatchObject({ outcome: 'waiting', consent: { by: staff.id } });
  const first = await open();
  expect(await desk.questions.visitorOf(first)).toBe(staff.id);
  await expect(accept(first, lead)).rejects.toMatchObject({
    code: 'questions.person',
    message: expect.stringContaining(`This page is for ${staff.id}`) as string,
  });
  // A lead finishes it there all the same.
  await finish(first, lead);
  await accept(first, staff);
  expect(await desk.gate.resume(await desk.calls.get(call.id), of)).toMatchObject({ outcome: 'waiting' });
  const second = await open();
  expect([at(second.request, '/params/message'), await status()]).toEqual([
    expect.stringContaining('Somebody else finished the last page, so nothing was paid.'),
    'requested',
  ]);
  await finish(second, staff);
  await accept(second, staff);
  expect(await desk.gate.resume(await desk.calls.get(call.id), of)).toMatchObject({ outcome: 'result' });
  expect(await status()).toBe('paid');
});

it('may be declined by anybody who answers questions: nothing is paid', async () => {
  const { refund_id = '' } = await asked('/refunds', { order_id: 'O-1004', amount: '10.00' });
  const { call, of } = await desk.run('payments.pay_refund', { refund_id });
  const question = await open();
  await desk.questions.answer(question.id, { by: lead, answer: { action: 'decline' }, scripted: false });
  expect(await desk.gate.resume(await desk.calls.get(call.id), of)).toMatchObject({ outcome: 'result' });
  expect((await asked(`/refunds/${refund_id}`))['status']).toBe('requested');
});
