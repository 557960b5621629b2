import { expect } from 'vitest';

/** Polls until a value matches, often, and long enough for a busy machine. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 90_000, interval: 5 });
