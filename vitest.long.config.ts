import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Files that take only some of their cases in `npm test`. */
const WITH_MORE_CASES = globSync('test/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(file, 'utf8').includes('/support/cases.ts'),
);

/** `npm run test:long`: what takes minutes and needs no run at each change. */
export default defineConfig({
  test: {
    name: 'long',
    include: ['test/**/*.long.test.ts', ...WITH_MORE_CASES],
    env: { CASES: 'many' },
    globalSetup: ['test/support/setup/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
