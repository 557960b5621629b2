import { AppError } from '../../platform/errors/app-error.ts';
import type { Table } from '../../platform/storage/table.ts';
import { HourlyCount } from './hourly-count.ts';
import type { LinkReader } from './records.ts';

/** One in a second on average: more than the readers of a busy link need, because equal queries are cached for all of them. */
export const MAX_LINK_QUERIES = 3600;

export interface QueryQuota {
  /** Takes one query of the clock hour. Throws `SHARE_QUERIES_SPENT`. */
  take(reader: LinkReader): Promise<void>;
}

/**
 * Counts the queries that a link runs, so that a stranger who varies filters can neither keep a database busy nor spend the money of a
 * company. Cached rows stay readable.
 */
export function queryQuota(table: Table): QueryQuota {
  const queries = new HourlyCount(table, 'LINK-QUERIES');
  return {
    async take({ workspaceId, id }) {
      const used = await queries.add(workspaceId, id, MAX_LINK_QUERIES);
      if (used === undefined) throw new AppError('SHARE_QUERIES_SPENT', { retryAfterSeconds: queries.secondsLeft() });
    },
  };
}
