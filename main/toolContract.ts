/**
 * Two tool lists held against each other: what one release of a server takes and gives, and what the next does. By the same
 * rules as the definitions pane, each change named as breaking or not for callers and for readers (spec host §§7, 24).
 */
import type { JsonObject } from '../shared/json.ts';
import type { FieldDifference, SchemaChange, WordPiece } from '../shared/pins.ts';
import { difference } from './pinsDifference.ts';
import { visible } from './visible.ts';

export interface ContractChange {
  /** The server's own name of the tool. */
  tool: string;
  /** Member of the definition, dotted; `presence` where the whole tool came or went. */
  field: string;
  /** JSON pointer into the value a schema describes; empty elsewhere. */
  at: string;
  text: string;
  breaking: SchemaChange['breaking'];
}

/** Tools as they stand on the wire, by their names; in the order of the later list, what is gone first. */
export function contractDifference(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
): ContractChange[] {
  const gone = [...before.keys()].filter((tool) => !after.has(tool));
  return [
    ...gone.map((tool) => presence(tool, 'It is gone.', 'callers')),
    ...[...after].flatMap(([tool, now]) => {
      const old = before.get(tool);
      if (old === undefined) return [presence(tool, 'It is new.', null)];
      return difference(old, now).flatMap((field) => changesOf(tool, field));
    }),
  ];
}

function presence(tool: string, text: string, breaking: ContractChange['breaking']): ContractChange {
  return { tool, field: 'presence', at: '', text, breaking };
}

function changesOf(tool: string, { field, before, after, words, schema }: FieldDifference): ContractChange[] {
  if (schema !== undefined)
    return schema.map(({ at, text, breaking }) => ({ tool, field, at, text: visible(text), breaking }));
  const isProse = words !== undefined && /\s/.test(`${before ?? ''}${after ?? ''}`);
  const text =
    words === undefined || !isProse
      ? `${field} went from ${before ?? 'nothing'} to ${after ?? 'nothing'}.`
      : `${field} reads otherwise: ${words.map(pieceWords).join('')}`;
  // A tool that now runs as a task only refuses whoever calls it plainly (2025-11-25); all else there is read, not obeyed.
  const refuses = field === 'execution.taskSupport' && after === 'required';
  return [{ tool, field, at: '', text, breaking: refuses ? 'callers' : null }];
}

const shownAround = 40;

function pieceWords({ kind, text }: WordPiece): string {
  if (kind === 'added') return `{+${text}+}`;
  if (kind === 'removed') return `[-${text}-]`;
  return text.length <= 3 * shownAround ? text : `${text.slice(0, shownAround)} … ${text.slice(-shownAround)}`;
}
