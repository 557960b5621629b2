import type { Catcher, Retrier } from '../language/program.ts';

/** Errors that no wildcard matches; nothing at all matches `States.Runtime`. */
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

/** The first matching retrier, unless it has no attempts left. */
export function retrierFor(retriers: readonly Retrier[], error: string, spent: readonly number[]): number | undefined {
  const index = retriers.findIndex((retrier) => matchesError(retrier.errors, error));
  const retrier = retriers[index];
  return retrier && (spent[index] ?? 0) < retrier.maxAttempts ? index : undefined;
}

export function catcherFor(catchers: readonly Catcher[], error: string): Catcher | undefined {
  return catchers.find((catcher) => matchesError(catcher.errors, error));
}

/** Milliseconds before the attempt after `spent` earlier retries. */
export function backoffMs(retrier: Retrier, spent: number, random: () => number): number {
  const seconds = Math.min(retrier.intervalSeconds * retrier.backoffRate ** spent, retrier.maxDelaySeconds ?? Infinity);
  return Math.round(seconds * 1000 * (retrier.jitter === 'FULL' ? random() : 1));
}
