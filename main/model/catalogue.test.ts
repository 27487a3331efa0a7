import { describe, expect, it } from 'vitest';
import { findModel, loadCatalogue } from './catalogue.ts';

describe('the catalogue', () => {
  it('offers one model for each role, found by role or name', () => {
    const models = loadCatalogue({ packages: false });
    for (const role of ['starter', 'light', 'recommended']) expect(findModel(models, role).role).toBe(role);
    expect(findModel(models, 'qwen2.5-coder-0.5b').role).toBe('light');
    expect(() => findModel(models, 'other')).toThrow(/qwen2\.5-coder-1\.5b \(starter\)/);
  });

  it('names packages only where they may be used, and every source has a checksum', () => {
    expect(
      loadCatalogue({ packages: false })
        .flatMap(({ sources }) => sources)
        .some(({ kind }) => kind === 'packages'),
    ).toBe(false);
    const models = loadCatalogue({ packages: true });
    const [source] = findModel(models, 'starter').sources.filter(({ kind }) => kind === 'packages');
    expect(source?.kind === 'packages' && source.packages).toHaveLength(22);
    for (const { sources } of models) for (const { sha256 } of sources) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});
