/**
 * The contract between the host and its views (window, browser, command line): every request with what is sent, what comes
 * back and who may ask; coded failures; events. Plain JSON both ways. What is not listed here cannot be asked.
 */
import { z } from 'zod';
import type { Attachable, Completed, OfferedPrompt, ShownPrompt } from './attaching.ts';
import type { OpenedView, ViewCall, ViewLink } from './apps.ts';
import { callStates, type Call, type ConsentReport, type WireMessage } from './calls.ts';
import type { Form } from './forms.ts';
import type { JsonObject } from './json.ts';
import { importOptions, type ImportNews, type ImportPreview } from './imports.ts';
import type { Act, Me, PersonRow } from './people.ts';
import type { Decided, Pin, PlaybookWaiting, Reviewed } from './pins.ts';
import type { Answered, CallAbout, Question } from './questions.ts';
import {
  priorities,
  ticketFilter,
  ticketViews,
  type BulkDone,
  type DraftUse,
  type LeavingReply,
  type OpenTicket,
  type ReplyDraft,
  type TicketCounts,
  type TicketHits,
  type TicketPage,
  type TicketRow,
} from './queue.ts';
import type { Report } from './report.ts';
import { route, type Route } from './route.ts';
import type { DocumentText, QueueRun, RunTicket, TicketRun } from './runs.ts';
import type { Comparison, Scores } from './scores.ts';
import { serverConfig, type ServerRow, type ServerStatus } from './servers.ts';
import type { SignInShown, SignInState } from './signIn.ts';
import type { Imported, Ticket } from './tickets.ts';
import type { LimitRow } from './limits.ts';
import { modelSettings, type Bench, type ModelLimits, type ModelNews, type ModelRow } from './models.ts';

const id = z.string().min(1).max(200);
const nothing = z.strictObject({});
const version = z.number().int().positive();
const replyText = z.string().max(50_000);
const uri = z.string().min(1).max(2_048);
const prefix = z.string().min(1).max(64);
/** Values of a template or prompt by name. */
const blanks = z.record(z.string().max(128), z.string().max(1_000));
const atEdition = { id, edition: z.number().int().positive() };
const atDraft = { ticket: id, version, edition: z.number().int().nonnegative() };
const paging = {
  filter: ticketFilter.default({}),
  /** As the page before gave it; else Failure `tickets.after`. */
  after: z.string().max(1_000).nullable().default(null),
  limit: z.number().int().min(1).max(200).default(200),
};
const staff = (does: string) => ({ role: 'staff', does }) as const;
const admin = (does: string) => ({ role: 'admin', does }) as const;
const changes = { least: staff('changes tickets') };
const replies = { least: staff('sends replies') };

/** Letters, digits, dot, dash, underscore: it stands in commands and logs. */
const personId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
const role = z.enum(['staff', 'lead', 'admin']);
/** New ones have at least 12 characters, which is checked where they are set. */
const passphrase = z.string().max(1_000);

/** A file as its bytes, in base64, or as an upload that is complete. */
const file = {
  name: z.string().max(1_000),
  bytes: z.base64().optional(),
  upload: id.optional(),
  options: importOptions.default({}),
  /** Chosen by whoever asks: the name of its `imports` events, and what `imports.stop` stops. */
  watch: z.string().max(64).default(''),
};

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
  /** Who alone may accept, where the server knows for whom the call is made and wants a page visited. */
  visitor?: string;
}
export interface Traced {
  call: Call;
  messages: WireMessage[];
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
  'tickets.get': route<OpenTicket>()(z.strictObject({ id })),
  /** At most 200 rows; a text filter is a search, with its failures (see `tickets.search`). */
  'tickets.page': route<TicketPage>()(z.strictObject({ view: z.enum(ticketViews), ...paging }), {
    least: staff('looks at the queue'),
  }),
  'tickets.counts': route<TicketCounts>()(nothing),
  /** Newest first. Failures `tickets.short` (under two letters), `tickets.slow` (stopped after 2 s). */
  'tickets.search': route<TicketHits>()(z.strictObject({ text: z.string().max(200), ...paging }), {
    least: staff('searches tickets'),
  }),
  // Each of these changes a row that is still at `edition`; else Failure `tickets.changed` says who was first (ChangedBy).
  /** Takes it: somebody else's is taken over only where `from` names them. */
  'tickets.claim': route<TicketRow>()(z.strictObject({ ...atEdition, from: id.optional() }), changes),
  'tickets.release': route<TicketRow>()(z.strictObject(atEdition), changes),
  'tickets.priority': route<TicketRow>()(z.strictObject({ ...atEdition, priority: z.enum(priorities) }), changes),
  /** `until` null wakes it. Failure `tickets.past` for a time that is over. */
  'tickets.snooze': route<TicketRow>()(
    z.strictObject({ ...atEdition, until: z.iso.datetime({ offset: true }).nullable() }),
    changes,
  ),
  /** `done` false opens it again. */
  'tickets.done': route<TicketRow>()(z.strictObject({ ...atEdition, done: z.boolean().default(true) }), changes),
  /** `version` of the thread that was read. It retires the draft. */
  'tickets.note': route<TicketRow>()(z.strictObject({ id, version, text: replyText }), changes),
  /** To a person, or to whoever of a role takes it next. `why` becomes a note; it retires the draft. Failure `tickets.nobody`. */
  'tickets.handOver': route<TicketRow>()(
    z.strictObject({
      id,
      version,
      to: z.union([z.strictObject({ person: id }), z.strictObject({ role })]),
      why: replyText,
    }),
    changes,
  ),
  /** Has the model draft these, in this order; goes on when whoever asked goes away. Null where all are in line already. */
  'tickets.draft': route<Worked | null>()(
    z.strictObject({
      tickets: z.array(id).min(1).max(2_000),
      /** Nobody asked for it: the page has the next tickets drafted before they are wanted. */
      ahead: z.boolean().default(false),
      ...working,
    }),
    { least: staff('has tickets drafted'), servers: true, outlives: true },
  ),
  /** Stops what drafts a ticket, and the others that were asked for with it; false where nothing of the kind goes on. */
  'tickets.stop': route<boolean>()(z.strictObject({ id }), { least: staff('stops drafts') }),
  /** The same changes for many at once; those that somebody else changed meanwhile are named and the others done. */
  'tickets.bulk': route<BulkDone>()(
    z.strictObject({
      tickets: z.array(z.strictObject(atEdition)).min(1).max(2_000),
      change: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('claim') }),
        z.strictObject({ kind: z.literal('release') }),
        z.strictObject({ kind: z.literal('priority'), priority: z.enum(priorities) }),
        z.strictObject({ kind: z.literal('snooze'), until: z.iso.datetime({ offset: true }).nullable() }),
        z.strictObject({ kind: z.literal('done'), done: z.boolean() }),
      ]),
    }),
    changes,
  ),

  /** What became of the model's drafts. */
  'drafts.use': route<DraftUse>()(nothing),
  /** Null where neither the model nor a person wrote one. */
  'drafts.get': route<ReplyDraft | null>()(z.strictObject({ ticket: id })),
  // `version` is the thread's, `edition` the draft's (0 where there is none yet): Failure `tickets.changed` says who was first.
  /** A person's text instead of the draft's, checked again over the run's calls; also the first of a reply by hand. */
  'drafts.edit': route<ReplyDraft>()(z.strictObject({ ...atDraft, text: replyText }), replies),
  /** Puts a person's reply away for good; gives what stands then: the model's draft, where there is one. */
  'drafts.discard': route<ReplyDraft | null>()(z.strictObject(atDraft), replies),
  /**
   * Sent when `undo_until` is over (8 s), and the ticket done unless `done` is false. Failures `drafts.blocked` (with the
   * claims), `drafts.none`, `drafts.empty`, `tickets.changed`.
   */
  'drafts.send': route<ReplyDraft>()(z.strictObject({ ...atDraft, done: z.boolean().default(true) }), replies),
  /** Failure `drafts.sent` where it is too late. */
  'drafts.undo': route<ReplyDraft>()(z.strictObject({ ticket: id }), replies),
  /** Of whoever asks, those on their way; the last sent last. */
  'drafts.leaving': route<LeavingReply[]>()(nothing, replies),
  /** Lets a blocked draft be sent as it stands; an edit takes it back. */
  'drafts.override': route<ReplyDraft>()(z.strictObject({ ...atDraft, why: z.string().min(1).max(2_000) }), {
    least: { role: 'lead', does: 'sends what nothing backs' },
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
  /** The newest queue runs, newest first: 50 where not said otherwise. */
  'runs.list': route<QueueRun[]>()(z.strictObject({ most: z.int().min(1).max(10_000).optional() })),
  'runs.get': route<{ run: QueueRun; tickets: RunTicket[]; scores: Scores }>()(z.strictObject({ id })),
  'runs.compare': route<Comparison>()(z.strictObject({ id, against: id })),
  /** The transcript of one ticket run. */
  'runs.ticket': route<TicketRun>()(z.strictObject({ id })),
  /** The text of a document that stood before the model in a ticket run. Failures `runs.document`, `servers.read`. */
  'runs.document': route<DocumentText>()(
    z.union([z.strictObject({ run: id, uri }), z.strictObject({ ticket: id, prefix, uri })]),
  ),
  /** What a person may attach to a ticket: resources, and templates an admin approved. */
  'runs.attachable': route<Attachable>()(nothing, { least: staff('attaches documents'), servers: true }),
  /**
   * `version` of the thread that was read: it goes on, and the draft is retired. The next draft of this ticket reads it.
   * Failures `servers.read`, `servers.asks` (its question is in the inbox), `runs.full`, `tickets.changed`.
   */
  'runs.attach': route<TicketRow>()(
    z.union([
      z.strictObject({ id, version, prefix, uri }),
      z.strictObject({ id, version, prefix, template: uri, arguments: blanks }),
    ]),
    { least: staff('attaches documents'), servers: true },
  ),
  'runs.detach': route<TicketRow>()(z.strictObject({ id, version, prefix, uri }), {
    least: staff('attaches documents'),
  }),
  /** Prompts an admin approved. */
  'calls.prompts': route<OfferedPrompt[]>()(nothing, { least: staff('uses prompts'), servers: true }),
  /** What a prompt returns for a ticket, to be looked at before it is used. Failures `servers.read`, `servers.asks`. */
  'calls.prompt': route<ShownPrompt>()(z.strictObject({ ticket: id, prefix, name: id, arguments: blanks }), {
    least: staff('uses prompts'),
    servers: true,
  }),
  /** `hash` of what was shown: it is attached to the ticket, see `runs.attach`. Failure `calls.prompt`. */
  'calls.usePrompt': route<TicketRow>()(z.strictObject({ id, version, hash: z.string().max(100) }), {
    least: staff('uses prompts'),
  }),
  /** What an argument may be, as far as it is typed. Who types on stops the request and sends another. */
  'calls.complete': route<Completed>()(
    z.strictObject({
      ticket: id,
      prefix,
      kind: z.enum(['prompts', 'templates']),
      name: uri,
      argument: id,
      value: z.string().max(1_000),
      others: blanks.default({}),
    }),
    { least: staff('uses prompts'), servers: true },
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
  /**
   * Stops a call that is on its way; the server of one that runs as a task is asked to, and it goes on until that says
   * otherwise. Failure `calls.state` where nothing goes on.
   */
  'calls.stop': route<Call>()(z.strictObject({ id }), { least: staff('stops calls'), servers: true }),
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

  // Of the view a server has for a result (spec host §22); `call` is the one whose result is shown.
  /** Failures `apps.none`, `apps.unapproved` (an admin decides on it first). */
  'apps.open': route<OpenedView>()(z.strictObject({ call: id }), { least: staff('opens views'), servers: true }),
  /** What a view asks of its server: a call that waits for a person like any other. Failures `apps.tool`, `apps.busy`. */
  'apps.call': route<ViewCall>()(
    z.strictObject({
      call: id,
      tool: z.string().min(1).max(128),
      arguments: z.record(z.string().max(200), z.json()),
    }),
    { least: staff('uses views'), servers: true },
  ),
  'apps.read': route<{ text: string }>()(z.strictObject({ call: id, uri: z.string().min(1).max(2_048) }), {
    least: staff('uses views'),
    servers: true,
  }),
  /** An address a view proposes: nothing is opened yet. Failure `apps.link` says why it never will be. */
  'apps.link': route<ViewLink>()(z.strictObject({ call: id, url: z.string().max(4_096) }), {
    least: staff('uses views'),
  }),
  /** Opens it outside the desk, where the shell lends the host a way; else the page opens `url`. */
  'apps.visit': route<{ url: string; opened: boolean }>()(z.strictObject({ id }), { least: staff('uses views') }),

  /**
   * What waits for the one who asks; `others` counts what waits for a higher role; `about` has each of these calls by its ID.
   */
  'questions.list': route<{
    questions: InboxEntry[];
    unknown: Call[];
    consents: Call[];
    others: number;
    about: Record<string, CallAbout>;
  }>()(nothing, { least: staff('reads the inbox') }),
  /** Answers to what servers asked inside the calls of a ticket, the oldest first. */
  'questions.answered': route<Answered[]>()(z.strictObject({ ticket: id })),
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

  /** Opens the address of a question outside the desk, where the shell lends the host a way; else the view opens `url`. */
  'questions.visit': route<{ url: string; opened: boolean }>()(z.strictObject({ id }), {
    least: staff('answers questions'),
  }),
  /** Whoever is asked at their view leaves the question in the inbox. */
  'questions.later': route<null>()(z.strictObject({ id }), { least: staff('answers questions') }),

  'servers.list': route<ServerRow[]>()(nothing, { servers: true }),
  /** `anew`: a person asks for it, so one that spent its budget of restarts is started once more. */
  'servers.check': route<{ status: ServerStatus; tools: Reviewed[] }>()(
    z.strictObject({ prefix: z.string(), anew: z.boolean().optional() }),
    { servers: true },
  ),
  /** How one stands, without starting it; null for one that is switched off. With what it said on stderr. */
  'servers.status': route<ServerStatus | null>()(z.strictObject({ prefix: z.string() })),
  /** Begins a sign-in and gives the page to show; nothing is opened yet. Null: the person's token still counts. */
  'servers.signIn': route<SignInShown | null>()(z.strictObject({ prefix: z.string() }), {
    least: staff('signs in to servers'),
    servers: true,
  }),
  /** Opens that page outside the desk, where the shell lends the host a way; else the view opens `url`. */
  'servers.visitSignIn': route<{ url: string; opened: boolean }>()(z.strictObject({ prefix: z.string() }), {
    least: staff('signs in to servers'),
  }),
  'servers.signInState': route<SignInState>()(z.strictObject({ prefix: z.string() })),
  'servers.add': route<null>()(z.strictObject({ config: serverConfig }), { least: admin('adds servers') }),
  'servers.remove': route<null>()(z.strictObject({ prefix: z.string() }), { least: admin('removes servers') }),
  'servers.enable': route<null>()(z.strictObject({ prefix: z.string(), enabled: z.boolean() }), {
    least: admin('switches servers on and off'),
  }),

  /** Limits on what servers may do to the desk, each with the value that holds for a server from its next start. */
  'limits.list': route<LimitRow[]>()(nothing),
  /** `value` in the limit's unit; null: the usual one. Failures `limits.unknown`, `limits.range`. */
  'limits.set': route<LimitRow[]>()(z.strictObject({ name: z.string().max(64), value: z.number().nullable() }), {
    least: admin('sets limits for servers'),
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
      /** The newest decision that was shown with it. Failure `pins.decided` where another came meanwhile. */
      seen: z.strictObject({ decision: z.enum(['approved', 'refused']), by: z.string(), at: z.string() }).nullable(),
      why: z.string().max(2_000).nullable(),
      marks: z.record(z.string(), z.enum(['prose', 'reference'])).optional(),
      noSideEffects: z.boolean().optional(),
    }),
    { least: admin('decides on definitions'), servers: true },
  ),
  'pins.history': route<Decided[]>()(z.strictObject({ prefix: z.string(), tool: z.string() })),

  /** The playbook's file says something else than what is in force. */
  'playbook.waiting': route<PlaybookWaiting | null>()(nothing),
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
  /**
   * Progress comes as `models` events. Joins a download that is under way; stopping the request pauses it for all. Whoever is
   * there first may get the starter; everything else an admin.
   */
  'models.get': route<{ name: string; fromDisk: boolean }>()(z.strictObject({ name: z.string() }), {
    least: staff('gets models'),
  }),
  /** Pauses a download that is under way, whoever began it; false where none is. */
  'models.pause': route<boolean>()(z.strictObject({ name: z.string() }), { least: staff('pauses downloads') }),
  /** A file on this machine; it is then in use. */
  'models.add': route<ModelRow>()(z.strictObject({ file: z.string() }), { least: admin('adds models') }),
  'models.use': route<ModelRow>()(z.strictObject({ name: z.string() }), { least: admin('chooses models') }),
  /** Takes a file of the catalogue, or what was got of it, off this disk; one that was added is only forgotten. */
  'models.delete': route<null>()(z.strictObject({ name: z.string() }), { least: admin('deletes models') }),
  'models.bench': route<Bench>()(z.strictObject({ name: z.string().optional() })),
  'models.limits': route<ModelLimits>()(nothing),
  /** In force from the next time a model is loaded. Failure `model.settings` for what this model or machine has not. */
  'models.set': route<ModelLimits>()(modelSettings, { least: admin('changes how models are loaded') }),

  /** A piece of a file larger than a message, at most 4 MiB each: the first with `upload` null. Kept for ten minutes. */
  'imports.upload': route<{ upload: string; size: number }>()(
    z.strictObject({ upload: id.nullable(), bytes: z.base64() }),
    { least: staff('brings tickets in') },
  ),
  /** What a file would come to, and what must be answered before; stores nothing. */
  'imports.preview': route<ImportPreview>()(z.strictObject(file), { least: staff('brings tickets in') }),
  /** Failure `imports.asks`, with the questions as its data, while one is open; nothing is stored then. */
  'imports.run': route<Imported & { notes: string[]; stopped: boolean }>()(z.strictObject(file), {
    least: staff('brings tickets in'),
  }),
  /** What is in stays; the request that brings in answers with what it came to. False where none is under way. */
  'imports.stop': route<boolean>()(z.strictObject({ watch: z.string().min(1).max(64) }), {
    least: staff('brings tickets in'),
  }),

  /** A part of an export: the texts of all parts, one after the other, are the file. `next` null: it was the last. */
  'exports.part': route<{ name: string; text: string; rows: number; next: string | null }>()(
    z.strictObject({
      what: z.enum(['tickets', 'calls', 'runs']),
      format: z.enum(['csv', 'json']),
      after: z.string().max(400).nullable().default(null),
    }),
    { least: staff('takes data out') },
  ),

  'people.list': route<PersonRow[]>()(nothing),
  /** Who acts over this connection. */
  'people.me': route<Me>()(nothing),
  /** People of the sample company need no passphrase. `keep` remembers it for the command line of this data folder. */
  'people.signin': route<Me>()(
    z.strictObject({ id: personId, passphrase: passphrase.optional(), keep: z.boolean().default(false) }),
  ),
  /** Also ends what `keep` remembered for the same person. */
  'people.signout': route<Me>()(nothing),
  /** The command line only: goes on as who `desk signin` signed in, in the sample company as its first person. */
  'people.resume': route<Me>()(nothing),
  /** The first admin, while nobody can act yet; signs them in. */
  'people.begin': route<Me>()(z.strictObject({ id: personId, name: z.string().min(1).max(200), passphrase })),
  'people.add': route<PersonRow>()(
    z.strictObject({ id: personId, name: z.string().min(1).max(200), role, passphrase }),
    { least: admin('adds people') },
  ),
  'people.role': route<PersonRow>()(z.strictObject({ id: personId, role }), { least: admin('changes roles') }),
  /** One's own, with the one so far; an admin's may be anybody's and needs none. */
  'people.passphrase': route<PersonRow>()(
    z.strictObject({ id: personId, current: passphrase.optional(), passphrase }),
    { least: staff('changes passphrases') },
  ),
  /** Who did what, newest first, at most 200; `before` is the last `seq` of the page before. */
  'people.acts': route<Act[]>()(z.strictObject({ before: z.number().int().nullable().default(null) }), {
    least: admin('sees who did what'),
  }),
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
  | { kind: 'finished'; ticket: Ticket; run: TicketRun }
  /** A ticket is not worked any more, without having come to anything: it was stopped, or the model failed. */
  | { kind: 'left'; ticket: string }
  /** The desk makes a model ready by itself, for whoever asks for the first draft. */
  | { kind: 'preparing'; model: string; done: boolean };
/** For the view that asked for it, by its `watch`. */
interface RunNews {
  watch: string;
  news: News;
}

/** What changes, by feature. An ID `*` that is gone means: list again. */
export interface Entities {
  tickets: TicketRow;
  /** What would be sent for a ticket, by its ID; gone: read it again. */
  drafts: ReplyDraft;
  /** ID `view.changed`, at most every 250 ms. */
  views: TicketCounts;
  calls: Call;
  questions: Question;
  pins: Pin;
  models: ModelNews;
  servers: ServerStatus;
  /** Only ever gone: list again. */
  limits: LimitRow;
  runs: RunNews;
  /** A document that is shown or attached changed at its server. */
  documents: { prefix: string; uri: string };
  /** ID: the `watch` of who asked. */
  imports: ImportNews;
  people: PersonRow;
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
