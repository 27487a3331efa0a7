// `desk import`: tickets in, from whatever file. What the file does not say is asked and answered by an option.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure, reason } from '../../shared/failures.ts';
import {
  importFields,
  importOptions,
  type ImportOptions,
  type ImportPreview,
  type ImportQuestion,
} from '../../shared/imports.ts';
import type { Refused } from '../../shared/tickets.ts';
import type { Desk } from '../client.ts';
import { exit, withDesk, type Context } from './context.ts';
import { visible } from '../visible.ts';
import { styled } from './present.ts';

export interface ImportFlags {
  dryRun?: boolean;
  encoding?: string;
  delimiter?: string;
  /** Commander's `--no-header`. */
  header?: boolean;
  column?: string[];
  dates?: string;
  zone?: string;
}
/** How each question is answered here. */
const answeredBy: Record<ImportQuestion['name'], string> = {
  encoding: '--encoding NAME',
  delimiter: "--delimiter ';'",
  header: '--header or --no-header',
  columns: `--column 'NAME=FIELD' (fields: ${importFields.join(', ')})`,
  dates: "--dates 'day first' or --dates 'month first'",
  zone: '--zone NAME, as Europe/Berlin or UTC',
};

/** Brings tickets in; each refused record is named, the others come in. */
export async function importCommand(context: Context, file: string, flags: ImportFlags): Promise<number> {
  const options = optionsOf(flags);
  return withDesk(context, {}, async (desk) => {
    const given = { ...(await sendFile(desk, file)), options };
    try {
      if (flags.dryRun === true) return dryRun(context, await desk.request('imports.preview', given, context.signal));
      const done = await desk.request('imports.run', given, context.signal);
      if (context.global.json) context.json(done);
      else {
        context.print(
          `Added ${done.added}, changed ${done.updated}, already there ${done.unchanged}, refused ${done.refused.length}.`,
        );
        sayRefused(context, done);
      }
      return done.ids.length === 0 ? exit.failed : exit.done;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'imports.asks') throw error;
      // The data of this failure are the questions, by the contract.
      ask(context, error.data as ImportQuestion[]);
      context.say('Nothing was stored.');
      return exit.failed;
    }
  });
}

function optionsOf({ encoding, delimiter, header, column, dates, zone }: ImportFlags): ImportOptions {
  const columns = (column ?? []).map((one) => {
    const at = one.lastIndexOf('=');
    return [one.slice(0, Math.max(0, at)), one.slice(at + 1)] as const;
  });
  const given = {
    ...{ encoding, dates, zone },
    delimiter: delimiter === '\\t' || delimiter === 'tab' ? '\t' : delimiter,
    header: header === undefined ? undefined : header ? 'names' : 'ticket',
    columns: columns.length === 0 ? undefined : Object.fromEntries(columns),
  };
  const parsed = importOptions.safeParse(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  );
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(
    'imports.option',
    `--${String(issue?.path[0] ?? '').replace('columns', 'column')}: ${issue?.message ?? ''}`,
  );
}

function dryRun(context: Context, seen: ImportPreview): number {
  if (context.global.json) context.json(seen);
  else {
    context.print(
      `${seen.records === 1 ? '1 record' : `${seen.records} records`}, read as ${seen.kind} in ${seen.encoding.name}`,
    );
    for (const { name, field, values } of seen.table?.columns ?? [])
      context.print(
        `  ${field.padEnd(12)} ${visible(name)}  ${styled('dim', visible(values.join(' · ').replace(/\s+/g, ' ')).slice(0, 80))}`,
      );
    if (seen.would !== null)
      context.print(
        `Would add ${seen.would.added}, change ${seen.would.updated}, already there ${seen.would.unchanged}, refused ${seen.refused.length}.`,
      );
    sayRefused(context, seen);
    ask(context, seen.questions);
    context.print('Nothing was stored. Run again without --dry-run to bring them in.');
  }
  return seen.would === null || Object.values(seen.would).every((count) => count === 0) ? exit.failed : exit.done;
}
function sayRefused(context: Context, { refused, notes }: { refused: Refused[]; notes: string[] }): void {
  for (const { line, id, reason: why } of refused)
    context.print(`  record ${line}${id === undefined ? '' : ` (${visible(id)})`}: ${visible(why)}`);
  for (const note of notes) context.print(`  ${visible(note)}`);
}
function ask(context: Context, questions: ImportQuestion[]): void {
  for (const { name, text, choices } of questions) {
    context.say(`${visible(text)}\n  Say it with ${answeredBy[name]}`);
    // The zones of the world are too many to print.
    for (const { label, example } of choices.length > 20 ? [] : choices)
      context.say(`  · ${visible(label)}${example === undefined ? '' : `  ${visible(example)}`}`);
  }
}

/** A piece of a file, below what a message may hold once it is base64. */
const piece = 4 * 1024 * 1024;

/** Why a file cannot be read, in words where it is one of the usual reasons. */
function fileWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'you may not read it';
  return reason(error);
}

/** A file as the host takes it: its bytes, in pieces where it is large. Failure `tickets.unreadable`. */
export async function sendFile(desk: Desk, file: string): Promise<{ name: string; bytes?: string; upload?: string }> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new Failure(
      'tickets.unreadable',
      `The file ${file} cannot be read: ${fileWords(error)}. Nothing was changed.`,
    );
  }
  const name = path.basename(file);
  if (bytes.length <= piece) return { name, bytes: bytes.toString('base64') };
  let upload: string | null = null;
  for (let from = 0; from < bytes.length; from += piece) {
    const part = bytes.subarray(from, from + piece).toString('base64');
    upload = (await desk.request('imports.upload', { upload, bytes: part })).upload;
  }
  return { name, ...(upload === null ? {} : { upload }) };
}
