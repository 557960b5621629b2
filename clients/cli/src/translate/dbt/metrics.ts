import type { Entry } from '../entries.ts';
import type { Table } from '../model.ts';
import { Untranslatable } from '../report.ts';
import { type Scope, translateSql } from '../sql.ts';
import { listOf, type Members, membersOf, textOf } from '../values.ts';

/** A metric of dbt as an expression of the platform, which may still get filters. */
export interface MetricExpression {
  /** With more conditions on its rows. */
  text(filters: readonly string[]): string;
  /** The fields that say to which period a row belongs; a metric of the platform has one. */
  timeFields: ReadonlySet<string>;
  /** The periods that it compares, which the grain of a metric must divide. */
  grains: ReadonlySet<string>;
}

/** What the metrics of a project are made of. */
export interface Semantics {
  /** The condition of a filter, whose fields are named with their entities. */
  condition(filter: string, checks: string[]): string;
  metric(name: string): MetricExpression;
  measure(name: string, checks: string[]): MetricExpression;
}

/** An aggregate of the rows of a table. */
export function aggregateOf(
  entry: Entry,
  table: Table,
  timeField: string | undefined,
  checks: string[],
): MetricExpression {
  const { members } = entry;
  const agg = textOf(members.agg)?.toLowerCase();
  const aggregate = (filter: string): string => aggregateText(members, agg, table, checks, filter);
  // What cannot be written is found here, and not where the text is used.
  aggregate('');
  return {
    text: (filters) => withStock(members, table, aggregate(filterText(filters)), checks),
    timeFields: new Set(timeField === undefined ? [] : [timeField]),
    grains: new Set(),
  };
}

const filterText = (filters: readonly string[]): string => {
  if (filters.length === 0) return '';
  const all = filters.length === 1 ? filters[0] : filters.map((filter) => `(${filter})`).join(' AND ');
  return ` FILTER (WHERE ${all})`;
};

function aggregateText(
  members: Members,
  agg: string | undefined,
  table: Table,
  checks: string[],
  filter: string,
): string {
  const expr = textOf(members.expr) ?? textOf(members.name) ?? '';
  const isConstant = /^\d+(?:\.\d+)?$/.test(expr);
  if (isConstant && (agg === 'count' || (agg === 'sum' && expr === '1'))) {
    if (table.key === undefined)
      throw new Untranslatable(`Rows of ${table.alias} are counted by their key, and the table has none.`);
    return `COUNT(${table.column(table.key).text})${filter}`;
  }
  if (isConstant) throw new Untranslatable('An aggregate of a constant has no counterpart.');
  const { text } = translateSql(expr, rowScope(table, checks));
  if (agg === 'sum_boolean') return `COUNT_IF(${text})${filter}`;
  if (agg === 'percentile') return percentile(members, text) + filter;
  const name = AGGREGATES[agg ?? ''];
  if (!name) throw new Untranslatable(`The aggregation ${agg ?? '(none)'} has no counterpart.`);
  return `${name}(${text})${filter}`;
}

const AGGREGATES: Readonly<Record<string, string>> = {
  sum: 'SUM',
  count: 'COUNT',
  count_distinct: 'COUNT_DISTINCT',
  average: 'AVG',
  avg: 'AVG',
  min: 'MIN',
  max: 'MAX',
  median: 'MEDIAN',
};

function percentile(members: Members, text: string): string {
  const params = { ...members, ...membersOf(members.agg_params) };
  const share = Number(params.percentile);
  if (!(share >= 0 && share <= 1)) throw new Untranslatable('It does not say which percentile.');
  if (params.use_discrete_percentile === true || params.percentile_type === 'discrete')
    throw new Untranslatable('Percentiles are interpolated; a discrete one has no counterpart.');
  return `PERCENTILE(${text}, ${share})`;
}

/** A stock: the value of the last or the first time only. */
function withStock(members: Members, table: Table, text: string, checks: string[]): string {
  const stock = membersOf(members.non_additive_dimension);
  const name = textOf(stock.name);
  if (name === undefined) return text;
  const choice = textOf(stock.window_choice) ?? textOf(stock.window_agg) ?? 'min';
  const [time, ...entities] = [name, ...listOf(stock.window_groupings ?? stock.group_by).map(String)].map(
    (each) => (table.field(each) ?? translateSql(each, rowScope(table, checks))).text,
  );
  const over = choice.toLowerCase() === 'max' ? 'LAST_OVER' : 'FIRST_OVER';
  return `${over}(${[text, time, ...entities].join(', ')})`;
}

/** Columns and dimensions of a table, by their names alone. */
export const rowScope = (table: Table, checks: string[]): Scope => ({
  checks,
  column(name, of) {
    if (of !== undefined && of.toLowerCase() !== table.alias.toLowerCase())
      throw new Untranslatable(`"${of}.${name}" is in another table.`);
    return table.column(name);
  },
  reference() {
    throw new Untranslatable('Jinja in expressions has no counterpart.');
  },
});

/** The expression of a metric by its type. */
export function metricOf(entry: Entry, semantics: Semantics, checks: string[]): MetricExpression {
  const { members } = entry;
  const type = textOf(members.type)?.toLowerCase() ?? 'simple';
  const make = TYPES[type];
  if (!make) throw new Untranslatable(`Metrics of the type ${type} have no counterpart.`);
  const params = { ...members, ...membersOf(members.type_params) };
  const made = make(params, semantics, checks);
  return filtered(made, filtersOf(members.filter, semantics, checks));
}

/** More conditions for all that a metric aggregates. */
const filtered = (metric: MetricExpression, own: readonly string[]): MetricExpression =>
  own.length === 0 ? metric : { ...metric, text: (filters) => metric.text([...filters, ...own]) };

/** A filter is a condition, or a list of some that must all hold. */
function filtersOf(filter: unknown, semantics: Semantics, checks: string[]): string[] {
  const all = Array.isArray(filter) ? filter : filter === undefined || filter === null ? [] : [filter];
  return all.map((each) => semantics.condition(String(each), checks));
}

type Make = (params: Members, semantics: Semantics, checks: string[]) => MetricExpression;

/** A name, or a mapping with a name and settings. */
function inputOf(
  value: unknown,
  find: (name: string) => MetricExpression,
  semantics: Semantics,
  checks: string[],
): MetricExpression {
  const members = typeof value === 'string' ? { name: value } : membersOf(value);
  const name = textOf(members.name);
  if (name === undefined) throw new Untranslatable('It names no metric or measure.');
  let made = filtered(find(name), filtersOf(members.filter, semantics, checks));
  const window = textOf(members.offset_window);
  if (members.offset_to_grain !== undefined) throw new Untranslatable('offset_to_grain has no counterpart.');
  if (window !== undefined) {
    const { count, grain } = windowOf(window);
    const { text } = made;
    const grains = new Set([...made.grains, grain]);
    made = { ...made, grains, text: (filters) => `PRIOR(${text(filters)}, "${grain}", ${count})` };
  }
  return filledWith(made, members, checks);
}

function filledWith(made: MetricExpression, members: Members, checks: string[]): MetricExpression {
  if (members.join_to_timespine === true)
    checks.push('Periods without rows are not added (join_to_timespine); charts can fill them.');
  const filling = members.fill_nulls_with;
  if (filling === undefined || filling === null) return made;
  return { ...made, text: (filters) => `COALESCE(${made.text(filters)}, ${Number(filling)})` };
}

function windowOf(window: unknown): { count: number; grain: string } {
  const { count, granularity } = membersOf(window);
  const [, number, unit] = /^(\d+)\s*([a-z]+?)s?$/i.exec(textOf(window) ?? `${count} ${granularity}`) ?? [];
  const grain = unit?.toLowerCase();
  if (!number || !grain || !GRAINS.has(grain))
    throw new Untranslatable(`The window "${textOf(window)}" has no counterpart.`);
  return { count: Number(number), grain };
}

export const GRAINS = new Set(['day', 'week', 'month', 'quarter', 'year']);

const together = (inputs: readonly MetricExpression[]) => ({
  timeFields: new Set(inputs.flatMap(({ timeFields }) => [...timeFields])),
  grains: new Set(inputs.flatMap(({ grains }) => [...grains])),
});

/** In brackets, unless it is a single call or the name of a measure. */
const asOperand = (text: string): string =>
  /^\{[^{}"]+\}$/.test(text) || /^[A-Z_]+\((?:[^()"]|"(?:[^"]|"")*")*\)$/.test(text) ? text : `(${text})`;

const TYPES: Readonly<Record<string, Make>> = {
  simple(params, semantics, checks) {
    const measure = params.measure;
    if (measure === undefined) throw new Untranslatable('It has no measure.');
    return filledWith(
      inputOf(measure, (name) => semantics.measure(name, checks), semantics, checks),
      params,
      checks,
    );
  },

  ratio(params, semantics, checks) {
    const find = (name: string) => semantics.metric(name);
    const [top, bottom] = [params.numerator, params.denominator].map((each) => inputOf(each, find, semantics, checks));
    return {
      ...together([top!, bottom!]),
      text: (filters) => `${asOperand(top!.text(filters))} / ${asOperand(bottom!.text(filters))}`,
    };
  },

  derived(params, semantics, checks) {
    const inputs = new Map<string, MetricExpression>();
    for (const each of listOf(params.metrics ?? params.input_metrics)) {
      const members = typeof each === 'string' ? { name: each } : membersOf(each);
      const name = textOf(members.alias) ?? textOf(members.name) ?? '';
      inputs.set(
        name.toLowerCase(),
        inputOf(each, (metric) => semantics.metric(metric), semantics, checks),
      );
    }
    const sql = textOf(params.expr) ?? '';
    const scopeWith = (filters: readonly string[]): Scope => ({
      checks,
      column(name, table) {
        const input = table === undefined ? inputs.get(name.toLowerCase()) : undefined;
        if (!input) throw new Untranslatable(`"${name}" is not one of its metrics.`);
        return { text: asOperand(input.text(filters)), type: 'number', isAtom: true, isAggregate: true };
      },
      reference() {
        throw new Untranslatable('Jinja in expressions has no counterpart.');
      },
    });
    const text = (filters: readonly string[]): string => translateSql(sql, scopeWith(filters)).text;
    text([]);
    return { ...together([...inputs.values()]), text };
  },

  cumulative(params, semantics, checks) {
    const own = membersOf(params.cumulative_type_params);
    const all = { ...params, ...own };
    const inner =
      all.measure === undefined
        ? inputOf(all.metric ?? all.input_metric, (name) => semantics.metric(name), semantics, checks)
        : inputOf(all.measure, (name) => semantics.measure(name, checks), semantics, checks);
    const period = textOf(all.period_agg);
    if (period !== undefined && period !== 'first') checks.push(`period_agg (${period}) has no counterpart.`);
    const grain = textOf(all.grain_to_date)?.toLowerCase();
    if (grain !== undefined && !GRAINS.has(grain)) throw new Untranslatable(`The grain ${grain} has no counterpart.`);
    const window = all.window === undefined ? undefined : windowOf(all.window);
    const wrap = (text: string): string => {
      if (window) return `TRAILING(${text}, "${window.grain}", ${window.count})`;
      return grain === undefined ? `CUMULATIVE(${text})` : `CUMULATIVE(${text}, "${grain}")`;
    };
    // A sum up to a day of the month differs on each of its days.
    const grains = new Set([...inner.grains, ...(window ? [window.grain] : grain === undefined ? [] : ['day'])]);
    return { ...inner, grains, text: (filters) => wrap(inner.text(filters)) };
  },
};
