import { AppError } from '../../../platform/errors/app-error.ts';
import { jsonBytes } from '../../../platform/storage/page.ts';
import { type DashboardParts, PART_KINDS, type PartKind } from './records.ts';

export const MAX_PARTS: Readonly<Record<PartKind, number>> = { pages: 50, cards: 200, filters: 50 };

/** The maximum number of bytes of the parts of a dashboard, so that one reply holds them all. */
export const MAX_PART_BYTES = 2 * 1024 * 1024;

/** An item of the table has at most 400 KB, including the names of its members and its keys. */
const MAX_BYTES_OF_PART = 350 * 1024;

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

export const partBytes = (parts: DashboardParts): number =>
  PART_KINDS.reduce((sum, kind) => sum + parts[kind].reduce((all, part) => all + jsonBytes(part), 0), 0);

/** Throws `DASHBOARD_TOO_LARGE` if a part does not fit into an item of the table. */
export function assertPartBytes(parts: readonly { id: string }[]): void {
  const large = parts.find((part) => jsonBytes(part) > MAX_BYTES_OF_PART);
  if (!large) return;
  const detail = `The part ${large.id} is larger than 350 KiB. Shorten its texts, or the values of its filters.`;
  throw new AppError('DASHBOARD_TOO_LARGE', { detail });
}

/** Throws `DASHBOARD_TOO_LARGE` if the parts are too many or too large. */
export function assertPartsFit(parts: DashboardParts): void {
  assertCounts(parts);
  assertPartBytes(PART_KINDS.flatMap((kind) => [...parts[kind]]));
  assertBytes(partBytes(parts));
}
