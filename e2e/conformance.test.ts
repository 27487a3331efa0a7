// The desk in the official conformance suite (issue 6, "Acceptance"): everything a revision requires of a client, through
// gate, pins and connection as they ship. Needs no network: the suite brings its own servers.
import { describe, expect, it } from 'vitest';
import { runShop, unaccounted } from './conformance/shopServer.ts';
import { required, runClients } from './conformance/suite.ts';

describe('the official client scenarios', () => {
  it.each([
    ['2026-07-28', 32],
    ['2025-11-25', 18],
  ] as const)('%s: all %i that count pass', async (revision, count) => {
    const rows = (await runClients(revision)).filter((row) => row.scored);
    expect(rows.map((row) => row.scenario)).toEqual(required(revision, 'client').scored);
    expect(rows).toHaveLength(count);
    expect(rows.filter((row) => row.problems.length > 0)).toEqual([]);
  });
});

describe('the official server scenarios, against the sample shop over HTTP', () => {
  it.each(['2026-07-28', '2025-11-25'] as const)(
    '%s: all that apply pass, each other one is named',
    async (revision) => {
      expect(unaccounted(revision)).toEqual([]);
      const rows = await runShop(revision);
      expect(rows.length).toBeGreaterThan(6);
      expect(rows.filter((row) => row.problems.length > 0)).toEqual([]);
    },
  );
});
