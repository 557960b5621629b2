import { countOfName } from '../../../data/charts/box-rows.ts';
import { type ChartSpec, MAX_CHART_ROWS } from '../charts/index.ts';

type Query = ChartSpec['query'];
type Measure = NonNullable<Query['measures']>[number];

/**
 * The query of a chart. Questions return each combination of values once, and a box plot is of rows: its
 * query also counts them.
 */
export function countedQuery({ mark, layer, encoding = {}, query }: ChartSpec): Query {
  const isGrouped =
    ['model', 'dataset'].includes(query.source.kind) || (query.source.kind === 'savedQuery' && query.dimensions);
  const isCounted = !layer && mark.type === 'boxplot' && isGrouped;
  if (!isCounted) return query;
  const shown = [encoding.x?.field, encoding.y?.field];
  const { dimensions = [], measures = [] } = query;
  const counts = dimensions.flatMap(({ label, column, fieldId, expression, grain, bin }): Measure[] => {
    const name = label ?? column;
    if (grain || bin || (name !== undefined && !shown.includes(name))) return [];
    const field = fieldId !== undefined ? { fieldId } : column !== undefined ? { column } : undefined;
    // Without a label, the column is called like the field, and the count by default as the chart looks for it.
    const counted = name === undefined ? {} : { label: countOfName(name) };
    const isThere = measures.some((measure) =>
      counted.label === undefined
        ? measure.fieldId === fieldId && measure.aggregation === 'count' && measure.label === undefined
        : measure.label === counted.label,
    );
    if (isThere) return [];
    if (field) return [{ ...field, aggregation: 'count', ...counted }];
    return name === undefined ? [] : [{ expression: `COUNT(${expression})`, ...counted }];
  });
  return { ...query, measures: [...measures, ...counts], limit: query.limit ?? MAX_CHART_ROWS };
}
