// `desk models`: the catalogue, what is on disk, getting, adding and choosing a model, and this machine's speed.
import path from 'node:path';
import { Failure } from '../../shared/failures.ts';
import type { Desk } from '../client.ts';
import { exit, withDesk, type Context } from './context.ts';
import { styled } from './present.ts';

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

const verbs = ['get', 'add', 'use', 'bench'];

export async function modelsCommand(
  context: Context,
  verb: string | undefined,
  name: string | undefined,
): Promise<number> {
  if (verb !== undefined && !verbs.includes(verb)) {
    context.say(`"desk models ${verb}" is not known. Known: get NAME, add FILE, use NAME, bench.`);
    return exit.wrongUse;
  }
  return withDesk(context, {}, async (desk) => {
    if (verb === undefined) return listModels(context, desk);
    if (verb === 'bench') return bench(context, desk, name);
    if (name === undefined)
      throw new Failure('cli.use', `"desk models ${verb}" needs a ${verb === 'add' ? 'file' : 'name'}.`);
    if (verb === 'get') await getModel(context, desk, name);
    else if (verb === 'add') {
      const added = await desk.request('models.add', { file: path.resolve(name) });
      context.print(`${added.name} is known and in use (${added.file}).`);
    } else context.print(`${(await desk.request('models.use', { name })).name} is in use from now on.`);
    return exit.done;
  });
}

async function listModels(context: Context, desk: Desk): Promise<number> {
  const all = await desk.request('models.list', {});
  if (context.global.json) context.json(all);
  else
    for (const one of all) {
      const state = one.in_use ? styled('green', 'in use') : one.present ? 'on disk' : 'not here';
      context.print(
        `${one.name.padEnd(36)} ${state.padEnd(10)} ${megabytes(one.size).padStart(7)}  ${one.licence === null ? one.file : `${one.role}, ${one.licence}`}`,
      );
    }
  return exit.done;
}

/** Fetches a model of the catalogue with progress on stderr. */
export async function getModel(context: Context, desk: Desk, name: string): Promise<void> {
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  const terminal = process.stderr.isTTY;
  let last = started;
  const end = desk.events((event) => {
    if (event.feature !== 'models' || !('entity' in event)) return;
    if (performance.now() - last < (terminal ? 250 : 5_000)) return;
    last = performance.now();
    const { name: of, bytes, total, source } = event.entity;
    const from = source === 'packages' ? 'packages of the registry' : new URL(source).host;
    const line = `Getting ${of}: ${Math.min(99, Math.floor((bytes / total) * 100))} % of ${megabytes(total)} from ${from}, ${seconds()} s`;
    process.stderr.write(terminal ? `\r\u001b[K${line}` : `${line}\n`);
  });
  const got = await desk.request('models.get', { name }, context.signal).finally(end);
  if (terminal) process.stderr.write('\r\u001b[K');
  context.say(
    got.fromDisk ? `${got.name} is on this disk.` : `${got.name} is here and its checksum is right (${seconds()} s).`,
  );
}

async function bench(context: Context, desk: Desk, name: string | undefined): Promise<number> {
  const figures = await desk.request('models.bench', name === undefined ? {} : { name }, context.signal);
  if (context.global.json) context.json(figures);
  else
    context.print(
      `${figures.model}: loads in ${figures.load_ms} ms, reads ${figures.read_tokens_per_second} tokens a second, writes ${figures.write_tokens_per_second}.`,
    );
  return exit.done;
}
