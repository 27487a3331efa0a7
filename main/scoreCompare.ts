// Two runs over the same tickets, ticket by ticket, and what differs between them besides: a gain is owed to one change only
// where one thing changed (spec model, "Recordings and scores").
import type { Comparison, Measure } from '../shared/scores.ts';
import type { RunFile } from './runFileShape.ts';
import { ticketScores, type TicketScore } from './scores.ts';
import { signTest } from './shares.ts';

const measured: [string, (score: TicketScore) => boolean | null][] = [
  ['first tool right', ({ firstTool }) => firstTool],
  ['end state right', ({ endState }) => endState],
  ['order as meant', ({ asMeant }) => asMeant],
  ['ready or rightly waiting', ({ done }) => done],
];

/** Compares run `second` with run `first`. */
export function compareRuns(first: RunFile, second: RunFile): Comparison {
  const same = new Set(
    first.tickets
      .filter((one) => second.tickets.some((other) => other.ticket === one.ticket && texts(other) === texts(one)))
      .map(({ ticket }) => ticket),
  );
  const [before, after] = [first, second].map((run) => ticketScores(run).filter(({ ticket }) => same.has(ticket)));
  return {
    tickets: same.size,
    same_tickets: same.size === first.tickets.length && same.size === second.tickets.length,
    differs: differences(first, second),
    measures: measures(before ?? [], after ?? []),
  };
}

/** Two runs' scores of the same tickets. */
export function measures(before: TicketScore[], after: TicketScore[]): Measure[] {
  return measured.map(([name, of]) => measure(name, of, before, after));
}

function texts({ letter }: RunFile['tickets'][number]): string {
  return JSON.stringify([letter.customer, letter.subject, letter.body, letter.received_at]);
}

function measure(
  name: string,
  of: (score: TicketScore) => boolean | null,
  first: TicketScore[],
  second: TicketScore[],
): Measure {
  const found: Measure = { name, both: 0, neither: 0, only_first: [], only_second: [], p: 1 };
  for (const one of first) {
    const other = second.find(({ ticket }) => ticket === one.ticket);
    const [before, after] = [of(one), other === undefined ? null : of(other)];
    if (before === null || after === null) continue;
    if (before === after) found[before ? 'both' : 'neither']++;
    else (before ? found.only_first : found.only_second).push(one.ticket);
  }
  return { ...found, p: signTest(found.only_first.length, found.only_second.length) };
}

/** Everything a figure may owe itself to. */
function differences(first: RunFile, second: RunFile): string[] {
  const found: string[] = [];
  const models = [first, second].map(({ model, settings }) => JSON.stringify([model, settings.context]));
  if (models[0] !== models[1]) found.push(`the model: ${modelWords(first)}, then ${modelWords(second)}`);
  const tools = changedKeys(first.definitions, second.definitions);
  if (tools.length > 0) found.push(`the definitions: ${tools.join(', ')}`);
  if (JSON.stringify(first.tools) !== JSON.stringify(second.tools) && tools.length === 0)
    found.push('the offered tools: their order, marks or the list of calls without side effects');
  const policies = changedKeys(first.resources, second.resources);
  if (policies.length > 0) found.push(`the attached resources: ${policies.join(', ')}`);
  if (first.playbook !== second.playbook) found.push('the playbook');
  else if (tools.length + policies.length === 0 && promptOf(first) !== promptOf(second)) found.push('the prompt');
  const tickets = changedKeys(ticketTexts(first), ticketTexts(second));
  if (tickets.length > 0)
    found.push(
      `the tickets: ${tickets.slice(0, 5).join(', ')}${tickets.length > 5 ? ` and ${tickets.length - 5} more` : ''}`,
    );
  if (first.settings.answers !== second.settings.answers) found.push('the answers of people');
  if (first.settings.replay_mode !== second.settings.replay_mode) found.push('the state they began in');
  return found;
}

function modelWords({ model, settings }: RunFile): string {
  return `${model.name} (build ${model.build || '–'}, context ${settings.context})`;
}
/** Empty where no model read anything. */
function promptOf(run: RunFile): string {
  return run.prefix.map(({ hash }) => hash).join(' ');
}
function ticketTexts(run: RunFile): Record<string, string> {
  return Object.fromEntries(run.tickets.map((one) => [one.ticket, texts(one) + JSON.stringify(one.label ?? null)]));
}
/** Keys whose values are not the same in both. */
export function changedKeys(first: Record<string, string>, second: Record<string, string>): string[] {
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].filter((key) => first[key] !== second[key]);
}
