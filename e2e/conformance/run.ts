// `npm run conformance [SCENARIO]`: the official scenarios through the desk's own code, a line each; fails where a scored
// one fails. What is not scored is shown and decides nothing.
import { leftOut, runShop } from './shopServer.ts';
import { required, runClients, type Row } from './suite.ts';

const only = process.argv[2];
let failed = 0;

function print(title: string, rows: Row[]): void {
  const scored = rows.filter((row) => row.scored);
  const good = scored.filter((row) => row.problems.length === 0);
  console.log(`\n${title}: ${good.length} of ${scored.length} scored scenarios pass`);
  for (const { scenario, scored: counts, passed, problems } of rows) {
    const mark = problems.length === 0 ? 'pass' : counts ? 'FAIL' : '    ';
    console.log(`  ${mark}  ${scenario.padEnd(42)} ${passed} checks${counts ? '' : ', not scored'}`);
    if (counts) for (const problem of problems) console.log(`        ${problem}`);
  }
  failed += scored.length - good.length;
}

const revisions = ['2026-07-28', '2025-11-25'] as const;
const asked = revisions.filter((revision) => {
  const { scored, others } = required(revision, 'client');
  return only === undefined || [...scored, ...others].includes(only);
});
if (asked.length === 0) {
  console.error(`There is no client scenario ${only ?? ''}.`);
  process.exitCode = 1;
}
for (const revision of asked) {
  print(`Client, ${revision}`, await runClients(revision, only));
  if (only !== undefined) continue;
  print(`Server, ${revision}: the sample shop`, await runShop(revision));
  console.log('  Left out, for want of what they need:');
  for (const { scenario, needs } of leftOut(revision)) console.log(`        ${scenario.padEnd(48)} ${needs}`);
}
if (failed > 0) process.exitCode = 1;
