import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { playbookSchema } from '../shared/playbook.ts';
import { loadPlaybook, withDescriptions } from './playbook.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'desk-playbook-'));
afterAll(() => rmSync(folder, { recursive: true }));

function changed(name: string, change: (playbook: Record<string, unknown>) => void): string {
  const playbook = JSON.parse(readFileSync('demo/playbook.json', 'utf8')) as Record<string, unknown>; // our own file
  change(playbook);
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(playbook));
  return file;
}

describe('a playbook', () => {
  it('of the sample company loads, and its hash is that of its bytes', () => {
    const loaded = loadPlaybook('demo/playbook.json');
    expect(loaded.playbook.company).toBe('Fernhill Supply');
    expect(loaded.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('has a published JSON Schema that is the one it is checked by', () => {
    const published: unknown = JSON.parse(readFileSync('shared/playbook.schema.json', 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(playbookSchema, { io: 'input' }))));
  });

  it('with a word outside the vocabulary is refused by file, place and what is allowed', () => {
    const file = changed('word', (playbook) => (playbook['skipConsent'] = true));
    expect(() => loadPlaybook(file)).toThrow(new RegExp(`${file}.*skipConsent`));
  });

  it('whose skeleton names an undeclared slot is refused', () => {
    const file = changed(
      'slot',
      (playbook) =>
        (playbook['skeletons'] = [{ id: 'x', kind: 'answer', asks: ['*'], text: { en: 'You get {amount}.' } }]),
    );
    expect(() => loadPlaybook(file)).toThrow(/slot \{amount\} is not declared/);
  });

  it('takes other sentences per tool for a trial, under another hash', () => {
    const file = path.join(folder, 'says.json');
    writeFileSync(file, JSON.stringify({ 'shop.check_stock': 'counts what is on the shelf' }));
    const loaded = loadPlaybook('demo/playbook.json');
    const trial = withDescriptions(loaded, file);
    expect(trial.playbook.labels['shop.check_stock']?.says).toBe('counts what is on the shelf');
    expect(trial.hash).not.toBe(loaded.hash);
  });
});
