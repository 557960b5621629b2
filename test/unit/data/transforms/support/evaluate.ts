import type { Config } from './tables.ts';

export type Value = string | number | null;
export type Row = Record<string, Value>;

interface Term {
  column: string;
  direction?: 'asc' | 'desc';
  nulls?: 'first' | 'last';
}

interface State {
  rows: Row[];
  order: Term[];
}

/** Texts by code points, as their bytes in UTF-8 are ordered. */
function compareValues(a: Value, b: Value): number {
  return typeof a === 'string' && typeof b === 'string'
    ? Buffer.from(a).compare(Buffer.from(b))
    : Number(a) - Number(b);
}

function compareBy(terms: readonly Term[]) {
  return (a: Row, b: Row): number => {
    for (const { column, direction = 'asc', nulls = 'last' } of terms) {
      const [left, right] = [a[column]!, b[column]!];
      if (left === null && right === null) continue;
      if (left === null || right === null) return (left === null) === (nulls === 'first') ? -1 : 1;
      const order = compareValues(left, right) * (direction === 'asc' ? 1 : -1);
      if (order !== 0) return order;
    }
    return 0;
  };
}

const totally = (terms: readonly Term[], row: Row | undefined): Term[] => [
  ...terms,
  ...Object.keys(row ?? {}).flatMap((column) => (terms.some((term) => term.column === column) ? [] : [{ column }])),
];

const groupsBy = (rows: readonly Row[], keys: readonly string[]): Row[][] => [
  ...Map.groupBy(rows, (row) => JSON.stringify(keys.map((key) => row[key]))).values(),
];

// biome-ignore lint/suspicious/noExplicitAny: configurations have the members of their type
type Evaluate = (state: State, config: any) => State;

const meets = (value: Value, op: string, given: Value & Value[]): boolean => {
  if (op === 'is_null') return value === null;
  if (op === 'not_null') return value !== null;
  if (op === 'ne') return value !== given;
  if (op === 'not_in') return !given.includes(value);
  if (value === null) return false;
  switch (op) {
    case 'eq':
      return value === given;
    case 'in':
      return given.includes(value);
    case 'gt':
      return compareValues(value, given) > 0;
    case 'lte':
      return compareValues(value, given) <= 0;
    case 'between':
      return compareValues(value, given[0]!) >= 0 && compareValues(value, given[1]!) <= 0;
    case 'contains':
      return String(value).includes(String(given));
    default:
      return String(value).startsWith(String(given));
  }
};

const AGGREGATES: Record<string, (values: Value[], rows: number) => Value> = {
  count: (values, rows) => (values === NONE ? rows : values.length),
  count_distinct: (values) => new Set(values).size,
  sum: (values) => (values.length === 0 ? null : values.reduce<number>((sum, value) => sum + Number(value), 0)),
  min: (values) => values.toSorted(compareValues)[0] ?? null,
  max: (values) => values.toSorted(compareValues).at(-1) ?? null,
};
const NONE: Value[] = [];

const toInteger = (value: Value): Value =>
  value !== null && /^ *[+-]?\d+ *$/.test(String(value)) ? Number(value) : null;

const STEPS: Record<string, Evaluate> = {
  filter_rows: (state, { match = 'all', conditions }) => {
    const holds = (row: Row) => (condition: { column: string; op: string; value: never }) =>
      meets(row[condition.column]!, condition.op, condition.value);
    const rows = state.rows.filter((row) =>
      match === 'all' ? conditions.every(holds(row)) : conditions.some(holds(row)),
    );
    return { ...state, rows };
  },
  remove_columns: ({ rows, order }, { columns }) => {
    const end = order.findIndex(({ column }) => columns.includes(column));
    return {
      rows: rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)))),
      order: end < 0 ? order : order.slice(0, end),
    };
  },
  rename_column: ({ rows, order }, { from, to }) => ({
    rows: rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name === from ? to : name, value])),
    ),
    order: order.map((term) => (term.column === from ? { ...term, column: to } : term)),
  }),
  change_type: ({ rows, order }, { column, type }) => ({
    rows: rows.map((row) => {
      const value = row[column]!;
      return { ...row, [column]: type === 'integer' ? toInteger(value) : value === null ? null : String(value) };
    }),
    order,
  }),
  /** The expressions of these tests are `[a] + [b]` and `CONCAT([a], "-", [b])`. */
  add_column: ({ rows, order }, { name, expression }) => {
    const [a, b] = [...expression.matchAll(/\[([^\]]+)\]/g)].map(([, column]) => column) as [string, string];
    const value = (row: Row): Value => {
      if (expression.startsWith('CONCAT')) return `${row[a] ?? ''}-${row[b] ?? ''}`;
      return row[a] === null || row[b] === null ? null : Number(row[a]) + Number(row[b]);
    };
    return { rows: rows.map((row) => ({ ...row, [name]: value(row) })), order };
  },
  replace_values: ({ rows, order }, { column, pairs }) => ({
    rows: rows.map((row) => ({
      ...row,
      [column]: pairs.find(({ from }: { from: string }) => from === row[column])?.to ?? row[column]!,
    })),
    order,
  }),
  sort_rows: ({ rows }, { by }) => ({ rows, order: by }),
  top_n: ({ rows }, { n, by, perGroup = [] }) => {
    const order = compareBy(totally(by, rows[0]));
    return { rows: groupsBy(rows, perGroup).flatMap((group) => group.toSorted(order).slice(0, n)), order: by };
  },
  deduplicate: ({ rows, order }, { keys, keep = 'first', orderBy }) => {
    const compare = compareBy(totally(orderBy ?? order, rows[0]));
    const at = keep === 'first' ? 0 : -1;
    return { rows: groupsBy(rows, keys).map((group) => group.toSorted(compare).at(at)!), order };
  },
  group_aggregate: ({ rows }, { groupBy, aggregations }) => {
    const groups = groupBy.length === 0 ? [rows] : groupsBy(rows, groupBy);
    const made = groups.map((group): Row => {
      const keys = groupBy.map((key: string) => [key, group[0]![key]!]);
      const values = aggregations.map(({ fn, column, as }: { fn: string; column?: string; as: string }) => {
        const inputs = column === undefined ? NONE : group.flatMap((row) => row[column] ?? []);
        return [as, AGGREGATES[fn]!(inputs, group.length)];
      });
      return Object.fromEntries([...keys, ...values]);
    });
    return { rows: made, order: [] };
  },
};

/** The rows after steps, computed row by row. */
export const evaluate = (rows: readonly Row[], configs: readonly Config[]): Row[] =>
  configs.reduce<State>((state, [type, config]) => STEPS[type]!(state, config), { rows: [...rows], order: [] }).rows;
