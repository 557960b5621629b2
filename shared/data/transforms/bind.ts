import type { DataType } from '../expressions/index.ts';
import { checkColumnExpression } from './column-expressions.ts';
import { aggregateType, eachKnown, known, newName, orderIssues, textIssues, typed, withColumn } from './columns.ts';
import { conditionIssues } from './conditions.ts';
import type { TransformConfig, TransformType } from './configs.ts';
import { convertsTo } from './conversions.ts';
import { dateFormatIssue } from './date-formats.ts';
import { patternIssues } from './patterns.ts';
import type { Binder, Bound, ChainColumn, Columns, Step } from './steps.ts';

type Issues = Bound['issues'];

const TEXTS = { types: ['string'], noun: 'texts' } as const;
const NUMBERS = { types: ['integer', 'decimal', 'number'], noun: 'numbers' } as const;

const BINDERS: { [T in TransformType]: Binder<T> } = {
  filter_rows: (columns, { conditions }) => ({
    columns,
    issues: conditions.flatMap((condition, index) => conditionIssues(columns, condition, `/conditions/${index}`)),
  }),

  remove_columns: (columns, { columns: removed }) => {
    const issues = eachKnown(columns, removed, '/columns');
    const left = columns && new Map([...columns].filter(([name]) => !removed.includes(name)));
    if (left?.size === 0 && issues.length === 0)
      issues.push({ pointer: '/columns', code: 'NO_COLUMNS', message: 'must leave at least one column' });
    return { columns: left, issues };
  },

  rename_column: (columns, { from, to }) => {
    const others = columns && new Map([...columns].filter(([name]) => name !== from));
    const issues = [...known(columns, from, '/from'), ...newName(others, to, '/to')];
    const renamed =
      columns &&
      new Map([...columns].map(([name, column]) => (name === from ? [to, { ...column, name: to }] : [name, column])));
    return { columns: renamed, issues };
  },

  change_type: (columns, { column, type, format }) => {
    const issues = [
      ...known(columns, column, '/column'),
      ...conversionIssues(columns?.get(column)?.type, type, '/type'),
      ...(format === undefined ? [] : formatIssues(columns?.get(column)?.type, type, format)),
    ];
    const isSame = columns?.get(column)?.type === type;
    return { columns: isSame ? columns : withColumn(columns, { name: column, type }), issues };
  },

  add_column: (columns, { name, expression, type }) => {
    const checked = checkColumnExpression(columns && [...columns.values()], expression);
    const issues = [
      ...newName(columns, name, '/name'),
      ...checked.issues,
      ...(type === undefined ? [] : conversionIssues(checked.type, type, '/type')),
    ];
    return { columns: withColumn(columns, { name, type: type ?? checked.type }), issues };
  },

  replace_values: (columns, { column, pairs, mode }) => {
    const issues = typed(columns, column, '/column', TEXTS);
    for (const [index, { from, to }] of pairs.entries()) {
      const place = `/pairs/${index}`;
      issues.push(...textIssues(from, `${place}/from`), ...textIssues(to, `${place}/to`));
      if (mode === 'regex') issues.push(...patternIssues({ from, to }, place));
    }
    return { columns: converted(columns, column), issues };
  },

  sort_rows: (columns, { by }) => ({ columns, issues: orderIssues(columns, by, '/by') }),

  top_n: (columns, { by, perGroup = [] }) => ({
    columns,
    issues: [...orderIssues(columns, by, '/by'), ...eachKnown(columns, perGroup, '/perGroup')],
  }),

  deduplicate: (columns, { keys, orderBy = [] }) => ({
    columns,
    issues: [...eachKnown(columns, keys, '/keys'), ...orderIssues(columns, orderBy, '/orderBy')],
  }),

  group_aggregate: (columns, { groupBy, aggregations }) => {
    const issues = eachKnown(columns, groupBy, '/groupBy');
    const result = new Map(groupBy.map((name) => [name, keyColumn(columns?.get(name) ?? { name, type: undefined })]));
    aggregations.forEach(({ column, fn, as }, index) => {
      const place = `/aggregations/${index}`;
      if (column === undefined && fn !== 'count')
        issues.push({ pointer: `${place}/column`, code: 'REQUIRED', message: `is required for ${fn}` });
      if (column !== undefined) {
        const isSum = fn === 'sum' || fn === 'avg';
        const needed = isSum
          ? typed(columns, column, `${place}/column`, NUMBERS)
          : known(columns, column, `${place}/column`);
        issues.push(...needed);
      }
      issues.push(...newName(result, as, `${place}/as`));
      const type = aggregateType(fn, column === undefined ? undefined : columns?.get(column)?.type);
      result.set(as, { name: as, type });
    });
    return { columns: columns && result, issues };
  },
};

export type Binding<S extends Step> = { columns: ChainColumn[] | null } | { failed: S; issues: Issues };

/**
 * The columns after the enabled steps; or the first step that does not fit, with its issues, each with its place in
 * `config`.
 */
export function bindTransforms<S extends Step>(
  columns: readonly ChainColumn[] | null,
  steps: readonly S[],
): Binding<S> {
  let chain: Columns = columns && new Map(columns.map((column) => [column.name, column]));
  for (const step of steps.filter(({ isEnabled }) => isEnabled)) {
    const bind = BINDERS[step.type as TransformType] as Binder<TransformType>;
    const bound = bind(chain, step.config as TransformConfig);
    if (bound.issues.length > 0) return { failed: step, issues: bound.issues };
    chain = bound.columns;
  }
  return { columns: chain && [...chain.values()] };
}

/** The column as one that a step has computed. */
const converted = (columns: Columns, name: string): Columns =>
  withColumn(columns, { name, type: columns?.get(name)?.type });

/** A key of groups: values of a type that has no equality are compared as texts. */
const keyColumn = ({ name, type, stored }: ChainColumn): ChainColumn =>
  stored === undefined || stored === 'other' ? { name, type } : { name, type, stored };

function conversionIssues(from: DataType | undefined, to: DataType, pointer: string): Issues {
  if (to === 'geo') return [{ pointer, code: 'WRONG_TYPE', message: 'cannot be geo' }];
  if (from === undefined || convertsTo(from, to)) return [];
  return [{ pointer, code: 'WRONG_TYPE', message: `cannot be ${to}: values of type ${from} do not convert to it` }];
}

function formatIssues(from: DataType | undefined, to: DataType, format: string): Issues {
  const issue = (code: string, message: string): Issues => [{ pointer: '/format', code, message }];
  if (to !== 'date' && to !== 'datetime' && to !== 'time')
    return issue('CONFLICT', 'belongs to date, datetime and time only');
  if (from !== undefined && from !== 'string') return issue('CONFLICT', 'belongs to columns of texts only');
  const reason = dateFormatIssue(format, to);
  return reason === undefined ? textIssues(format, '/format') : issue('FORMAT', reason);
}
