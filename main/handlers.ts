// What the host does for each request of the contract: short words to the features, which hold the rules. One handler a
// route, by type.
import path from 'node:path';
import { Failure } from '../shared/failures.ts';
import { asksAdmin, type Reviewed } from '../shared/pins.ts';
import { missingValues } from '../shared/serverFile.ts';
import type { ModelRow } from '../shared/models.ts';
import { createApps } from './apps.ts';
import type { Handlers } from './asked.ts';
import { attach } from './attaching.ts';
import { complete } from './completion.ts';
import { answerConsent, findWaiting } from './consent.ts';
import { consentReport } from './consentReport.ts';
import { checks } from './doctor.ts';
import { exportPart } from './exports.ts';
import type { Host } from './host.ts';
import { createImports } from './imports/imports.ts';
import { answerQuestion, inboxOf, settleCall } from './inbox.ts';
import type { ModelChoice } from './modelChoice.ts';
import { benchModel, deleteModel, getModel, mayGet, modelRows, pauseModel } from './models.ts';
import { attachable, offeredPrompts } from './offers.ts';
import { pinnedNames } from './servers.ts';
import { createPrompts } from './prompts.ts';
import { createPeopleHandlers } from './peopleHandlers.ts';
import { compareQueueRuns, queueRun, queueRuns, ticketRun } from './queueRuns.ts';
import { createToolCost, serverRows } from './serverRows.ts';
import { documentText } from './resources.ts';
import { createTicketHandlers } from './ticketHandlers.ts';
import { traceOf } from './trace.ts';
import { visitQuestion } from './visits.ts';
import type { Work } from './work.ts';

interface Deps {
  host: Host;
  models: ModelChoice;
  work: Work;
  refused: { count: number };
}

export function createHandlers({ host, models, work, refused }: Deps): Handlers {
  const { tickets, calls, pins, settings, servers, events } = host;
  const imports = createImports(host);
  const apps = createApps(host);
  const prompts = createPrompts(host);
  const cost = createToolCost({ count: work.count, model: () => work.loaded()?.file ?? null, events });

  return {
    'tickets.list': ({ limit, offset = 0 }) => tickets.list(limit === undefined ? {} : { limit, offset }),
    ...createTicketHandlers(host, work),

    'runs.work': (params, { by, signal }) => work.workTickets(params, by(), signal),
    'runs.list': ({ most }) => queueRuns(host, most),
    'runs.get': ({ id }) => queueRun(host, id),
    'runs.compare': ({ id, against }) => compareQueueRuns(host, id, against),
    'runs.ticket': ({ id }) => ticketRun(host, id),
    'runs.document': (asked, { signal }) => documentText(host, asked, signal),
    'runs.attachable': () => attachable(host),
    'runs.attach': (asked, { by, signal }) => attach(host, asked, by(), signal),
    'runs.detach': ({ id, version, ...gone }, { by }) => host.attachments.remove({ id, version }, by(), gone),
    'calls.prompts': () => offeredPrompts(host),
    'calls.prompt': (asked, { by, signal }) => prompts.show(asked, by(), signal),
    'calls.usePrompt': (asked, { by }) => prompts.use(asked, by()),
    'calls.complete': (asked, { by, signal }) => complete(host, asked, by(), signal),
    'calls.waiting': () => calls.waiting(),
    'calls.list': ({ run, ticket, states }) =>
      calls.list({
        ...(run === undefined ? {} : { run }),
        ...(ticket === undefined ? {} : { ticket }),
        ...(states === undefined ? {} : { states }),
      }),
    'calls.get': ({ id }) => findWaiting(calls, id),
    'calls.consent': (params, { by, signal }) => answerConsent({ host, work }, params, by(), signal),
    async 'calls.edit'({ id, arguments: args }, { by }) {
      const next = await host.gate.edit(await calls.get(id), by(), args);
      // The ticket that waited for the call as it was waits for the new one now, without the person at its view.
      work.give(id, null);
      return next;
    },

    'calls.settle': (params, { by, signal }) => settleCall({ host, work }, params, by(), signal),
    'calls.stop': async ({ id }, { by }) => host.gate.stop(await calls.get(id), by()),
    'calls.report': async () => consentReport(await calls.list({})),
    'calls.trace': (params) => traceOf(host, params),
    'calls.erase': ({ before }, { by }) => calls.erase({ before: new Date(before).toISOString(), by: by() }),

    'apps.open': (asked) => apps.open(asked),
    'apps.call': (asked) => apps.call(asked),
    'apps.read': (asked, { signal }) => apps.read(asked, signal),
    'apps.link': (asked) => apps.link(asked),
    'apps.visit': (asked) => Promise.resolve(apps.visit(asked)),

    'questions.list': (_, { by }) => inboxOf(host, by()),
    'questions.answered': ({ ticket }) => host.questions.answered(ticket),
    'questions.visit': ({ id }, { by }) => visitQuestion(host, id, by()),
    'questions.later'({ id }) {
      work.give(id, null);
      return Promise.resolve(null);
    },
    'questions.answer': (params, { by, signal }) => answerQuestion({ host, work }, params, by(), signal),

    'servers.list': () => serverRows(host, cost),
    async 'servers.check'({ prefix, anew = false }) {
      const tools = await servers.review(prefix, { anew });
      const server = servers.get(prefix.split('/')[0] ?? '');
      if (server === undefined) throw new Failure('servers.unknown', `There is no server "${prefix}".`);
      return { status: server.connection.status(), tools };
    },
    'servers.signIn': ({ prefix }, { by }) => host.signIns.begin(prefix, by()),
    'servers.visitSignIn': ({ prefix }, { by }) => Promise.resolve(host.signIns.visit(prefix, by())),
    'servers.signInState': ({ prefix }) => host.signIns.state(prefix),
    'servers.status': ({ prefix }) => Promise.resolve(servers.get(prefix)?.connection.status() ?? null),
    async 'servers.add'({ config }) {
      if (config.bundled !== undefined)
        throw new Failure(
          'servers.bundled',
          `"${config.prefix}" says it is bundled with the desk; only those that ship with it are. Leave "bundled" out.`,
        );
      const missing = missingValues(config);
      if (missing.length > 0)
        throw new Failure(
          'servers.asks',
          `"${config.prefix}" asks for ${missing.join(', ')}. Write it in, name a variable of your own as "{env:NAME:}", or add the server in the window. Nothing was added.`,
        );
      await settings.addServer(
        config,
        (await host.configured()).map((one) => one.prefix),
      );
      await changed(config.prefix);
      return null;
    },
    async 'servers.remove'({ prefix }) {
      await settings.removeServer(prefix);
      await changed(prefix);
      return null;
    },
    async 'servers.enable'({ prefix, enabled }) {
      const all = await host.configured();
      if (!all.some((one) => one.prefix === prefix))
        throw new Failure(
          'servers.unknown',
          `There is no server "${prefix}". Known: ${all.map((one) => one.prefix).join(', ')}.`,
        );
      await settings.switchServer(prefix, enabled);
      await changed(prefix);
      return null;
    },

    'limits.list': () => Promise.resolve(host.limits.list()),
    async 'limits.set'({ name, value }) {
      const rows = await host.limits.set(name, value);
      events.publish('limits', '*', null);
      return rows;
    },

    'pins.waiting': ({ prefix, tool }) => waitingPins(host, prefix, tool),
    async 'pins.decide'({ marks, noSideEffects, ...decision }, { by }) {
      const pin = await pins.decide({
        ...decision,
        by: by(),
        ...(marks === undefined ? {} : { marks }),
        ...(noSideEffects === undefined ? {} : { noSideEffects }),
      });
      events.publish('pins', `${pin.prefix}.${pin.tool}`, pin);
      work.refresh();
      return pin;
    },
    'pins.history': ({ prefix, tool }) => pins.history(prefix, tool),

    'playbook.waiting': () => host.playbookPin.look(),
    async 'playbook.decide'(given, { by }) {
      await host.playbookPin.decide({ ...given, by: by() });
      // Whoever looks at it asks again.
      events.publish('pins', 'playbook', null);
      return null;
    },

    'models.list': () => rows(),
    async 'models.get'({ name }, { by, signal }) {
      await mayGet(models, name, by());
      return getModel({ models, events }, name, signal);
    },
    'models.pause': ({ name }) => pauseModel(models, name),
    async 'models.add'({ file }) {
      if (!path.isAbsolute(file)) throw new Failure('model.path', `Name the file by its whole path, not as ${file}.`);
      return row((await models.use((await models.add(file)).name)).name);
    },
    'models.use': async ({ name }) => row((await models.use(name)).name),
    async 'models.delete'({ name }, { signal }) {
      await work.alone(signal, () => deleteModel(models, events, name));
      return null;
    },
    'models.bench': ({ name }, { signal }) =>
      work.alone(signal, () => benchModel({ models, settings, events }, name, signal)),
    'models.limits': () => models.limits(),
    async 'models.set'(given) {
      const limits = await models.set(given);
      work.outdate();
      events.publish('models', '*', null);
      return limits;
    },

    'imports.upload': (given, { by }) => Promise.resolve(imports.upload(given, by())),
    'imports.preview': (given, { by, signal }) => imports.preview(given, by(), signal),
    'imports.run': (given, { by, signal }) => imports.run(given, by(), signal),
    'imports.stop': ({ watch }, { by }) => Promise.resolve(imports.stop(watch, by())),
    'exports.part': (asked) => exportPart(host.store, asked),

    ...createPeopleHandlers(host),
    'doctor.about': () => Promise.resolve({ company: host.profile.company, data: host.options.data }),
    'doctor.check': () => checks({ host, models, refused: refused.count }),
  };

  function rows(): Promise<ModelRow[]> {
    return modelRows(models, settings, work.loaded());
  }
  /** As it is after a change, which every view is told of. */
  async function row(name: string): Promise<ModelRow> {
    events.publish('models', '*', null);
    const found = (await rows()).find((one) => one.name === name);
    if (found === undefined) throw new Failure('model.unknown', `There is no model "${name}" any more.`);
    return found;
  }
  async function changed(prefix: string): Promise<void> {
    await host.refreshServer(prefix);
    work.refresh();
    const status = servers.get(prefix)?.connection.status() ?? null;
    events.publish('servers', prefix, status);
  }
}

/** What an admin has not decided on yet; of a named tool also what was decided. */
async function waitingPins(
  host: Host,
  prefix: string | undefined,
  tool: string | undefined,
): Promise<{ prefix: string; one: Reviewed }[]> {
  const all = host.servers.all().flatMap((server) => pinnedNames(server.config.prefix));
  const wanted = all.filter((one) => prefix === undefined || one === prefix);
  if (wanted.length === 0)
    throw new Failure(
      'servers.unknown',
      `There is no server "${prefix ?? ''}". Known: ${all.filter((name) => !name.includes('/')).join(', ')}.`,
    );
  const open: { prefix: string; one: Reviewed }[] = [];
  for (const of of wanted)
    for (const one of await reviewed(of)) {
      const undecided = prefix === undefined ? asksAdmin(of, one) : one.status === 'new' || one.status === 'changed';
      const decided = tool !== undefined && one.status !== 'parked' && one.status !== 'removed';
      if ((tool === undefined || one.definition.name === tool) && (undecided || decided))
        open.push({ prefix: of, one });
    }
  return open;

  /** One that failed keeps nobody from deciding on the others, and is started again by who asks for it by name. */
  async function reviewed(of: string): Promise<Reviewed[]> {
    if (prefix !== undefined) return host.servers.review(of);
    if (host.servers.get(of.split('/')[0] ?? '')?.connection.status().state === 'failed') return [];
    return host.servers.review(of).catch((error: unknown) => {
      if (error instanceof Failure) return [];
      throw error;
    });
  }
}
