// What a bad server costs a good one beside it: one tools/call with its answer checked against a schema, alone and while the
// other misbehaves, in turns. `--quick` repeats less. A ratio over 2 breaks spec trust, invariant 1.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { createConnection, type Connection } from '../main/mcp/connection.ts';
import { startHttp } from '../main/mcp/startedHttp.ts';
import { createValidator, type Validator } from '../main/mcp/validator.ts';
import type { Json } from '../shared/json.ts';
import { serverConfig, type ServerConfig } from '../shared/servers.ts';
import { median } from './figures.ts';

interface IsolationRow {
  name: string;
  /** Medians in milliseconds. */
  alone: number;
  beside: number;
  ratio: number;
}

const clock = { now: () => Date.now() };
const total = { type: 'object', properties: { total: { type: 'string', pattern: '^[0-9.]+$' } }, required: ['total'] };
const runaway = { type: 'object', properties: { word: { type: 'string', pattern: '^(a+)+$' } } };
/** Between two calls of the bad server: what is measured is what it does, not that the desk asks it without end. */
const pauseMs = 5;
const script = path.join(import.meta.dirname, 'hostile', 'wire.mjs');

function connect(config: ServerConfig): Connection {
  return createConnection(config, { clock, eras: new Map<string, Json>() });
}
const overStdio = (kind: string) =>
  connect(serverConfig.parse({ prefix: 'local', kind: 'stdio', command: process.execPath, args: [script, kind] }));
const overHttp = (url: string, kind: string) =>
  connect(serverConfig.parse({ prefix: 'far', kind: 'http', url: `${url}/${kind}` }));

/** A call as the gate makes it: sent, and its answer checked. */
async function good(connection: Connection, validator: Validator): Promise<number> {
  const started = performance.now();
  const outcome = await connection.call({ tool: 'ping', arguments: {} });
  const checked = await validator.validate(total, { total: '12.50' });
  if (outcome.kind !== 'result' || !checked.ok) throw new Error(`the good server: ${outcome.kind}`);
  return performance.now() - started;
}

/** Keeps the bad server busy until told to stop. */
function trouble(work: () => Promise<unknown>): { end(): Promise<void> } {
  const stop = new AbortController();
  const loop = (async () => {
    while (!stop.signal.aborted) {
      await work();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return {
    async end() {
      stop.abort();
      await loop;
    },
  };
}

async function besides(
  quiet: Connection,
  validator: Validator,
  work: () => Promise<unknown>,
  repeat: { turns: number; calls: number },
): Promise<Omit<IsolationRow, 'name'>> {
  const alone: number[] = [];
  const beside: number[] = [];
  for (let turn = 0; turn < repeat.turns; turn++) {
    for (let n = 0; n < repeat.calls; n++) alone.push(await good(quiet, validator));
    const bad = trouble(work);
    // Not before the trouble is under way.
    await good(quiet, validator);
    for (let n = 0; n < repeat.calls; n++) beside.push(await good(quiet, validator));
    await bad.end();
  }
  return { alone: median(alone), beside: median(beside), ratio: median(beside) / median(alone) };
}

/** Rows for the bench's table. */
export async function isolation(quick: boolean): Promise<IsolationRow[]> {
  const repeat = quick ? { turns: 2, calls: 60 } : { turns: 4, calls: 200 };
  const validator = createValidator();
  const http = await startHttp('wireHttp');
  const quiet = overStdio('twice');
  const opened: Connection[] = [quiet];
  const bad = (connection: Connection, timeoutMs: number) => {
    opened.push(connection);
    return () => connection.call({ tool: 'bad', arguments: {}, timeoutMs });
  };
  const hangs = async () => {
    const judged = await validator.validate(runaway, { word: `${'a'.repeat(64)}!` });
    if (judged.ok) throw new Error('the runaway pattern ended');
  };
  const kinds: [string, () => Promise<unknown>][] = [
    ['beside a good server over HTTP, for comparison', bad(overHttp(http.url, 'twice'), 10_000)],
    ['beside a server whose answers hang validation', hangs],
    ['beside a flood of notices (stdio)', bad(overStdio('notices'), 2_000)],
    ['beside a flood of notices (HTTP)', bad(overHttp(http.url, 'flood'), 2_000)],
    ['beside answers nested 100,000 deep (stdio)', bad(overStdio('abyss'), 10_000)],
    ['beside answers nested 100,000 deep (HTTP)', bad(overHttp(http.url, 'deep'), 10_000)],
    ['beside messages of 50 MB (stdio)', bad(overStdio('huge'), 10_000)],
    ['beside messages of 50 MB (HTTP)', bad(overHttp(http.url, 'huge'), 10_000)],
  ];
  const rows: IsolationRow[] = [];
  try {
    for (let n = 0; n < 50; n++) await good(quiet, validator);
    for (const [name, work] of kinds) rows.push({ name, ...(await besides(quiet, validator, work, repeat)) });
  } finally {
    await Promise.all(opened.map((one) => one.close()));
    await http.kill();
    await validator.close();
  }
  return rows;
}

/** A ratio over 2 breaks spec trust, invariant 1. */
export function isolationLine({ name, alone, beside, ratio }: IsolationRow): string {
  const over = ratio > 2 ? '  OVER' : '';
  return `${name.padEnd(48)} ${alone.toFixed(2)} → ${beside.toFixed(2)}   ×${ratio.toFixed(2)}${over}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' } } });
  for (const row of await isolation(values.quick === true)) console.log(isolationLine(row));
}
