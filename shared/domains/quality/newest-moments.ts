import type { StoredColumnProfile, TableProfile } from '../../data/profiles/profile.ts';
import { DAY_MS } from '../../platform/schedule/durations.ts';

/** The newest dates of a table as its scans found them, from which its rhythm follows. */
export interface NewestMoments {
  columnName: string;
  /** In UTC, each once, the newest last. */
  at: string[];
}

/** As many as show a rhythm. */
const MAX_MOMENTS = 15;

/** A date or timestamp of the wire format as an instant; without a zone, it is taken for UTC. */
export function momentOf(value: unknown): number {
  const text = String(value).replace(' ', 'T');
  return Date.parse(/T\d{2}:[\d:.]+$/.test(text) ? `${text}Z` : text);
}

/**
 * Adds the newest date of a scan: that of the column of the scan before, or else of the one with the newest date. Dates in the
 * future say nothing about loads. Undefined for a table without dates.
 */
export function withMoment(
  before: NewestMoments | undefined,
  { columns }: Pick<TableProfile, 'columns'>,
  scannedAt: Date,
): NewestMoments | undefined {
  const isPast = ({ dataType, max }: StoredColumnProfile) =>
    /^(date|timestamp|timestamptz)$/.test(dataType) && momentOf(max) <= scannedAt.getTime() + DAY_MS;
  const dates = columns.filter(isPast).sort((a, b) => momentOf(b.max) - momentOf(a.max));
  const chosen = dates.find(({ name }) => name === before?.columnName) ?? dates[0];
  if (!chosen) return undefined;
  const earlier = before?.columnName === chosen.name ? before.at : [];
  const at = [...new Set([...earlier, new Date(momentOf(chosen.max)).toISOString()])];
  return { columnName: chosen.name, at: at.sort().slice(-MAX_MOMENTS) };
}
