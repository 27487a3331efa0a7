// The host: wires store, pins, servers, gate, model and loop of one data folder. A straight line, no rules of its own.
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Failure } from '../shared/failures.ts';
import type { Person } from '../shared/people.ts';
import type { Call } from '../shared/calls.ts';
import type { ServerConfig } from '../shared/servers.ts';
import { createCalls } from './calls.ts';
import { createGate, type AskPerson } from './gate.ts';
import { createConnection } from './mcp/connection.ts';
import { createValidator } from './mcp/validator.ts';
import { createPins } from './pins.ts';
import { loadPlaybook, withDescriptions } from './playbook.ts';
import type { Clock, Random } from './ports.ts';
import { createPlaceholders, loadProfile } from './profile.ts';
import { createServers } from './servers.ts';
import { startService, type Service } from './services.ts';
import { createEras } from './eras.ts';
import { lockFolder, openStore } from './store/open.ts';
import { savePerson, listPeople } from './store/people.ts';
import { createSettings } from './settings.ts';
import { createTickets } from './tickets.ts';

export interface HostOptions {
  /** Data folder; created when missing. */
  data: string;
  profileFile: string;
  /** Another playbook for this run only. */
  playbookFile?: string;
  /** Other sentences per tool for this run only. */
  descriptionsFile?: string;
  /** Servers are started only where needed. */
  servers: boolean;
  ask?: AskPerson;
  changed?: (call: Call) => void;
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
  const lock = await lockFolder(options.data);
  opened.push(() => lock.release());
  const store = await openStore(path.join(options.data, 'desk.db'));
  opened.push(() => store.close());
  if (store.kept !== null)
    options.say(
      `The database was damaged. It was kept aside as ${store.kept}, and a new one was begun; nothing in the old file was changed.`,
    );
  const clock = systemClock;
  const profile = loadProfile(options.profileFile);
  const settings = createSettings(store, clock);
  const playbookFile =
    options.playbookFile ??
    (profile.playbook === undefined ? undefined : path.resolve(path.dirname(options.profileFile), profile.playbook));
  if (playbookFile === undefined)
    throw new Failure('playbook.missing', 'This profile has no playbook. Name one with --playbook.');
  const written = loadPlaybook(playbookFile);
  const playbook =
    options.descriptionsFile === undefined ? written : withDescriptions(written, options.descriptionsFile);
  for (const person of profile.people) await savePerson(store.db, person, new Date(clock.now()).toISOString());
  const pins = createPins({ store, clock });
  const calls = createCalls({ store, clock, random: systemRandom });
  await calls.recover();
  const tickets = createTickets(store, clock);
  if (profile.tickets !== undefined && (await tickets.list()).length === 0)
    await tickets.importFile(path.resolve(path.dirname(options.profileFile), profile.tickets), { source: 'sample' });
  const validator = createValidator();
  opened.push(() => validator.close());

  const placeholders = createPlaceholders(
    { data: options.data, profileFile: options.profileFile, clock: await profileClock(profile.clock, settings, clock) },
    systemRandom,
  );
  const configs = [...profile.servers, ...(await settings.servers())];
  const eras = await createEras(store, clock);
  if (options.servers)
    for (const service of await startServices(profile.services, placeholders, options.signal))
      opened.push(() => service.close());
  const servers = createServers(configs, {
    pins,
    connect: (config: ServerConfig) =>
      createConnection(options.servers ? placeholders.server(config) : config, { clock, eras }),
  });
  opened.push(() => servers.close());
  if (options.servers) await servers.start(options.signal);
  await adoptShipped();
  const gate = createGate({
    calls,
    pins,
    servers,
    validator,
    playbook: playbook.playbook,
    clock,
    ...(options.ask === undefined ? {} : { ask: options.ask }),
    ...(options.changed === undefined ? {} : { changed: options.changed }),
  });

  /** Bundled servers' clean definitions ship approved; a definition with another hash waits for an admin. */
  async function adoptShipped(): Promise<void> {
    for (const server of servers.all()) {
      const shipped = profile.approved[server.config.prefix] ?? [];
      if (
        server.config.bundled === undefined ||
        shipped.length === 0 ||
        !options.servers ||
        server.connection.status().state !== 'ready'
      )
        continue;
      const listed = new Set(server.config.no_side_effects);
      await pins.adopt(
        server.config.prefix,
        server.configuration,
        shipped.map(({ tool, hash }) => ({ tool, hash, no_side_effects: listed.has(tool) })),
        await server.connection.tools(),
      );
    }
  }
  async function person(id: string): Promise<Person> {
    const people = await listPeople(store.db);
    const found = people.find((one) => one.id === id);
    if (found === undefined)
      throw new Failure(
        'people.unknown',
        `There is no person "${id}". Known: ${people.map((one) => `${one.id} (${one.role})`).join(', ')}.`,
      );
    return found;
  }
  return {
    options,
    store,
    profile,
    playbook,
    pins,
    calls,
    tickets,
    validator,
    servers,
    gate,
    settings,
    clock,
    random: systemRandom,
    person,
    people: () => listPeople(store.db),
    close,
  };
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
