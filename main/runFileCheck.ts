// Reads a run file and checks that nobody changed it: every text is held against its hash, every result against its sums,
// and what does not fit is named by what it is, not by a hash.
import { readFileSync } from 'node:fs';
import { Failure, reason } from '../shared/failures.ts';
import { sha256 } from './mcp/canonical.ts';
import { resultSums, sumsOf } from './runFile.ts';
import { runFileSchema, type RunFile } from './runFileShape.ts';

export interface ReadRun {
  run: RunFile;
  /** Parts of the file that are not as they were written. */
  edited: string[];
}

/** Failures `run.unreadable`, `run.invalid`. */
export function readRunFile(file: string): ReadRun {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('run.unreadable', `The run file ${file} cannot be read: ${reason(error)}.`);
  }
  const parsed = runFileSchema.safeParse(json);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw new Failure(
      'run.invalid',
      `${file} is no run of this desk (desk-run/1): ${first?.path.join('/') ?? ''}: ${first?.message ?? ''}. Write one with "desk work --out FILE".`,
      parsed.error.issues,
    );
  }
  const now = sumsOf(typeof json === 'object' && json !== null ? json : {});
  const { sums } = parsed.data;
  const edited = Object.keys({ ...sums, ...now }).filter((part) => sums[part] !== now[part]);
  return { run: parsed.data, edited };
}

/** The text behind a hash. Failure `replay.differs` where the file does not have it. */
export function textOfHash(run: RunFile, hash: string, name: string): string {
  const text = run.texts[hash];
  if (text === undefined) throw changed(`${name} is not in it`, { name });
  return text;
}

/** Texts against their hashes, results against their sums. Failure `replay.differs`, naming what was changed. */
export function checkTexts(run: RunFile): void {
  for (const [hash, text] of Object.entries(run.texts))
    if (sha256(text) !== hash) {
      const name = nameOfHash(run, hash);
      throw changed(`${name} is not the text that was recorded`, { name });
    }
  for (const ticket of run.tickets)
    for (const [index, { call }] of ticket.turns.entries()) {
      if (call?.sums === undefined) continue;
      const now = resultSums(call);
      for (const field of new Set([...Object.keys(call.sums), ...Object.keys(now)]))
        if (call.sums[field] !== now[field])
          throw changed(
            `${ticket.ticket}, turn ${index + 1}: in the result of ${call.tool}, ${field} is not what was recorded`,
            { ticket: ticket.ticket, turn: index + 1, tool: call.tool, field },
          );
    }
}

/** Failure `replay.differs` where the file was edited in a place nothing else caught. */
export function checkWhole({ run, edited }: ReadRun): void {
  if (edited.length > 0)
    throw changed(`its ${edited.join(', ')} is not that of run ${run.id} as it was written`, { parts: edited });
}

function changed(words: string, data: object): Failure {
  return new Failure(
    'replay.differs',
    `The run file was changed: ${words}. It says nothing any more; write the run anew.`,
    data,
  );
}

/** What a text is of: the most telling use of it. */
function nameOfHash(run: RunFile, hash: string): string {
  const tool = Object.entries(run.definitions).find(([, one]) => one === hash);
  if (tool !== undefined) return `the definition of ${tool[0]}`;
  const resource = Object.entries(run.resources).find(([, one]) => one === hash);
  if (resource !== undefined) return `the resource ${resource[0]}`;
  const said = Object.entries(run.instructions ?? {}).find(([, one]) => one === hash);
  if (said !== undefined) return `the instructions of ${said[0]}`;
  if (run.playbook === hash) return 'the playbook';
  const prefix = run.prefix.find((one) => one.hash === hash);
  if (prefix !== undefined) return prefix.of;
  for (const ticket of run.tickets) {
    if (ticket.letter.body === hash) return `the text of ticket ${ticket.ticket}`;
    const attached = ticket.attached?.find((one) => one.text === hash);
    if (attached !== undefined) return `${attached.uri}, attached to ${ticket.ticket}`;
    if (ticket.tape.some((step) => step.segments?.some((one) => one.hash === hash)))
      return `what the model read for ${ticket.ticket}`;
  }
  return `the text ${hash}`;
}
