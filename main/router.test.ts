import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../shared/contract.ts';
import type { Handlers } from './asked.ts';
import { createHandlers } from './handlers.ts';
import { createHost, type Host } from './host.ts';
import { createModelChoice } from './modelChoice.ts';
import { createRouter, type Peer } from './router.ts';
import { createWork } from './work.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-router-'));
const profileFile = path.resolve(import.meta.dirname, '../demo/profile.json');
const said: string[] = [];
let host: Host;
let handlers: Handlers;
const refused = { count: 0 };
beforeAll(async () => {
  host = await createHost({
    data: path.join(folder, 'data'),
    profileFile,
    servers: false,
    say: (one) => said.push(one),
  });
  const models = createModelChoice(path.join(folder, 'data'), host.settings);
  handlers = createHandlers({ host, models, work: createWork({ host: () => host, models: () => models }), refused });
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  refused.count = 0;
  said.length = 0;
});

/** A view that keeps what it is sent. */
function view(router: ReturnType<typeof createRouter>) {
  const got: Answer[] = [];
  const ended = { yes: false };
  const waiting = new Set<() => void>();
  const peer: Peer = router.connect({
    send(text) {
      // The router's own words.
      got.push(JSON.parse(text) as Answer);
      for (const look of waiting) look();
    },
    end: () => (ended.yes = true),
  });
  let next = 1;
  function answer(id: number): Promise<Answer> {
    return new Promise((resolve) => {
      function look(): void {
        const found = got.find((one) => 'id' in one && one.id === id);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      }
      waiting.add(look);
      look();
    });
  }
  return {
    got,
    ended,
    peer,
    answer,
    ask(route: string, params: unknown, as?: string): Promise<Answer> {
      const id = next++;
      peer.receive(JSON.stringify({ id, route, params, as }));
      return answer(id);
    },
  };
}
function router(changed: Partial<Handlers> = {}) {
  return createRouter({ host, handlers: { ...handlers, ...changed }, refused, say: (one) => said.push(one) });
}
const failed = (code: string, words = '') => ({
  ok: false,
  failure: { code, message: expect.stringContaining(words) as string },
});

describe('what the contract does not list is refused and counted (spec trust 8)', () => {
  it.each([
    ['no JSON', 'hello'],
    ['JSON that is no message', '[1]'],
    ['a field too many', '{"id":1,"route":"tickets.list","params":{},"more":1}'],
    ['no parameters', '{"id":1,"route":"tickets.list"}'],
  ])('%s', (_, text) => {
    const one = view(router());
    one.peer.receive(text);
    expect(one.got).toEqual([expect.objectContaining(failed('host.malformed'))]);
    expect(refused.count).toBe(1);
  });
  it.each(['tickets.burn', '__proto__', 'toString', ''])('a request "%s"', async (name) => {
    expect(await view(router()).ask(name, {})).toMatchObject(failed('host.route'));
    expect(refused.count).toBe(1);
  });
  it('parameters the route does not take, named by place', async () => {
    expect(await view(router()).ask('tickets.list', { limit: 'all' })).toMatchObject(failed('host.params', 'limit:'));
    expect(await view(router()).ask('people.list', { more: 1 })).toMatchObject(failed('host.params'));
    expect(refused.count).toBe(2);
  });
  it('20 in a row close the connection; a good message between begins the count anew', async () => {
    const one = view(router());
    for (let n = 0; n < 19; n++) one.peer.receive('x');
    expect(await one.ask('people.list', {})).toMatchObject({ ok: true });
    for (let n = 0; n < 19; n++) one.peer.receive('x');
    expect(one.ended.yes).toBe(false);
    one.peer.refuse('too long');
    expect(one.ended.yes).toBe(true);
    expect(refused.count).toBe(39);
  });
  it('more than 64 requests under way', async () => {
    const gate = Promise.withResolvers<[]>();
    const one = view(router({ 'people.list': () => gate.promise }));
    const all = Array.from({ length: 65 }, () => one.ask('people.list', {}));
    expect(await all[64]).toMatchObject(failed('host.busy'));
    gate.resolve([]);
    expect(await all[0]).toMatchObject({ ok: true, value: [] });
  });
  it('is told by doctor', async () => {
    const one = view(router());
    one.peer.receive('x');
    const told = await handlers['doctor.check'](
      {},
      { signal: new AbortController().signal, by: () => ({}) as never, session: { signedIn: null } },
    );
    expect(told.find(({ name }) => name === 'requests')?.says).toContain('1 refused');
  });
});

describe('who may (spec host §25): checked here, whatever the view shows', () => {
  const config = { prefix: 'mine', kind: 'stdio', command: 'node' };
  it('the role', async () => {
    const one = view(router());
    expect(await one.ask('servers.add', { config }, 'staff-0007')).toMatchObject(
      failed('people.role', 'Only an admin adds servers; staff-0007 is staff'),
    );
    expect(await one.ask('servers.enable', { prefix: 'shop', enabled: false }, 'staff-0002')).toMatchObject(
      failed('people.role'),
    );
    expect(await host.settings.servers()).toEqual([]);
    expect(await one.ask('servers.add', { config }, 'staff-0001')).toMatchObject({ ok: true });
  });
  it('somebody, and somebody known', async () => {
    const one = view(router());
    expect(await one.ask('imports.run', { name: 'x.json', bytes: '' })).toMatchObject(failed('people.as', '--as'));
    expect(await one.ask('imports.run', { name: 'x.json', bytes: '' }, 'staff-9999')).toMatchObject(
      failed('people.unknown', 'There is no person "staff-9999"'),
    );
  });
  it('who signed in, over their own connection and no other, until they sign out', async () => {
    const of = router();
    const [mine, other] = [view(of), view(of)];
    expect(await mine.ask('people.me', {})).toMatchObject({ value: { person: null, sample: true } });
    await mine.ask('people.signin', { id: 'staff-0002' });
    expect(await mine.ask('people.me', {})).toMatchObject({ value: { person: { id: 'staff-0002', role: 'lead' } } });
    expect(await mine.ask('servers.remove', { prefix: 'x' })).toMatchObject(
      failed('people.role', 'staff-0002 is lead'),
    );
    expect(await other.ask('servers.remove', { prefix: 'x' })).toMatchObject(failed('people.as'));
    await mine.ask('people.signin', { id: 'staff-0001' });
    expect(await mine.ask('servers.remove', { prefix: 'x' })).toMatchObject(failed('servers.unknown'));
    await mine.ask('people.signout', {});
    expect(await mine.ask('servers.remove', { prefix: 'x' })).toMatchObject(failed('people.as'));
    // Another view on the same host, after the first is gone.
    mine.peer.gone();
    expect(await view(of).ask('people.me', {})).toMatchObject({ value: { person: null } });
  });
  it('what a page has drafted ahead is nobody’s act; what a person asks for is', async () => {
    const mara = (await host.people()).find(({ id }) => id === 'staff-0007') ?? null;
    const before = (await host.acts.list({ before: null })).length;
    const kept = async (ahead: boolean) => {
      await host.acts.keep('tickets.draft', mara, { tickets: ['T-0003'], ahead }, () => Promise.resolve(null));
      return (await host.acts.list({ before: null })).length - before;
    };
    expect(await kept(true)).toBe(0);
    expect(await kept(false)).toBe(1);
  });
  it('every change carries who made it, also one that failed, but no secret (trust 9)', async () => {
    const one = view(router());
    const before = await host.acts.list({ before: null });
    const config = { prefix: 'theirs', kind: 'stdio', command: 'node', env: { KEY: 'sk-secret' } };
    await one.ask('servers.add', { config }, 'staff-0001');
    await one.ask('servers.remove', { prefix: 'nothing' }, 'staff-0001');
    const person = { id: 'new', name: 'New', role: 'lead', passphrase: 'a secret of words' };
    await one.ask('people.add', person, 'staff-0001');
    await one.ask('people.list', {}, 'staff-0001');
    await one.ask('people.add', person, 'staff-0007');
    const acts = (await host.acts.list({ before: null })).slice(0, -before.length || undefined);
    expect(acts.map(({ by, route, about, outcome }) => [by, route, about, outcome])).toEqual([
      ['staff-0001', 'people.add', 'new as lead', 'done'],
      ['staff-0001', 'servers.remove', 'nothing', 'servers.unknown'],
      ['staff-0001', 'servers.add', 'theirs', 'done'],
    ]);
    expect(JSON.stringify(acts)).not.toContain('secret');
    expect(await one.ask('people.acts', {}, 'staff-0002')).toMatchObject(failed('people.role'));
    expect(await one.ask('people.acts', {}, 'staff-0001')).toMatchObject({ ok: true, value: [...acts, ...before] });
  });
  it('nobody claims to be bundled with the desk', async () => {
    const bundled = { ...config, prefix: 'other', bundled: 'shop' };
    expect(await view(router()).ask('servers.add', { config: bundled }, 'staff-0001')).toMatchObject(
      failed('servers.bundled'),
    );
  });
});

describe('answers', () => {
  it('a bug becomes `internal`, logged once with its cause', async () => {
    const one = view(router({ 'people.list': () => Promise.reject(new TypeError('x is not a function')) }));
    expect(await one.ask('people.list', {})).toMatchObject(failed('internal', 'x is not a function'));
    expect(said).toEqual([expect.stringMatching(/people\.list.*TypeError.*\n\s+at /s)]);
  });
  it('stop a request its view gave up or left, but not one that outlives it', async () => {
    const seen: string[] = [];
    const begun = Promise.withResolvers<null>();
    const over = Promise.withResolvers<null>();
    async function wait(name: string, signal: AbortSignal): Promise<never> {
      signal.addEventListener('abort', () => seen.push(name));
      if (name === 'consent') begun.resolve(null);
      await over.promise;
      throw new Error('over');
    }
    const one = view(
      router({
        'people.list': (_, { signal }) => wait('people', signal),
        'models.list': (_, { signal }) => wait('models', signal),
        'calls.consent': (_, { signal }) => wait('consent', signal),
      }),
    );
    // `calls.consent` needs servers; here none is to be started.
    const started = host.startServers.bind(host);
    host.startServers = () => Promise.resolve();
    try {
      const people = one.ask('people.list', {});
      void one.ask('models.list', {});
      void one.ask('calls.consent', { id: 'c', answer: 'run', hash: 'h' }, 'staff-0007');
      await begun.promise;
      one.peer.receive(JSON.stringify({ cancel: 1 }));
      expect(seen).toEqual(['people']);
      one.peer.gone();
      expect(seen).toEqual(['people', 'models']);
      over.resolve(null);
      // Who left is sent nothing any more; the stopped request ends all the same.
      await Promise.race([people, one.ask('doctor.about', {}), new Promise(setImmediate)]);
      expect(one.got).toEqual([]);
    } finally {
      host.startServers = started;
    }
  });
  it('a stopped request says so', async () => {
    const one = view(
      router({
        'people.list': (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      }),
    );
    const asked = one.ask('people.list', {});
    await one.ask('doctor.about', {});
    one.peer.receive('{"cancel":1}');
    expect(await asked).toMatchObject(failed('stopped', 'what was done is kept'));
  });
  it('events come to those who listen, counted per connection', async () => {
    const two = [view(router()), view(router())];
    two[0]?.peer.receive('{"listen":true}');
    host.events.publish('models', 'm', { name: 'm', bytes: 1, total: 2, source: 'packages' });
    two[1]?.peer.receive('{"listen":true}');
    host.events.publish('models', 'm', null);
    const events = two.map(({ got }) => got.flatMap((one) => ('event' in one ? [one.event] : [])));
    expect(events[0]?.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(events[1]).toEqual([{ feature: 'models', id: 'm', gone: true, seq: 1, revision: events[0]?.[1]?.revision }]);
    await Promise.all(two.map((one) => one.ask('doctor.about', {})));
  });
});

describe('its end', () => {
  it('waits for what is under way, then says goodbye; nothing is begun after that', async () => {
    const gate = Promise.withResolvers<[]>();
    const of = router({ 'people.list': () => gate.promise });
    const one = view(of);
    const asked = one.ask('people.list', {});
    let waits = 0;
    const closed = of.close(new AbortController().signal, () => waits++);
    expect(await one.ask('doctor.about', {})).toMatchObject({ ok: true });
    gate.resolve([]);
    await closed;
    expect([await asked, waits]).toMatchObject([{ ok: true, value: [] }, 1]);
    expect([one.got.at(-1), one.ended.yes]).toEqual([{ bye: true }, true]);
    void one.ask('doctor.about', {});
    expect(view(of).got).toEqual([{ bye: true }]);
    expect(one.got.at(-1)).toEqual({ bye: true });
  });
  it('interrupted: those who wait are told that it was stopped and that what was done is kept', async () => {
    const of = router({
      'people.list': async (_, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return [];
      },
    });
    const one = view(of);
    const asked = one.ask('people.list', {});
    await one.ask('doctor.about', {});
    const stop = new AbortController();
    const closed = of.close(stop.signal, () => stop.abort());
    expect(await asked).toMatchObject(failed('host.closed', 'what was done is kept'));
    await closed;
  });
});
