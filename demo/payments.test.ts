import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rawServer, type RawServer } from './rawServer.ts';
import { KEY, startApi, temporaryFolder, type StartedApi } from './startedPrograms.ts';
import { changed, refusedState, runToEnd, startServer } from './startedServers.ts';

const folder = temporaryFolder();
const capabilities = { elicitation: { form: {}, url: {} } };
let api: StartedApi;
let server: RawServer;
let other: RawServer;
const env = (name: string, more: Record<string, string> = {}) => ({
  PAYMENTS_API_URL: api.url,
  PAYMENTS_API_KEY: KEY,
  PAYMENTS_DATA: join(folder.path, name),
  ...more,
});
beforeAll(async () => {
  api = await startApi(folder.path);
  [server, other] = await Promise.all([
    rawServer('payments', { env: env('stdio'), capabilities }),
    rawServer('payments', { env: env('http', { PAYMENTS_PAGE: 'loopback' }), http: true, capabilities }),
  ]);
});
afterAll(async () => {
  await Promise.all([server.stop(), other.stop()]);
  await api.stop();
  folder.remove();
});

async function newRefund(amount = '10.00', order_id = 'O-1004'): Promise<string> {
  const { body } = await api.ask('/refunds', { order_id, amount });
  return z.string().parse(body.refund_id);
}
const statusOf = async (id: string) => (await api.ask(`/refunds/${id}`)).body.status;

interface Round {
  state: string;
  url: string;
  message: string;
  structured: unknown;
  text: string;
  isError: boolean;
  error: unknown;
}
const asked = z.object({
  inputRequests: z.object({
    connect: z.object({ params: z.object({ mode: z.literal('url'), url: z.string(), message: z.string() }) }),
  }),
  requestState: z.string(),
});
async function pay(
  to: RawServer,
  refund_id: string,
  more: Record<string, unknown> = {},
  person?: string,
): Promise<Round> {
  const meta = person === undefined ? {} : { 'example.fernhill/person': person };
  const { result, error } = await to.ask('tools/call', { name: 'pay_refund', arguments: { refund_id }, ...more }, meta);
  const question = result?.resultType === 'input_required' ? asked.parse(result) : undefined;
  const { url = '', message = '' } = question?.inputRequests.connect.params ?? {};
  return {
    state: question?.requestState ?? '',
    url,
    message,
    structured: result?.structuredContent,
    text: JSON.stringify(result?.content ?? ''),
    isError: result?.isError === true,
    error,
  };
}
const back = (state: string, action = 'accept') => ({ requestState: state, inputResponses: { connect: { action } } });
const pageOf = (to: RawServer): string => /page is (\S+)/.exec(to.log())?.[1] ?? '';
/** What the person does on the provider's page. */
async function finish(to: RawServer, url: string, person: string): Promise<number> {
  const flow = url.split('/').at(-1) ?? '';
  const body = new URLSearchParams({ person });
  return (await fetch(pageOf(to) + flow, { method: 'POST', body })).status;
}

describe('pay_refund', () => {
  it('sends a person to a random page with nothing personal in it, and pays once the provider reports it finished', async () => {
    const refund = await newRefund();
    const first = await pay(server, refund);
    expect(first.url).toMatch(/^https:\/\/pay\.fernhill\.example\/connect\/[\w-]{22}$/);
    expect((await pay(server, refund)).url).not.toBe(first.url);
    // "accept" only says that the person agreed to go there.
    const early = await pay(server, refund, back(first.state));
    expect([early.url, await statusOf(refund)]).toEqual([first.url, 'requested']);
    expect(early.message).toContain('not report the page as finished yet');
    expect(await finish(server, first.url, 'staff-0007')).toBe(200);
    const done = await pay(server, refund, back(early.state));
    expect([done.structured, await statusOf(refund)]).toMatchObject([
      { refund_id: refund, amount: '10.00', status: 'paid' },
      'paid',
    ]);
  });
  it('pays once: the same answer again, and another call, find it paid', async () => {
    const refund = await newRefund();
    const { state, url } = await pay(server, refund);
    await finish(server, url, 'staff-0007');
    const both = await Promise.all([pay(server, refund, back(state)), pay(server, refund, back(state))]);
    for (const one of [...both, await pay(server, refund, back(state)), await pay(server, refund)])
      expect(one.structured).toMatchObject({ status: 'paid' });
  });
  it('is finished only by the person who was asked', async () => {
    const refund = await newRefund();
    const { state, url } = await pay(server, refund, {}, 'staff-0002');
    await finish(server, url, 'staff-0007');
    const again = await pay(server, refund, back(state), 'staff-0002');
    expect(again.message).toContain('Somebody else finished the last page, so nothing was paid.');
    expect([again.url === url, await statusOf(refund)]).toEqual([false, 'requested']);
    // Another person who brings the state back is told whose page it is not.
    expect(await pay(server, refund, back(again.state), 'staff-0007')).toMatchObject({
      isError: true,
      text: expect.stringContaining("another person's, so nothing was paid") as string,
    });
    expect(await statusOf(refund)).toBe('requested');
    await finish(server, again.url, 'staff-0002');
    expect((await pay(server, refund, back(again.state), 'staff-0002')).structured).toMatchObject({ status: 'paid' });
  });
  it.each(['decline', 'cancel'])('stays requested when the person says %s', async (action) => {
    const refund = await newRefund();
    const { state } = await pay(server, refund);
    const kept = await pay(server, refund, back(state, action));
    expect(kept.structured).toMatchObject({ status: 'requested' });
    expect(kept.text).toContain('is not paid yet');
  });
  it('refuses a changed state and the state of another refund with one message, and an answer of no shape', async () => {
    const [refund, another] = [await newRefund(), await newRefund()];
    const { state } = await pay(server, refund);
    expect((await pay(server, refund, back(changed(state)))).error).toMatchObject(refusedState);
    expect((await pay(server, another, back(state))).error).toMatchObject(refusedState);
    const odd = { requestState: state, inputResponses: { connect: { action: 'perhaps' } } };
    expect((await pay(server, refund, odd)).error).toMatchObject({ code: -32602 });
    // A missing answer is asked again.
    expect((await pay(server, refund, { requestState: state })).url).toMatch(/connect/);
  });
  it('pays only requested refunds, and says what to do with others', async () => {
    const held = await newRefund('200.00', 'O-1145');
    expect(await pay(server, held)).toMatchObject({
      isError: true,
      text: expect.stringContaining('released by a support lead first') as string,
    });
    expect(await pay(server, 'R-9999')).toMatchObject({
      isError: true,
      text: expect.stringContaining('no refund R-9999') as string,
    });
  });
  it('needs a client that can be sent to a page', async () => {
    const refund = await newRefund();
    const form = await rawServer('payments', { env: env('form'), capabilities: { elicitation: { form: {} } } });
    expect((await pay(form, refund)).error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
    await form.stop();
  });
  it('goes on after a restart, on the same page', async () => {
    const refund = await newRefund();
    const settings = env('again', { PAYMENTS_PAGE: 'loopback' });
    const before = await rawServer('payments', { env: settings, capabilities });
    const { state, url } = await pay(before, refund);
    expect(url.startsWith(pageOf(before))).toBe(true);
    await before.stop();
    const after = await rawServer('payments', { env: settings, capabilities });
    await after.ask('tools/list');
    expect(pageOf(after)).toBe(pageOf(before));
    expect(await finish(after, url, 'staff-0002')).toBe(200);
    expect((await pay(after, refund, back(state))).structured).toMatchObject({ status: 'paid' });
    await after.stop();
  });
  it('asks a client of 2025-11-25 by pushing the same question', async () => {
    const older = await startServer('payments', {
      mode: 'legacy',
      capabilities,
      env: env('older', { PAYMENTS_PAGE: 'loopback' }),
    });
    older.client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') return { action: 'cancel' as const };
      await fetch(params.url, { method: 'POST', body: new URLSearchParams({ person: 'staff-0002' }) });
      return { action: 'accept' as const };
    });
    const refund = await newRefund();
    expect((await older.call('pay_refund', { refund_id: refund })).structured).toMatchObject({ status: 'paid' });
    await older.close();
  });
});

describe('the provider’s page', () => {
  it('is a form for a flow that is open, once, and nothing for any other', async () => {
    const { url } = await pay(other, await newRefund());
    expect(url.startsWith(pageOf(other))).toBe(true);
    const shown = await fetch(url);
    expect(await shown.text()).toContain('Connect my account');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await finish(other, url, '<b>me</b>')).toBe(422);
    expect(await finish(other, url, 'staff-0002')).toBe(200);
    expect(await finish(other, url, 'staff-0007')).toBe(200);
    expect(await (await fetch(url)).text()).toContain('This is done.');
    expect((await fetch(`${pageOf(other)}AAAAAAAAAAAAAAAAAAAAAA`)).status).toBe(404);
  });
  it('servers 10: answers no foreign host or origin, and reports flows only to who has its key', async () => {
    const { url } = await pay(other, await newRefund());
    const status = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(url, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on('error', reject).end('person=staff-0002');
      });
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ origin: 'null' })).toBe(403);
    expect((await fetch(url.replace('connect', 'flows'))).status).toBe(401);
    expect(await (await fetch(url)).text()).toContain('Connect my account');
    expect(await status({ origin: new URL(url).origin })).toBe(200);
  });
});

it('says in one sentence what is wrong with its settings', () => {
  expect(runToEnd('payments', { PAYMENTS_API_URL: 'http://127.0.0.1:9', PAYMENTS_PAGE: 'here' })).toMatchObject({
    status: 2,
    stderr: 'payments: PAYMENTS_API_KEY is not set; PAYMENTS_PAGE is wrong: is loopback or not set.',
  });
});
