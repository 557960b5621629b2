import { AppError } from '../../platform/errors/app-error.ts';
import type { DashboardParts, PartKind } from './records.ts';

export const MAX_PARTS: Readonly<Record<PartKind, number>> = { pages: 50, cards: 200, filters: 50 };

/** The maximum number of bytes of the parts of a dashboard, so that one reply holds them all. */
export const MAX_PART_BYTES = 2 * 1024 * 1024;

/** A transaction has at most 100 items; some are left to the list of parts and the audit log. */
export const MAX_BATCH = 90;

/** Throws `DASHBOARD_TOO_LARGE` if there are too many parts of a kind. */
export function assertCounts(parts: DashboardParts): void {
  for (const [kind, max] of Object.entries(MAX_PARTS)) {
    if (parts[kind as PartKind].length > max)
      throw new AppError('DASHBOARD_TOO_LARGE', { detail: `A dashboard has at most ${max} ${kind}.` });
  }
}

/** Throws `DASHBOARD_TOO_LARGE` if the parts are too large together. */
export function assertBytes(bytes: number): void {
  if (bytes <= MAX_PART_BYTES) return;
  const detail = 'The pages, cards and filters of a dashboard have at most 2 MiB together. Remove or shorten some.';
  throw new AppError('DASHBOARD_TOO_LARGE', { detail });
}
