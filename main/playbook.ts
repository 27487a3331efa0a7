// Loads and checks a playbook: a wrong one is named by file, place and what is allowed there.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure, reason } from '../shared/failures.ts';
import { playbookSchema, type Playbook } from '../shared/playbook.ts';
import { sha256 } from './mcp/canonical.ts';

export interface LoadedPlaybook {
  playbook: Playbook;
  /** SHA-256 of the file's bytes; part of every run. */
  hash: string;
  file: string;
  text: string;
}

/** Reads a playbook file. Throws `playbook.missing`, `playbook.syntax` or `playbook.invalid`. */
export function loadPlaybook(file: string): LoadedPlaybook {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(
      'playbook.missing',
      `The playbook ${file} cannot be read (${reason(error)}). Name another file with --playbook.`,
    );
  }
  return parsePlaybook(file, text);
}

/** Checks the text of a playbook; `file` is only named. */
export function parsePlaybook(file: string, text: string): LoadedPlaybook {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure(
      'playbook.syntax',
      `The playbook ${file} is not JSON: ${reason(error)}. Nothing was changed; mend the file and run again.`,
    );
  }
  const parsed = playbookSchema.safeParse(json);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('/') || '(top)'}: ${issue.message}`);
    throw new Failure(
      'playbook.invalid',
      `The playbook ${file} has ${problems.length === 1 ? 'an error' : `${problems.length} errors`}: ${problems.slice(0, 5).join('; ')}. Nothing was changed; mend the file and run again.`,
      problems,
    );
  }
  checkReferences(file, parsed.data);
  return { playbook: parsed.data, hash: sha256(text), file, text };
}

function checkReferences(file: string, playbook: Playbook): void {
  const asks = new Set(playbook.asks.map((ask) => ask.id));
  const problems: string[] = [];
  for (const [index, worked] of playbook.worked.entries())
    if (!asks.has(worked.ask))
      problems.push(`worked/${index}/ask: "${worked.ask}" is none of the asks (${[...asks].join(', ')})`);
  for (const [index, twins] of playbook.twins.entries())
    for (const key of ['question', 'demand'] as const)
      if (!asks.has(twins[key]))
        problems.push(`twins/${index}/${key}: "${twins[key]}" is none of the asks (${[...asks].join(', ')})`);
  for (const skeleton of playbook.skeletons) {
    for (const ask of skeleton.asks)
      if (ask !== '*' && !asks.has(ask)) problems.push(`skeletons/${skeleton.id}/asks: "${ask}" is none of the asks`);
    for (const text of Object.values(skeleton.text))
      for (const [, name] of text.matchAll(/\{(\w+)\}/g))
        if (name !== undefined && !Object.hasOwn(skeleton.slots, name))
          problems.push(`skeletons/${skeleton.id}/text: slot {${name}} is not declared under slots`);
  }
  if (problems.length > 0)
    throw new Failure(
      'playbook.invalid',
      `The playbook ${file} does not fit together: ${problems.slice(0, 5).join('; ')}.`,
      problems,
    );
}

const descriptions = z.record(z.string(), z.string().min(1).max(2_000));

/** The playbook with other sentences per tool for a trial: a JSON file of `{"prefix.tool": "sentence"}`. */
export function withDescriptions(loaded: LoadedPlaybook, file: string): LoadedPlaybook {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('descriptions.unreadable', `The descriptions ${file} cannot be read as JSON: ${reason(error)}.`);
  }
  const parsed = descriptions.safeParse(json);
  if (!parsed.success)
    throw new Failure(
      'descriptions.invalid',
      `The descriptions ${file} are not of the form {"prefix.tool": "sentence"}.`,
    );
  const labels = Object.fromEntries(
    Object.entries(parsed.data).map(([tool, says]) => [tool, { ...loaded.playbook.labels[tool], says }]),
  );
  return {
    ...loaded,
    playbook: { ...loaded.playbook, labels: { ...loaded.playbook.labels, ...labels } },
    hash: sha256(loaded.hash + JSON.stringify(parsed.data)),
  };
}
