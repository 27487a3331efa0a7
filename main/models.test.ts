import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../shared/failures.ts';
import type { CatalogueEntry } from '../shared/models.ts';
import { createEvents } from './events.ts';
import { getModel, pauseDownloads } from './models.ts';

const content = Buffer.alloc(50_000, 7);
const started: ServerResponse[] = [];
/** Answers with the first half; the rest comes when the test sends it. */
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, 25_000));
  started.push(response);
  server.emit('started');
});
let folder: string;
let entry: CatalogueEntry;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server that listens has one
  const sha256 = createHash('sha256').update(content).digest('hex');
  entry = {
    ...{ name: 'tiny', title: 'Tiny', file: 'tiny.gguf', size: content.length, licence: 'MIT', context: 2048 },
    ...{ attention: 'full', role: 'test', sources: [{ kind: 'url', url: `http://127.0.0.1:${port}/tiny`, sha256 }] },
  };
});
afterAll(() => server.close());
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'desk-models-'))));
afterEach(() => {
  for (const response of started.splice(0)) response.destroy();
  rmSync(folder, { recursive: true });
});

function get(signal: AbortSignal, events = createEvents()) {
  const file = path.join(folder, entry.file);
  const find = () => Promise.resolve({ name: 'tiny', file, entry, present: existsSync(file), size: entry.size });
  return getModel({ models: { folder, find }, events }, 'tiny', signal);
}

describe('a download that is under way', () => {
  it('says how far it is also where the line goes quiet right after it began', async () => {
    const events = createEvents();
    let told = 0;
    events.listen((change) => {
      if (change.feature === 'models' && 'entity' in change) told = change.entity.bytes;
    });
    const asked = get(new AbortController().signal, events);
    await expect.poll(() => told).toBe(25_000);
    started[0]?.end(content.subarray(25_000));
    await asked;
  });

  it('pauses with its host, also where nobody waits for it any more', async () => {
    const view = new AbortController();
    const began = once(server, 'started');
    const asked = get(view.signal);
    await began;
    view.abort(new Failure('host.gone', 'Whoever asked went away.'));
    await expect(asked).rejects.toMatchObject({ code: 'host.gone' });
    const cut = once(started[0] ?? server, 'close');
    await pauseDownloads(folder);
    await cut;
    expect(started).toHaveLength(1);
  });

  it('is joined by who asks for the same model, and goes on when one of them leaves', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const began = once(server, 'started');
    const leaving = get(first.signal);
    await began;
    const staying = get(second.signal);
    first.abort(new Failure('host.gone', 'Whoever asked went away.'));
    await expect(leaving).rejects.toMatchObject({ code: 'host.gone' });
    started[0]?.end(content.subarray(25_000));
    expect(await staying).toEqual({ name: 'tiny', fromDisk: false });
    expect(started).toHaveLength(1);
  });

  it('is paused for all by the person who stops it, and begins again after', async () => {
    const person = new AbortController();
    const began = once(server, 'started');
    const background = get(new AbortController().signal);
    await began;
    const asked = get(person.signal);
    const paused = expect(background).rejects.toMatchObject({ code: 'stopped' });
    person.abort(new Failure('stopped', 'Stopped: what was done is kept.'));
    await expect(asked).rejects.toMatchObject({ code: 'stopped' });
    await paused;
    const again = once(server, 'started');
    const next = get(new AbortController().signal);
    await again;
    started.at(-1)?.end(content.subarray(25_000));
    expect(await next).toEqual({ name: 'tiny', fromDisk: false });
  });
});
