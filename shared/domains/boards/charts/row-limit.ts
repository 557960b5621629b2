import type { AskedQuery } from './chart-question.ts';
import { type ChartQuery, MAX_CHART_ROWS } from './chart-spec.ts';

/** How many rows of a chart its reader wants at most. */
export interface RowLimit {
  rowLimit?: number | undefined;
}

/** The query for at most as many rows as its reader wants. */
export const limitedQuery = (query: AskedQuery, { rowLimit }: RowLimit): AskedQuery =>
  rowLimit === undefined ? query : { ...query, limit: Math.min(rowLimit, query.limit ?? MAX_CHART_ROWS) };

/**
 * Whether the author of the chart has chosen how many rows it has, such as the top 8. The highest limit is no choice.
 */
export const hasChosenRows = ({ limit }: ChartQuery): boolean => limit !== undefined && limit < MAX_CHART_ROWS;

/** Whether rows are missing: those beyond the number that the author has chosen are not. */
export const lacksRows = (
  query: ChartQuery,
  { truncated, rowCount }: { truncated: boolean; rowCount: number },
): boolean => truncated && !(hasChosenRows(query) && rowCount >= query.limit!);
