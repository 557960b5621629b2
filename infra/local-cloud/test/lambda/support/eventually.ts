import { expect } from 'vitest';

/** Expects of a value that it comes to match; looks often, and long enough for a busy machine. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 15_000, interval: 5 });
