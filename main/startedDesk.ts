/** A desk's own gate over a real database, and the sample company's programs as real processes over HTTP, for tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Json, JsonObject } from '../shared/json.ts';
import { playbookSchema } from '../shared/playbook.ts';
import type { ServerConfig } from '../shared/servers.ts';
import type { Ticket } from '../shared/tickets.ts';
import { createCalls } from './calls.ts';
import { createGate, type PutQuestion } from './gate.ts';
import { createConnection } from './mcp/connection.ts';
import { createValidator } from './mcp/validator.ts';
import { admin, staff, ticket } from './oneTicket.ts';
import { createPins } from './pins.ts';
import { createQuestions } from './questions.ts';
import { createServers } from './servers.ts';
import { openStore } from './store/open.ts';

export interface StartedProgram {
  url: string;
  stop(): Promise<void>;
}
const imported: Ticket = { ...ticket, source: 'import' };

/** A program of demo/ that prints its address and ends with its stdin. */
export async function startProgram(name: string, env: Record<string, string>, args: string[] = []) {
  const path = fileURLToPath(new URL(`../demo/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, ...env },
  });
  const gone = once(child, 'exit');
  const ended = gone.then(() => Promise.reject(new Error(`${name} ended before it served`)));
  const line: unknown[] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  ended.catch(() => undefined);
  const { url } = JSON.parse(String(line[0])) as { url: string }; // the one line the program promises
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await gone;
  };
  return { url, stop } satisfies StartedProgram;
}

/** Staff consents to every call; what a server asks is put to `put`, or waits in the inbox. */
export async function startDesk(configs: ServerConfig[], put?: PutQuestion) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-http-'));
  const clock = { now: () => Date.parse('2026-06-30T09:00:00Z') };
  const store = await openStore(join(folder, 'desk.db'));
  let count = 0;
  const calls = createCalls({ store, clock, random: { hex: (n) => (++count).toString(16).padStart(n * 2, '0') } });
  const namesPerson = (prefix: string) =>
    configs.some((one) => one.prefix === prefix && Object.values(one.context).includes('person.id'));
  const questions = createQuestions({ store, clock, namesPerson });
  const pins = createPins({ store, clock });
  const validator = createValidator({ ms: 5_000 });
  const connect = (config: ServerConfig) => createConnection(config, { clock, eras: new Map<string, Json>() });
  const servers = createServers(configs, { pins, connect });
  const playbook = playbookSchema.parse({
    ...{ format: 'desk-playbook/1', company: 'Test', language: 'en', currency: 'EUR', systems: [], tools: {} },
  });
  const ask = () => Promise.resolve({ answer: 'run', by: staff, scripted: true } as const);
  const gate = createGate({ calls, questions, pins, servers, validator, playbook, clock, ask, ...(put && { put }) });
  let runs = 0;

  for (const { prefix, no_side_effects: listed } of configs)
    for (const { definition } of await servers.review(prefix)) {
      const { name: tool, hash } = definition;
      if (hash === null) throw new Error(`${prefix}.${tool} cannot be used`);
      const noSideEffects = listed.includes(tool);
      await pins.decide({ prefix, tool, by: admin, decision: 'approved', hash, why: null, noSideEffects });
    }
  const { tools } = await servers.offered();

  return {
    calls,
    questions,
    gate,
    /** Proposes a call of an approved tool, by its name with our prefix, in a run of its own. */
    async run(name: string, given: JsonObject) {
      const offered = tools.find((one) => one.name === name);
      if (offered === undefined) throw new Error(`${name} is not offered`);
      const of = { run: `r${++runs}`, ticket: imported };
      const answer = await gate.propose({ n: 1, offered, arguments: given, origins: {} }, of);
      const [call] = await calls.list({ run: of.run });
      if (call === undefined) throw new Error(`${name} left no call`);
      return { answer, call, of };
    },
    async close() {
      await servers.close();
      await gate.quiet();
      await store.close();
      await validator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
