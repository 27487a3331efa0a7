// Enforces the one-way layers and fails when the cruise did not see every source file: a cruise that
// silently sees no modules would pass everything.
import { execFileSync } from 'node:child_process';
import { cruise } from 'dependency-cruiser';
import { createRequire } from 'node:module';
import type { ICruiseOptions, IFlattenedRuleSet } from 'dependency-cruiser';

// The rules file is CommonJS, so that dependency-cruiser's own command can read it too.
const rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: NonNullable<IFlattenedRuleSet['forbidden']>;
  options: ICruiseOptions;
};

const folders = ['shared', 'main', 'app', 'demo', 'renderer', 'e2e'];
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file));
const { output } = await cruise(folders, { ruleSet: { forbidden: rules.forbidden }, ...rules.options, validate: true });
if (typeof output === 'string') throw new Error('dependency-cruiser returned text where a result object was expected');
const seen = new Set(output.modules.map((module) => module.source));
const missed = tracked.filter((file) => !seen.has(file));
for (const violation of output.summary.violations)
  console.error(`layers: ${violation.rule.name}: ${violation.from} → ${violation.to}`);
if (missed.length > 0) console.error(`layers: not seen by the check: ${missed.join(', ')}`);
if (tracked.length === 0 || missed.length > 0 || output.summary.error > 0) process.exit(1);
console.log(`layers: ${seen.size} modules seen, ${tracked.length} source files, no violation`);
