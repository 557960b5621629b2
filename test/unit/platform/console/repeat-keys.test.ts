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

it('sends another key once the person has seen what the try has made', () => {
  const keys = new RepeatKeys();
  keys.failed('create', 'a', MINUTE_MS);
  expect(keys.triedAt('create', 'a')).toBeUndefined();
  expect(keys.triedAt('create', 'b')).toBe(MINUTE_MS);
  const isCreate = (call: string) => call === 'create';
  // What was made before is not what the try has made.
  keys.seen(isCreate, MINUTE_MS - 1);
  keys.seen((call) => call === 'another', 2 * MINUTE_MS);
  expect(keys.keyFor('create', 'b', 2 * MINUTE_MS)).toBe('a');
  keys.seen(isCreate, MINUTE_MS);
  expect(keys.keyFor('create', 'b', 2 * MINUTE_MS)).toBe('b');
  expect(keys.triedAt('create', 'b')).toBeUndefined();
});
