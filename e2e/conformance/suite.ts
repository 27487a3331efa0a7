// The official conformance suite, run as its package ships it: which scenarios a revision of the protocol requires, and
// what came of each when the desk was run through them.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');
const suite = path.dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json')));

export type Revision = '2026-07-28' | '2025-11-25';
export type Leg = 'client' | 'server';
export interface Row {
  scenario: string;
  /** Counts towards conformance; the others are optional extensions or came after the revision. */
  scored: boolean;
  passed: number;
  /** What failed, a sentence each. The suite's warnings ("SHOULD") are failures here. */
  problems: string[];
}
interface Check {
  id: string;
  name: string;
  status: string;
  description: string;
  errorMessage?: string;
}

/** What a revision requires of one side, frozen by the suite. */
export function required(revision: Revision, leg: Leg): { scored: string[]; others: string[] } {
  const text = readFileSync(path.join(suite, 'requirements', `${revision}.yaml`), 'utf8');
  const section = new RegExp(`^${leg}:\\n((?: .*\\n|\\n)*)`, 'm').exec(text)?.[1] ?? '';
  const scored = [...section.matchAll(/^ {2}- (\S+)$/gm)].flatMap(([, name]) => name ?? []);
  const others = [...text.matchAll(/- scenario: (\S+)\n\s+leg: (\S+)/g)].flatMap(([, name, of]) =>
    name !== undefined && of === leg ? [name] : [],
  );
  return { scored, others };
}

/** Runs the suite's own command; what it saved of each scenario is read from `folder` afterwards. */
async function runSuite(args: string[], folder: string): Promise<string> {
  const child = spawn(process.execPath, [path.join(suite, 'dist/index.js'), ...args, '-o', folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return said;
}

/** The saved checks of one scenario, or undefined where it did not run. */
function checksOf(folder: string, leg: Leg, scenario: string): { checks: Check[]; output: string } | undefined {
  const kept = path.join(folder, leg === 'server' ? `server-${scenario}` : scenario);
  const file = globSync(`${kept}-2*/checks.json`)[0];
  if (file === undefined) return undefined;
  const output = globSync(`${path.dirname(file)}/std{out,err}.txt`).map((one) => readFileSync(one, 'utf8'));
  const checks = JSON.parse(readFileSync(file, 'utf8')) as Check[]; // written by the suite
  return { checks, output: output.join('') };
}

function rowOf(folder: string, leg: Leg, scenario: string, scored: boolean): Row {
  const found = checksOf(folder, leg, scenario);
  if (found === undefined) return { scenario, scored, passed: 0, problems: ['It did not run.'] };
  const bad = found.checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const problems = bad.map(({ name, errorMessage, description }) => `${name}: ${errorMessage ?? description}`);
  const passed = found.checks.filter(({ status }) => status === 'SUCCESS').length;
  if (passed === 0 && problems.length === 0) problems.push('Nothing was checked.');
  if (problems.length > 0) problems.push(...found.output.trim().split('\n').slice(-8));
  return { scenario, scored, passed, problems };
}

/** The desk as a client, in every scenario of a revision. */
export async function runClients(revision: Revision, only?: string): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-suite-'));
  try {
    const { scored, others } = required(revision, 'client');
    const command = `${process.execPath} --disable-warning=ExperimentalWarning ${path.join(import.meta.dirname, 'client.ts')}`;
    const which =
      only === undefined ? ['--requirements', revision] : ['--scenario', only, '--spec-version', revision, '--force'];
    const said = await runSuite(['client', '--command', command, '--timeout', '120000', ...which], folder);
    const all = [...scored, ...others].filter((one) => only === undefined || one === only);
    if (all.length === 0) throw new Error(`No such scenario. ${said.slice(-500)}`);
    return all.map((one) => rowOf(folder, 'client', one, scored.includes(one)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A server at an address in scenarios of a revision, one after the other, as the suite runs servers. Each with the checks
 * that do not apply to it; one of those that passes is a problem of its own, so no exclusion outlives its reason.
 */
export async function runServer(
  url: string,
  revision: Revision,
  scenarios: Record<string, readonly string[]>,
): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-suite-'));
  try {
    const { scored } = required(revision, 'server');
    const rows: Row[] = [];
    for (const [one, without] of Object.entries(scenarios)) {
      await runSuite(['server', '--url', url, '--scenario', one, '--spec-version', revision, '--force'], folder);
      const row = rowOf(folder, 'server', one, scored.includes(one));
      const excused = (problem: string) => without.some((name) => problem.startsWith(`${name}: `));
      const stale = without.filter((name) => !row.problems.some((problem) => problem.startsWith(`${name}: `)));
      const problems = row.problems.filter((problem) => problem !== '' && !excused(problem));
      rows.push({ ...row, problems: [...problems, ...stale.map((name) => `${name}: passes, and is excluded`)] });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
