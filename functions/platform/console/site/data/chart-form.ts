import type { Types } from './client.ts';

type Spec = Types.ChartSpec;
type Query = Types.ChartQuery;
type Dimension = Types.ChartDimension;
type Measure = Types.ChartMeasure;

/** A column that a chart can group by or compute with, as its source has it. */
export interface SourceColumn {
  /** Unique among the columns of the source. */
  key: string;
  label: string;
  kind: 'time' | 'number' | 'other';
  /** A measure of a model: it is computed already. */
  isMeasure?: boolean;
  dimension: Pick<Dimension, 'fieldId' | 'column' | 'side'>;
  measure: Pick<Measure, 'measureId' | 'fieldId' | 'column' | 'side'>;
}

/** Marks that the form makes by itself; others stay as they are. */
export const MARKS = {
  bar: 'Bars',
  line: 'Line',
  area: 'Area',
  point: 'Points',
  arc: 'Pie',
  table: 'Table',
  kpi: 'Number',
} as const;
export type FormMark = keyof typeof MARKS;

export const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export const AGGREGATIONS = {
  sum: 'Sum',
  count: 'Count',
  count_distinct: 'Different values',
  avg: 'Average',
  min: 'Smallest',
  max: 'Largest',
} as const;

const isSame = (one: object, other: Dimension | Measure): boolean =>
  Object.entries(one).every(([name, value]) => other[name as keyof typeof other] === value);

export const columnOf = (columns: readonly SourceColumn[], part: Dimension): SourceColumn | undefined =>
  columns.find(({ dimension, isMeasure }) => !isMeasure && isSame(dimension, part));

export const measureColumnOf = (columns: readonly SourceColumn[], part: Measure): SourceColumn | undefined =>
  columns.find(({ measure }) => isSame(measure, part));

/** The name of a part of a query among the columns of its rows. */
const named = (wanted: string, taken: Iterable<string>): string => {
  const names = new Set(taken);
  let name = wanted;
  for (let count = 2; names.has(name); count += 1) name = `${wanted} ${count}`;
  return name;
};

const labelsOf = ({ dimensions = [], measures = [] }: Query): string[] =>
  [...dimensions, ...measures].flatMap(({ label }) => label ?? []);

export function dimensionFor(column: SourceColumn, query: Query): Dimension {
  const grain = column.kind === 'time' ? ('month' as const) : undefined;
  return { ...column.dimension, label: named(column.label, labelsOf(query)), ...(grain && { grain }) };
}

export function measureFor(column: SourceColumn, query: Query): Measure {
  const label = named(column.label, labelsOf(query));
  if (column.isMeasure) return { ...column.measure, label };
  return { ...column.measure, aggregation: column.kind === 'number' ? 'sum' : 'count', label };
}

/** The channels of a chart that the form makes: the first dimension along, the second by color. */
export function encodingOf(
  mark: FormMark,
  { dimensions = [], measures = [] }: Query,
  former: Types.ChartEncoding = {},
) {
  const [along, by] = dimensions.map(({ label }) => label);
  const [value, second] = measures.map(({ label }) => label);
  // A channel keeps its format and scale while it shows the same column.
  const channel = (name: keyof Types.ChartEncoding, field: string | undefined) => {
    if (field === undefined) return {};
    const before = former[name] as { field?: string } | undefined;
    return { [name]: before?.field === field ? before : { field } };
  };
  if (mark === 'table' || mark === 'kpi') return undefined;
  if (mark === 'arc') return { ...channel('theta', value), ...channel('color', along) };
  if (mark === 'point' && second !== undefined)
    return { ...channel('x', value), ...channel('y', second), ...channel('color', along) };
  return { ...channel('x', along), ...channel('y', value), ...channel('color', by) };
}

/** The chart with another query or mark; what the form does not know of it stays. */
export function rebuilt(spec: Spec, change: { query?: Query; mark?: FormMark }): Spec {
  const query = tidied(change.query ?? spec.query);
  const { layer: _layer, encoding, ...others } = spec;
  const type = change.mark ?? spec.mark.type;
  if (!(type in MARKS)) return { ...spec, query };
  const mark = type as FormMark;
  const { columns: _columns, ...look } = spec.mark;
  const own = change.mark === undefined || change.mark === spec.mark.type ? look : {};
  const next = { ...others, query, mark: { ...own, type: mark } } as Spec;
  const measures = query.measures ?? [];
  const isLayered =
    measures.length > 1 && ['bar', 'line', 'area'].includes(mark) && (query.dimensions ?? []).length === 1;
  if (isLayered) {
    const layer = measures.slice(0, 4).map((measure) => ({
      mark: { type: mark },
      encoding: encodingOf(mark, { ...query, measures: [measure] })!,
    }));
    return { ...next, layer } as Spec;
  }
  const drawn = encodingOf(mark, query, encoding);
  return drawn ? { ...next, encoding: drawn } : next;
}

/** Without orders by columns that are gone, and without empty lists. */
function tidied(query: Query): Query {
  const labels = new Set(labelsOf(query));
  const { sort, dimensions, measures, ...others } = query;
  const kept = sort?.filter(({ column }) => labels.has(column));
  return {
    ...others,
    ...(dimensions?.length && { dimensions }),
    ...(measures?.length && { measures }),
    ...(kept?.length && { sort: kept }),
  };
}

/** A first question about the columns: the first amount by time, or by the first name. */
export function firstQuery(source: Types.ChartSource, columns: readonly SourceColumn[]): Query {
  const amount =
    columns.find(({ isMeasure }) => isMeasure) ??
    columns.find(({ kind, label }) => kind === 'number' && !/(^|[_\s])id$/i.test(label)) ??
    columns[0];
  const along =
    columns.find(({ kind, isMeasure }) => kind === 'time' && !isMeasure) ??
    columns.find((column) => column !== amount && !column.isMeasure && column.kind === 'other');
  let query: Query = { source };
  if (along) query = { ...query, dimensions: [dimensionFor(along, query)] };
  if (amount) query = { ...query, measures: [measureFor(amount, query)] };
  return query;
}
