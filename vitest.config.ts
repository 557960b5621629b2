import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { InOrderOfNeed } from './test/support/setup/in-order-of-need.ts';

// Where the API tests note the promises that they meet, for the check that runs after them.
process.env.PROMISES_FILE ??= join(tmpdir(), `analytics-promises-${process.pid}.txt`);

// Programs that tests start load over a thousand files: Node caches them compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled');

/** Of functions that may reach loopback, in the clear too, and have little memory, which other tests do not expect. */
const ENVIRONMENT = {
  ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1400',
  SCRATCH_MB: '512',
};
const OF_AN_ENVIRONMENT = [
  'test/unit/delivery/deliveries/targets.test.ts',
  'test/unit/platform/net/guarded-request.test.ts',
  'test/unit/pipelines/step-memory.test.ts',
  'test/unit/events/webhooks/senders.test.ts',
  'test/unit/semantics/blends/memory.test.ts',
];

/** Files whose tests have passed on what they read now; see `test/unchanged-suites.ts`. */
const LEFT_OUT = process.env.LEFT_OUT_TESTS?.split(',') ?? [];

/**
 * Every suite runs on the real local services, and all run beside each other: those that wait leave the processors to
 * those that compute. `api` tests share two deployments, except `*.faults.test.ts`: they break another one and so take
 * turns. All note which promises of the API they met; `promises` runs after them and lists those that no test met.
 */
export default defineConfig({
  test: {
    // Only a test that fails waits this long: a busy machine must not make one fail.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['test/support/setup/global-setup.ts'],
    setupFiles: ['test/support/setup/short-stacks.ts'],
    // Most of the work is done by the processes of the local cloud, which the tests wait for.
    maxWorkers: 4,
    sequence: { sequencer: InOrderOfNeed, groupOrder: 0 },
    // What a file loads takes as long as many of its tests.
    isolate: false,
    // Node runs the sources as they are: what Vite makes of them takes twice as long to load.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests make much garbage, which is collected seldom and at once.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: ['**/*.long.test.ts', ...OF_AN_ENVIRONMENT, ...LEFT_OUT],
          setupFiles: ['test/support/setup/fixed-seed.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          include: ['clients/*/test/**/*.test.ts'],
          setupFiles: ['test/support/setup/await-clients.ts'],
        },
      },
      { extends: true, test: { name: 'unit-environment', include: OF_AN_ENVIRONMENT, env: ENVIRONMENT } },
      // The local cloud is a package with a configuration of its own; its project is named `contract`.
      'packages/local-cloud',
      { extends: true, test: { name: 'infra', include: ['test/infra/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          exclude: ['**/*.long.test.ts'],
          setupFiles: ['test/support/setup/one-file-at-a-time.ts', 'test/support/setup/await-deployment.ts'],
        },
      },
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], exclude: ['**/*.long.test.ts'] } },
      {
        extends: true,
        test: { name: 'promises', include: ['test/promises/**/*.test.ts'], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
