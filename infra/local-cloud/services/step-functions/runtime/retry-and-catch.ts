import type { Catcher, Retrier } from '../language/program.ts';

/** Errors that Amazon States Language lets no wildcard see; `States.Runtime` is seen by nothing at all. */
const TERMINAL = 'States.DataLimitExceeded';
const UNCATCHABLE = 'States.Runtime';
const TIMEOUTS = ['States.Timeout', 'States.HeartbeatTimeout'];

export function matchesError(errors: readonly string[], error: string): boolean {
  if (error === UNCATCHABLE) return false;
  return errors.some((name) => {
    if (name === error) return true;
    if (name === 'States.ALL') return error !== TERMINAL;
    if (name === 'States.TaskFailed') return error !== TERMINAL && !TIMEOUTS.includes(error);
    return name === 'States.Timeout' && error === 'States.HeartbeatTimeout';
  });
}

/** The retrier that is to try again: the first that matches, unless it has spent its attempts. */
export function retrierFor(retriers: readonly Retrier[], error: string, spent: readonly number[]): number | undefined {
  const index = retriers.findIndex((retrier) => matchesError(retrier.errors, error));
  const retrier = retriers[index];
  return retrier && (spent[index] ?? 0) < retrier.maxAttempts ? index : undefined;
}

export function catcherFor(catchers: readonly Catcher[], error: string): Catcher | undefined {
  return catchers.find((catcher) => matchesError(catcher.errors, error));
}

/** Milliseconds before the attempt that follows `spent` earlier retries. */
export function backoffMs(retrier: Retrier, spent: number, random: () => number): number {
  const seconds = Math.min(retrier.intervalSeconds * retrier.backoffRate ** spent, retrier.maxDelaySeconds ?? Infinity);
  return Math.round(seconds * 1000 * (retrier.jitter === 'FULL' ? random() : 1));
}
