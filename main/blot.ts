// A server may quote its own sealed state in an answer or an error: it is blotted out before anything is kept or shown
// (spec trust, invariant 9).
import type { WireOutcome } from './mcp/connection.ts';

const mark = '[kept]';
/** Shorter ones are words that occur everywhere. */
const shortest = 8;

/** Blots the states out of text as it stands on the wire, where they are written as JSON. */
export function blotText(text: string, states: string[]): string {
  return states
    .filter((state) => state.length >= shortest)
    .reduce((kept, state) => kept.replaceAll(JSON.stringify(state).slice(1, -1), mark).replaceAll(state, mark), text);
}

/** An outcome without the states, the one it brings itself excepted. */
export function blotOutcome(outcome: WireOutcome, states: string[]): WireOutcome {
  const own = outcome.kind === 'input required' ? outcome.requestState : undefined;
  const all = own === undefined ? states : [...states, own];
  if (all.length === 0) return outcome;
  const text = JSON.stringify(outcome, (key, value: unknown) => (key === 'requestState' ? undefined : value));
  const clean = blotText(text, all);
  if (clean === text) return outcome;
  // The same outcome: only characters inside its strings were replaced.
  const blotted = JSON.parse(clean) as WireOutcome;
  return own === undefined ? blotted : ({ ...blotted, requestState: own } as WireOutcome);
}
