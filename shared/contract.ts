/**
 * The contract between the host and its views (window, browser, command line): every request with what is sent, what comes
 * back and who may ask; coded failures; events. Plain JSON both ways. What is not listed here cannot be asked.
 */
import { z } from 'zod';
import { callStates, type Call, type ConsentReport, type WireMessage } from './calls.ts';
import type { Form } from './forms.ts';
import type { JsonObject } from './json.ts';
import type { Person } from './people.ts';
import type { FieldDifference, Pin, Reviewed } from './pins.ts';
import type { Question } from './questions.ts';
import type { Report } from './report.ts';
import { route, type Route } from './route.ts';
import type { TicketRun } from './runs.ts';
import { serverConfig, type ServerRow, type ServerStatus } from './servers.ts';
import type { Imported, Ticket } from './tickets.ts';
import type { ModelNews, ModelRow } from './models.ts';

const id = z.string().min(1).max(200);
const nothing = z.strictObject({});
const staff = (does: string) => ({ role: 'staff', does }) as const;
const admin = (does: string) => ({ role: 'admin', does }) as const;

/** How tickets are worked: by which model, and under which name the news of it come as `runs` events. */
const working = {
  /** Name or role of the catalogue; `none` works without one. */
  model: z.string().max(200).optional(),
  threads: z.number().int().min(1).max(512).optional(),
  /** Chosen by whoever asks: `RunNews.watch` of every piece of news about this request. */
  watch: z.string().max(64).default(''),
};

/** What a batch of tickets came to. */
export interface Worked {
  id: string;
  report: Report;
  /** It was stopped before its end; what was done is kept. */
  stopped: boolean;
  /** The run file, where it was asked for. */
  file: JsonObject | null;
}
/** A question with the call it belongs to and the form it comes to. */
export interface InboxEntry {
  question: Question;
  call: Call;
  form: Form;
}
export interface Traced {
  call: Call;
  messages: WireMessage[];
}
export interface Bench {
  model: string;
  load_ms: number;
  read_tokens_per_second: number;
  write_tokens_per_second: number;
}
export interface Check {
  name: string;
  ok: boolean;
  says: string;
}

export const routes = {
  'tickets.list': route<Ticket[]>()(
    z.strictObject({ limit: z.number().int().min(1).optional(), offset: z.number().int().min(0).optional() }),
  ),
  'tickets.get': route<Ticket>()(z.strictObject({ id })),
  /** The text of a tickets file: a JSON array or JSON Lines. */
  'tickets.import': route<Imported>()(z.strictObject({ text: z.string(), dryRun: z.boolean().default(false) }), {
    least: staff('brings tickets in'),
  }),

  'runs.work': route<Worked>()(
    z.strictObject({
      /** These tickets in this order; without them those that are open, or all. */
      tickets: z.array(id).optional(),
      select: z.enum(['open', 'all']).default('open'),
      ...working,
      /** Rules of an answers file (spec cli, "Files"). */
      answers: z.json().optional(),
      /** Whoever asks has a person at hand: waiting calls come as news and are answered with `calls.consent`. */
      attended: z.boolean().default(false),
      file: z.boolean().default(false),
    }),
    { least: staff('works tickets'), servers: true },
  ),
  'calls.waiting': route<Call[]>()(nothing),
  'calls.list': route<Call[]>()(
    z.strictObject({ run: id.optional(), ticket: id.optional(), states: z.array(z.enum(callStates)).optional() }),
  ),
  /** A waiting call by its ID or the first six letters of it; Failures say what became of one that does not wait. */
  'calls.get': route<Call>()(z.strictObject({ id })),
  /** `hash` is the one that was shown. `run` is null where the call belongs to tickets that are being worked: they go on. */
  'calls.consent': route<{ call: Call; run: TicketRun | null }>()(
    z.strictObject({ id, answer: z.enum(['run', 'dont', 'later']), hash: z.string(), ...working }),
    { least: staff('answers consent'), servers: true, outlives: true },
  ),
  'calls.edit': route<Call>()(z.strictObject({ id, arguments: z.record(z.string(), z.json()) }), {
    least: staff('edits calls'),
    servers: true,
  }),

  /** A person looked up what a call of unknown outcome did. */
  'calls.settle': route<{ call: Call; run: TicketRun | null }>()(
    z.strictObject({ id, happened: z.boolean(), why: z.string().max(2_000), ...working }),
    { least: staff('settles calls'), servers: true, outlives: true },
  ),
  /** How people answer consents (spec host §10). */
  'calls.report': route<ConsentReport>()(nothing, { least: admin('sees reports') }),
  /** Messages on the wire of a call, of a ticket run or of a whole queue run. */
  'calls.trace': route<Traced[]>()(
    z.strictObject({ run: id, ticket: id.optional(), call: z.number().int().optional() }),
    {
      least: staff('looks at messages on the wire'),
    },
  ),
  /** Erases what calls settled before a time held; that it happened stays in the log. */
  'calls.erase': route<number>()(z.strictObject({ before: z.iso.datetime({ offset: true }) }), {
    least: admin('erases what calls held'),
  }),

  /** What waits for the one who asks; `others` counts what waits for a higher role. */
  'questions.list': route<{ questions: InboxEntry[]; unknown: Call[]; others: number }>()(nothing, {
    least: staff('reads the inbox'),
  }),
  /** `run` is null where more questions of the round are open, or where the ticket is being worked: it goes on. */
  'questions.answer': route<{ call: Call; run: TicketRun | null }>()(
    z.strictObject({
      id,
      action: z.enum(['accept', 'decline', 'cancel']),
      content: z.record(z.string(), z.json()).optional(),
      ...working,
    }),
    { least: staff('answers questions'), servers: true, outlives: true },
  ),

  /** Whoever is asked at their view leaves the question in the inbox. */
  'questions.later': route<null>()(z.strictObject({ id }), { least: staff('answers questions') }),

  'servers.list': route<ServerRow[]>()(nothing, { servers: true }),
  'servers.check': route<{ status: ServerStatus; tools: Reviewed[] }>()(z.strictObject({ prefix: z.string() }), {
    servers: true,
  }),
  'servers.add': route<null>()(z.strictObject({ config: serverConfig }), { least: admin('adds servers') }),
  'servers.remove': route<null>()(z.strictObject({ prefix: z.string() }), { least: admin('removes servers') }),
  'servers.enable': route<null>()(z.strictObject({ prefix: z.string(), enabled: z.boolean() }), {
    least: admin('switches servers on and off'),
  }),

  /** Definitions that wait for a decision, and with `tool` that tool whatever was decided. */
  'pins.waiting': route<{ prefix: string; one: Reviewed }[]>()(
    z.strictObject({ prefix: z.string().optional(), tool: z.string().optional() }),
    { servers: true },
  ),
  'pins.decide': route<Pin>()(
    z.strictObject({
      prefix: z.string(),
      tool: z.string(),
      decision: z.enum(['approved', 'refused']),
      /** Of the definition that was shown. */
      hash: z.string(),
      why: z.string().max(2_000).nullable(),
      marks: z.record(z.string(), z.enum(['prose', 'reference'])).optional(),
      noSideEffects: z.boolean().optional(),
    }),
    { least: admin('decides on definitions'), servers: true },
  ),
  'pins.history': route<Pin[]>()(z.strictObject({ prefix: z.string(), tool: z.string() })),

  /** The playbook's file says something else than what is in force. */
  'playbook.waiting': route<{ hash: string; status: 'changed' | 'refused'; difference: FieldDifference[] } | null>()(
    nothing,
  ),
  /** In force from the next start of the desk. */
  'playbook.decide': route<null>()(
    z.strictObject({
      hash: z.string(),
      decision: z.enum(['approved', 'refused']),
      why: z.string().max(2_000).nullable(),
    }),
    { least: admin('decides on the playbook') },
  ),

  'models.list': route<ModelRow[]>()(nothing),
  /** Progress comes as `models` events. */
  'models.get': route<{ name: string; fromDisk: boolean }>()(z.strictObject({ name: z.string() }), {
    least: staff('gets models'),
  }),
  /** A file on this machine; it is then in use. */
  'models.add': route<ModelRow>()(z.strictObject({ file: z.string() }), { least: staff('adds models') }),
  'models.use': route<ModelRow>()(z.strictObject({ name: z.string() }), { least: staff('chooses models') }),
  'models.bench': route<Bench>()(z.strictObject({ name: z.string().optional() })),

  'people.list': route<Person[]>()(nothing),
  'doctor.about': route<{ company: string; data: string }>()(nothing),
  'doctor.check': route<Check[]>()(nothing, { servers: true }),
};

export type RouteName = keyof typeof routes;
/** What the host works with, defaults filled in. */
export type ParamsOf<R extends RouteName> = z.output<(typeof routes)[R]['params']>;
/** What a view sends. */
export type GivenOf<R extends RouteName> = z.input<(typeof routes)[R]['params']>;
export type ValueOf<R extends RouteName> = (typeof routes)[R] extends Route<z.ZodType, infer Value> ? Value : never;

/** News of tickets being worked. */
export type News =
  | { kind: 'says'; words: string }
  | { kind: 'step'; ticket: string; n: number; of: number; words: string }
  /** A person at the view is asked now; the ticket waits for `calls.consent`, or `questions.answer` with a question. */
  | { kind: 'asks'; call: Call; question: Question | null }
  | { kind: 'finished'; ticket: Ticket; run: TicketRun };
/** For the view that asked for it, by its `watch`. */
interface RunNews {
  watch: string;
  news: News;
}

/** What changes, by feature. An ID `*` that is gone means: list again. */
export interface Entities {
  tickets: Ticket;
  calls: Call;
  questions: Question;
  pins: Pin;
  models: ModelNews;
  servers: ServerStatus;
  runs: RunNews;
}
export type Feature = keyof Entities;
/** `seq` counts per connection: after a gap, list again. `revision` grows with every change of the host. */
export type Change<F extends Feature = Feature> = {
  [K in F]: { feature: K; id: string; revision: number } & ({ entity: Entities[K] } | { gone: true });
}[F];
export type Event = Change & { seq: number };

/** What a view sends, one JSON document a message. */
export const message = z.union([
  z.strictObject({
    id: z.number().int().nonnegative(),
    route: z.string().max(64),
    params: z.json(),
    as: id.optional(),
  }),
  z.strictObject({ cancel: z.number().int().nonnegative() }),
  z.strictObject({ listen: z.literal(true) }),
]);

export type Message = z.infer<typeof message>;

export interface CodedFailure {
  code: string;
  message: string;
  data?: unknown;
}
/** What the host sends. `bye`: it ends; what was not answered was not begun. */
export type Answer =
  | { id: number; ok: true; value: unknown }
  | { id: number | null; ok: false; failure: CodedFailure }
  | { event: Event }
  | { bye: true };
