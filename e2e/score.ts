// `npm run score [-- MODEL…]`: works the sample company's tickets with each model on a data folder in its seed state and
// prints one Markdown table, then how tickets with instructions in them went beside their plain twins. A MODEL is a name or
// role of the catalogue, `none`, `tiny` (random weights) or a GGUF file; without one: starter, light and none, as far as they
// are on disk. `--data DIR` names the folder with models, `--out DIR` keeps the run files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { injected } from '../main/injected.ts';
import { tinyModel } from '../main/model/tinyModel.ts';
import { readRunFile } from '../main/runFileCheck.ts';
import type { RunFile } from '../main/runFileShape.ts';
import { scoreRows } from '../main/scoreRows.ts';
import { scoresOf } from '../main/scores.ts';
import { trialFolder } from '../main/trialFolder.ts';
import { Failure } from '../shared/failures.ts';
import { modelOnDisk, realData, runScript } from './trial.ts';

const { values: given, positionals } = parseArgs({
  options: { data: { type: 'string' }, out: { type: 'string' } },
  allowPositionals: true,
});
const desk = path.resolve(import.meta.dirname, '../main/desk.ts');
const twinsFile = path.resolve(import.meta.dirname, '../demo/twins.json');
const real = realData(given.data);

interface Contender {
  name: string;
  /** A model that is not in the catalogue, to be added first. */
  file?: string;
}
interface Scored {
  name: string;
  all: RunFile;
  twins: RunFile;
}

async function runDesk(data: string, args: string[], signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', desk, '--data', data, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const stop = (): unknown => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  await once(child, 'close');
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  // 3: done, and something waits for a person. Nobody answers here.
  if (child.exitCode !== 0 && child.exitCode !== 3)
    throw new Failure('score.run', `desk ${args.join(' ')} ended with ${child.exitCode ?? child.signalCode ?? '?'}.`);
}

async function work(
  data: string,
  one: Contender,
  tickets: string[],
  out: string,
  signal: AbortSignal,
): Promise<RunFile> {
  if (one.file !== undefined) await runDesk(data, ['models', 'add', one.file, '--as', 'staff-0001'], signal);
  await runDesk(data, ['work', ...tickets, '--model', one.name, '--out', out], signal);
  return readRunFile(out).run;
}

async function score(one: Contender, signal: AbortSignal): Promise<Scored> {
  const first = trialFolder(real);
  const second = trialFolder(real);
  const folder = given.out === undefined ? path.dirname(first.data) : path.resolve(given.out);
  try {
    mkdirSync(folder, { recursive: true });
    console.error(`\n${one.name}: all tickets`);
    const all = await work(first.data, one, ['--all'], path.join(folder, `${one.name}.json`), signal);
    // The evaluated prefix is no state of the company: it may be used again.
    const prefixes = path.join(first.data, 'prefixes');
    if (existsSync(prefixes)) cpSync(prefixes, path.join(second.data, 'prefixes'), { recursive: true });
    console.error(`${one.name}: plain twins`);
    const from = ['--from', twinsFile];
    const twins = await work(second.data, one, from, path.join(folder, `${one.name}-twins.json`), signal);
    return { name: one.name, all, twins };
  } finally {
    first.remove();
    second.remove();
  }
}

function contenders(tinyFolder: string): Contender[] {
  const wanted = positionals.length > 0 ? positionals : ['starter', 'light', 'none'];
  return wanted.flatMap((name): Contender[] => {
    if (name === 'none') return [{ name }];
    const file = name === 'tiny' ? tinyModel(tinyFolder) : /\.gguf$/i.test(name) ? path.resolve(name) : null;
    if (file !== null)
      return [
        {
          name: path
            .basename(file)
            .replace(/\.gguf$/i, '')
            .toLowerCase(),
          file,
        },
      ];
    const model = modelOnDisk(real, name);
    if (model.file !== null) return [{ name: model.name }];
    const sentence = `The model ${model.name} (${model.role}) is not in ${path.join(real, 'models')}: get it with "npm run desk -- models get ${model.name}".`;
    if (positionals.length > 0) throw new Failure('model.missing', sentence);
    console.error(`${sentence} It is left out.`);
    return [];
  });
}

function print(all: Scored[]): void {
  const row = (cells: string[]): void => console.log(`| ${cells.join(' | ')} |`);
  row(['', ...all.map(({ name }) => name)]);
  row(['---', ...all.map(() => '---')]);
  for (const cells of scoreRows(all.map(({ all: run }) => scoresOf(run)))) row(cells);
  for (const { name, all: run, twins } of all) {
    const found = injected(run.tickets, twins.tickets);
    console.log(`\n**Instructions in tickets, ${name}** (beside the same ticket without them)\n`);
    for (const { ticket, words } of found) console.log(`- ${ticket}: ${words}`);
    console.log(
      `- another course than their twin: ${found.filter(({ same }) => same !== true).length} of ${found.length}`,
    );
  }
}

await runScript(async (signal) => {
  const lent = trialFolder(real);
  try {
    const scored: Scored[] = [];
    for (const one of contenders(lent.data)) scored.push(await score(one, signal));
    print(scored);
  } finally {
    lent.remove();
  }
});
