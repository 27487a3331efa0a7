// A real hostile server on a desk, for tests of what people are shown of it: hostile/says.mjs, its tools approved, calls of it
// as the loop makes them, and its own ledger of what it was sent.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Call } from '../shared/calls.ts';
import { textOf, type JsonObject } from '../shared/json.ts';
import { serverConfig, type ServerConfig } from '../shared/servers.ts';
import type { Ticket } from '../shared/tickets.ts';
import type { Host } from '../main/host.ts';
import { begin, type GateAnswer } from '../main/loop.ts';
import { saveRunState } from '../main/runState.ts';
import { insertRun } from '../main/store/runs.ts';

export interface Received {
  name: string;
  given: JsonObject;
}
export type Saying = Awaited<ReturnType<typeof addSaying>>;

/** Adds it as `hostile`; the servers of the sample company are switched off. `more` are arguments it does not read. */
export async function addSaying(host: Host, folder: string, more: string[] = []) {
  mkdirSync(folder, { recursive: true });
  const program = path.join(import.meta.dirname, 'hostile/says.mjs');
  const config: ServerConfig = serverConfig.parse({
    prefix: 'hostile',
    kind: 'stdio',
    moves_money: { pay: true },
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', program, folder, ...more],
  });
  const others = (await host.configured()).map(({ prefix }) => prefix);
  for (const prefix of others) await host.settings.switchServer(prefix, false);
  await host.settings.addServer(config, others);
  host.servers.add(config);
  await approve();
  let count = 0;

  async function approve(why: (n: number) => string | null = () => null): Promise<void> {
    const by = await host.person('staff-0001');
    for (const prefix of ['hostile', 'hostile/prompts', 'hostile/templates'])
      for (const [n, { definition, status }] of (await host.servers.review(prefix)).entries())
        if (definition.hash !== null && status !== 'approved')
          await host.pins.decide({
            ...{ prefix, tool: definition.name, by, decision: 'approved' },
            ...{ hash: definition.hash, why: why(n) },
          });
  }
  /** A call as the loop proposes it, in a run that goes on after its answer. */
  async function propose(ticket: Ticket, name: string, args: JsonObject): Promise<{ call: Call; answer: GateAnswer }> {
    const { tools, problems } = await host.servers.offered();
    const offered = tools.find((one) => one.tool === name);
    if (offered === undefined) throw new Error(`${name} is not offered: ${problems.join(' ')}`);
    const run = `run-saying-${count++}`;
    const state = begin(ticket);
    const part = { options: [offered.name], choice: offered.name, probability: 1, margin: 1, probabilities: [1] };
    const meter = { evaluated: 0, reused: 0, generated: 0 };
    const origins = Object.fromEntries(
      Object.keys(args).map((key) => [
        `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        { from: 'ticket.text', trust: 'untrusted', written: textOf(args[key]).slice(0, 80) } as const,
      ]),
    );
    const made = { n: 1, tool: offered.name, arguments: args, origins, outcome: 'waiting', ms: 0 } as const;
    state.turns.push({ ...part, tokens: meter, ms: 1, segments: [], call: made });
    await insertRun(host.store.db, {
      id: run,
      batch: null,
      ticket: ticket.id,
      ticket_version: ticket.version,
      state: 'waiting',
      why: 'waits for consent',
      ask: null,
      model: 'none',
      playbook: host.playbook.hash,
      settings: { definitions: {} },
      turns: state.turns,
      started_at: new Date().toISOString(),
      ended_at: null,
      ms: null,
    });
    await saveRunState(host.store, run, state);
    const answer = await host.gate.propose({ n: 1, offered, arguments: args, origins }, { run, ticket });
    const call = (await host.calls.list({ run })).at(-1);
    if (call === undefined) throw new Error(`No call was made: ${answer.content ?? answer.outcome}`);
    return { call, answer };
  }
  return {
    approve,
    propose,
    /** Answers a waiting call with yes, and sends it. */
    async run(ticket: Ticket, name: string, args: JsonObject): Promise<Call> {
      const { call } = await propose(ticket, name, args);
      const by = await host.person('staff-0007');
      const answered = await host.calls.answer(call.id, { by, answer: 'run', hash: call.hash, scripted: false });
      await host.gate.send(answered, { run: call.run, ticket });
      return host.calls.get(call.id);
    },
    /** From now on it says something else of its tools. */
    changeDefinitions: () => writeFileSync(path.join(folder, 'edition'), '1'),
    /** What it was sent, by its own ledger. */
    received(): Received[] {
      const file = path.join(folder, 'got.jsonl');
      if (!existsSync(file)) return [];
      const lines = readFileSync(file, 'utf8').trim().split('\n');
      return lines.map((line) => JSON.parse(line) as Received); // written by says.mjs
    },
  };
}
