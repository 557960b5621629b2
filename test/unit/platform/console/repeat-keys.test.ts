import { expect, it } from 'vitest';
import { RepeatKeys } from '../../../../functions/platform/console/site/data/repeat-keys.ts';

const MINUTE_MS = 60_000;

it('sends a call that failed with its key again, until it succeeds or fifteen minutes later', () => {
  const keys = new RepeatKeys();
  expect(keys.keyFor('create', 'a', 0)).toBe('a');
  keys.failed('create', 'a', 0);
  expect(keys.keyFor('create', 'b', MINUTE_MS)).toBe('a');
  expect(keys.keyFor('another', 'c', MINUTE_MS)).toBe('c');
  keys.succeeded('create', 'b');
  // The client itself repeats the call if its reply breaks off.
  expect(keys.keyFor('create', 'b', MINUTE_MS)).toBe('a');
  expect(keys.keyFor('create', 'd', MINUTE_MS)).toBe('d');

  keys.failed('create', 'd', 0);
  keys.failed('create', 'd', 10 * MINUTE_MS);
  expect(keys.keyFor('create', 'e', 14 * MINUTE_MS)).toBe('d');
  expect(keys.keyFor('create', 'e', 16 * MINUTE_MS)).toBe('e');
});
