import { AppError } from '../../../platform/errors/app-error.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { HourlyCount } from './hourly-count.ts';
import type { LinkReader } from './records.ts';

/**
 * One in a second on average: more than the readers of a busy link need, because equal queries are cached for all of
 * them.
 */
export const MAX_LINK_QUERIES = 3600;
/**
 * One in a second on average: more than the readers of a busy link need, because pages ask for few sizes and pictures
 * are stored.
 */
export const MAX_LINK_DRAWINGS = 3600;

export interface LinkQuota {
  /** Takes one of the clock hour. Throws `SHARE_QUERIES_SPENT` or `SHARE_DRAWINGS_SPENT`. */
  take(reader: Pick<LinkReader, 'workspaceId' | 'id'>): Promise<void>;
}

/**
 * Counts the queries that a link runs, so that a stranger who varies filters can neither keep a database busy nor spend
 * the money of a company. Cached rows stay readable.
 */
export const queryQuota = (table: Table): LinkQuota =>
  linkQuota(table, 'LINK-QUERIES', MAX_LINK_QUERIES, 'SHARE_QUERIES_SPENT');

/**
 * Counts the pictures that are drawn for a link, because readers choose sizes and themes. Stored pictures stay
 * readable.
 */
export const drawingQuota = (table: Table): LinkQuota =>
  linkQuota(table, 'LINK-DRAWINGS', MAX_LINK_DRAWINGS, 'SHARE_DRAWINGS_SPENT');

function linkQuota(
  table: Table,
  area: string,
  max: number,
  spent: 'SHARE_QUERIES_SPENT' | 'SHARE_DRAWINGS_SPENT',
): LinkQuota {
  const counts = new HourlyCount(table, area);
  return {
    async take({ workspaceId, id }) {
      if ((await counts.add(workspaceId, id, max)) !== undefined) return;
      throw new AppError(spent, { retryAfterSeconds: counts.secondsLeft() });
    },
  };
}
