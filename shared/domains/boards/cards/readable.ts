import { AppError } from '../../../platform/errors/app-error.ts';
import { type ErrorCode, errorKind } from '../../../platform/errors/catalogue.ts';

/**
 * Throws one error for everything that prevents reading, with the reason in `detail`. Codes that pass are thrown as
 * they are.
 */
export function readable<T>(
  reading: Promise<T>,
  unreadable: Extract<ErrorCode, 'CARD_UNREADABLE' | 'REPORT_BLOCK_UNREADABLE'>,
  passes: (code: ErrorCode) => boolean = () => false,
): Promise<T> {
  return reading.catch((cause: unknown) => {
    if (!(cause instanceof AppError) || passes(cause.code) || errorKind(cause.code) === 'unavailable') throw cause;
    throw new AppError(unreadable, { detail: cause.message, errors: cause.errors, cause });
  });
}
