// The host: wires store, pins, servers, gate, model and loop of one data folder. A straight line, no rules of its own.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Failure, reason } from '../shared/failures.ts';
import type { Call } from '../shared/calls.ts';
import type { Person } from '../shared/people.ts';
import type { PlaybookDecision } from '../shared/pins.ts';
import type { ServerConfig } from '../shared/servers.ts';
import { createActs } from './acts.ts';
import { createAttachments } from './attachments.ts';
import { createCalls } from './calls.ts';
import { createGate, type AskPerson, type PutQuestion } from './gate.ts';
import { createConnection } from './mcp/connection.ts';
import { createValidator } from './mcp/validator.ts';
import { createPeople } from './people.ts';
import { createPins } from './pins.ts';
import { loadPlaybook, withDescriptions } from './playbook.ts';
import { createPlaybookPin } from './playbookPin.ts';
import { memorySecrets, type Clock, type Random, type Secrets } from './ports.ts';
import { createPlaceholders, loadProfile } from './profile.ts';
import { createServers, pinnedNames, type Server } from './servers.ts';
import { createProgress } from './progress.ts';
import { createQueueNews } from './queueNews.ts';
import { openQueue } from './queueParts.ts';
import { createQuestions } from './questions.ts';
import { createReadText } from './reads.ts';
import { endedUnheard, recover } from './recovery.ts';
import { keepRetention } from './retention.ts';
import { startService, type Service } from './services.ts';
import { createEras } from './eras.ts';
import { openLimits } from './limits.ts';
import { createEvents, type Events } from './events.ts';
import { openTelemetry } from './telemetry.ts';
import { lockFolder, openStore } from './store/open.ts';
import { addPerson, listPeople } from './store/people.ts';
import { countRows, findRow } from './store/queue.ts';
import { createServerSecrets } from './serverSecrets.ts';
import { createSettings } from './settings.ts';
import { createSignIns } from './signIns.ts';
import { createTasks } from './tasks.ts';
import { createTickets } from './tickets.ts';
import { createTracing } from './trace.ts';

export interface HostOptions {
  /** Data folder; created when missing. */
  data: string;
  profileFile: string;
  /** Another playbook for this run only. */
  playbookFile?: string;
  /** Other sentences per tool for this run only. */
  descriptionsFile?: string;
  /** The profile's replay mode: its clock stands still at its beginning, and what is random there is seeded. */
  replayMode?: boolean;
  /** The folder's lock is held by the caller. */
  locked?: boolean;
  /** Servers are started at once; else by `startServers`. */
  servers: boolean;
  ask?: AskPerson;
  put?: PutQuestion;
  /** A call ended that nobody at a view waited for: its ticket goes on. */
  ended?: (call: Call) => Promise<void>;
  /** Whether `ended` goes on with such tickets, whatever the desk was started for. */
  lasting?: () => boolean;
  /** Opens an address outside the desk, where whoever started the host can. */
  openUrl?: (url: string) => void;
  /** The shell's key store; memory where none is lent. */
  secrets?: Secrets;
  /** Told of what changes; made here where nobody gives one. */
  events?: Events;
  /** The variables that switch spans on; those of this process where none are given. */
  env?: Record<string, string | undefined>;
  /** Sentences the person should read, once each. */
  say: (sentence: string) => void;
  signal?: AbortSignal;
}
export type Host = Awaited<ReturnType<typeof createHost>>;

const systemClock: Clock = { now: () => Date.now() };
const systemRandom: Random = { hex: (n) => randomBytes(n).toString('hex') };

/** Opens a data folder and everything on it. `close()` leaves nothing running. */
export async function createHost(options: HostOptions) {
  const opened: (() => Promise<void> | void)[] = [];
  async function close(): Promise<void> {
    for (const one of opened.splice(0).reverse()) await one();
  }
  try {
    return await assemble(options, opened, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function assemble(options: HostOptions, opened: (() => Promise<void> | void)[], close: () => Promise<void>) {
  if (options.locked !== true) {
    const lock = await lockFolder(options.data);
    opened.push(() => lock.release());
  }
  const events = options.events ?? createEvents();
  const store = await openStore(path.join(options.data, 'desk.db'));
  opened.push(() => store.close());
  if (store.kept !== null)
    options.say(
      `The database was damaged. It was kept aside as ${store.kept}, and a new one was begun; nothing in the old file was changed.`,
    );
  const clock = systemClock;
  const telemetry = await openTelemetry(options.env ?? process.env, clock, options.say);
  opened.push(() => telemetry?.close());
  const profile = loadProfile(options.profileFile, options.replayMode);
  const secrets = options.secrets ?? memorySecrets();
  const settings = createSettings(store, clock, createServerSecrets(secrets, options.say));
  const limits = await openLimits(settings);
  const playbookFile =
    options.playbookFile ??
    (profile.playbook === undefined ? undefined : path.resolve(path.dirname(options.profileFile), profile.playbook));
  if (playbookFile === undefined)
    throw new Failure('playbook.missing', 'This profile has no playbook. Name one with --playbook.');
  const playbookPin = createPlaybookPin({ store, settings, clock });
  const written = loadPlaybook(playbookFile);
  const inForce =
    options.playbookFile === undefined
      ? await playbookPin.inForce(written, profile.playbook_sha256)
      : { playbook: written, waiting: null };
  if (inForce.waiting !== null)
    options.say(
      inForce.waiting.status === 'refused'
        ? `The playbook ${playbookFile} was refused by an admin; the one approved before it is in force.`
        : `The playbook ${playbookFile} changed; the one approved before it stays in force until an admin decides: desk approve playbook`,
    );
  const playbook =
    options.descriptionsFile === undefined
      ? inForce.playbook
      : withDescriptions(inForce.playbook, options.descriptionsFile);
  // Those who are there stay as they are: an admin may have changed them.
  for (const person of profile.people)
    await addPerson(store.db, { ...person, secret: null }, new Date(clock.now()).toISOString());
  const signing = createPeople({
    store,
    settings,
    clock,
    open: profile.open_sign_in ? profile.people : [],
    changed: (person) => events.publish('people', person.id, person),
  });
  const pins = createPins({ store, clock });
  const news = createQueueNews({
    events,
    row: async (ticket) => (await findRow(store.db, ticket))?.row,
    counts: () => countRows(store.db),
    say: options.say,
  });
  opened.push(() => news.close());
  const calls = createCalls({
    store,
    clock,
    random: systemRandom,
    rounds: () => limits.now().rounds,
    changed(call) {
      telemetry?.moved(call);
      events.publish('calls', call.id, call);
      news.touched(call.ticket);
      // A host that ends at this moment tells nobody any more; the question waits all the same.
      if (call.state === 'asked') void tellQuestions(call.id).catch(() => undefined);
    },
  });
  await recover({ store, calls, clock });
  await keepRetention(store, settings, clock);
  const questions = createQuestions({
    store,
    clock,
    namesPerson: (prefix) => Object.values(servers.get(prefix)?.config.context ?? {}).includes('person.id'),
    changed(question, call) {
      telemetry?.answered(question);
      events.publish('questions', question.id, question);
      if (call !== null) events.publish('calls', call.id, call);
      if (call !== null) news.touched(call.ticket);
    },
  });
  async function tellQuestions(call: string): Promise<void> {
    const open = (await questions.of(call)).filter((one) => one.state === 'open');
    for (const question of open) events.publish('questions', question.id, question);
  }
  const tickets = createTickets(store, clock);
  if (profile.tickets !== undefined && (await tickets.list({ limit: 1 })).length === 0)
    await tickets.importFile(path.resolve(path.dirname(options.profileFile), profile.tickets), { source: 'sample' });
  const { queue, drafts, outbox, ...parts } = await openQueue({
    store,
    playbook: playbook.playbook,
    approved: pins.approved,
    configured,
    clock,
    random: systemRandom,
    events,
    news,
    say: options.say,
  });
  opened.push(parts.close);
  const validator = createValidator({ limits: limits.now });
  opened.push(() => validator.close());

  const placeholders = createPlaceholders(
    {
      data: options.data,
      profileFile: options.profileFile,
      clock:
        options.replayMode === true && profile.clock !== undefined
          ? profile.clock
          : await profileClock(profile.clock, settings, clock),
    },
    systemRandom,
  );
  const eras = await createEras(store, clock);
  const services: Service[] = [];
  opened.push(async () => {
    for (const service of services.splice(0)) await service.close();
  });
  const signIns = createSignIns({
    secrets,
    clock,
    random: systemRandom,
    openUrl: options.openUrl,
    changed(prefix, done) {
      const connection = servers.get(prefix)?.connection;
      // Whoever signed in wants to see the server come up; how that goes is told by its status.
      if (done) void connection?.start().catch(() => undefined);
      events.publish('servers', prefix, connection === undefined ? null : { ...connection.status(), stderr: '' });
    },
  });
  opened.push(() => signIns.close());
  const servers = createServers([], {
    pins,
    connect: (config: ServerConfig) => {
      let ready = false;
      const connection = createConnection(placeholders.server(config), {
        clock,
        eras,
        limits: limits.now(),
        ...signIns.access(placeholders.server(config)),
        // Views ask for what it said on stderr; here it would go out with every step.
        onUpdated: (uri) => documentChanged(config.prefix, uri),
        // A host that ends at this moment tells nobody any more.
        onFinished: (elicitation) => void questions.finished(config.prefix, elicitation).catch(() => undefined),
        onStatus: (status) => {
          events.publish('servers', config.prefix, { ...status, stderr: '' });
          if (status.state === 'ready' && !ready) cameUp(config.prefix);
          ready = status.state === 'ready';
        },
      });
      return telemetry?.connection(connection, config) ?? connection;
    },
  });
  // After the servers ended: what was on the wire is settled, and the store still open.
  let quiet: () => Promise<void> = () => Promise.resolve();
  opened.push(() => quiet());
  opened.push(() => servers.close());
  opened.push(() => sayPushed());
  const trace = createTracing(store, clock);
  const progress = createProgress(calls);
  const tasks = createTasks({ store, calls, questions, servers, progress, clock, trace });
  const gate = createGate({
    calls,
    pins,
    servers,
    validator,
    playbook: playbook.playbook,
    clock,
    questions,
    trace,
    tasks,
    progress,
    ticket: (id) => tickets.find(id),
    ended: unheard,
    ...(options.ask === undefined ? {} : { ask: options.ask }),
    ...(options.put === undefined ? {} : { put: options.put }),
    ...(options.lasting === undefined ? {} : { lasting: options.lasting }),
  });
  quiet = gate.quiet;
  /** A call ended that nobody waited for. */
  async function unheard(call: Call): Promise<void> {
    await options.ended?.(call);
    if (await endedUnheard({ store, clock }, call)) news.touched(call.ticket);
  }
  /** Quitting says how many questions of older servers end with it (spec host §20). */
  async function sayPushed(): Promise<void> {
    const open = (await questions.open()).filter((one) => one.pushed).length;
    if (open > 0) options.say(pushedWords(open));
  }
  let starting: Promise<void> | null = null;
  let adopting: Promise<void> = Promise.resolve();
  /** Configurations whose shipped definitions were. */
  const adopted = new Set<string>();
  let sending: Promise<void> = Promise.resolve();
  /** `adopts`: those that are up were adopted, any other is as it comes up. */
  let stage: 'begins' | 'adopts' | 'started' = 'begins';
  opened.push(() => Promise.all([adopting, sending]).then(() => undefined));
  opened.push(() => starting?.catch(() => undefined));
  opened.push(() => tasks.close());
  if (options.servers) await startServers();

  /** Services and servers, once; what fails is tried again by the next who asks. */
  function startServers(): Promise<void> {
    starting ??= start().catch((error: unknown) => {
      starting = null;
      throw error;
    });
    return starting;
  }
  async function start(): Promise<void> {
    if (services.length === 0) services.push(...(await startServices(profile.services, placeholders, options.signal)));
    for (const config of await configured())
      if (config.enabled && servers.get(config.prefix) === undefined) servers.add(config);
    await servers.start(options.signal);
    stage = 'adopts';
    for (const server of servers.all()) await adoptShipped(server);
    await gate.pickUp();
    stage = 'started';
    // Beside: a server that wants to be asked again and again holds nobody up.
    sending = sendAnswered().catch(tell);
  }
  /** After a server was added, removed or switched: what runs follows what is configured. */
  async function refreshServer(prefix: string): Promise<void> {
    // What has not started yet starts with the configuration as it then is.
    if (starting === null) return;
    await starting;
    await servers.remove(prefix);
    const config = (await configured()).find((one) => one.prefix === prefix);
    if (config?.enabled !== true) return;
    servers.add(config);
    // How its start goes is told by its status.
    void servers
      .get(prefix)
      ?.connection.start()
      .catch(() => undefined);
  }
  /** Every server there is, those that are switched off too. */
  async function configured(): Promise<ServerConfig[]> {
    const switched = await settings.switched();
    const all = [...profile.servers, ...(await settings.servers())];
    return all.map((config) => ({ ...config, enabled: switched[config.prefix] ?? config.enabled }));
  }
  /** What a person answered while the desk was ending is sent now (spec host §13); its run goes on in the next session. */
  async function sendAnswered(): Promise<void> {
    for (const call of await calls.list({ states: ['answered'] })) {
      const ticket = (await tickets.find(call.ticket)) ?? null;
      if (ticket !== null || call.run === '')
        await gate.resume(call, { run: call.run, ticket, ...(options.signal && { signal: options.signal }) });
    }
  }

  function tell(error: unknown): void {
    options.say(reason(error));
  }
  /**
   * A server runs that was slow, off or down: what it ships with is adopted, and what was answered meanwhile is sent, once: a
   * call under way is not `answered` any more.
   */
  function cameUp(prefix: string): void {
    if (stage === 'begins') return;
    adopting = adopting
      .then(async () => {
        const server = servers.get(prefix);
        if (server !== undefined && (await adoptShipped(server))) events.publish('pins', prefix, null);
      })
      .catch(tell);
    if (stage === 'started')
      sending = Promise.all([sending, adopting])
        .then(() => sendKept(prefix))
        .catch(tell);
  }
  async function sendKept(prefix: string): Promise<void> {
    const kept = (await calls.list({ states: ['answered'] })).filter((call) => call.prefix === prefix);
    // It may have come back with other definitions: none of them is sent what was meant for another.
    if (kept.length > 0) await servers.review(prefix);
    for (const call of kept) {
      const ticket = (await tickets.find(call.ticket)) ?? null;
      // A round without a question is asked again by whoever has it under way.
      const given = (await questions.of(call.id)).some((one) => one.round === call.round);
      if (!given || (ticket === null && call.run !== '')) continue;
      await gate.resume(call, { run: call.run, ticket, ...(options.signal && { signal: options.signal }) });
      const after = await calls.get(call.id);
      // Its ticket goes on beside: that takes as long as it takes.
      if (after.settled_at !== null) unheard(after).catch(tell);
    }
  }

  /** Documents of which their servers told a change since the desk started, by server and URI. */
  const changedDocuments = new Set<string>();
  function documentChanged(prefix: string, uri: string): void {
    const name = `${prefix} ${uri}`;
    changedDocuments.add(name);
    events.publish('documents', name, { prefix, uri });
  }
  function readText(signal?: AbortSignal) {
    return createReadText({ gate, calls, servers, clock, ...(signal && { signal }) });
  }

  /** Bundled servers' clean definitions ship approved; one with another hash waits for an admin. Returns whether any was new. */
  async function adoptShipped({ config, configuration, connection }: Server): Promise<boolean> {
    if (config.bundled === undefined || connection.status().state !== 'ready' || adopted.has(configuration))
      return false;
    const listed = new Set(config.no_side_effects);
    let some = false;
    for (const name of pinnedNames(config.prefix)) {
      const shipped = (profile.approved[name] ?? []).map(({ tool, hash }) => ({
        tool,
        hash,
        no_side_effects: name === config.prefix && listed.has(tool),
      }));
      if (shipped.length === 0) continue;
      const fresh = await pins.adopt(name, configuration, shipped, await servers.definitions(name));
      some ||= fresh.length > 0;
    }
    adopted.add(configuration);
    return some;
  }
  return {
    options,
    store,
    profile,
    playbook,
    playbookPin: {
      /** The file is read again: it may have changed since the start. A playbook named for this run asks nobody. */
      look: () =>
        options.playbookFile === undefined
          ? playbookPin.look(loadPlaybook(playbookFile), inForce.playbook)
          : Promise.resolve(null),
      decide: (given: PlaybookDecision & { by: Person }) => playbookPin.decide(loadPlaybook(playbookFile), given),
    },
    pins,
    calls,
    questions,
    tickets,
    queue,
    drafts,
    outbox,
    /** Told of a ticket that is worked, or was: its row is told to those who look. */
    touched: news.touched,
    validator,
    servers,
    /** Who signs in to them. */
    signIns,
    configured,
    startServers,
    refreshServer,
    events,
    gate,
    /** Command and arguments of a server as they are run; its environment is nobody's to see. */
    commandOf: (config: Extract<ServerConfig, { kind: 'stdio' }>): string[] => [
      config.command,
      ...placeholders.program({ ...config, env: {} }).args,
    ],
    /** Resources the prompt takes in by rule, and what kept others out. */
    attached: (signal?: AbortSignal) => servers.attached(readText(signal)),
    /** The text of a resource by its server and URI. */
    readText,
    /** Whether its server told that a document changed. */
    changedSince: (prefix: string, uri: string): boolean => changedDocuments.has(`${prefix} ${uri}`),
    attachments: createAttachments({ store, clock, touched: news.touched }),
    settings,
    limits,
    clock,
    random: systemRandom,
    /** Null where it is off. */
    telemetry,
    person: (id: string) => signing.person(id),
    people: () => listPeople(store.db),
    /** Who acts over which connection. */
    signing,
    acts: createActs({ store, clock }),
    close,
  };
}

function pushedWords(open: number): string {
  const [was, its] =
    open === 1 ? ['1 question of an older server was', 'its'] : [`${open} questions of older servers were`, 'their'];
  return `${was} open and ended with the desk: what ${its} ${open === 1 ? 'call' : 'calls'} did is not known. "desk questions" lists what to look up.`;
}

/** The profile's clock starts when the data folder does, and runs. */
async function profileClock(
  start: string | undefined,
  settings: ReturnType<typeof createSettings>,
  clock: Clock,
): Promise<string> {
  if (start === undefined) return new Date(clock.now()).toISOString();
  const kept = await settings.get('clock.begun');
  const begun = typeof kept === 'string' ? kept : new Date(clock.now()).toISOString();
  if (kept !== begun) await settings.set('clock.begun', begun);
  return new Date(Date.parse(start) + clock.now() - Date.parse(begun)).toISOString();
}

async function startServices(
  programs: { name: string; command: string; args: string[]; env: Record<string, string> }[],
  placeholders: ReturnType<typeof createPlaceholders>,
  signal?: AbortSignal,
): Promise<Service[]> {
  const running: Service[] = [];
  try {
    for (const program of programs) {
      const service = await startService(program.name, placeholders.program(program), signal);
      running.push(service);
      placeholders.started(program.name, service.url);
    }
    return running;
  } catch (error) {
    for (const service of running) await service.close();
    throw error;
  }
}
