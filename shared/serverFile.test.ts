// Servers as people paste them (spec ui, "Servers").
import { describe, expect, it } from 'vitest';
import { missingValues, readServers, withValue } from './serverFile.ts';

function read(json: unknown) {
  return readServers(typeof json === 'string' ? json : JSON.stringify(json), 'What was pasted');
}
const mine = { command: 'node', args: ['server.js'], env: { HOST: 'a.example', API_KEY: 'k-1' } };
const expected = {
  prefix: 'mine',
  kind: 'stdio',
  command: 'node',
  args: ['server.js'],
  env: { HOST: 'a.example', API_KEY: 'k-1' },
  secrets: ['API_KEY'],
  trusted: false,
  system_of_record: false,
  enabled: true,
};

describe('servers as other programs keep them', () => {
  it.each([
    ['Claude Desktop and Cursor', { mcpServers: { mine } }],
    ['VS Code, mcp.json', { inputs: [], servers: { mine: { type: 'stdio', ...mine } } }],
    ['VS Code, settings.json', { mcp: { servers: { mine } } }],
    ['without what holds them', { mine }],
    ['a piece of a README', `"mine": ${JSON.stringify(mine)},`],
    [
      'with comments and commas at the end',
      `{ // mine\n "mcpServers": {"mine": ${JSON.stringify(mine)}, }, /* end */ }`,
    ],
  ])('%s', (_, given) => {
    expect(read(given)).toMatchObject([expected]);
  });

  it('several, by command or by address', () => {
    expect(read({ mcpServers: { mine, far: { url: 'https://far.example/mcp' } } })).toMatchObject([
      expected,
      { prefix: 'far', kind: 'http', url: 'https://far.example/mcp', enabled: true },
    ]);
  });
  it('a single entry gets a name from what it runs or where it is', () => {
    expect(read(mine)[0]?.prefix).toBe('server');
    expect(read({ command: 'npx', args: ['-y', '@acme/server-mail'] })[0]?.prefix).toBe('mail');
    expect(read({ url: 'https://mcp.acme.example/mcp' })).toMatchObject([{ prefix: 'acme', kind: 'http' }]);
  });
  it('names become prefixes, what is switched off stays off', () => {
    expect(read({ mcpServers: { 'My mail (old)': { ...mine, disabled: true } } })).toMatchObject([
      { prefix: 'My-mail-old', enabled: false },
    ]);
  });
  it('headers come along, the secret ones marked; those of the protocol are refused', () => {
    const far = (headers: object) => ({ mcpServers: { far: { type: 'http', url: 'https://a.example/mcp', headers } } });
    expect(read(far({ Authorization: 'Bearer x', 'X-Team': 'mugs' }))).toMatchObject([
      { kind: 'http', headers: { Authorization: 'Bearer x', 'X-Team': 'mugs' }, secrets: ['Authorization'] },
    ]);
    expect(() => read(far({ Host: 'b.example' }))).toThrow('headers/Host: is no header a server may be given');
    expect(() => read(far({ 'X-A': 'a\r\nX-B: b' }))).toThrow('on one line');
  });
  it('values that are asked for are asked for, and are secrets', () => {
    const [config] = read({ servers: { far: { url: 'https://a.example', headers: { 'X-A': 'Bearer ${input:t}' } } } });
    if (config === undefined) throw new Error('no server');
    expect([missingValues(config), config.secrets]).toEqual([['X-A'], ['X-A']]);
    const filled = withValue(config, 'X-A', 'k$&1');
    expect(filled).toMatchObject({ headers: { 'X-A': 'Bearer k$&1' } });
    expect(missingValues(filled)).toEqual([]);
  });
  it('variables of the environment are the desk’s own way to name them', () => {
    expect(read({ mine: { ...mine, env: { A: '${env:TEAM}', B: '${HOME_DIR}' } } })).toMatchObject([
      { env: { A: '{env:TEAM:}', B: '{env:HOME_DIR:}' } },
    ]);
  });
  it.each([
    ['what only the other program knows', { mine: { command: '${workspaceFolder}/run' } }, 'uses ${workspaceFolder}'],
    ['a value asked for among arguments', { mine: { command: 'a', args: ['--key=${input:k}'] } }, 'in its arguments'],
    ['the older transport', { mine: { type: 'sse', url: 'https://a.example/sse' } }, 'HTTP+SSE'],
    ['what is no JSON', '{"mcpServers": ', 'cannot be read as JSON'],
    ['what we do not know', { prefix: 'a', kind: 'stdio', command: 'x', rights: 'all' }, 'rights'],
    ['a word', '"hello"', 'What was pasted'],
  ])('%s is refused in words, and nothing is added', (_, given, words) => {
    expect(() => read(given)).toThrow(words);
    expect(() => read(given)).toThrow('Nothing was added.');
  });
});
