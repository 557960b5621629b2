import type { StoredColumnProfile, TableProfile } from '../../../data/profiles/profile.ts';
import { DATES } from '../../../data/quality/tests.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import type { FreshnessConfig } from './freshness.ts';

/** The newest dates of a table as its scans found them, from which its rhythm follows. */
export interface NewestMoments {
  columnName: string;
  /** In UTC, each once, the newest last. */
  at: string[];
  /** The configuration that names the column; absent if the column was found by its values. */
  chosen?: FreshnessConfig;
}

/** As many as show a rhythm. */
const MAX_MOMENTS = 15;

/** A date or timestamp of the wire format as an instant; without a zone, it is taken for UTC. */
export function momentOf(value: unknown): number {
  const text = String(value).replace(' ', 'T');
  return Date.parse(/T\d{2}:[\d:.]+$/.test(text) ? `${text}Z` : text);
}

/**
 * Adds the newest date of a scan: that of the given column, or of the one that a scan before has named or found, or
 * else of the one with the newest date. Dates in the future say nothing about loads. Undefined for a table without
 * dates.
 */
export function withMoment(
  before: NewestMoments | undefined,
  { columns }: Pick<TableProfile, 'columns'>,
  { scannedAt, given }: { scannedAt: Date; given?: FreshnessConfig | undefined },
): NewestMoments | undefined {
  const isPast = ({ dataType, max }: StoredColumnProfile) =>
    DATES.test(dataType) && momentOf(max) <= scannedAt.getTime() + DAY_MS;
  const dates = columns.filter(isPast).sort((a, b) => momentOf(b.max) - momentOf(a.max));
  const chosen = given ?? before?.chosen;
  const named = dates.find(({ name }) => name === (chosen ?? before)?.columnName);
  const found = chosen ? named : (named ?? dates[0]);
  const columnName = chosen?.columnName ?? found?.name;
  if (columnName === undefined) return undefined;
  const earlier = before?.columnName === columnName ? before.at : [];
  const at = new Set([...earlier, ...(found ? [new Date(momentOf(found.max)).toISOString()] : [])]);
  return { columnName, at: [...at].sort().slice(-MAX_MOMENTS), ...(chosen ? { chosen } : {}) };
}
