// What a changed or new definition means, in the words an admin decides by.
import { isObject } from '../../shared/json.ts';
import {
  asksAdmin,
  saidCharacters,
  type Decided,
  type FieldDifference,
  type Pin,
  type Reviewed,
} from '../../shared/pins.ts';
import { titleOf } from '../questions/callWords.ts';

export const statusWords: Record<Reviewed['status'], string> = {
  approved: 'approved',
  new: 'new',
  changed: 'changed',
  refused: 'refused',
  parked: 'parked',
  removed: 'gone',
};

/** Under which names a server's definitions are decided on: tools, what people pick, what it says of itself. */
export function pinnedNames(prefix: string): string[] {
  return [prefix, `${prefix}/prompts`, `${prefix}/templates`, `${prefix}/views`, `${prefix}/instructions`];
}
/** What a definition is of: only tools and instructions are the model's. */
export function kindOf(prefix: string): 'tool' | 'prompt' | 'template' | 'view' | 'instructions' {
  if (prefix.endsWith('/instructions')) return 'instructions';
  if (prefix.endsWith('/views')) return 'view';
  return prefix.endsWith('/prompts') ? 'prompt' : prefix.endsWith('/templates') ? 'template' : 'tool';
}
const kinds = { prompt: 'Prompt', template: 'Template', view: 'View' };

/** What people call it. */
export function nameOf(prefix: string, { definition: { name, raw } }: Reviewed): string {
  const kind = kindOf(prefix);
  if (kind === 'tool') return titleOf(name);
  if (kind === 'instructions') return 'Instructions';
  return `${kinds[kind]}: ${typeof raw['title'] === 'string' ? raw['title'] : name}`;
}

/** How it stands, in a word or two: instructions may stay undecided. */
export function stateWords(prefix: string, one: Reviewed): string {
  return isOpen(one) && !asksAdmin(prefix, one) ? 'not read' : statusWords[one.status];
}

/** Things a decision is open on, asked for or not. */
export function isOpen({ status }: Reviewed): boolean {
  return status === 'new' || status === 'changed';
}

const fields: Record<string, string> = {
  description: 'its description',
  instructions: 'what it says of itself',
  inputSchema: 'what it takes',
  outputSchema: 'what it gives back',
  title: 'its title',
  configuration: 'how its server is configured',
  presence: 'that it is there: it went away and came back',
  hash: 'parts of it that are not shown',
};

/** One sentence: what changed, and by how much. */
export function changeSentence(difference: FieldDifference[]): string {
  if (difference.length === 0) return 'Nothing that can be shown changed.';
  const names = difference.map(
    ({ field }) => fields[field] ?? (field.startsWith('annotations') ? 'what it says of itself' : field),
  );
  const all = [...new Set(names)];
  const only = all.length === 1 ? `Only ${all[0] ?? ''} changed` : `${listed(all)} changed`;
  const words = difference.find(({ field }) => field === 'description' || field === 'instructions')?.words ?? [];
  const count = (kind: string) =>
    words.filter((one) => one.kind === kind).reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);
  const [added, removed] = [count('added'), count('removed')];
  const some = (number: number) => `${number} ${number === 1 ? 'word' : 'words'}`;
  const by = [added > 0 && `${some(added)} came`, removed > 0 && `${some(removed)} went`].filter(
    (one) => one !== false,
  );
  const sentence = by.length === 0 ? `${only}.` : `${only}: ${by.join(', ')}.`;
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Fields of a definition as words that follow "its": "description and schema of what it takes". */
export function fieldWords(names: string[]): string {
  const words = names.map((field) =>
    field.startsWith('annotations') ? 'words about itself' : (nouns[field] ?? field.split('.')[0] ?? field),
  );
  return listed([...new Set(words)]);
}
const nouns: Record<string, string> = {
  inputSchema: 'schema of what it takes',
  outputSchema: 'schema of what it gives back',
  configuration: 'server’s configuration',
  presence: 'presence',
  hash: 'parts that are not shown',
};

/** What its server did that waits for a decision, or since; null where nothing did. */
function serverWords({ status, difference = [] }: Reviewed): string | null {
  if (status === 'new') return 'Came';
  if (status === 'removed') return 'Went away';
  if (status !== 'changed') return null;
  return `Changed: ${fieldWords(difference.map(({ field }) => field))}`;
}

/**
 * What its server did that waits, or that was decided on since: the row of the history that stands before `at`, counted from the
 * oldest decision. Of earlier definitions it is not known when they came.
 */
export function cameBefore(one: Reviewed, history: Decided[]): { words: string; at: number } | null {
  const waiting = serverWords(one);
  if (waiting !== null) return { words: waiting, at: history.length };
  const newest = history.at(-1);
  if (newest === undefined || one.status === 'parked') return null;
  const other = history.findLastIndex(
    ({ hash, configuration }) => hash !== newest.hash || configuration !== newest.configuration,
  );
  const first = history[other + 1];
  // One that changed and changed back since is as it was decided on.
  if (first === undefined || one.since > first.at) return null;
  const changed = first.changed.length > 0 ? `Changed: ${fieldWords(first.changed)}` : null;
  return { words: changed ?? 'Came', at: other + 1 };
}

/** What the model could send to this server if the definition is approved, a sentence each. */
export function couldSend({ freeText, definition, difference }: Reviewed, prefix: string): string[] {
  const named = freeText.map(({ pointer }) => pointer.slice(1));
  const told = difference?.find(({ field }) => field === 'description')?.words ?? [];
  const news = told
    .filter(({ kind }) => kind === 'added')
    .map(({ text }) => text)
    .join(' ');
  const spoken = named.filter((name) => new RegExp(`\\b${name.replaceAll(/\W/g, '.')}\\b`, 'i').test(news));
  if (kindOf(prefix) === 'view')
    return [
      'A person opens it below a result, in a frame without network. It sees that result; what it asks of its server waits for consent.',
    ];
  if (kindOf(prefix) === 'instructions') {
    const { instructions } = definition.raw;
    const long = typeof instructions === 'string' && instructions.length > saidCharacters;
    const part = long ? `its first ${saidCharacters} characters` : 'it';
    return [
      `If approved, the model reads ${part} before every ticket, as words from outside, never as orders. Tools still need their own approval, and calls ask as before.`,
    ];
  }
  if (kindOf(prefix) !== 'tool')
    return [
      'A person picks it, for one ticket. What it returns is shown first and is text from outside, never an order.',
    ];
  const takes = isObject(definition.raw['inputSchema']) ? definition.raw['inputSchema']['properties'] : undefined;
  const count = isObject(takes) ? Object.keys(takes).length : 0;
  return [
    ...(spoken.length > 0
      ? [`The new words speak of ${listed(spoken.map((name) => `“${name}”`))}, which takes any text.`]
      : []),
    ...(named.length > 0
      ? [
          `If approved, names, addresses and messages of customers could be sent to “${prefix}” in ${listed(named.map((name) => `“${name}”`))}.`,
        ]
      : count === 0
        ? ['It takes nothing: no text of a customer can be sent by it.']
        : ['No parameter takes any text: only values that fit its schema could be sent.']),
  ];
}

/** Whether a decision of the past was on this very definition. */
export function decisionWords({ decision, by }: Pick<Pin, 'decision' | 'by'>): string {
  if (by === 'shipped') return 'Shipped as approved';
  return decision === 'approved' ? 'Approved' : 'Refused';
}

function listed(all: string[]): string {
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}
