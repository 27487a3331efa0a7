// Completion and templates of a server that answers badly (host §21): bounded, judged one by one, and never asking (host §19).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { serverConfig } from '../../shared/servers.ts';
import { createConnection, type Connection } from './connection.ts';
import { startHttp, type StartedHttp } from './startedHttp.ts';

let server: StartedHttp;
let one: Connection;

beforeAll(async () => {
  server = await startHttp('completes');
  const config = serverConfig.parse({ prefix: 'far', kind: 'http', url: server.url });
  one = createConnection(config, { clock: { now: () => Date.now() }, eras: new Map<string, Json>() });
});
afterAll(async () => {
  await one.close();
  await server.kill();
});

function ask(argument: string, signal?: AbortSignal) {
  return one.complete({ ref: { prompt: 'p' }, argument, value: '', others: { a: 'b' }, meta: {} }, signal);
}

describe('completion', () => {
  it('takes a hundred values at most, and says where there are others', async () => {
    const { values, total, more } = await ask('many');
    expect([values.length, values[99], total, more]).toEqual([100, 'value 99', 150, true]);
    await expect(ask('over')).rejects.toThrow('with no list of at most 100 texts');
  });
  it('leaves out what is too long; a count that is none is none', async () => {
    expect(await ask('odd')).toEqual({ values: ['good\u202e'], total: null, more: false });
  });
  it('is an error where there is no list, or where the server asks something (host §19)', async () => {
    await expect(ask('none')).rejects.toMatchObject({ code: 'servers.read' });
    await expect(ask('asks')).rejects.toMatchObject({ code: 'servers.read' });
  });
  it('is stopped with its request', async () => {
    await expect(ask('many', AbortSignal.abort())).rejects.toThrow();
  });
});

describe('templates', () => {
  it('are named by what they fill in, and judged one by one', async () => {
    expect((await one.templates()).map(({ name, problem }) => [name, problem])).toEqual([
      ['x://{a}/{b}', null],
      ['x://{+path}', 'Its uriTemplate is filled in a way the desk does not know; only “{name}” is.'],
      ['x://{__proto__}', 'It asks for “__proto__”, which nobody can fill in here.'],
      ['x://{a', 'Its uriTemplate is filled in a way the desk does not know; only “{name}” is.'],
      ['x://{a}', 'It has no name.'],
      ['none', 'It has no uriTemplate.'],
    ]);
  });
});
