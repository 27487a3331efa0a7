// One scenario of the official conformance suite from the client's side, walked through the desk's own connection: its
// harness starts a server, names the scenario in the environment and gives the address as the last argument.
import { isObject, type Json, type JsonObject } from '../../shared/json.ts';
import { openDesk } from './conformanceDesk.ts';

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as JsonObject; // set by the harness

/** Arguments the scenario asks for; what it gives as null is left out, as an untouched field is. */
function named(tool: string): JsonObject | undefined {
  const wanted = Array.isArray(context['toolCalls']) ? context['toolCalls'] : [];
  const found = wanted.find((one) => isObject(one) && one['name'] === tool);
  if (!isObject(found) || !isObject(found['arguments'])) return undefined;
  return Object.fromEntries(Object.entries(found['arguments']).filter(([, value]) => value !== null));
}

const samples: Record<string, Json> = { number: 5, integer: 5, boolean: true, array: [], object: {} };

/** Something that fits, for every argument a tool needs. */
function invented(schema: Json | undefined): JsonObject {
  if (!isObject(schema) || !isObject(schema['properties'])) return {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.fromEntries(
    Object.entries(schema['properties'])
      .filter(([name]) => required.includes(name))
      .map(([name, one]) => [
        name,
        (isObject(one) && typeof one['type'] === 'string' ? samples[one['type']] : undefined) ?? 'us-west1',
      ]),
  );
}

const { client_id: id, client_secret: secret, issuer } = context;
const desk = await openDesk({
  url,
  ...(typeof id === 'string' && typeof secret === 'string' && typeof issuer === 'string'
    ? { client: { id, secret, issuer } }
    : {}),
  async whileAsked() {
    // Another call in between takes nothing of the one whose question waits.
    if (scenario === 'sep-2322-client-request-state') await desk.call('test_mrtr_unrelated', {});
  },
});
try {
  for (const { definition, status } of await desk.approveAll()) {
    const { name, raw, problem } = definition;
    console.log(`${name}: ${status}${problem === null ? '' : `. ${problem}`}`);
    if (status !== 'approved') continue;
    const answer = await desk.call(name, named(name) ?? invented(raw['inputSchema']));
    console.log(`${name}: ${answer.outcome} ${answer.content ?? answer.detail ?? ''}`);
  }
  for (const { uri } of await desk.connection.resources()) {
    const read = await desk.gate.read({ prefix: 'far', method: 'resources/read', name: uri, arguments: {} });
    console.log(`${uri}: ${read.outcome} ${read.detail ?? ''}`);
  }
  for (const { name } of await desk.connection.prompts()) {
    const got = await desk.gate.read({ prefix: 'far', method: 'prompts/get', name, arguments: {} });
    console.log(`${name}: ${got.outcome} ${got.detail ?? ''}`);
  }
} finally {
  console.log(`${scenario}: ${JSON.stringify(desk.connection.status().problem)}`);
  await desk.close();
}
