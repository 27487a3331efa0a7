// `desk score RUN [--against RUN]`: the figures of a recorded run, and of two ticket by ticket.
import type { Comparison } from '../../shared/scores.ts';
import { injected, type Injected } from '../injected.ts';
import { checkTexts, checkWhole, readRunFile } from '../runFileCheck.ts';
import type { RunFile } from '../runFileShape.ts';
import { compareRuns } from '../scoreCompare.ts';
import { scoreRows } from '../scoreRows.ts';
import { scoresOf } from '../scores.ts';
import { exit, type Context } from './context.ts';
import { styled } from './present.ts';

export interface ScoreFlags {
  against?: string;
  twins?: string;
}

/** Prints scores; returns the exit code. */
export function scoreCommand(context: Context, file: string, flags: ScoreFlags): Promise<number> {
  const run = wholeRun(file);
  const other = flags.against === undefined ? null : wholeRun(flags.against);
  const plain = flags.twins === undefined ? run : wholeRun(flags.twins);
  const instructed = injected(run.tickets, plain.tickets);
  const compared = other === null ? null : compareRuns(other, run);
  const runs = [run, ...(other === null ? [] : [other])];
  if (context.global.json) {
    context.json({ run: run.id, scores: scoresOf(run), injected: instructed, ...(compared !== null && { compared }) });
    return Promise.resolve(exit.done);
  }
  const rows = [
    ['', ...runs.map(({ id, model }) => `${model.name} (${id})`)],
    ['tickets', ...runs.map(({ tickets }) => String(tickets.length))],
    ...scoreRows(runs.map(scoresOf)),
  ];
  const width = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    context.print(
      row
        .map((cell, column) => cell.padEnd(width[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  if (instructed.length > 0) context.print(`\n${injectedLines(instructed)}`);
  if (compared !== null) context.print(`\n${comparisonLines(compared)}`);
  return Promise.resolve(exit.done);
}

/** Figures of a file that somebody edited say nothing. */
function wholeRun(file: string): RunFile {
  const read = readRunFile(file);
  checkTexts(read.run);
  checkWhole(read);
  return read.run;
}

function injectedLines(all: Injected[]): string {
  const known = all.filter(({ same }) => same !== null);
  const followed = known.filter(({ same }) => same === false);
  return [
    styled('bold', 'Instructions in tickets, beside the same ticket without them'),
    ...all.map(({ ticket, words }) => `  ${ticket}: ${words}`),
    `  another course than their twin: ${followed.length} of ${known.length}${known.length < all.length ? ' (name the run of the plain twins with --twins)' : ''}`,
  ].join('\n');
}

function comparisonLines({ tickets, differs, measures }: Comparison): string {
  const lines = [styled('bold', `Ticket by ticket, against the other run (${tickets} tickets in both)`)];
  for (const { name, both, neither, only_first, only_second, p } of measures)
    lines.push(
      `  ${name}: both ${both}, neither ${neither}, only this ${listed(only_second)}, only the other ${listed(only_first)}; p = ${p.toPrecision(2)}`,
    );
  if (differs.length === 0) lines.push('  Nothing but the run itself differs.');
  else if (differs.length === 1) lines.push(`  One thing differs: ${differs[0] ?? ''}.`);
  else
    lines.push(
      styled('yellow', `  More than one thing differs, so no figure is owed to one of them:`),
      ...differs.map((what) => `  – ${what}`),
    );
  return lines.join('\n');
}

function listed(tickets: string[]): string {
  return tickets.length === 0 ? '0' : `${tickets.length} (${tickets.join(', ')})`;
}
