import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Where the API tests note the promises that they meet, for the check that runs after them.
process.env.PROMISES_FILE ??= join(tmpdir(), `analytics-promises-${process.pid}.txt`);

/** They set variables before our code is loaded, which reads them then. */
const OF_AN_ENVIRONMENT = [
  'test/unit/net/guarded-request.test.ts',
  'test/unit/pipelines/step-memory.test.ts',
  'test/unit/webhooks/senders.test.ts',
];

/**
 * Every suite runs on the real local services. `api` tests share one deployment; `api-faults` break theirs and so run one
 * by one. Both note which promises of the API they met, and `promises` runs after them and names those that nobody met.
 */
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // A second is short on a machine whose processors are taken.
    expect: { poll: { timeout: 15_000 } },
    // Most of the work is done by the processes of the local cloud, which the tests wait for.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: ['**/*.long.test.ts', ...OF_AN_ENVIRONMENT],
          // What a file loads takes as long as many of its tests.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'unit-environment', include: OF_AN_ENVIRONMENT, sequence: { groupOrder: 0 } },
      },
      // The local cloud is a package with a configuration of its own; its project is named `contract`.
      'infra/local-cloud',
      {
        extends: true,
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          globalSetup: ['test/support/built-bundles.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          exclude: ['test/api/**/*.faults.test.ts'],
          globalSetup: ['test/support/local-deployment.ts'],
          // The people of a test's company are made once per worker: passwords are slow on purpose.
          isolate: false,
          // They wait more than they work.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'api-faults',
          include: ['test/api/**/*.faults.test.ts'],
          globalSetup: ['test/support/local-deployment.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: ['**/*.long.test.ts'],
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: { name: 'promises', include: ['test/promises/**/*.test.ts'], sequence: { groupOrder: 5 } },
      },
    ],
  },
});
