import { defineConfig } from 'vitest/config';

/**
 * The tests of the local cloud: `npm test -w packages/local-cloud`, and a project of the repository's own
 * configuration.
 */
export default defineConfig({
  test: {
    name: 'contract',
    include: ['test/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Only a test that fails waits this long, also on a busy machine.
    expect: { poll: { timeout: 60_000 } },
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
