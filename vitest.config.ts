import { defineConfig } from 'vitest/config';

/** How long a poll goes on where a test says nothing: a machine may be busy with something else for a while. */
const polling = (timeout: number) => ({ poll: { timeout } });
/**
 * In CI a screen that did not show something in its minute is looked at once more, and the run says so ("retry x1"). What was
 * seen and is wrong is never tried again: one call too many stays a failure.
 */
const lookAgain = { count: process.env['CI'] === undefined ? 0 : 1, condition: /^\w+\.\w+: Timeout \d+ms exceeded/ };

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
          retry: lookAgain,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
