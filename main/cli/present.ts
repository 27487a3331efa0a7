// What the command line shows of a run, in plain words; colour only where the stream is a terminal.
import { styleText } from 'node:util';
import type { Call, Origin } from '../../shared/calls.ts';
import type { InboxEntry } from '../../shared/contract.ts';
import { endOf } from '../../shared/expiry.ts';
import type { Form } from '../../shared/forms.ts';
import type { AskedQuestion, Claim, Draft, TicketRun, Turn } from '../../shared/runs.ts';
import { isObject, textOf } from '../../shared/json.ts';
import type { Ticket } from '../../shared/tickets.ts';
import { describeField } from '../forms.ts';
import { visible } from '../visible.ts';

type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red';
/** A style, or none where the output is not a terminal. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

function oneLine(text: string, most = 100): string {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** Where an argument came from, in words. */
function originWords(origin: Origin | undefined): string {
  if (origin === undefined) return 'no known source';
  switch (origin.from) {
    case 'ticket.field':
      return `from the ticket's ${origin.field ?? 'fields'}`;
    case 'ticket.text':
      return origin.written === undefined ? 'from the ticket' : `from the ticket: “${oneLine(origin.written, 40)}”`;
    case 'result':
      return `from the result of call ${origin.call ?? '?'}${origin.trust === 'bound' ? ', this customer’s record' : ''}`;
    case 'person':
      return 'typed by a person';
    case 'default':
      return 'the default';
    case 'example':
      return styled('yellow', 'the definition’s own example');
    case 'model':
      return styled('yellow', 'the model’s own choice');
    case 'view':
      return styled('yellow', 'its server’s view');
  }
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`;
}

function turnLines(turn: Turn): string[] {
  const sure =
    turn.options.length === 1 ? 'the only way on' : `${percent(turn.probability)}, ahead by ${percent(turn.margin)}`;
  const tokens = styled('dim', `${turn.ms} ms, ${turn.tokens.evaluated} tokens read, ${turn.tokens.reused} reused`);
  if (turn.ask !== undefined) return [`  asks       ${styled('bold', turn.choice)}  ${sure}  ${tokens}`];
  const head = `  chooses    ${styled('bold', turn.choice)}  ${sure}  ${tokens}`;
  const { call } = turn;
  if (call === undefined) return [head];
  const args = Object.entries(call.arguments).map(
    ([name, value]) =>
      `               ${name} = ${oneLine(textOf(value))}  ${styled('dim', originWords(call.origins[`/${name}`]))}`,
  );
  const words =
    call.outcome === 'tool error'
      ? `: ${oneLine(call.content ?? '')}`
      : call.detail === undefined
        ? ''
        : `: ${oneLine(call.detail, 200)}`;
  const by =
    call.consent === undefined || call.consent.by === 'host'
      ? ''
      : `, ${call.consent.answer === 'run' ? 'consented' : 'declined'} by ${call.consent.by}${call.consent.scripted ? ' (scripted)' : ''}`;
  const end = `      ${call.n}.     ${call.outcome}${words} ${styled('dim', `(${call.ms} ms${by})`)}`;
  return [head, ...args, ...(call.questions ?? []).map(askedLine), end];
}

const said = { accept: 'accepted', decline: 'declined', cancel: 'cancelled' };

function askedLine({ message, role, by, action, content }: AskedQuestion): string {
  const values = Object.entries(content ?? {}).map(([name, value]) => `${name} = ${textOf(value)}`);
  const answer =
    action === null
      ? styled('yellow', `waits for a ${role === 'staff' ? 'person' : role}`)
      : `${said[action]} by ${by ?? 'nobody'}${values.length > 0 ? `: ${values.join(', ')}` : ''}`;
  return `      asked      “${oneLine(message)}”\n                 ${oneLine(answer)}`;
}

const verdictStyle: Record<Claim['verdict'], Style> = {
  backed: 'green',
  reported: 'yellow',
  contradicted: 'red',
  'no source': 'red',
  'outcome unknown': 'yellow',
};

function claimLine(claim: Claim): string {
  const source =
    claim.call === undefined
      ? (claim.source ?? '')
      : `call ${claim.call}${claim.field === undefined || claim.field === '' ? '' : ` ${claim.field}`}`;
  return `      ${styled(verdictStyle[claim.verdict], claim.verdict.padEnd(15))} ${oneLine(claim.text, 40)}  ${styled('dim', source === '' ? claim.why : `${source} — ${claim.why}`)}`;
}

/** What of a draft a person must look at; the claims that are backed as one line, or each with `whole`. */
function claimLines({ claims }: Draft, whole: boolean): string[] {
  const backed = claims.filter(({ verdict }) => verdict === 'backed');
  if (whole || backed.length < 4) return claims.map(claimLine);
  const calls = [...new Set(backed.flatMap(({ call }) => (call === undefined ? [] : [call])))].sort((a, b) => a - b);
  const by = calls.length === 0 ? '' : ` by call${calls.length > 1 ? 's' : ''} ${calls.join(', ')}`;
  return [
    ...claims.filter(({ verdict }) => verdict !== 'backed').map(claimLine),
    `      ${styled('green', 'backed'.padEnd(15))} ${backed.length} claims${by}  ${styled('dim', 'each of them: desk tickets ID')}`,
  ];
}

/** A ticket's run as a person reads it. */
export function ticketLines(ticket: Ticket, run: TicketRun, whole = false): string {
  const state = {
    ready: styled('green', 'draft ready'),
    waiting: styled('yellow', 'waits for a person'),
    'handed over': styled('yellow', 'handed over'),
    failed: styled('red', 'failed'),
  }[run.state];
  const lines = [
    `${styled('bold', ticket.id)}  ${oneLine(ticket.subject || ticket.body)}  ${styled('dim', ticket.customer ?? 'no customer')}`,
    ...run.turns.flatMap(turnLines),
  ];
  if (run.draft !== undefined)
    lines.push(
      '  draft',
      ...visible(run.draft.text)
        .split('\n')
        .map((line) => `    │ ${line}`),
      ...claimLines(run.draft, whole),
    );
  lines.push(`  ${state} in ${(run.ms / 1000).toFixed(1)} s. ${run.why}`, '');
  return lines.join('\n');
}

/** The record a value came from, so the person sees what stands behind a handle: order, amount, limit. */
function behind(origin: Origin | undefined, earlier: Call[]): string {
  const source = origin?.from === 'result' ? earlier.find((one) => one.n === origin.call) : undefined;
  const structured = source?.structured ?? undefined;
  if (source === undefined || !isObject(structured)) return '';
  const ends = expiry(source);
  const record = Object.entries(structured).filter(([, value]) => value !== null && typeof value !== 'object');
  return `\n      call ${source.n}, ${source.tool}: ${record.map(([name, value]) => `${name} ${visible(textOf(value))}`).join(', ')}${ends}`;
}

/** When a result runs out, where it says so (spec host §13). */
function expiry(source: Call): string {
  const ends = endOf(source);
  if (ends === null) return '';
  const day = new Date(ends).toISOString().slice(0, 16).replace('T', ' ');
  if (ends > Date.now()) return `\n      good until ${day} UTC`;
  return styled('yellow', `\n      ran out at ${day} UTC: look it up again with desk work --ticket ${source.ticket}`);
}

/**
 * Everything a person consents to: server, tool, each argument in full with its origin and the record behind it, and why
 * they are asked. `earlier` are the calls of the same run.
 */
export function consentLines(call: Call, earlier: Call[], ticket: Ticket | null): string {
  const tool = call.tool.slice(call.prefix.length + 1);
  const args = Object.entries(call.arguments).map(
    ([name, value]) =>
      `    ${name} = ${visible(textOf(value))}\n      ${originWords(call.origins[`/${name}`])}${behind(call.origins[`/${name}`], earlier)}`,
  );
  return [
    `${styled('bold', `Run ${tool.replaceAll('_', ' ')}?`)}  server “${call.prefix}”, tool ${tool}, ticket ${call.ticket}`,
    ...(ticket === null ? [] : letterLines(ticket)),
    `  ${asksWords(call)}`,
    '  It would be sent:',
    ...args,
    styled('dim', `  consent ${call.id}, bound to ${call.hash.slice(0, 16)}…`),
  ].join('\n');
}

function asksWords({ asks, listed }: Call): string {
  return listed ? (asks ?? '') : 'It may change something: nothing of the kind happens without a person’s yes.';
}

const letterShown = 600;

/** What the customer wrote, so that nobody consents without having read it. */
export function letterLines(ticket: Ticket, most = letterShown): string[] {
  const from = `${ticket.customer ?? 'somebody unknown'}, ${ticket.received_at.slice(0, 16).replace('T', ' ')}`;
  const text = ticket.body.length > most ? `${ticket.body.slice(0, most)}…` : ticket.body;
  const lines = visible(text.trim()).split('\n');
  return [
    `  ${styled('dim', from)}  ${oneLine(ticket.subject)}`,
    ...lines.map((line) => `    ${styled('dim', '>')} ${line}`),
  ];
}

/** ", moves 343.49 EUR"; nothing where a call moves no money, or nobody knows how much. */
export function moneyWords({ money }: Call): string {
  if (money === null || money.amount === null) return '';
  return `, moves ${visible(money.amount)}${money.currency === null ? '' : ` ${visible(money.currency)}`}`;
}

/** A question as a person reads it: who asks, about which call, what can be filled in. */
export function questionLines({ question, call, form, visitor }: InboxEntry): string {
  const args = Object.entries(call.arguments).map(([name, value]) => `${name} ${visible(textOf(value)).slice(0, 60)}`);
  const where = call.ticket === '' ? '' : `, ticket ${call.ticket}`;
  return [
    `${styled('bold', `Question ${question.id}`)}  server “${call.prefix}” asks${where}, for a ${question.role === 'staff' ? 'person' : question.role}`,
    `  about ${visible(call.tool)}${args.length > 0 ? ` (${args.join(', ')})` : ''}${moneyWords(call)}`,
    ...(question.pushed ? ['  only while the desk runs: its call is on the wire'] : []),
    ...(visitor === undefined ? [] : [`  only ${visitor} may accept: the call is made for them`]),
    ...formLines(form).map((line) => `  ${line}`),
    ...(question.finished === true ? ['  The server says it is finished there.'] : []),
    styled('dim', `  desk answer ${question.id} --accept ${formExample(form)}   (or --decline, --cancel)`),
  ].join('\n');
}

function formLines(form: Form): string[] {
  switch (form.kind) {
    case 'refused':
      return [styled('red', `This question is not put to anyone: ${visible(form.why)} Decline or cancel it.`)];
    case 'url':
      return [
        visible(form.message),
        `Go there yourself: ${visible(form.url)}`,
        `It leads to ${styled('bold', visible(form.host))}`,
        ...form.warnings.map((words) => styled('yellow', visible(words))),
      ];
    case 'form':
      return [visible(form.message), ...form.fields.map((field) => `· ${visible(describeField(field))}`)];
  }
}

/** What `--accept` takes for a form, with gaps. */
export function formExample(form: Form): string {
  if (form.kind !== 'form' || form.fields.length === 0) return "'{}'";
  return `'{${form.fields.map((field) => `${JSON.stringify(field.name)}: …`).join(', ')}}'`;
}
