import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';

const MAX_TRIES = 10;

/**
 * Retries a change on the newest version of the record, for clients that do not refer to the state that they have read.
 */
export async function onNewest<T>(stale: ErrorCode, change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof AppError && error.code === stale)) throw error;
      if (tries === MAX_TRIES) throw new AppError('SERVICE_BUSY', { cause: error });
    }
  }
}
