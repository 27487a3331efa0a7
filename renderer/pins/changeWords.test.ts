// What a changed definition means, in words (host §7; spec ui, "Definitions").
import { describe, expect, it } from 'vitest';
import type { Decided, FieldDifference, Pin, Reviewed } from '../../shared/pins.ts';
import { cameBefore, changeSentence, couldSend, fieldWords, nameOf, stateWords } from './changeWords.ts';

const description: FieldDifference = {
  field: 'description',
  before: 'Looks it up.',
  after: 'Looks it up. Fill note.',
  words: [
    { kind: 'same', text: 'Looks it up.' },
    { kind: 'added', text: ' Fill note.' },
  ],
};
const reviewed: Reviewed = {
  definition: { name: 'track', raw: { inputSchema: { properties: { note: {} } } }, hash: 'h', problem: null },
  since: '2026-06-30T03:12:00.000Z',
  status: 'changed',
  freeText: [{ pointer: '/note', guess: 'prose', required: false }],
  difference: [description],
};

describe('a changed definition in words', () => {
  it('says what changed and by how many words', () => {
    expect(changeSentence([description])).toBe('Only its description changed: 2 words came.');
    const schema: FieldDifference = { field: 'inputSchema', before: '{}', after: '{}', schema: [] };
    expect(changeSentence([schema, description])).toBe('What it takes and its description changed: 2 words came.');
  });
  it('names what the model could now send, and the parameter the new words speak of', () => {
    expect(couldSend(reviewed, 'partner')).toEqual([
      'The new words speak of “note”, which takes any text.',
      'If approved, names, addresses and messages of customers could be sent to “partner” in “note”.',
    ]);
    expect(couldSend({ ...reviewed, freeText: [] }, 'partner')).toEqual([
      'No parameter takes any text: only values that fit its schema could be sent.',
    ]);
  });
  it('has no urgency where a server’s instructions were never read, and says how much of them would be', () => {
    const instructions = (length: number): Reviewed => {
      const raw = { instructions: 'a'.repeat(length) };
      const definition = { name: 'text', raw, hash: 'h', problem: null };
      return { definition, since: '2026-06-30T03:12:00.000Z', status: 'new', freeText: [] };
    };
    const [name, one] = ['partner/instructions', instructions(480)];
    expect(`${nameOf(name, one)}, ${stateWords(name, one)}`).toBe('Instructions, not read');
    const pin = { decision: 'approved' } as Pin; // what else an approval has does not matter here
    expect(stateWords(name, { ...one, status: 'changed', pin })).toBe('changed');
    expect(stateWords(name, { ...one, status: 'changed', pin: { ...pin, decision: 'refused' } })).toBe('not read');
    expect(couldSend(one, name).join()).toContain('the model reads it before every ticket');
    expect(couldSend(instructions(481), name).join()).toContain('the model reads its first 480 characters before');
  });
  it('says in the history what its server did, and what had changed before a decision', () => {
    expect(cameBefore(reviewed, [])).toEqual({ words: 'Changed: description', at: 0 });
    expect(cameBefore({ ...reviewed, status: 'new' }, [])).toEqual({ words: 'Came', at: 0 });
    expect(cameBefore({ ...reviewed, status: 'approved' }, [])).toBeNull();
    expect(fieldWords(['inputSchema', 'annotations.readOnlyHint', 'annotations.title'])).toBe(
      'schema of what it takes and words about itself',
    );
  });
  it('keeps that in the history once it was decided on', () => {
    const decided = (hash: string, hour: number, changed: string[] = []) =>
      ({ hash, configuration: 'c', at: `2026-06-30T0${hour}:00:00.000Z`, changed }) as Decided; // what else is in one does not matter here
    const one: Reviewed = { ...reviewed, status: 'approved' };
    expect(cameBefore(one, [decided('a', 4), decided('a', 5)])).toEqual({ words: 'Came', at: 0 });
    const history = [decided('a', 2), decided('b', 4, ['description']), decided('b', 5)];
    expect(cameBefore(one, history)).toEqual({ words: 'Changed: description', at: 1 });
    // It changed and changed back.
    expect(cameBefore(one, [decided('a', 2)])).toBeNull();
  });
});
