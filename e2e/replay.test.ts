import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadAnswers, type Answers } from '../main/answers.ts';
import { createHost } from '../main/host.ts';
import { createModel, type Model } from '../main/model/model.ts';
import { tinyModel } from '../main/model/tinyModel.ts';
import { reportOf } from '../main/report.ts';
import { runFile } from '../main/runFile.ts';
import type { RunFile } from '../main/runFileShape.ts';
import { openSession } from '../main/session.ts';
import { isObject } from '../shared/json.ts';
import type { TicketRun } from '../shared/runs.ts';
import { temporaryDesk, type Ended } from './deskProgram.ts';

const demo = path.resolve(import.meta.dirname, '../demo');
const recorded = path.join(demo, 'recorded');
const desk = temporaryDesk();
const made = path.join(desk.folder, 'run.json');
// For copies of the sample company, whose programs look for their libraries from where they are.
beforeAll(() => symlinkSync(path.join(demo, '../node_modules'), path.join(desk.folder, 'node_modules'), 'junction'));
afterAll(() => desk.remove());

/** What the customers want, as the playbook's asks count it; the random model would not know. */
const wanted: Record<string, number> = { 'T-0001': 0, 'T-0006': 3, 'T-0012': 2, 'T-0024': 4, 'T-0031': 4 };

/** The random model, which reads everything, with the choices of one that understands: the ask, then what comes first. */
function steered(model: Model, asks: number, ask: () => number): Model {
  return {
    ...model,
    async choose(segments, options, signal) {
      const { meter } = await model.choose(segments, options, signal);
      const best = options.length === asks ? ask() : 0;
      const rest = 0.0999999 / (options.length - 1);
      return { probabilities: options.map((_, index) => (index === best ? 0.9000001 : rest)), meter };
    },
  };
}

async function record(): Promise<RunFile> {
  const model = await createModel({
    file: tinyModel(desk.folder),
    name: 'tiny',
    threads: 1,
    prefixFolder: path.join(desk.folder, 'prefixes'),
  });
  const people: { answers: Answers | null } = { answers: null };
  const host = await createHost({
    data: desk.data,
    profileFile: path.join(demo, 'profile.json'),
    servers: true,
    replayMode: true,
    say: () => undefined,
    ask: (call) => Promise.resolve(people.answers?.consent(call) ?? null),
    put: (question, call) => Promise.resolve(people.answers?.question(question, call) ?? null),
  });
  try {
    people.answers = loadAnswers(path.join(recorded, 'answers.json'), await host.people());
    const at = { ticket: '' };
    const session = await openSession(
      host,
      steered(model, host.playbook.playbook.asks.length, () => wanted[at.ticket] ?? 0),
      'queue-test',
    );
    const runs: TicketRun[] = [];
    for (at.ticket of Object.keys(wanted)) {
      const ticket = await host.tickets.find(at.ticket);
      if (ticket !== undefined) runs.push(await session.workTicket(ticket, {}));
    }
    const report = reportOf(runs.map((run) => ({ run, label: null })));
    const times = { startedAt: '2026-06-30T09:00:00Z', endedAt: '2026-06-30T09:01:00Z' };
    return await runFile({ id: 'queue-test', ...times, model, host, session, runs, report, answers: null });
  } finally {
    await host.close();
    await model.close();
  }
}

function replay(file: string, ...flags: string[]): Promise<Ended> {
  return desk.run('replay', file, ...flags);
}
/** A copy of a file with one word changed. */
function reworded(name: string, text: string, from: string, to: string): string {
  expect(text).toContain(from);
  const file = path.join(desk.folder, name);
  writeFileSync(file, text.replace(from, to));
  return file;
}
/** A copy of the sample company with one word changed in one of its files. */
function otherCompany(name: string, file: string, from: string, to: string): string {
  const folder = path.join(desk.folder, name);
  for (const one of readdirSync(demo))
    if (one !== 'recorded') cpSync(path.join(demo, one), path.join(folder, one), { recursive: true });
  const changed = path.join(folder, file);
  const text = readFileSync(changed, 'utf8');
  expect(text).toContain(from);
  writeFileSync(changed, text.replaceAll(from, to));
  return path.join(folder, 'profile.json');
}

describe('a recorded run (spec host §16, model “Recordings and scores”)', () => {
  let run: RunFile;
  let text: string;
  beforeAll(async () => {
    run = await record();
    text = JSON.stringify(run);
    writeFileSync(made, text);
  });
  const call = (ticket: string, tool: string) =>
    run.tickets.find((one) => one.ticket === ticket)?.turns.find((turn) => turn.call?.tool === tool)?.call;

  it('holds calls, a consent, a question of the server with its answer, and no secret', () => {
    expect(run.tickets.map(({ ticket, state }) => [ticket, state])).toEqual(
      Object.keys(wanted).map((ticket) => [ticket, 'ready']),
    );
    expect(call('T-0024', 'shop.issue_refund')?.consent).toMatchObject({
      by: 'staff-0007',
      answer: 'run',
      scripted: true,
    });
    expect(call('T-0031', 'shop.issue_refund')?.questions).toMatchObject([
      { by: 'staff-0002', action: 'accept', content: { release: true }, role: 'lead' },
    ]);
    expect(text).not.toMatch(/requestState|request_state/);
  });

  it('replays exactly without a model, and with its servers asked again', async () => {
    expect(await replay(made)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await replay(made, '--servers');
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('Exact: 5 tickets')]);
    expect(await replay(made, '--current')).toMatchObject({ code: 0 });
  });

  it('is recognised as changed by one word in a definition, a policy or a result', async () => {
    const { texts, definitions, resources } = run;
    const description = JSON.stringify(texts[definitions['shop.quote_refund'] ?? '']).slice(1, -1);
    const policy = JSON.stringify(texts[Object.values(resources)[0] ?? '']).slice(1, -1);
    const spent = call('T-0024', 'shop.issue_refund');
    const status = isObject(spent?.structured) ? JSON.stringify({ structured: spent.structured }).slice(1, -1) : '';
    for (const [name, from, to, says] of [
      [
        'definition',
        description,
        description.replace('Works out', 'Worked out'),
        'the definition of shop.quote_refund',
      ],
      ['policy', policy, policy.replace('refund', 'gift'), `the resource ${Object.keys(resources)[0] ?? ''}`],
      [
        'result',
        status,
        status.replace('"23.98"', '"24.98"'),
        'T-0024, turn 5: in the result of shop.issue_refund, structured/amount',
      ],
    ] as const) {
      const { code, stdout } = await replay(reworded(`${name}.json`, text, from, to));
      expect([name, code, stdout]).toEqual([name, 4, expect.stringContaining(says)]);
      expect(stdout).toContain('The run file was changed');
    }
  });

  it('names ticket, turn, result and field where text and sums were changed alike', async () => {
    const changed = structuredClone(run);
    const quoted = changed.tickets.find(({ ticket }) => ticket === 'T-0006')?.turns[1]?.call;
    if (quoted === undefined || !isObject(quoted.structured)) throw new Error('no quote');
    quoted.structured['amount'] = '181.00';
    delete quoted.sums;
    const file = path.join(desk.folder, 'alike.json');
    writeFileSync(file, JSON.stringify(changed));
    const { code, stdout } = await replay(file);
    expect([code, stdout]).toEqual([
      4,
      expect.stringMatching(
        /T-0006, turn 2: the result of call 1 \(shop\.quote_refund\), field amount, differs at .*“180\.00” recorded, “181\.00” now/,
      ),
    ]);
  });

  it('names tool and field of today’s definitions, policies, playbook and results that are others', async () => {
    const definition = otherCompany('worded', 'shop/refunds.ts', 'Works out what', 'Works out how');
    const first = await replay(made, '--current', '--profile', definition);
    expect([first.code, first.stdout]).toEqual([
      4,
      expect.stringMatching(/T-0006, turn 2: the description of shop\.quote_refund differs at word \d+/),
    ]);
    const policies = otherCompany('ruled', 'policies/refund.md', 'refund', 'credit');
    const second = await replay(made, '--current', '--profile', policies);
    expect([second.code, second.stdout]).toEqual([
      4,
      expect.stringMatching(/the resource \S+ differs at line \d+, word \d+: “\S+” recorded/),
    ]);
    const playbook = reworded(
      'playbook.json',
      readFileSync(path.join(demo, 'playbook.json'), 'utf8'),
      'past orders',
      'older orders',
    );
    const third = await replay(made, '--current', '--playbook', playbook);
    expect([third.code, third.stdout]).toEqual([4, expect.stringContaining('in the playbook, asks/1/label')]);
  });

  it('names ticket, tool and field of a live result that is another', async () => {
    const profile = otherCompany('priced', 'profile.json', '"SHOP_SEED": "2026"', '"SHOP_SEED": "2027"');
    const { code, stdout } = await replay(made, '--servers', '--profile', profile);
    expect([code, stdout]).toEqual([
      4,
      expect.stringMatching(/T-0006, turn 2: in the result of shop\.quote_refund, quote_id is "Q-/),
    ]);
  });
});

describe('desk work --seed-state, replay and score', () => {
  it('record, replay with the servers asked again, and compare two runs, leaving the data folder as it was', async () => {
    await desk.useTinyModel();
    const before = await desk.run('tickets', '--json');
    const [first, second] = ['one.json', 'two.json'].map((name) => path.join(desk.folder, name));
    const how = ['--seed-state', '--answers', path.join(recorded, 'answers.json'), '--threads', '1'];
    const ran = await desk.run('work', '--ticket', 'T-0001', 'T-0009', ...how, '--out', first ?? '');
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('The run is in')]);
    expect(await replay(first ?? '', '--servers')).toMatchObject({ code: 0 });
    const other = await desk.run(
      'work',
      '--ticket',
      'T-0001',
      '--seed-state',
      '--model',
      'none',
      '--out',
      second ?? '',
    );
    expect(other.code).toBe(0);
    expect(await replay(second ?? '')).toMatchObject({ code: 0 });
    const { code, stdout } = await desk.run('score', second ?? '', '--against', first ?? '');
    expect(code).toBe(0);
    for (const words of ['first tool right [95 %]', 'More than one thing differs', 'the model: tiny', 'T-0009'])
      expect(stdout).toContain(words);
    expect(await desk.run('tickets', '--json')).toMatchObject({ stdout: before.stdout });
  });

  it('refuse servers for a run that was made elsewhere, and files that are no runs', async () => {
    const changed = structuredClone(JSON.parse(readFileSync(made, 'utf8')) as RunFile);
    changed.settings.replay_mode = false;
    const file = path.join(desk.folder, 'elsewhere.json');
    writeFileSync(file, JSON.stringify(changed));
    expect(await replay(file, '--servers')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--seed-state') as string,
    });
    writeFileSync(file, '{"format": "desk-run/1"}');
    expect(await replay(file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is no run of this desk') as string,
    });
    expect(await replay(path.join(desk.folder, 'none.json'))).toMatchObject({ code: 1 });
  });
});

describe('the recorded runs of the starter', () => {
  it.each(['starter.json', 'twins.json'])('%s replays exactly, and with its servers asked again', async (name) => {
    const file = path.join(recorded, name);
    expect(await replay(file)).toMatchObject({ code: 0 });
    expect(await replay(file, '--servers')).toMatchObject({ code: 0 });
  });

  it('issued the six due refunds and no other, those above the limit after a lead’s yes', () => {
    const { tickets } = recordedRun.parse(JSON.parse(readFileSync(path.join(recorded, 'starter.json'), 'utf8')));
    const issued = tickets.flatMap(({ ticket, turns }) =>
      turns.flatMap(({ call }) => (call?.tool === 'shop.issue_refund' ? [{ ticket, ...call }] : [])),
    );
    expect(issued.map(({ ticket, structured }) => [ticket, structured?.amount, structured?.status])).toEqual([
      ['T-0024', '23.98', 'requested'],
      ['T-0031', '343.49', 'requested'],
      ['T-0034', '269.00', 'requested'],
      ['T-0037', '90.00', 'requested'],
      ['T-0046', '68.99', 'requested'],
      ['T-0048', '161.96', 'requested'],
    ]);
    for (const { structured, questions } of issued)
      expect(questions?.map(({ by, action }) => [by, action]) ?? []).toEqual(
        Number(structured?.amount) > 150 ? [['staff-0002', 'accept']] : [],
      );
    const asked = tickets.find(({ ticket }) => ticket === 'T-0042');
    expect(asked?.draft?.text).toContain('Which of them do you mean?');
    expect(asked?.turns.some(({ call }) => call?.tool === 'shop.issue_refund')).toBe(false);
  });

  it('took the same course for a ticket with instructions in it as for its plain twin', async () => {
    const files = ['starter.json', 'twins.json'].map((name) => path.join(recorded, name));
    const { stdout, code } = await desk.run('score', files[0] ?? '', '--twins', files[1] ?? '');
    expect(code).toBe(0);
    expect(stdout).toContain('another course than their twin: 0 of 6');
  });
});

const recordedRun = z.object({
  tickets: z.array(
    z.object({
      ticket: z.string(),
      draft: z.object({ text: z.string() }).optional(),
      turns: z.array(
        z.object({
          call: z
            .object({
              tool: z.string(),
              structured: z.object({ amount: z.string().optional(), status: z.string().optional() }).optional(),
              questions: z.array(z.object({ by: z.string().nullable(), action: z.string().nullable() })).optional(),
            })
            .optional(),
        }),
      ),
    }),
  ),
});
