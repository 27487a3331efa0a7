// The layers of the repository: app → main → shared, renderer → shared, demo and e2e apart.
const only = (name, path, allowed) => ({
  name,
  comment: `${path} may be imported by ${allowed} only`,
  severity: 'error',
  // Tests may look into the database themselves, to see what the code under test wrote.
  from: { pathNot: `(${allowed}|\\.test\\.ts$)` },
  to: { path },
});
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'shared-stands-alone',
      severity: 'error',
      from: { path: '^shared/' },
      to: { path: '^(app|main|renderer|demo|e2e)/' },
    },
    {
      name: 'main-knows-shared-only',
      severity: 'error',
      from: { path: '^main/' },
      to: { path: '^(app|renderer|demo|e2e)/' },
    },
    {
      name: 'demo-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^demo/' },
      to: { path: '^(app|main|renderer|shared|e2e)/' },
    },
    {
      name: 'renderer-knows-shared-only',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(app|main|demo|e2e)/' },
    },
    only(
      'database-driver-in-store',
      '^node_modules/(better-sqlite3|kysely|@types/better-sqlite3)/',
      '^(main/store|demo|e2e)/',
    ),
    only('llama-in-model', '^node_modules/node-llama-cpp/', '^main/model/'),
    only('mcp-sdk-in-mcp', '^node_modules/@modelcontextprotocol/', '^(main/mcp|demo|e2e)/'),
    only('electron-in-app', '^node_modules/electron/', '^(app/|e2e/electronStandIn)'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
