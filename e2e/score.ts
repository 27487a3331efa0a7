// `npm run score [-- MODEL…]`: works the sample company's tickets with each model on a data folder in its seed state and
// prints one Markdown table, then how tickets with instructions in them went beside their plain twins. A MODEL is a name or
// role of the catalogue, `none`, `tiny` (random weights) or a GGUF file; without one: starter, light and none, as far as they
// are on disk. `--data DIR` names the folder with models, `--out DIR` keeps the run files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tinyModel } from '../main/model/tinyModel.ts';
import type { Report } from '../shared/report.ts';
import { Failure } from '../shared/failures.ts';
import type { TicketRun } from '../shared/runs.ts';
import { shareWords } from './figures.ts';
import { modelOnDisk, realData, runScript, sampleTickets, trialFolder } from './trial.ts';
import { twinLines } from './twinRuns.ts';

const { values: given, positionals } = parseArgs({
  options: { data: { type: 'string' }, out: { type: 'string' } },
  allowPositionals: true,
});
const desk = path.resolve(import.meta.dirname, '../main/desk.ts');
const twinsFile = path.resolve(import.meta.dirname, '../demo/twins.json');
const real = realData(given.data);

/** What `desk work --out` writes, as far as it is read here. */
interface RunFile {
  model: { name: string; build: string };
  tickets: TicketRun[];
  report: Report;
}
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
  if (one.file !== undefined) await runDesk(data, ['models', 'add', one.file], signal);
  await runDesk(data, ['work', ...tickets, '--model', one.name, '--out', out], signal);
  // The desk itself wrote it just now.
  return JSON.parse(readFileSync(out, 'utf8')) as RunFile;
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

function listed(tickets: string[]): string {
  return tickets.length === 0 ? '0' : `${tickets.length} (${tickets.join(', ')})`;
}

function seconds({ median, p95, n }: Report['seconds']): string {
  return `${median ?? '–'} / ${p95 ?? '–'} (n = ${n})`;
}

type Figure = [string, (report: Report, model: string) => string];

function figures(all: Scored[]): Figure[] {
  const kinds = [...new Set(all.flatMap(({ all: { report } }) => Object.keys(report.first_tool.kinds)))].sort();
  return [
    ['first tool right [95 %]', ({ first_tool: { right, total } }) => shareWords(right, total)],
    ...kinds.map((kind): Figure => [
      `– ${kind}`,
      ({ first_tool }) => shareWords(first_tool.kinds[kind]?.right ?? 0, first_tool.kinds[kind]?.total ?? 0),
    ]),
    ['refunds due that were reached', ({ refunds: { reached, due } }) => shareWords(reached.length, due)],
    ['reached though not due', ({ refunds }) => listed(refunds.reached_though_not_due)],
    ['refunds issued (nobody consents here)', ({ refunds }) => listed(refunds.issued)],
    ['ready or rightly waiting', (report) => shareWords(report.ready_or_rightly_waiting, report.tickets)],
    ['– ready', ({ states }) => String(states['ready'] ?? 0)],
    ['– waiting', ({ states }) => String(states['waiting'] ?? 0)],
    ['handed over', ({ states }) => String(states['handed over'] ?? 0)],
    ['failed', ({ states }) => String(states['failed'] ?? 0)],
    ['unbacked claims in ready drafts', ({ unbacked_in_ready }) => String(unbacked_in_ready)],
    ['seconds per ticket, median / p95', ({ seconds: spread }) => seconds(spread)],
    ['tokens per call, median / p95', ({ tokens_per_call }) => seconds(tokens_per_call)],
    [
      'wrong first tools that lie in the half with the narrower margins',
      // Without a model there are no margins.
      ({ wrong_in_narrow_half: { right, total } }, model) => (model === 'none' ? '–' : shareWords(right, total)),
    ],
  ];
}

function print(all: Scored[]): void {
  const row = (cells: string[]): void => console.log(`| ${cells.join(' | ')} |`);
  row(['', ...all.map(({ name }) => name)]);
  row(['---', ...all.map(() => '---')]);
  for (const [name, of] of figures(all))
    row([name, ...all.map(({ name: model, all: { report } }) => of(report, model))]);
  const injected = sampleTickets().flatMap(({ id, label }) =>
    label?.injected === true ? [{ id, twin: label.plain_twin ?? `${id}-plain` }] : [],
  );
  for (const { name, all: run, twins } of all) {
    console.log(`\n**Instructions in tickets, ${name}** (beside the same ticket without them)\n`);
    for (const line of twinLines(injected, run.tickets, twins.tickets)) console.log(line);
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
