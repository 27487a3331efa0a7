// Queue runs read from the desk's own database (spec ui, "Runs"): listed, scored by labels, compared, read ticket by ticket.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Turn } from '../shared/runs.ts';
import { createHost, type Host } from './host.ts';
import { compareQueueRuns, queueRun, queueRuns, ticketRun } from './queueRuns.ts';
import { insertRun, saveDraft, type StoredRun } from './store/runs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'queue-runs-'));
let host: Host;

function turn(tool: string): Turn {
  const tokens = { evaluated: 30, reused: 900, generated: 2 };
  const call = { n: 1, tool, arguments: {}, origins: {}, outcome: 'result', ms: 5 } as const;
  const sure = { probability: 1, margin: 1, probabilities: [1] };
  return { options: [tool], choice: tool, ...sure, tokens, ms: 100, call, segments: [] };
}
async function worked(batch: string, ticket: string, run: Partial<StoredRun>): Promise<void> {
  const about = { id: `run-${batch}-${ticket}`, batch, ticket, ticket_version: 1, ask: null, why: '' };
  const rest = { playbook: 'p', settings: { model: 'one', model_sha256: 'm' }, turns: [] };
  const when = { started_at: '2026-06-30T09:00:00.000Z', ended_at: '2026-06-30T09:00:01.000Z', ms: 1_000 };
  await insertRun(host.store.db, { ...about, state: 'ready', model: 'one', ...rest, ...when, ...run });
}

beforeAll(async () => {
  const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
  host = await createHost({ data: folder, profileFile, servers: false, say: () => undefined });
  const [first, second] = [...(await host.tickets.labels())].slice(0, 2);
  if (first === undefined || second === undefined) throw new Error('the sample has labelled tickets');
  await worked('a', first[0], { turns: [turn(`shop.${first[1].first_tool}`)] });
  await worked('a', second[0], { turns: [turn('shop.no_such_tool')], state: 'handed over' });
  const later = { started_at: '2026-07-01T09:00:00.000Z', playbook: 'q' };
  await worked('b', first[0], { ...later, turns: [turn(`shop.${first[1].first_tool}`)] });
  await worked('b', second[0], { ...later, turns: [turn(`shop.${second[1].first_tool}`)], ended_at: null, ms: null });
  const claim = {
    kind: 'amount',
    text: '5.00',
    start: 0,
    end: 4,
    verdict: 'no source',
    why: 'Nothing says so.',
  } as const;
  await saveDraft(host.store.db, {
    run: `run-a-${first[0]}`,
    ticket: first[0],
    ticket_version: 1,
    text: '5.00',
    claims: [claim],
    blocked: true,
    skeleton: null,
    at: '2026-06-30T09:00:01.000Z',
  });
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('queue runs', () => {
  it('are listed newest first; one under way has no end', async () => {
    expect(await queueRuns(host)).toMatchObject([
      { id: 'b', tickets: 2, ended_at: null, ms: 1_000, states: { ready: 2 } },
      { id: 'a', tickets: 2, ended_at: '2026-06-30T09:00:01.000Z', states: { ready: 1, 'handed over': 1 } },
    ]);
  });
  it('are listed as far back as is asked for', async () => {
    expect((await queueRuns(host, 1)).map(({ id }) => id)).toEqual(['b']);
  });
  it('have figures over labels, drafts and tokens, and a row a ticket', async () => {
    const { run, tickets, scores } = await queueRun(host, 'a');
    expect(run.first_tool).toEqual({ right: 1, total: 2 });
    expect(scores.all).toMatchObject({
      first_tool: { right: 1, total: 2 },
      unbacked_in_ready: 1,
      tokens_per_call: { median: 32, n: 2 },
    });
    expect(tickets.map(({ state, tokens }) => [state, tokens])).toEqual([
      ['ready', [32]],
      ['handed over', [32]],
    ]);
  });
  it('are compared ticket by ticket, with what differs besides', async () => {
    const { tickets, differs, measures } = await compareQueueRuns(host, 'b', 'a');
    expect([tickets, differs]).toEqual([2, ['the playbook']]);
    expect(measures[0]).toMatchObject({
      name: 'first tool right',
      both: 1,
      only_first: [],
      only_second: [expect.any(String)],
    });
  });
  it('are not held against each other as a whole where tickets, clock or people’s answers were others', async () => {
    const [ticket = '', other = ''] = [...(await host.tickets.labels()).keys()];
    const consent = { by: 'staff-0007', ms: 1, scripted: false };
    const asked = (answer: 'run' | 'dont') => {
      const { call, ...rest } = turn('shop.issue_refund');
      return call === undefined ? [] : [{ ...rest, call: { ...call, consent: { ...consent, answer } } }];
    };
    const apart = { replay_mode: true, cores: 8 };
    await worked('c', ticket, { turns: asked('run'), settings: { model: 'one', model_sha256: 'm', ...apart } });
    await worked('d', ticket, { turns: asked('dont'), settings: { model: 'one', model_sha256: 'm', cores: 8 } });
    await worked('d', other, {});
    const { run, tickets } = await queueRun(host, 'c');
    expect([run.cores, tickets[0]?.reply]).toEqual([8, null]);
    expect((await queueRun(host, 'a')).tickets[0]?.reply).toMatch(/^[0-9a-f]{16}$/);
    expect(await compareQueueRuns(host, 'd', 'c')).toMatchObject({
      tickets: 1,
      same_tickets: false,
      differs: [
        'the tickets: 1 stand in both with the same text',
        'the clock: it stood still in one of them, as for a recording',
        `the answers of people: ${ticket}`,
      ],
    });
    expect(await compareQueueRuns(host, 'b', 'a')).toMatchObject({ same_tickets: true });
  });
  it('are read one ticket at a time, and an unknown one is said', async () => {
    const [first] = (await queueRun(host, 'a')).tickets;
    const run = await ticketRun(host, first?.run ?? '');
    expect(run).toMatchObject({ state: 'ready', draft: { blocked: true }, turns: [{ call: { n: 1 } }] });
    await expect(queueRun(host, 'none')).rejects.toMatchObject({ code: 'runs.unknown' });
    await expect(ticketRun(host, 'none')).rejects.toMatchObject({ code: 'runs.unknown' });
  });
});
