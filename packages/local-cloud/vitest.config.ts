import { defineConfig } from 'vitest/config';

/**
 * The tests of the local cloud: `npm test -w packages/local-cloud`, and a project of the repository's own
 * configuration.
 */
export default defineConfig({
  test: {
    name: 'contract',
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // One second is too short on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    // Most of the work is done by processes that the tests wait for.
    maxWorkers: 4,
    // What a file loads takes as long as many of its tests.
    isolate: false,
    // Node runs the sources as they are: what Vite makes of them takes twice as long to load.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Tests make much garbage, which is collected seldom and at once.
    execArgv: ['--max-semi-space-size=64'],
  },
});
