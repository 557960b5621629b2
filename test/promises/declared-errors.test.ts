import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { promises } from '../support/conformance.ts';

/** Runs after every API test: what the document promises and no test has seen is not yet a promise. */
it('every operation was seen to succeed, and to answer each of its declared errors', () => {
  const met = new Set(readFileSync(process.env.PROMISES_FILE!, 'utf8').split('\n'));
  expect(promises().filter((promise) => !met.has(promise))).toEqual([]);
});
