// What a changed definition means, in words (host §7; spec ui, "Definitions").
import { describe, expect, it } from 'vitest';
import type { FieldDifference, Reviewed } from '../../shared/pins.ts';
import { changeSentence, couldSend, fieldWords, serverWords } from './changeWords.ts';

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
  it('says in the history what its server did, and what had changed before a decision', () => {
    expect(serverWords(reviewed)).toBe('Changed: description');
    expect(serverWords({ ...reviewed, status: 'new' })).toBe('Came');
    expect(serverWords({ ...reviewed, status: 'approved' })).toBeNull();
    expect(fieldWords(['inputSchema', 'annotations.readOnlyHint', 'annotations.title'])).toBe(
      'schema of what it takes and words about itself',
    );
  });
});
