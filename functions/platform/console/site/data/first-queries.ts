import type { Types } from './client.ts';

type Column = Types.ColumnStatistics;
type Query = Omit<Types.ChartQuery, 'source'>;

/** A first question about a table, and the title of its chart. */
export interface FirstQuery {
  title: string;
  query: Query;
}

const IDENTIFIER = /(^|[_\s-])(id|key|code|zip|postcode|number|no|nr)$|[a-z]Id$/i;
const MONEY = /amount|revenue|sales|turnover|total|price|value|cost|profit|income/i;
const AMOUNT = /quantity|qty|count|units|score/i;
const NUMERIC = /^(integer|bigint|hugeint|double|float|decimal)/;
const TIME = /^(date|timestamp)/;
const NAMED = /^(string|boolean)/;
const MAX_GROUPS = 20;
const MAX_NAMES = 1_000;
const DAY_MS = 86_400_000;

/** The longest range of days that each period has a readable number of points for. */
const GRAINS = [
  ['hour', 3],
  ['day', 92],
  ['week', 400],
  ['month', 2_200],
  ['quarter', 7_500],
] as const;

/**
 * At most three questions that suit the columns: how the first amount has developed, how it differs between names, and
 * what it is in total. Without an amount, rows are counted.
 */
export function firstQueries(columns: readonly Column[], rowCount: number): FirstQuery[] {
  const amount = amountOf(columns);
  const measure: Types.ChartMeasure = amount
    ? { column: amount.name, aggregation: 'sum', label: amount.name }
    : { column: columns[0]?.name ?? '', aggregation: 'count', label: 'Rows' };
  const what = amount ? amount.name : 'Rows';
  const time = columns.find(({ type, distinct }) => TIME.test(type) && distinct.count > 1);
  const names = namesOf(columns, rowCount).slice(0, time ? 1 : 2);
  const queries: FirstQuery[] = [];
  if (time) {
    const grain = grainOf(time);
    const label = `${time.name} (${grain})`;
    queries.push({
      title: `${what} by ${grain}`,
      query: { dimensions: [{ column: time.name, grain, label }], measures: [measure], sort: [{ column: label }] },
    });
  }
  for (const { name, distinct } of names) {
    const isCut = distinct.count > MAX_GROUPS;
    queries.push({
      title: isCut ? `${what} by ${name}, the ${MAX_GROUPS} largest` : `${what} by ${name}`,
      query: {
        dimensions: [{ column: name, label: name }],
        measures: [measure],
        sort: [{ column: measure.label!, direction: 'desc' }],
        limit: MAX_GROUPS,
      },
    });
  }
  queries.push({ title: amount ? `${what} in total` : 'Rows in total', query: { measures: [measure] } });
  return queries.slice(0, 3);
}

/** A column that can be summed: named like one, with fractions, or else any whole number that is no identifier. */
function amountOf(columns: readonly Column[]): Column | undefined {
  const numbers = columns.filter(
    ({ name, type }) => NUMERIC.test(type) && !IDENTIFIER.test(name) && !/^year$/i.test(name),
  );
  return (
    numbers.find(({ name }) => MONEY.test(name)) ??
    numbers.find(({ name }) => AMOUNT.test(name)) ??
    numbers.find(({ type }) => !/^(integer|bigint|hugeint)/.test(type)) ??
    numbers[0]
  );
}

/** Columns whose values repeat, those with a readable number of values first. */
function namesOf(columns: readonly Column[], rowCount: number): Column[] {
  const found = columns.filter(
    ({ type, distinct: { count } }) =>
      NAMED.test(type) && count > 1 && count <= MAX_NAMES && (count < rowCount || count <= MAX_GROUPS),
  );
  const rank = ({ distinct: { count } }: Column) => (count <= MAX_GROUPS ? 0 : 1);
  return found.sort((one, other) => rank(one) - rank(other));
}

function grainOf({ min, max, type }: Column): 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year' {
  const days = (Date.parse(max ?? '') - Date.parse(min ?? '')) / DAY_MS;
  const grains = type === 'date' ? GRAINS.slice(1) : GRAINS;
  return grains.find(([, most]) => days <= most)?.[0] ?? (Number.isNaN(days) ? 'month' : 'year');
}
