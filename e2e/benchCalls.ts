// The bench's third part: one tools/call through the desk's connection (guard process, framing, budgets, clocks) against the
// same through a bare SDK client, each to a process of the same server, in one run and in turns.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { sampleProfile } from '../main/cli/folders.ts';
import { createConnection, type Connection } from '../main/mcp/connection.ts';
import { createPlaceholders, loadProfile } from '../main/profile.ts';
import { startService, type Service } from '../main/services.ts';
import type { Json } from '../shared/json.ts';
import type { ServerConfig } from '../shared/servers.ts';
import { sampleTickets } from './trial.ts';

const tool = 'get_order_status';
const warmUp = 20;
type Shop = Extract<ServerConfig, { kind: 'stdio' }>;
type Ask = (order: string) => Promise<number>;

/** The sample company's API, and the shop server's configuration once for each client: quotes are not shared. */
async function openShop(data: string, signal: AbortSignal): Promise<{ service: Service; configs: [Shop, Shop] }> {
  const profile = loadProfile(sampleProfile);
  const [program] = profile.services;
  const shop = profile.servers.find((config) => config.kind === 'stdio');
  if (program === undefined || shop?.kind !== 'stdio') throw new Error('the sample profile has no shop');
  const places = { data, profileFile: sampleProfile, clock: profile.clock ?? new Date().toISOString() };
  const placeholders = createPlaceholders(places, { hex: (n) => randomBytes(n).toString('hex') });
  const service = await startService(program.name, placeholders.program(program), signal);
  placeholders.started(program.name, service.url);
  const filled = placeholders.server(shop);
  if (filled.kind !== 'stdio') throw new Error('the shop is no stdio server any more');
  const other = { ...filled, env: { ...filled.env, SHOP_DATA: path.join(data, 'profile', 'bare') } };
  return { service, configs: [filled, other] };
}

function throughDesk(connection: Connection): Ask {
  return async (order) => {
    const started = performance.now();
    const outcome = await connection.call({ tool, arguments: { order_id: order } });
    const ms = performance.now() - started;
    if (outcome.kind !== 'result') throw new Error(`${order} through the desk: ${outcome.kind}`);
    return ms;
  };
}

function throughSdk(client: Client): Ask {
  return async (order) => {
    const started = performance.now();
    const result = await client.callTool({ name: tool, arguments: { order_id: order } });
    const ms = performance.now() - started;
    if (result.isError === true) throw new Error(`${order} through the SDK: tool error`);
    return ms;
  };
}

/** Rows for the bench's table. */
export async function callCosts(data: string, times: number, signal: AbortSignal): Promise<[string, number[]][]> {
  const { service, configs } = await openShop(data, signal);
  const connection = createConnection(configs[0], { clock: { now: () => Date.now() }, eras: new Map<string, Json>() });
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await connection.start(signal);
    const { command, args, env } = configs[1];
    await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
    return await inTurns(throughDesk(connection), throughSdk(client), times, signal);
  } finally {
    await client.close();
    await connection.close();
    await service.close();
  }
}

async function inTurns(desk: Ask, sdk: Ask, times: number, signal: AbortSignal): Promise<[string, number[]][]> {
  const orders = sampleTickets().flatMap(({ label }) =>
    label?.first_tool === tool && typeof label.order === 'string' ? [label.order] : [],
  );
  const ours: number[] = [];
  const bare: number[] = [];
  for (let at = -warmUp; at < times; at++) {
    signal.throwIfAborted();
    const order = orders[Math.abs(at) % orders.length] ?? '';
    const late = at % 2 === 0 ? null : await sdk(order);
    const first = await desk(order);
    const second = late ?? (await sdk(order));
    if (at < 0) continue;
    ours.push(first);
    bare.push(second);
  }
  return [
    [`${tool} through the desk’s connection`, ours],
    ['  through a bare SDK client', bare],
    ['  the desk adds (difference, pairwise)', ours.map((ms, at) => ms - (bare[at] ?? Number.NaN))],
  ];
}
