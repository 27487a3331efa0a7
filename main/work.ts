// Whoever works tickets: one loaded model and one session, taken in turns ticket by ticket, so that an answered consent gets
// in between. A person at a view is asked while their ticket waits; who went away leaves the call waiting.
import type { News, ParamsOf, Worked } from '../shared/contract.ts';
import type { Call } from '../shared/calls.ts';
import { Failure, reason } from '../shared/failures.ts';
import type { JsonObject } from '../shared/json.ts';
import { may, type Person } from '../shared/people.ts';
import type { Question, QuestionAnswer } from '../shared/questions.ts';
import type { TicketRun } from '../shared/runs.ts';
import type { Ticket } from '../shared/tickets.ts';
import { parseAnswers, type Answers } from './answers.ts';
import type { Host } from './host.ts';
import { sha256 } from './mcp/canonical.ts';
import type { Model } from './model/model.ts';
import type { ModelChoice } from './modelChoice.ts';
import { fetching } from './models.ts';
import { iso } from './ports.ts';
import { reportOf } from './report.ts';
import { runFile } from './runFile.ts';
import { openSession, type Session } from './session.ts';
import { repliedTickets } from './store/outbox.ts';
import { createTurns } from './turns.ts';

/** Who wants tickets worked, and how. */
interface Asker {
  by: Person;
  signal: AbortSignal;
  watch: string;
  model: string | undefined;
  threads: number | undefined;
  /** Goes on with whatever model is loaded. */
  anyModel: boolean;
  batch: string | null;
  answers: Answers | null;
  attended: boolean;
  said: Set<string>;
}
interface Opened {
  asker: Asker;
  session: Session;
  model: Model | null;
}
interface Said<Answer> {
  answer: Answer;
  by: Person;
  scripted: false;
}
type Given = Said<'run' | 'dont'> | Said<QuestionAnswer> | null;
/** What every request that works tickets may say. */
type Working = Pick<ParamsOf<'runs.work'>, 'model' | 'threads' | 'watch'>;

const stepPause = 100;
/** Whom the desk makes ready for: no person, so nobody is asked. */
const itself: Person = { id: '', name: 'the desk', role: 'staff' };

export type Work = ReturnType<typeof createWork>;

/** `host` is asked for late: the gate of a host asks back here. */
export function createWork(deps: { host: () => Host; models: () => ModelChoice }) {
  const turns = createTurns();
  const attended = new Map<string, (given: Given) => void>();
  /** Who gave the answer a ticket went on with: a second one for the same is told so at once. */
  const answered = new Map<string, Person>();
  let loaded: { file: string; threads: number | undefined; model: Model } | null = null;
  /** What was chosen for loading models changed since this one was. */
  let outdated = false;
  let opened: Opened | null = null;
  let current: Asker | null = null;
  let preparing = false;
  /** Somebody has the desk open, so that a model may be loaded without being asked for. */
  let lasting = false;
  const ends = new AbortController();

  function tell({ watch }: Pick<Asker, 'watch'>, news: News): void {
    deps.host().events.publish('runs', watch, { watch, news });
  }
  function say(asker: Pick<Asker, 'said' | 'watch'>, words: string): void {
    if (asker.said.has(words)) return;
    asker.said.add(words);
    tell(asker, { kind: 'says', words });
  }

  /** The model of a request; what was loaded for another one is given up. */
  async function modelFor(asker: Asker): Promise<Model | null> {
    if (asker.model === 'none') return null;
    if (loaded !== null && (outdated || !(await alive(loaded.model)))) await unload();
    if (loaded !== null && asker.model === undefined && asker.anyModel) return loaded.model;
    const { model, why } = await deps.models().chosen(asker.model);
    if (model === null) {
      say(asker, why);
      return null;
    }
    const { threads = loaded?.threads } = asker;
    if (loaded?.file === model.file && loaded.threads === threads) return loaded.model;
    await unload();
    say(asker, `Loading ${model.name} …`);
    const ready = await deps
      .models()
      .load(model, { signal: asker.signal, ...(threads === undefined ? {} : { threads }) });
    loaded = { file: model.file, threads, model: ready };
    return ready;
  }
  /**
   * Waits for the model of a request where it is on its way. Failure `model.missing` where fetching it failed, and where it is
   * `needed` and neither there nor on its way.
   */
  async function fetched({ signal, ...asker }: Asker, needed: boolean): Promise<void> {
    if (asker.model !== undefined || (loaded !== null && asker.anyModel)) return;
    const { missing } = await deps.models().chosen();
    const coming = missing === undefined ? null : fetching(missing.file);
    if (coming === null && missing !== undefined && needed && loaded === null)
      throw new Failure(
        'model.missing',
        'No model is on this machine, so nothing was drafted. Get one on the Model page, or write the reply yourself.',
      );
    if (coming === null) return;
    say(asker, 'The model is being fetched: drafted when it is there.');
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal.reason as Error); // a Failure of the router, or of whoever stops it
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      await Promise.race([coming, stopped]);
    } catch (error) {
      signal.throwIfAborted();
      throw new Failure(
        'model.missing',
        `The model could not be fetched: ${reason(error)} Nothing was drafted. Get the model on the Model page, then draft again.`,
      );
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
  async function unload(): Promise<void> {
    const { model } = loaded ?? {};
    loaded = null;
    outdated = false;
    opened = null;
    await model?.close();
  }

  async function sessionOf(asker: Asker): Promise<Opened> {
    if (opened?.asker === asker && (opened.model === null || (await alive(opened.model)))) return opened;
    opened = null;
    const model = await modelFor(asker);
    const { telemetry } = deps.host();
    const traced = model === null ? null : (telemetry?.model(model) ?? model);
    const session = await openSession(deps.host(), traced, asker.batch, asker.signal);
    for (const problem of session.problems) say(asker, problem);
    if (session.prefix !== null) say(asker, prefixWords(session.prefix));
    opened = { asker, session: telemetry?.session(session) ?? session, model };
    return opened;
  }
  /** One ticket, or what is left of one: nobody else uses the model meanwhile. */
  async function turn<T>(asker: Asker, work: (opened: Opened) => Promise<T>): Promise<T> {
    if (preparing) say(asker, 'The model is being made ready: about half a minute the first time, then seconds.');
    else if (turns.busy()) say(asker, 'Another ticket is being worked: taking turns with it.');
    return turns.take(asker.signal, async () => {
      current = asker;
      try {
        return await work(await sessionOf(asker));
      } finally {
        current = null;
      }
    });
  }
  /** Waits for a person at the view of the request; null where they are not there, or go away. */
  async function atView(id: string, call: Call, question: Question | null): Promise<Given> {
    const asker = current;
    if (asker === null || !asker.attended || asker.signal.aborted) return null;
    const { promise, resolve } = Promise.withResolvers<Given>();
    const leave = () => resolve(null);
    attended.set(id, resolve);
    asker.signal.addEventListener('abort', leave, { once: true });
    tell(asker, { kind: 'asks', call, question });
    try {
      return await promise;
    } finally {
      attended.delete(id);
      asker.signal.removeEventListener('abort', leave);
    }
  }
  function stepper(asker: Asker, ticket: Ticket, n: number, of: number): (words: string) => void {
    let last = 0;
    return (words) => {
      if (performance.now() - last < stepPause) return;
      last = performance.now();
      tell(asker, { kind: 'step', ticket: ticket.id, n, of, words });
    };
  }
  async function finished(asker: Asker, run: TicketRun): Promise<void> {
    const ticket = await deps.host().tickets.find(run.ticket);
    if (ticket === undefined) return;
    deps.host().touched(ticket.id);
    // The draft is another: it is read again.
    deps.host().events.publish('drafts', ticket.id, null);
    tell(asker, { kind: 'finished', ticket, run });
  }
  function askerOf(by: Person, signal: AbortSignal, working: Working): Asker {
    const { model, threads, watch } = working;
    const rest = { anyModel: true, batch: null, answers: null, attended: false, said: new Set<string>() };
    return { by, signal, watch, model, threads, ...rest };
  }

  /** Goes on with a run, where it is its turn: `settled` gives its call with what a person said. */
  async function goOn(
    { by, signal, ...working }: Working & { by: Person; signal: AbortSignal },
    settled: () => Promise<Call>,
  ): Promise<{ call: Call; run: TicketRun }> {
    const asker = askerOf(by, signal, working);
    return turn(asker, async ({ session }) => {
      const call = await settled();
      const run = await session.goOn(call, { signal });
      await finished(asker, run);
      return { call: await deps.host().calls.get(call.id), run };
    });
  }

  /** Runs whose call was answered or settled while nobody worked tickets go on first. */
  async function catchUp(asker: Asker): Promise<void> {
    for (const call of await turn(asker, ({ session }) => session.pending())) {
      asker.signal.throwIfAborted();
      const { signal } = asker;
      try {
        await finished(asker, await turn(asker, ({ session }) => session.goOn(call, { signal })));
      } catch (error) {
        if (!(error instanceof Failure) || signal.aborted) throw error;
        say(asker, error.message);
      }
    }
  }

  /**
   * `needsModel`: without one nothing is worked, where else the tickets are left to people. `sparing`: of those that are named,
   * those that a person wrote a reply to are left out.
   */
  async function workTickets(
    { needsModel = false, ...params }: ParamsOf<'runs.work'> & { needsModel?: boolean; sparing?: boolean },
    by: Person,
    signal: AbortSignal,
  ): Promise<Worked> {
    const host = deps.host();
    const id = `queue-${host.random.hex(6)}`;
    const startedAt = iso(host.clock);
    const answers = params.answers === undefined ? null : parseAnswers(params.answers, await host.people());
    const tickets = await selected(host, params);
    const asker = { ...askerOf(by, signal, params), anyModel: false, batch: id, answers, attended: params.attended };
    const runs: TicketRun[] = [];
    await fetched(asker, needsModel);
    let last = await turn(asker, (ready) => Promise.resolve(ready));
    try {
      await catchUp(asker);
      for (const [index, ticket] of tickets.entries()) {
        signal.throwIfAborted();
        const run = await turn(asker, (ready) => {
          last = ready;
          const step = stepper(asker, ticket, index + 1, tickets.length);
          return ready.session.workTicket(ticket, { step, signal }).catch((error: unknown) => {
            tell(asker, { kind: 'left', ticket: ticket.id });
            throw error;
          });
        });
        runs.push(run);
        await finished(asker, run);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    const labels = await host.tickets.labels();
    const report = reportOf(runs.map((run) => ({ run, label: labels.get(run.ticket) ?? null })));
    const { session, model } = last;
    const sum = params.answers === undefined ? null : sha256(JSON.stringify(params.answers));
    const parts = { id, startedAt, endedAt: iso(host.clock), model, host, session, runs, report, answers: sum };
    // A run file is plain JSON by construction.
    const file = params.file ? ((await runFile(parts)) as unknown as JsonObject) : null;
    return { id, report, stopped: signal.aborted, file };
  }

  /** A call ended that no view waited for: its ticket goes on. A command that is there for something else leaves it to the next. */
  async function wake(call: Call): Promise<void> {
    if (call.run === '' || ends.signal.aborted || (loaded === null && !lasting)) return;
    const { signal } = ends;
    const asker = askerOf(itself, signal, { watch: '' });
    try {
      await finished(asker, await turn(asker, ({ session }) => session.goOn(call, { signal })));
    } catch (error) {
      // It was worked again meanwhile, or the desk ends: whoever works tickets next finds it.
      if (!(error instanceof Failure) && !signal.aborted) throw error;
    }
  }

  /** Loads the model and has it read what every ticket begins with, so that the first draft need not wait for that. */
  async function prepare(signal: AbortSignal): Promise<void> {
    lasting = true;
    const { model } = await deps.models().chosen();
    if (model === null) return;
    const asker = askerOf(itself, signal, { watch: '' });
    const ready = turn(asker, () => Promise.resolve());
    preparing = true;
    tell(asker, { kind: 'preparing', model: model.name, done: false });
    try {
      await ready;
    } finally {
      preparing = false;
      tell(asker, { kind: 'preparing', model: model.name, done: true });
    }
  }

  return {
    workTickets,
    goOn,
    prepare,
    wake,
    lasting: () => lasting,
    /** The gate asks: a rule of the answers file, else the person at the view. */
    ask: async (call: Call) => {
      const scripted = current?.answers?.consent(call);
      // What is given for a call's own ID is a consent.
      return scripted ?? ((await atView(call.id, call, null)) as Said<'run' | 'dont'> | null);
    },
    put: async (question: Question, call: Call) => {
      const scripted = current?.answers?.question(question, call);
      if (!scripted && current !== null && !may(current.by.role, question.role)) return null;
      // What is given for a question's own ID answers it.
      return scripted ?? ((await atView(question.id, call, question)) as Said<QuestionAnswer> | null);
    },
    /** Gives a person's answer to the ticket that waits for it, null to leave it waiting; false where none does. */
    give(id: string, given: Given): boolean {
      const waits = attended.get(id);
      waits?.(given);
      if (waits !== undefined && given !== null) answered.set(id, given.by);
      return waits !== undefined;
    },
    answeredBy: (id: string): Person | undefined => answered.get(id),
    /** Servers or approvals changed: the next ticket is offered what stands now. */
    refresh(): void {
      opened = null;
    },
    /** The next ticket has its model loaded anew. */
    outdate(): void {
      outdated = true;
    },
    /** The model that is loaded now; null where none is. */
    loaded: (): { file: string; pid: number; context: number } | null =>
      loaded === null ? null : { file: loaded.file, pid: loaded.model.pid, context: loaded.model.info.contextSize },
    /** Tokens of a text for the model that is loaded; null where none is, or it is gone. */
    count: async (text: string): Promise<number | null> =>
      (await loaded?.model.count([{ text, trust: 'outside' }]).catch(() => null)) ?? null,
    /** The machine to itself, without a loaded model. */
    alone: <T>(signal: AbortSignal, use: () => Promise<T>): Promise<T> =>
      turns.take(signal, async () => {
        await unload();
        return use();
      }),
    async close(): Promise<void> {
      ends.abort(new Failure('host.closed', 'The desk ended.'));
      await unload();
    },
  };
}

async function alive(model: Model): Promise<boolean> {
  return model.count([]).then(
    () => true,
    () => false,
  );
}

/** How the prefix came to be. */
function prefixWords(prefix: NonNullable<Session['prefix']>): string {
  const how = {
    memory: 'kept in memory',
    disk: 'loaded from disk',
    evaluated: 'read by the model and kept',
    rebuilt: 'read again',
  }[prefix.from];
  return `Instructions, tools and policy: ${prefix.tokens} tokens, ${how} in ${(prefix.ms / 1000).toFixed(1)} s.${prefix.problem === undefined ? '' : ` ${prefix.problem}`}`;
}

/**
 * The tickets a request names. Throws where one is not known; nothing has happened by then. Never mail of a machine: two that
 * answer each other would not end. Of those nobody named, none that a person wrote a reply to.
 */
async function selected(host: Host, params: ParamsOf<'runs.work'> & { sparing?: boolean }): Promise<Ticket[]> {
  const { tickets, select, sparing = false } = params;
  const replied = await repliedTickets(host.store.db);
  if (tickets === undefined) {
    const all = (await host.tickets.list(select === 'all' ? {} : { state: 'open', queued: true })).filter(
      (ticket) => !ticket.machine,
    );
    return select === 'all'
      ? all.filter((ticket) => ticket.source === 'sample' || ticket.state === 'open')
      : all.filter((ticket) => !replied.has(ticket.id));
  }
  const found: Ticket[] = [];
  for (const id of tickets) {
    const ticket = await host.tickets.find(id);
    if (ticket === undefined)
      throw new Failure('tickets.unknown', `There is no ticket ${id}. "desk tickets" lists what is there.`);
    found.push(ticket);
  }
  const people = found.filter((ticket) => !ticket.machine);
  if (found.length > 0 && people.length === 0)
    throw new Failure(
      'tickets.machine',
      `${found.map(({ id }) => id).join(', ')}: a machine sent this mail, so it gets no draft. Write an answer yourself if it needs one.`,
    );
  return sparing ? people.filter((ticket) => !replied.has(ticket.id)) : people;
}
