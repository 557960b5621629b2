import fc from 'fast-check';

/**
 * Properties are checked with the same cases in each run of `npm test`, so that a case found by chance does not fail a
 * change that did not cause it. `SEED` chooses other cases; `npm run test:long` draws new ones each time.
 */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });
