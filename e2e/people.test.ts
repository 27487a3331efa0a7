// People and data over the real command line, in a company whose people need a passphrase: one process a command, so what
// holds between them is what the host keeps.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const program = path.resolve(import.meta.dirname, '../main/desk.ts');
const examples = path.resolve(import.meta.dirname, 'imports');
const folder = mkdtempSync(path.join(tmpdir(), 'desk-people-e2e-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const profile = path.join(folder, 'profile.json');
const playbook = path.resolve(import.meta.dirname, '../demo/playbook.json');
const company = { format: 'desk-profile/1', company: 'Closed', people: [], playbook, servers: [] };
writeFileSync(profile, JSON.stringify(company));

/** Runs a command; `typed` are lines of its standard input. */
function desk(args: string[], ...typed: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, '--data', path.join(folder, 'data'), ...args],
    {
      input: typed.map((line) => `${line}\n`).join(''),
      encoding: 'utf8',
      env: { ...process.env, DESK_PROFILE: profile, NO_COLOR: '1' },
    },
  );
  return { code: status, out: stdout, said: stderr };
}
const ada = 'four quiet words here';
const sam = 'another set of words';
const german = path.join(examples, 'excel-german.csv');

describe('the command line outside the sample company (host §25)', () => {
  it('acts for nobody before somebody signed in, whoever is named', () => {
    for (const args of [
      ['import', german],
      ['--as', 'ada', 'import', german],
    ]) {
      const { code, said } = desk(args);
      expect([code, said]).toEqual([1, expect.stringMatching(/sign ?in|no person "ada"/i)]);
    }
  });
  it('begins with its first admin, who adds the others', () => {
    expect(desk(['signin', 'ada'], 'too short')).toMatchObject({
      code: 1,
      said: expect.stringContaining('12') as string,
    });
    const begun = desk(['signin', 'ada'], ada);
    expect([begun.code, begun.out]).toEqual([0, expect.stringContaining('ada is the admin')]);
    expect(begun.said).toContain('not against the owner of this account');
    expect(desk(['people', 'add', 'sam', '--name', 'Sam'], sam)).toMatchObject({ code: 0 });
    expect(desk(['people']).out).toMatch(/ada +admin.*\nsam +staff/);
  });
  it('acts as who signed in, with their role and no other', () => {
    expect(desk(['signin', 'sam'], ada)).toMatchObject({
      code: 1,
      said: expect.stringContaining('not the passphrase') as string,
    });
    expect(desk(['signin', 'sam'], sam)).toMatchObject({
      code: 0,
      out: expect.stringContaining('Signed in as sam') as string,
    });
    expect(desk(['import', german, '--zone', 'Europe/Berlin']).out).toContain('Added 3');
    expect(desk(['people', 'role', 'sam', '--role', 'admin']).said).toContain(
      'Only an admin changes roles; sam is staff',
    );
    expect(desk(['--as', 'ada', 'people', 'role', 'sam', '--role', 'admin']).said).toContain('after signing in only');
  });
  it('stops where they sign out, and where their passphrase changes', () => {
    expect(desk(['signout']).out).toContain('sam is signed out');
    expect(desk(['import', german]).said).toContain('Sign in first');
    desk(['signin', 'sam'], sam);
    expect(desk(['people', 'passphrase', 'sam'], sam, `${sam} anew`)).toMatchObject({ code: 0 });
    expect(desk(['import', german]).said).toContain('Sign in first');
    expect(desk(['signin', 'sam'], `${sam} anew`)).toMatchObject({ code: 0 });
  });
  it('writes no passphrase anywhere, and keeps none that can be read', () => {
    const stored = readFileSync(path.join(folder, 'data', 'desk.db')).toString('latin1');
    expect(stored).toContain('scrypt$131072$8$1$');
    for (const passphrase of [ada, sam]) expect(stored).not.toContain(passphrase);
  });
});

describe('import and export', () => {
  it('ask what a file does not say, store nothing before, and change nothing the second time', () => {
    const asked = desk(['import', path.join(examples, 'dates-ambiguous.csv')]);
    expect(asked.code).toBe(1);
    expect(asked.said).toMatch(/day or the month.*--dates.*--zone.*Nothing was stored/s);
    const answered = ['import', path.join(examples, 'dates-ambiguous.csv'), '--dates', 'month first', '--zone', 'UTC'];
    expect(desk([...answered, '--dry-run']).out).toContain('Would add 3');
    expect(desk(answered).out).toContain('Added 3');
    expect(desk(answered).out).toContain('Added 0, changed 0, already there 3');
    expect(desk(['import', german, '--column', 'Kanal=nonsense', '--zone', 'UTC'])).toMatchObject({ code: 1 });
    expect(desk(['import', path.join(folder, 'none.csv')]).said).toContain('cannot be read');
  });
  it('give out what came in, as JSON and as a table', () => {
    const out = path.join(folder, 'tickets.csv');
    expect(desk(['export', 'tickets', '--csv', '--out', out])).toMatchObject({ code: 0, out: '' });
    expect(readFileSync(out, 'utf8')).toMatch(/^\ufeffid,customer,.*D-1001,jana/s);
    const tickets = JSON.parse(desk(['export', 'tickets']).out) as { id: string; received_at: string }[];
    expect(tickets.map(({ id }) => id)).toEqual(['D-1001', 'D-1002', 'D-1003', 'T-6', 'T-7', 'T-8']);
    expect(tickets.at(-1)?.received_at).toBe('2026-10-11T18:45:00.000Z');
    for (const what of ['calls', 'runs']) expect(JSON.parse(desk(['export', what]).out)).toEqual([]);
    expect(desk(['export', 'secrets'])).toMatchObject({ code: 2 });
  });
});
