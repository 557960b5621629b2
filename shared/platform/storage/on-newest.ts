import { tries } from '../concurrency/tries.ts';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';

/**
 * Retries a change on the newest version of the record, for clients that do not refer to the state that they have read.
 */
export async function onNewest<T>(stale: ErrorCode, change: () => Promise<T>): Promise<T> {
  let lost: unknown;
  for await (const _try of tries()) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof AppError && error.code === stale)) throw error;
      lost = error;
    }
  }
  throw new AppError('SERVICE_BUSY', { cause: lost });
}
