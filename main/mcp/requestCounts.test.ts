// Over a real server: which requests are counted, and what counts as an error of its.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../shared/json.ts';
import { serverConfig } from '../../shared/servers.ts';
import { createConnection } from './connection.ts';

const hostile = path.resolve(import.meta.dirname, '../../e2e/hostile');
const clock = { now: () => Date.parse('2026-11-30T09:10:00Z') };
function connect(program: string, ...more: string[]) {
  const args = [path.join(hostile, program), ...more];
  const config = serverConfig.parse({ prefix: 'shop', kind: 'stdio', command: process.execPath, args });
  return createConnection(config, { clock, eras: new Map<string, Json>() });
}

describe('what a server was asked (host §24)', () => {
  it('is counted over all its lives, with its codes and what never came', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'desk-counts-'));
    const one = connect('outcomes.mjs', path.join(folder, 'log'), path.join(folder, 'none'));
    const counts = () => one.status().requests;
    try {
      expect(counts()).toEqual({ since: '2026-11-30T09:10:00.000Z', total: 0, revisions: {}, errors: {} });
      await one.start();
      // That it was agreed on is no request of anybody.
      expect(counts()).toMatchObject({ total: 0, errors: {} });
      await one.tools();
      // A tool that fails, one that asks: the server answered as it should.
      for (const tool of ['ping', 'fails', 'asks', 'refuses', 'refuses', 'breaks'])
        await one.call({ tool, arguments: {} });
      expect(counts()).toMatchObject({
        total: 7,
        revisions: { '2026-07-28': 7 },
        errors: { '-32602': 2, '-32603': 1 },
      });
      await one.call({ tool: 'exits', arguments: {} });
      await one.call({ tool: 'ping', arguments: {}, signal: AbortSignal.abort() });
      await one.call({ tool: 'ping', arguments: {} });
      expect(counts()).toMatchObject({ errors: { '-32602': 2, '-32603': 1, 'went away': 1 } });
      expect(counts().total).toBeGreaterThanOrEqual(9);
    } finally {
      await one.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
  it('has no error of the server where a person stopped it, and one where it let the desk wait', async () => {
    const one = connect('good.mjs');
    try {
      await one.start();
      const stop = new AbortController();
      const call = { tool: 'slow', arguments: { steps: 20, ms: 200, still: true } };
      await one.call({ ...call, signal: stop.signal, onProgress: () => stop.abort() });
      expect(one.status().requests).toMatchObject({ total: 1, errors: {} });
      await one.call({ ...call, timeoutMs: 300 });
      expect(one.status().requests).toMatchObject({ total: 2, errors: { 'timed out': 1 } });
    } finally {
      await one.close();
    }
  });
});
