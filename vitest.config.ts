import { defineConfig } from 'vitest/config';

/** How long a poll goes on where a test says nothing: a machine may be busy with something else for a while. */
const polling = (timeout: number) => ({ poll: { timeout } });

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{app,main,shared,demo,renderer}/**/*.test.ts'],
          pool: 'forks',
          expect: polling(30_000),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/screenTools.ts'],
          pool: 'forks',
          expect: polling(60_000),
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
