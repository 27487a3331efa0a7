import { describe, expect, it } from 'vitest';
import { blotOutcome, blotText } from './blot.ts';

const state = 'v1."sealed"\n\ud83d';

describe('a sealed state that a server quotes (trust, invariant 9)', () => {
  it('is blotted out of every kind of outcome, in strings however deep', () => {
    expect(blotOutcome({ kind: 'protocol error', code: -32602, message: `bad ${state}!` }, [state])).toEqual({
      kind: 'protocol error',
      code: -32602,
      message: 'bad [kept]!',
    });
    const structured = { a: [state], amount: '23.98' };
    expect(blotOutcome({ kind: 'result', text: state, content: [], structured }, [state])).toEqual({
      kind: 'result',
      text: '[kept]',
      content: [],
      structured: { a: ['[kept]'], amount: '23.98' },
    });
  });

  it('stays where it belongs: the state a round brings is kept byte for byte, its questions are not', () => {
    const asked = { kind: 'input required', inputRequests: { a: { message: state } }, requestState: state } as const;
    expect(blotOutcome(asked, [])).toEqual({ ...asked, inputRequests: { a: { message: '[kept]' } } });
  });

  it('is blotted out of wire text, as JSON writes it', () => {
    const wire = JSON.stringify({ error: { message: `bad ${state}` } });
    expect(blotText(wire, [state])).toBe('{"error":{"message":"bad [kept]"}}');
    expect(blotText('a short one', ['s'])).toBe('a short one');
  });
});
