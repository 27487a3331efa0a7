// A refund above the limit from consent to release, on the command line: an answers file, a lead the next morning, two leads at
// once, a no. The witness is the company's own database.
import Database from 'better-sqlite3';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../shared/calls.ts';
import { createHost } from '../main/host.ts';
import { listRuns } from '../main/store/runs.ts';
import { refundsSince } from './shopRecords.ts';
import { temporaryDesk } from './deskProgram.ts';
import { reachRefund } from './reachRefund.ts';

const profileFile = path.join(import.meta.dirname, '../demo/profile.json');
const desk = temporaryDesk();
const lead = ['--as', 'staff-0002'];
const consents = { when: { tool: 'shop.issue_refund' }, as: 'staff-0007', consent: 'run' };
const releases = { when: { tool: 'shop.issue_refund', question: 'form' }, as: 'staff-0002', accept: { release: true } };

beforeAll(() => desk.useTinyModel());
afterAll(() => desk.remove());

function reach(order: string, rules: object[]): Promise<Call> {
  return reachRefund(desk, order, rules);
}
async function questionOf(call: Call): Promise<string> {
  const { stdout } = await desk.run('--json', ...lead, 'questions');
  const { questions } = JSON.parse(stdout) as { questions: { question: { id: string; call: string } }[] }; // as printed
  const found = questions.find(({ question }) => question.call === call.id);
  if (found === undefined) throw new Error(`no question waits for call ${call.id}`);
  return found.question.id;
}

const refundsOf = (order: string): string[] => refundsSince(desk.data, order);

describe('an answers file', () => {
  it('that consents as staff and releases as a lead ends with one refund', async () => {
    const call = await reach('O-1145', [consents, releases]);
    expect(call).toMatchObject({ state: 'result', consent: { by: 'staff-0007', scripted: true } });
    expect(refundsOf('O-1145')).toEqual(['requested']);
  });

  it('gives nothing that its person has no right to: the question waits, the refund is held', async () => {
    const call = await reach('O-1085', [consents, { ...releases, as: 'staff-0007' }]);
    expect(call.state).toBe('asked');
    expect(refundsOf('O-1085')).toEqual(['needs_confirmation']);
  });

  it.each([
    ['a no to the release', 'O-1928', { accept: { release: false } }],
    ['a decline', 'O-1026', { decline: true }],
    ['a cancel', 'O-1058', { cancel: true }],
  ])('%s leaves the refund held', async (_, order, answer) => {
    const { when, as } = releases;
    const call = await reach(order, [consents, { when, as, ...answer }]);
    expect(call).toMatchObject({ state: 'result', structured: { status: 'needs_confirmation' } });
    expect(refundsOf(order)).toEqual(['needs_confirmation']);
  });
});

describe('a question that waits for a lead', () => {
  it('is answered by another process, wrong, twice and at once: one refund', async () => {
    const call = await reach('O-2289', [consents]);
    const held = ['needs_confirmation'];
    expect(refundsOf('O-2289')).toEqual(held);
    const question = await questionOf(call);

    const staff = await desk.run('answer', question, '--accept', '{"release": true}', '--model', 'none');
    expect([staff.code, staff.stderr]).toEqual([1, expect.stringContaining('waits for a lead')]);
    const wrong = await desk.run(...lead, 'answer', question, '--accept', '{"release": "yes"}', '--model', 'none');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('release takes yes or no')]);
    expect(refundsOf('O-2289')).toEqual(held);

    const yes = () => desk.run(...lead, 'answer', question, '--accept', '{"release": true}', '--model', 'none');
    const both = await Promise.all([yes(), yes()]);
    expect(both.filter(({ stderr }) => stderr.includes('already answered by staff-0002'))).toHaveLength(1);
    expect(refundsOf('O-2289')).toEqual(['requested']);
    const third = await yes();
    expect(third.stderr).toContain('already answered by staff-0002 (accept). Nothing was sent now.');
    expect(refundsOf('O-2289')).toEqual(['requested']);

    const trace = await desk.run('trace', call.id);
    expect(trace.stdout.match(/→ round \d/g)).toEqual(['→ round 1', '→ round 2']);
    expect(trace.stdout).toContain('elicitation/create');
  });
});

describe('a consent that waits (host §§9–13)', () => {
  it('was given and not sent when the desk ended: a later no takes it back', async () => {
    const call = await reach('O-1044', []);
    const host = await createHost({ data: desk.data, profileFile, servers: false, say: () => undefined });
    const by = await host.person('staff-0007');
    await host.calls.answer(call.id, { by, answer: 'run', hash: call.hash, scripted: false });
    await host.close();
    await desk.run('consent', call.id, '--dont', '--model', 'none');
    expect(refundsOf('O-1044')).toEqual([]);
    const again = await desk.run('consent', call.id, '--run', '--model', 'none');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already answered')]);
    expect(refundsOf('O-1044')).toEqual([]);
  });

  it('is about a ticket that changed meanwhile: nothing is sent, the ticket is worked anew', async () => {
    const call = await reach('O-1049', []);
    const changed = { id: call.ticket, customer: 'C-0083', subject: '', body: 'Stop! Do not refund anything.' };
    const file = path.join(desk.folder, 'changed.json');
    writeFileSync(file, JSON.stringify([{ ...changed, received_at: '2026-06-30T08:00:00Z' }]));
    expect((await desk.run('import', file)).stdout).toContain('changed 1');
    await desk.run('consent', call.id, '--run', '--model', 'none');
    expect(refundsOf('O-1049')).toEqual([]);
  });

  it('never stands beside another of the same ticket, whatever question is still open', async () => {
    const call = await reach('O-1076', [consents]);
    expect(call.state).toBe('asked');
    await desk.run('work', '--ticket', call.ticket, '--model', 'none');
    const late = await desk.run(
      ...lead,
      'answer',
      await questionOf(call),
      '--accept',
      '{"release": true}',
      '--model',
      'none',
    );
    expect(late.stdout).toContain('The ticket was worked again meanwhile; this call ended as result');
    expect(refundsOf('O-1076')).toEqual(['requested']);
    const host = await createHost({ data: desk.data, profileFile, servers: false, say: () => undefined });
    const open = await host.calls.list({ ticket: call.ticket, states: ['asking', 'consented', 'asked'] });
    await host.close();
    expect(open).toEqual([]);
  });
});

describe('a desk that ended in the middle (host §13)', () => {
  /** What the desk's own database says of a ticket and its newest run. */
  async function standing(ticket: string): Promise<{ ticket: string | undefined; run: string | undefined }> {
    const host = await createHost({ data: desk.data, profileFile, servers: false, say: () => undefined });
    try {
      const runs = await listRuns(host.store.db, { ticket });
      return { ticket: (await host.tickets.find(ticket))?.state, run: runs.at(-1)?.state };
    } finally {
      await host.close();
    }
  }
  /** Brings the database to what a kill leaves: the run under way, its call in a state. */
  function killed(call: Call, state: string): void {
    const database = new Database(path.join(desk.data, 'desk.db'));
    database.prepare("update runs set state = 'running', ended_at = null where id = ?").run(call.run);
    database.prepare('update calls set state = ? where id = ?').run(state, call.id);
    database.close();
  }

  it('sends an answer it had stored at its next start, and the ticket goes on with the next work', async () => {
    const call = await reach('O-1098', [consents]);
    const host = await createHost({ data: desk.data, profileFile, servers: false, say: () => undefined });
    const [question] = await host.questions.of(call.id);
    const by = await host.person('staff-0002');
    await host.questions.answer(question?.id ?? '', {
      by,
      answer: { action: 'accept', content: { release: true } },
      scripted: false,
    });
    await host.close();
    expect(refundsOf('O-1098')).toEqual(['needs_confirmation']);
    await desk.run('servers');
    expect(refundsOf('O-1098')).toEqual(['requested']);
    expect((await standing(call.ticket)).run).toBe('waiting');
    const worked = await desk.run('work', '--ticket', 'T-0001', '--model', 'none');
    expect(worked.stdout).toContain(call.ticket);
    expect((await standing(call.ticket)).run).not.toBe('waiting');
    expect(refundsOf('O-1098')).toEqual(['requested']);
  });

  it('leaves a run that was under way waiting for its open call', async () => {
    const call = await reach('O-1136', [consents]);
    killed(call, 'asked');
    expect(await standing(call.ticket)).toEqual({ ticket: 'waiting', run: 'waiting' });
  });

  it('hands a call that was on the wire to a person, who says what it did; it is not offered again', async () => {
    const call = await reach('O-1166', [consents]);
    killed(call, 'sending');
    expect(await standing(call.ticket)).toEqual({ ticket: 'handed over', run: 'handed over' });
    const waits = await desk.run('questions');
    expect(waits.stdout).toContain(`settle ${call.id} --happened`);
    const staff = await desk.run('settle', call.id, '--happened', '--why', 'It is in the shop.', '--model', 'none');
    expect([staff.code, staff.stderr]).toEqual([1, expect.stringContaining('is for a lead to say')]);
    const said = ['--happened', '--why', 'R is in the shop.', '--model', 'none'];
    const settled = await desk.run(...lead, 'settle', call.id, ...said);
    expect(settled.stdout).toContain(call.ticket);
    const again = await desk.run(...lead, 'settle', call.id, ...said);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('nothing to settle')]);
    expect(refundsOf('O-1166')).toHaveLength(1);
  });
});
