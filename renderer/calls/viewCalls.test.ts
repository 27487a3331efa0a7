import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Call, CallState } from '../../shared/calls.ts';
import { ended, resultOf } from './viewCalls.ts';

function call(id: string, state: CallState, more: Partial<Call> = {}): Call {
  const base = { id, state, run: '', n: 101, text: 'whole', structured: { rows: 1 } };
  return { ...base, ...more } as Call; // what is looked at
}
const storeOf = (...calls: Call[]) => createStore<{ calls: readonly Call[] }>(() => ({ calls }));

describe('what a view is told of its call', () => {
  it.each<[CallState, object | null]>([
    ['result', { content: [{ type: 'text', text: 'whole' }], structuredContent: { rows: 1 } }],
    ['tool error', { content: [{ text: 'whole' }], isError: true }],
    ['declined', { content: [{ text: 'A person did not let it run.' }], isError: true }],
    ['failed', { content: [{ text: 'It was not run.' }], isError: true }],
    ['unknown', { content: [{ text: 'Whether it was run is not known.' }], isError: true }],
    ['asking', null],
    ['sending', null],
  ])('%s', (state, told) => {
    if (told === null) expect(resultOf(call('a', state))).toBeNull();
    else expect(resultOf(call('a', state, { detail: 'secret' }))).toMatchObject(told);
    expect(JSON.stringify(resultOf(call('a', state, { detail: 'secret' })))).not.toContain('secret');
  });

  it('waits until it ended, also where a person edited its arguments', async () => {
    const store = storeOf(call('a', 'asking'));
    const told = ended(store, 'a', new AbortController().signal);
    store.setState({ calls: [call('a', 'declined'), call('b', 'asking')] });
    store.setState({ calls: [call('a', 'declined'), call('b', 'result')] });
    expect((await told).id).toBe('b');
  });

  it('waits no more once the view is gone', () => {
    const gone = new AbortController();
    const store = storeOf(call('a', 'asking'));
    let told = false;
    void ended(store, 'a', gone.signal).then(() => (told = true));
    gone.abort();
    store.setState({ calls: [call('a', 'result')] });
    return Promise.resolve().then(() => expect(told).toBe(false));
  });
});
