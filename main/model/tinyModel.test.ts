import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { tinyModel } from './tinyModel.ts';

it('writes the same bytes on every run and machine', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-tiny-'));
  const bytes = readFileSync(tinyModel(folder));
  rmSync(folder, { recursive: true });
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(
    '1279ee53f07ec629fa2f315f0083d0b0e26b3ef1eead701b1fb0afa917ac631d',
  );
});
