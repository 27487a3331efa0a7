// Two runs of the sample company in one data folder, for tests of what is shown of runs: the recorded one, played against the
// sample's own servers with the choices, people's answers and times it was recorded with, and one before it that chose
// otherwise in places and was answered by nobody.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { loadAnswers, type Answers } from '../main/answers.ts';
import { createHost, type Host } from '../main/host.ts';
import type { Model } from '../main/model/model.ts';
import { replayModel } from '../main/replayModel.ts';
import { readRunFile, textOfHash } from '../main/runFileCheck.ts';
import type { RunFile, WorkedTicket } from '../main/runFileShape.ts';
import { openSession } from '../main/session.ts';
import { listRuns, updateRun } from '../main/store/runs.ts';
import { Failure } from '../shared/failures.ts';

const demo = path.resolve(import.meta.dirname, '../demo');
const recorded = path.join(demo, 'recorded');
const none = { evaluated: 41, reused: 1_808, generated: 2 };

/** IDs of the two runs, the later one first. */
const recordedRuns = { now: 'queue-recorded', before: 'queue-before' };
/** Asks the run before chose where the recorded one understood. */
const otherwise: Record<string, string> = {
  'T-0009': 'past orders',
  'T-0028': 'in stock',
  'T-0033': 'past orders',
};

/** Leaves both runs in the folder, which nobody may have open. */
export async function bringRecorded(data: string): Promise<void> {
  const file = path.join(recorded, 'starter.json');
  const { run } = readRunFile(file);
  const day = 24 * 60 * 60 * 1_000;
  await workedAgain(data, run, {
    batch: recordedRuns.before,
    answered: false,
    asks: otherwise,
    slower: 1.09,
    began: Date.now() - day,
  });
  // The shop as it was on the first morning: its quotes are those of the recording again.
  rmSync(path.join(data, 'profile'), { recursive: true, force: true });
  await workedAgain(data, run, {
    batch: recordedRuns.now,
    answered: true,
    asks: {},
    slower: 1,
    began: Date.now() - 600_000,
  });
}

interface Course {
  batch: string;
  answered: boolean;
  asks: Record<string, string>;
  /** Its times beside the recorded ones. */
  slower: number;
  began: number;
}

async function workedAgain(
  data: string,
  run: RunFile,
  { batch, answered, asks, slower, began }: Course,
): Promise<void> {
  const people: { answers: Answers | null } = { answers: null };
  const host = await createHost({
    data,
    profileFile: path.join(demo, 'profile.json'),
    servers: true,
    replayMode: true,
    say: () => undefined,
    ask: (call) => Promise.resolve(people.answers?.consent(call) ?? null),
    put: (question, call) => Promise.resolve(people.answers?.question(question, call) ?? null),
  });
  try {
    if (answered) people.answers = loadAnswers(path.join(recorded, 'answers.json'), await host.people());
    const at = { model: played(run, run.tickets[0], null) };
    const session = await openSession(host, through(run, at), batch);
    for (const ticket of run.tickets) {
      at.model = played(run, ticket, asks[ticket.ticket] ?? null);
      const found = await host.tickets.find(ticket.ticket);
      if (found !== undefined) await session.workTicket(found, {});
    }
    await asTimed(host, run, { batch, slower, began });
  } finally {
    await host.close();
  }
}

/** One model for the session, another tape for each ticket. */
function through(run: RunFile, at: { model: Model }): Model {
  return {
    info: { ...run.model, contextSize: run.settings.context },
    pid: 0,
    count: () => Promise.resolve(0),
    setPrefix: () => Promise.resolve({ tokens: 0, from: 'memory', ms: 0 }),
    rewind: (...given) => at.model.rewind(...given),
    read: (...given) => at.model.read(...given),
    choose: (...given) => at.model.choose(...given),
    generate: (...given) => at.model.generate(...given),
    mark: (...given) => at.model.mark(...given),
    back: (...given) => at.model.back(...given),
    close: () => Promise.resolve(),
  };
}

/** What was recorded for a ticket; with `ask`, a model that reads it so and then takes the first step there is. */
function played(run: RunFile, ticket: WorkedTicket | undefined, ask: string | null): Model {
  const steps = (ticket?.tape ?? []).map(({ segments, ...step }) => ({
    ...step,
    ...(segments !== undefined && {
      segments: segments.map(({ trust, hash }) => ({ trust, text: textOfHash(run, hash, 'a text') })),
    }),
  }));
  const { model } = replayModel({
    info: { ...run.model, contextSize: run.settings.context },
    steps,
    stopped: ticket?.why ?? '',
    nameOf: () => 'a text',
    differs: (words, field) => {
      throw new Failure('replay.differs', `${ticket?.ticket ?? ''}: ${words} (${field})`);
    },
  });
  if (ask === null) return model;
  return {
    ...model,
    rewind: () => Promise.resolve(),
    read: () => Promise.resolve(none),
    choose: (_, options) => {
      const wanted = options.findIndex((one) => one.trim() === ask);
      const best = wanted === -1 ? options.findIndex((one) => one.trim() !== 'hand over') : wanted;
      const rest = options.length === 1 ? 0 : 0.2 / (options.length - 1);
      return Promise.resolve({
        probabilities: options.map((_, index) => (index === best ? (options.length === 1 ? 1 : 0.8) : rest)),
        meter: none,
      });
    },
    generate: () => Promise.resolve({ text: '', meter: none }),
    mark: () => Promise.resolve(0),
    back: () => Promise.resolve(),
  };
}

/** The times of the recording in the place of those of playing it. */
async function asTimed(
  host: Host,
  run: RunFile,
  { batch, slower, began }: Pick<Course, 'batch' | 'slower' | 'began'>,
): Promise<void> {
  let at = began;
  for (const stored of await listRuns(host.store.db, { batch })) {
    const ticket = run.tickets.find((one) => one.ticket === stored.ticket);
    const turns = stored.turns.map((turn, index) => ({ ...turn, ms: ticket?.turns[index]?.ms ?? turn.ms }));
    const ms = Math.round((ticket?.ms ?? 0) * slower);
    const started_at = new Date(at).toISOString();
    at += ms;
    await updateRun(host.store.db, stored.id, { turns, ms, ended_at: new Date(at).toISOString() });
    await host.store.db.updateTable('runs').set({ started_at }).where('id', '=', stored.id).execute();
  }
}
