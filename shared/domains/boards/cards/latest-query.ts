import { showsLatest } from '../../../data/charts/latest-rows.ts';
import type { AskedQuery, ChartSpec } from '../charts/index.ts';

/**
 * The query of a chart that shows the latest of its rows, such as a number: it keeps the last rows of their order
 * instead of the first, unless the author of the chart has chosen which rows come first.
 */
export function latestQuery({ query, ...look }: ChartSpec): AskedQuery {
  const { source, dimensions = [], sort: [first] = [], limit } = query;
  const endsWithLatest = first ? first.direction !== 'desc' && limit === undefined : dimensions.length > 0;
  // A metric has its latest periods.
  if (!showsLatest(look) || !endsWithLatest || source.kind === 'metric') return query;
  return { ...query, isFromEnd: true };
}
