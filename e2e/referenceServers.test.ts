// The public reference servers as their packages ship them (issue 6, "Acceptance"): over stdio, through the desk's own gate,
// its pins and its inbox. All three speak 2025-11-25.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHandlers } from '../main/handlers.ts';
import { createHost, type Host } from '../main/host.ts';
import type { GateAnswer } from '../main/loop.ts';
import { createModelChoice } from '../main/modelChoice.ts';
import { wireOf } from '../main/store/wire.ts';
import { createWork } from '../main/work.ts';
import type { JsonObject } from '../shared/json.ts';
import type { Person } from '../shared/people.ts';

const admin: Person = { id: 'staff-0001', name: 'Ines', role: 'admin' };
const staff: Person = { id: 'staff-0007', name: 'Mara', role: 'staff' };
const home = mkdtempSync(path.join(realpathSync(tmpdir()), 'desk-reference-'));
const files = path.join(home, 'files');
const visited: string[] = [];
let host: Host;
let handlers: ReturnType<typeof createHandlers>;

const programs = {
  everything: import.meta.resolve('@modelcontextprotocol/server-everything/package.json'),
  files: import.meta.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  memory: import.meta.resolve('@modelcontextprotocol/server-memory/package.json'),
};
const program = (name: keyof typeof programs) =>
  path.join(path.dirname(fileURLToPath(programs[name])), 'dist/index.js');
const asked = (by: Person) => ({ by: () => by, signal: new AbortController().signal, session: undefined as never }); // none is looked at

beforeAll(async () => {
  mkdirSync(files);
  const stdio = { kind: 'stdio', command: process.execPath };
  const servers = [
    { prefix: 'everything', ...stdio, args: [program('everything'), 'stdio'], trusted: true },
    { prefix: 'files', ...stdio, args: [program('files'), files] },
    {
      prefix: 'memory',
      ...stdio,
      args: [program('memory')],
      env: { MEMORY_FILE_PATH: path.join(home, 'memory.json') },
    },
  ];
  const playbook = {
    format: 'desk-playbook/1',
    company: 'Test',
    language: 'en',
    currency: 'EUR',
    systems: [],
    tools: {},
  };
  writeFileSync(path.join(home, 'playbook.json'), JSON.stringify(playbook));
  const company = { format: 'desk-profile/1', company: 'Test', people: [admin, staff], open_sign_in: true };
  const tickets = [
    { id: 'T-1', customer: 'C-1', subject: 'Hello', body: 'Please look.', received_at: '2026-06-30T09:00:00Z' },
  ];
  writeFileSync(path.join(home, 'tickets.json'), JSON.stringify(tickets));
  writeFileSync(
    path.join(home, 'profile.json'),
    JSON.stringify({ ...company, playbook: 'playbook.json', tickets: 'tickets.json', servers }),
  );
  host = await createHost({
    data: path.join(home, 'data'),
    profileFile: path.join(home, 'profile.json'),
    servers: true,
    say: () => undefined,
    openUrl: (url) => visited.push(url),
    ask: () => Promise.resolve({ answer: 'run', by: staff, scripted: false }),
  });
  const models = createModelChoice(path.join(home, 'data'), host.settings);
  const work = createWork({ host: () => host, models: () => models });
  handlers = createHandlers({ host, models, work, refused: { count: 0 } });
});
afterAll(async () => {
  await host.close();
  rmSync(home, { recursive: true, force: true });
});

/** What a server lists, each approved by an admin as it stands. */
async function approved(prefix: string): Promise<string[]> {
  const seen = await host.servers.review(prefix);
  for (const { definition } of seen)
    await host.pins.decide({
      ...{ prefix, tool: definition.name, by: admin, decision: 'approved', why: null },
      hash: definition.hash ?? '',
    });
  return seen.map(({ definition }) => definition.name);
}
let n = 0;
async function call(name: string, args: JsonObject): Promise<GateAnswer> {
  const offered = (await host.servers.offered()).tools.find((one) => one.name === name);
  if (offered === undefined) throw new Error(`${name} is not offered`);
  const ticket = await host.tickets.find('T-1');
  if (ticket === undefined) throw new Error('there is no ticket');
  return host.gate.propose({ n: ++n, offered, arguments: args, origins: {} }, { run: '', ticket });
}
async function latest() {
  const found = (await host.calls.list({})).at(-1);
  if (found === undefined) throw new Error('there is no call');
  return found;
}
/** The question that waits for whoever works here. */
async function waiting() {
  const [entry] = (await handlers['questions.list']({}, asked(staff))).questions;
  if (entry === undefined) throw new Error('nothing waits');
  return entry;
}
const reply = (id: string, answer: { action: 'accept' | 'decline' | 'cancel'; content?: JsonObject }) =>
  handlers['questions.answer']({ id, watch: '', ...answer }, asked(staff));

describe('everything', () => {
  let tools: string[] = [];
  /** Each tool, what it is called with, and what it answers. */
  const plain: [string, JsonObject, RegExp][] = [
    ['echo', { message: 'hello' }, /hello/],
    ['get-annotated-message', { messageType: 'error', includeImage: true }, /Error/],
    ['get-env', {}, /PATH/],
    ['get-resource-links', { count: 2 }, /links/],
    ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }, /esource/],
    ['get-structured-content', { location: 'Chicago' }, /temperature/],
    ['get-sum', { a: 2, b: 3 }, /5/],
    ['get-tiny-image', {}, /image/],
    ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' }, /^/],
    ['toggle-simulated-logging', {}, /logging/],
    ['toggle-subscriber-updates', {}, /updates/],
  ];
  const others = [
    'simulate-research-query',
    'trigger-elicitation-request',
    'trigger-long-running-operation',
    'trigger-url-elicitation',
  ];

  it('offers nothing that needs a model or folders of the desk, and every tool of it is tried here', async () => {
    tools = await approved('everything');
    expect(host.servers.get('everything')?.connection.status()).toMatchObject({ state: 'ready', era: 'legacy' });
    expect([...tools].sort()).toEqual([...plain.map(([name]) => name), ...others].sort());
  });
  it.each(plain)('%s', async (name, args, words) => {
    expect(await call(`everything.${name}`, args)).toMatchObject({
      outcome: 'result',
      consent: { by: 'staff-0007' },
      content: expect.stringMatching(words) as string,
    });
  });
  it('a tool that only runs as a task runs as one', async () => {
    // Its stages take seconds; a desk that has waited long enough goes on without it until it is there.
    await call('everything.simulate-research-query', { topic: 'parcels' });
    await expect.poll(async () => (await latest()).state).toBe('result');
    expect((await latest()).text).toContain('Research Report: parcels');
  });
  it('what a task asks waits in the inbox like any question', async () => {
    const args = { topic: 'python', ambiguous: true };
    expect(await call('everything.simulate-research-query', args)).toMatchObject({ outcome: 'waiting' });
    await expect
      .poll(() =>
        waiting().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const { question, form } = await waiting();
    expect(form).toMatchObject({ kind: 'form', fields: [{ name: 'interpretation', type: 'choice' }] });
    await reply(question.id, { action: 'accept', content: { interpretation: 'snake' } });
    await expect.poll(async () => (await host.calls.get(question.call)).state).toBe('result');
    expect((await host.calls.get(question.call)).text).toContain('snake');
  });
  it('progress of a long call is with its messages', async () => {
    const long = await call('everything.trigger-long-running-operation', { duration: 1, steps: 4 });
    expect(long).toMatchObject({ outcome: 'result' });
    expect((await latest()).progress).toMatchObject({ total: 4 });
    const messages = (await wireOf(host.store.db, (await latest()).id)).map(({ text }) => text);
    const progress = messages.filter((text) => text.includes('notifications/progress'));
    expect(progress.map((text) => /"progress":(\d)/.exec(text)?.[1])).toEqual(['1', '2', '3', '4']);
  });

  it('its form with every kind of field waits in the inbox and goes back as it was filled in', async () => {
    expect(await call('everything.trigger-elicitation-request', {})).toMatchObject({ outcome: 'waiting' });
    const { question, form } = await waiting();
    if (form.kind !== 'form') throw new Error(form.kind === 'refused' ? form.why : form.kind);
    expect(form.fields.map(({ type }) => type)).toEqual([
      ...['string', 'boolean', 'string', 'string', 'string', 'string', 'integer', 'number'],
      ...['choice', 'choices', 'choice', 'choices', 'choice'],
    ]);
    const wrong = { name: 'Mara', email: 'nobody', integer: 101, titledSingleSelectEnum: 'hero-9' };
    await expect(reply(question.id, { action: 'accept', content: wrong })).rejects.toThrow(
      /email.*integer.*hero|titled/s,
    );
    const filled = {
      ...{ name: 'Mara', check: false, email: 'mara@example.com', homepage: 'https://example.com/', integer: 7 },
      ...{ birthdate: '1990-02-28', number: 2.5, untitledSingleSelectEnum: 'Joey', legacyTitledEnum: 'pet-2' },
      ...{ untitledMultipleSelectEnum: ['Piano', 'Bass'], titledSingleSelectEnum: 'hero-2' },
      titledMultipleSelectEnum: ['fish-1', 'fish-3'],
    };
    const { call: done } = await reply(question.id, { action: 'accept', content: filled });
    expect(done.state).toBe('result');
    const raw = JSON.parse((done.text ?? '').split('Raw result: ')[1] ?? 'null') as JsonObject; // as the tool prints it
    // What was left alone takes the form's own default.
    expect(raw).toEqual({
      action: 'accept',
      content: { ...filled, firstLine: 'It was a dark and stormy night.' },
    });
  });
  it.each(['decline', 'cancel'] as const)('its form is answered with %s', async (action) => {
    await call('everything.trigger-elicitation-request', {});
    const { call: done } = await reply((await waiting()).question.id, { action });
    expect(done.text).toMatch(action === 'decline' ? /declined/ : /cancelled/);
  });

  const page = { url: 'https://example.com/flow', message: 'Finish it there.' };
  it('its address is shown, opened by a person’s word alone, and the answer goes back', async () => {
    await call('everything.trigger-url-elicitation', page);
    const { question, form } = await waiting();
    expect(form).toMatchObject({ kind: 'url', host: 'example.com', url: page.url });
    expect(visited).toEqual([]);
    await handlers['questions.visit']({ id: question.id }, asked(staff));
    expect(visited).toEqual([page.url]);
    const { call: done } = await reply(question.id, { action: 'accept' });
    expect(done).toMatchObject({ state: 'result', text: expect.stringMatching(/"accept"/) as string });
  });
  it('an address that must be visited first (-32042) is a question; the same call goes out again by the person’s word', async () => {
    await call('everything.trigger-url-elicitation', { ...page, errorPath: true });
    const first = await waiting();
    expect(first).toMatchObject({ question: { pushed: false }, form: { host: 'modelcontextprotocol.io' } });
    const again = await reply(first.question.id, { action: 'accept' });
    expect(again.call.state).toBe('asked');
    const second = await waiting();
    expect(second).toMatchObject({ question: { pushed: true }, form: { url: page.url } });
    const { call: done } = await reply(second.question.id, { action: 'accept' });
    expect(done.state).toBe('result');
    expect(done.id).toBe(first.call.id);
  });

  it('its documents are read, and attached to a ticket by a person', async () => {
    const uri = 'demo://resource/static/document/startup.md';
    expect(
      await host.gate.read({ prefix: 'everything', method: 'resources/read', name: uri, arguments: {} }),
    ).toMatchObject({ outcome: 'result', content: expect.stringContaining('Everything') as string });
    const { resources } = await handlers['runs.attachable']({}, asked(staff));
    expect(resources.map((one) => one.uri)).toContain(uri);
    const version = (await host.tickets.find('T-1'))?.version ?? 0;
    await handlers['runs.attach']({ id: 'T-1', version, prefix: 'everything', uri }, asked(staff));
    const text = await handlers['runs.document']({ ticket: 'T-1', prefix: 'everything', uri }, asked(staff));
    expect(JSON.stringify(text)).toContain('Everything');
  });
});

describe('filesystem', () => {
  const at = (name: string) => path.join(files, name);
  const edit = { path: at('a.txt'), edits: [{ oldText: 'two', newText: '2' }] };
  const steps: [string, JsonObject, RegExp][] = [
    ['list_allowed_directories', {}, /files/],
    ['create_directory', { path: at('sub') }, /sub/],
    ['write_file', { path: at('a.txt'), content: 'one\ntwo\n' }, /a\.txt/],
    ['read_file', { path: at('a.txt'), head: 1 }, /^one$/],
    ['read_text_file', { path: at('a.txt') }, /two/],
    ['edit_file', edit, /\+2/],
    ['read_multiple_files', { paths: [at('a.txt')] }, /one\n2/],
    ['move_file', { source: at('a.txt'), destination: at('sub/b.txt') }, /b\.txt/],
    ['list_directory', { path: files }, /\[DIR\] sub/],
    ['list_directory_with_sizes', { path: at('sub') }, /b\.txt/],
    ['directory_tree', { path: files }, /"b\.txt"/],
    ['search_files', { path: files, pattern: '**/*.txt' }, /b\.txt/],
    ['get_file_info', { path: at('sub/b.txt') }, /size: 6/],
    ['read_media_file', { path: at('dot.png') }, /^/],
  ];
  it('every tool of it is tried here', async () => {
    writeFileSync(at('dot.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
    expect((await approved('files')).sort()).toEqual(steps.map(([name]) => name).sort());
  });
  it.each(steps)('%s', async (name, args, words) => {
    expect(await call(`files.${name}`, args)).toMatchObject({
      outcome: 'result',
      content: expect.stringMatching(words) as string,
    });
  });
  it('what it did is on the disk, and outside its folder it does nothing', async () => {
    expect(readFileSync(at('sub/b.txt'), 'utf8')).toBe('one\n2\n');
    expect(await call('files.write_file', { path: path.join(home, 'out.txt'), content: 'x' })).toMatchObject({
      outcome: 'tool error',
      content: expect.stringContaining('denied') as string,
    });
  });
});

describe('memory', () => {
  const entities = [{ name: 'Mara', entityType: 'person', observations: ['likes tea'] }];
  const relations = [{ from: 'Mara', to: 'Tomas', relationType: 'knows' }];
  const steps: [string, JsonObject, RegExp][] = [
    ['create_entities', { entities: [...entities, { name: 'Tomas', entityType: 'person', observations: [] }] }, /Mara/],
    ['create_relations', { relations }, /knows/],
    ['add_observations', { observations: [{ entityName: 'Mara', contents: ['is away'] }] }, /is away/],
    ['search_nodes', { query: 'tea' }, /Mara/],
    ['open_nodes', { names: ['Mara'] }, /likes tea/],
    ['delete_observations', { deletions: [{ entityName: 'Mara', observations: ['is away'] }] }, /deleted/],
    ['delete_relations', { relations }, /deleted/],
    ['delete_entities', { entityNames: ['Tomas'] }, /deleted/],
    ['read_graph', {}, /likes tea/],
  ];
  it('every tool of it is tried here', async () => {
    expect((await approved('memory')).sort()).toEqual(steps.map(([name]) => name).sort());
  });
  it.each(steps)('%s', async (name, args, words) => {
    expect(await call(`memory.${name}`, args)).toMatchObject({
      outcome: 'result',
      content: expect.stringMatching(words) as string,
    });
  });
  it('its graph is read as a resource', async () => {
    const uri = 'memory://knowledge-graph';
    expect(
      await host.gate.read({ prefix: 'memory', method: 'resources/read', name: uri, arguments: {} }),
    ).toMatchObject({
      outcome: 'result',
      content: expect.stringContaining('likes tea') as string,
    });
  });
});
