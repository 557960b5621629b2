import { defineConfig } from 'vitest/config';

/** `npm run test:long`: what takes minutes and needs no run at each change. */
export default defineConfig({
  test: {
    name: 'long',
    include: ['test/**/*.long.test.ts'],
    globalSetup: ['test/support/setup/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
