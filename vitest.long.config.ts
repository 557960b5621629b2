import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Files that take only some of their cases in `npm test`. */
const WITH_MORE_CASES = globSync(['test/**/*.test.ts', 'packages/local-cloud/test/**/*.test.ts'], {
  cwd: import.meta.dirname,
}).filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes('/support/cases.ts'));
const usesDeployment = (file: string) => file.replaceAll('\\', '/').startsWith('test/api/');

// The API tests write down what they meet, which only a run of all of them evaluates.
process.env.PROMISES_FILE ??= join(tmpdir(), `analytics-promises-${process.pid}.txt`);

/** `npm run test:long`: what takes minutes and needs no run at each change. */
export default defineConfig({
  test: {
    env: { CASES: 'many' },
    globalSetup: ['test/support/setup/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'long',
          include: ['test/**/*.long.test.ts', ...WITH_MORE_CASES.filter((file) => !usesDeployment(file))],
          exclude: ['test/api/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'long-api',
          include: ['test/api/**/*.long.test.ts', ...WITH_MORE_CASES.filter(usesDeployment)],
          setupFiles: ['test/support/setup/await-deployment.ts'],
        },
      },
    ],
  },
});
