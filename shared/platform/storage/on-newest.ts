import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';

/** A request may take 29 seconds; fifty writers of one record have all had their turn by then. */
const MAX_WAIT_MS = 20_000;

const longestPauseMs = (tries: number) => Math.min(10 * 2 ** tries, 1_000);

/**
 * Retries a change on the newest version of the record, for clients that do not refer to the state that they have read.
 * The pauses are random and grow, so that many writers do not collide again and again.
 */
export async function onNewest<T>(stale: ErrorCode, change: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof AppError && error.code === stale)) throw error;
      if (performance.now() - startedAt > MAX_WAIT_MS) throw new AppError('SERVICE_BUSY', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestPauseMs(tries)));
    }
  }
}
