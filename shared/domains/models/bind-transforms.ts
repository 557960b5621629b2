import type { DataType } from '../../data/expressions/index.ts';
import type { Issue } from '../../platform/errors/app-error.ts';
import { suggestion } from '../../platform/validation/names.ts';
import { checkColumnExpression } from './expressions.ts';
import type { Transform } from './records.ts';
import type { TransformConfig, TransformType } from './transform-configs.ts';

/** A column at one step of a chain; the type is undefined where it is not known. */
export interface ChainColumn {
  name: string;
  type: DataType | undefined;
}

/** Columns by name, in their order; null where the columns of the table are not known. */
type Columns = ReadonlyMap<string, ChainColumn> | null;

interface Step {
  columns: Columns;
  issues: Issue[];
}

type Binder<T extends TransformType> = (columns: Columns, config: TransformConfig<T>) => Step;

const TEXT_TYPES: readonly (DataType | undefined)[] = ['string', undefined];
const NUMBERS: readonly (DataType | undefined)[] = ['integer', 'decimal', 'number', undefined];

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
    const issues = [...known(columns, from, '/from'), ...(from === to ? [] : free(columns, to, '/to'))];
    const renamed =
      columns &&
      new Map([...columns].map(([name, column]) => (name === from ? [to, { ...column, name: to }] : [name, column])));
    return { columns: renamed, issues };
  },

  change_type: (columns, { column, type, format }) => {
    const issues = known(columns, column, '/column');
    if (type === 'geo') issues.push({ pointer: '/type', code: 'WRONG_TYPE', message: 'cannot be geo' });
    if (format !== undefined && !['date', 'datetime', 'time'].includes(type))
      issues.push({ pointer: '/format', code: 'CONFLICT', message: 'belongs to date, datetime and time only' });
    return { columns: withColumn(columns, column, type), issues };
  },

  add_column: (columns, { name, expression, type }) => {
    const checked = checkColumnExpression(columns && [...columns.values()], expression);
    const issues = [
      ...free(columns, name, '/name'),
      ...checked.issues.map((issue) => ({ ...issue, pointer: '/expression' })),
    ];
    return { columns: withColumn(columns, name, type ?? checked.type), issues };
  },

  replace_values: (columns, { column, pairs, mode }) => ({
    columns,
    issues: [
      ...typed(columns, column, '/column', TEXT_TYPES, 'a text'),
      ...(mode === 'regex' ? pairs.flatMap(({ from }, index) => patternIssues(from, `/pairs/${index}/from`)) : []),
    ],
  }),

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
    const result = new Map(groupBy.map((name) => [name, columns?.get(name) ?? { name, type: undefined }]));
    aggregations.forEach(({ column, fn, as }, index) => {
      const place = `/aggregations/${index}`;
      if (column === undefined && fn !== 'count')
        issues.push({ pointer: `${place}/column`, code: 'REQUIRED', message: `is required for ${fn}` });
      if (column !== undefined) {
        const needed = ['sum', 'avg'].includes(fn)
          ? typed(columns, column, `${place}/column`, NUMBERS, 'a number')
          : known(columns, column, `${place}/column`);
        issues.push(...needed);
      }
      issues.push(...free(result, as, `${place}/as`));
      result.set(as, {
        name: as,
        type: aggregateType(fn, column === undefined ? undefined : columns?.get(column)?.type),
      });
    });
    return { columns: result, issues };
  },
};

/**
 * The columns after the enabled steps; or the first step that does not fit, with its issues, each with its place in
 * `config`.
 */
export function bindTransforms(
  columns: readonly ChainColumn[] | null,
  steps: readonly Transform[],
): { columns: ChainColumn[] | null } | { failed: Transform; issues: Issue[] } {
  let chain: Columns = columns && new Map(columns.map((column) => [column.name, column]));
  for (const step of steps.filter(({ isEnabled }) => isEnabled)) {
    const bind = BINDERS[step.type as TransformType] as Binder<TransformType>;
    const bound = bind(chain, step.config as TransformConfig);
    if (bound.issues.length > 0) return { failed: step, issues: bound.issues };
    chain = bound.columns;
  }
  return { columns: chain && [...chain.values()] };
}

function known(columns: Columns, name: string, pointer: string): Issue[] {
  if (!columns || columns.has(name)) return [];
  return [
    {
      pointer,
      code: 'UNKNOWN_COLUMN',
      message: `is not a column at this step${suggestion(name, [...columns.keys()])}`,
    },
  ];
}

const eachKnown = (columns: Columns, names: readonly string[], pointer: string): Issue[] =>
  names.flatMap((name, index) => known(columns, name, `${pointer}/${index}`));

function free(columns: Columns, name: string, pointer: string): Issue[] {
  return columns?.has(name) ? [{ pointer, code: 'DUPLICATE', message: 'is the name of another column' }] : [];
}

function typed(
  columns: Columns,
  name: string,
  pointer: string,
  types: readonly (DataType | undefined)[],
  noun: string,
): Issue[] {
  const issues = known(columns, name, pointer);
  const type = columns?.get(name)?.type;
  if (issues.length > 0 || types.includes(type)) return issues;
  return [
    {
      pointer,
      code: 'WRONG_TYPE',
      message: `must be a column of ${noun === 'a text' ? 'texts' : 'numbers'}; it is of type ${type}`,
    },
  ];
}

const orderIssues = (columns: Columns, by: readonly { column: string }[], pointer: string): Issue[] =>
  by.flatMap(({ column }, index) => known(columns, column, `${pointer}/${index}/column`));

function withColumn(columns: Columns, name: string, type: DataType | undefined): Columns {
  return columns && new Map([...columns, [name, { name, type }]]);
}

function aggregateType(fn: string, type: DataType | undefined): DataType | undefined {
  if (fn === 'count' || fn === 'count_distinct') return 'integer';
  return fn === 'avg' ? 'number' : type;
}

type Condition = TransformConfig<'filter_rows'>['conditions'][number];

function conditionIssues(columns: Columns, { column, op, value }: Condition, place: string): Issue[] {
  const issues = known(columns, column, `${place}/column`);
  const pointer = `${place}/value`;
  const isUnary = op === 'is_null' || op === 'not_null';
  if (isUnary) {
    if (value !== undefined) issues.push({ pointer, code: 'CONFLICT', message: `cannot be given for ${op}` });
    return issues;
  }
  if (value === undefined) return [...issues, { pointer, code: 'REQUIRED', message: `is required for ${op}` }];
  const isList = op === 'in' || op === 'not_in' || op === 'between';
  if (isList !== Array.isArray(value)) {
    const message = isList ? 'must be a list' : 'must be a single value';
    return [...issues, { pointer, code: 'TYPE', message }];
  }
  if (op === 'between' && (value as unknown[]).length !== 2)
    return [...issues, { pointer, code: 'LENGTH', message: 'must be two values' }];
  const type = columns?.get(column)?.type;
  if (['contains', 'starts_with'].includes(op) && !TEXT_TYPES.includes(type))
    return [
      ...issues,
      { pointer: `${place}/op`, code: 'WRONG_TYPE', message: `needs a column of texts; it is of type ${type}` },
    ];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.every((each) => isValueOf(type, each))) return issues;
  return [...issues, { pointer, code: 'WRONG_TYPE', message: `must be of the type of the column, ${type}` }];
}

function isValueOf(type: DataType | undefined, value: unknown): boolean {
  if (type === undefined) return true;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'integer' || type === 'number' || type === 'decimal')
    return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));
  if (typeof value !== 'string') return false;
  return type !== 'date' && type !== 'datetime' ? true : /^-?\d{4,}-\d\d-\d\d/.test(value);
}

/** Engines have regular expressions in linear time, which have no references back and no look-around. */
function patternIssues(pattern: string, pointer: string): Issue[] {
  const issue = (message: string): Issue[] => [{ pointer, code: 'PATTERN', message }];
  if (/\\[1-9]|\\k<|\(\?(=|!|<=|<!)/.test(pattern)) return issue('cannot have backreferences or look-around');
  try {
    new RegExp(pattern, 'u');
    return [];
  } catch {
    return issue('is not a valid regular expression');
  }
}
