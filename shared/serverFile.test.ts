// Servers as people paste them (spec ui, "Servers").
import { describe, expect, it } from 'vitest';
import { readServers } from './serverFile.ts';

describe('pasted servers', () => {
  it('are read from the mcpServers JSON of other programs, by command or by address', () => {
    const text = JSON.stringify({
      mcpServers: {
        mine: { command: 'node', args: ['a b.js'], env: { KEY: 'x' } },
        far: { url: 'https://far.example/mcp' },
      },
    });
    expect(readServers(text, 'It')).toMatchObject([
      { prefix: 'mine', kind: 'stdio', command: 'node', args: ['a b.js'], env: { KEY: 'x' }, trusted: false },
      { prefix: 'far', kind: 'http', url: 'https://far.example/mcp', enabled: true },
    ]);
  });
  it.each([
    ['{', 'cannot be read as JSON'],
    ['{"mcpServers": {"two words": {"command": "x"}}}', 'a prefix is 1–32 letters'],
    ['{"prefix": "a", "kind": "stdio", "command": "x", "rights": "all"}', 'rights'],
  ])('%s is refused in words, and nothing is added', (text, words) => {
    expect(() => readServers(text, 'What was pasted')).toThrow(words);
    expect(() => readServers(text, 'What was pasted')).toThrow('Nothing was added.');
  });
});
