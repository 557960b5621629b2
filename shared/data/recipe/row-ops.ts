import { sorted } from './column-ops.ts';
import type { AGGREGATES, OpOf } from './ops.ts';
import { keepAll, NUMBERS, type OpContext, type RecipeColumn, same, type Table } from './table.ts';
import { call, column, type Expression, value } from './tree.ts';

/** Operations on rows: filtering, sorting and grouping. */
export function filter(_context: OpContext, table: Table, op: OpOf<'filter'>): Table {
  return keepAll(table, { where: { kind: 'author', text: op.condition } });
}

/** The start of the message of a statement that fails because of an assertion. */
export const ASSERTION_FAILED = 'A row violates an assertion of the recipe';

export function assert(context: OpContext, table: Table, op: OpOf<'assert'>): Table {
  const condition: Expression = { kind: 'author', text: op.condition };
  if (op.action === 'drop') return keepAll(table, { where: condition });
  const failure = call('failure', value(`${ASSERTION_FAILED}.`));
  const unless = (result: boolean): Expression => ({
    kind: 'case',
    when: condition,
    result: value(result),
    otherwise: failure,
  });
  // Later operations can rely on the assertion.
  context.check({ of: table.relation, bad: unless(false) });
  return keepAll(table, { where: unless(true) });
}

export function sort(context: OpContext, table: Table, op: OpOf<'sort'>): Table {
  return keepAll(table, { orderBy: sorted(context, table, 'by', op.by) });
}

export function limit(_context: OpContext, table: Table, op: OpOf<'limit'>): Table {
  return keepAll(table, { limit: { count: op.count, offset: op.offset ?? 0 } });
}

/** The rows of a sample depend only on their values and the seed, so a repeated step takes the same rows. */
export function sample(context: OpContext, table: Table, op: OpOf<'sample'>): Table {
  const seed = op.seed ?? 0;
  if ((op.rows === undefined) === (op.percent === undefined)) {
    context.issue('rows', 'SHAPE', 'either rows or percent is required');
    return table;
  }
  const columns = (table.columns ?? []).map(({ name }) => name);
  if (op.rows !== undefined) {
    return keepAll(table, { orderByShare: { columns, seed }, limit: { count: op.rows, offset: 0 } });
  }
  const share = call('shareOf', ...columns.map((name) => column(name)), value(seed));
  return keepAll(table, { where: call('less', share, value(op.percent! / 100)) });
}

/** Ties between rows of a key are broken by all of their columns, so that the same row is kept each time. */
export function dedupe(context: OpContext, table: Table, op: OpOf<'dedupe'>): Table {
  const keys = context.findAll(table, 'keys', op.keys).map(({ name }) => name);
  const orderBy = op.orderBy
    ? sorted(context, table, 'orderBy', op.orderBy)
    : (table.columns ?? []).map(({ name }) => ({ column: name }));
  const checked = new Set([...keys, ...orderBy.map((each) => each.column)]);
  const ties = same(table.columns ?? []).flatMap(({ name }) => (checked.has(name) ? [] : [{ column: name }]));
  return keepAll(table, { keepFirstOf: { keys, orderBy, ties } });
}

export function aggregate(context: OpContext, table: Table, op: OpOf<'aggregate'>): Table {
  const groups = context.findEach(table, 'groupBy', op.groupBy);
  const measures = op.measures.map((measure, index) => {
    const at = `measures/${index}`;
    if (measure.fn !== 'count' && measure.column === undefined) {
      context.issue(`${at}/column`, 'REQUIRED', `is required with ${measure.fn}`);
    }
    return { name: measure.as, ...measured(context, table, `${at}/column`, measure.fn, measure.column) };
  });
  const places = op.measures.map(({ as }, index) => ({ member: `measures/${index}/as`, name: as }));
  context.apart(groups, places);
  return {
    relation: {
      kind: 'select',
      from: table.relation,
      groupBy: groups.map(({ name }) => name),
      outputs: [...same(groups), ...measures.map(({ name, value }) => ({ name, value }))],
    },
    columns: [...groups, ...measures.map(({ name, type }) => ({ name, type }))],
  };
}

function measured(
  context: OpContext,
  table: Table,
  member: string,
  fn: (typeof AGGREGATES)[number],
  name: string | undefined,
): { value: Extract<Expression, { kind: 'aggregate' }>; type: string | undefined } {
  const anything = ['count', 'count_distinct', 'min', 'max'].includes(fn);
  const of = name === undefined ? undefined : context.find(table, member, name, anything ? undefined : NUMBERS);
  const type = fn.startsWith('count') ? 'integer' : fn === 'min' || fn === 'max' ? of?.type : undefined;
  return { value: { kind: 'aggregate', fn, of: of ? column(of.name) : null }, type };
}

/** Adds a column for each of the given values; rows with other values are ignored. */
export function pivot(context: OpContext, table: Table, op: OpOf<'pivot'>): Table {
  const rows = context.findEach(table, 'rows', op.rows);
  const by = context.find(table, 'column', op.column);
  const made = measured(context, table, 'value', op.fn, op.value);
  const cells = op.values.map((each, index) => {
    if (each === '') context.issue(`values/${index}`, 'MIN_LENGTH', 'a column needs a name');
    const wanted: Expression = by.type
      ? { kind: 'cast', value: value(each), type: by.type, lenient: false }
      : value(each);
    const where = call('equals', column(by.name), wanted);
    return { name: String(each), value: { ...made.value, where } as Expression };
  });
  const places = cells.map(({ name }, index) => ({ member: `values/${index}`, name }));
  context.apart(rows, places);
  return {
    relation: {
      kind: 'select',
      from: table.relation,
      groupBy: rows.map(({ name }) => name),
      outputs: [...same(rows), ...cells],
    },
    columns: [...rows, ...cells.map(({ name }): RecipeColumn => ({ name, type: made.type }))],
  };
}

/** Makes a row of each of the columns, with its name and its value. */
export function unpivot(context: OpContext, table: Table, op: OpOf<'unpivot'>): Table {
  const turned = context.findEach(table, 'columns', op.columns);
  const types = [...new Set(turned.flatMap(({ type }) => type ?? []))];
  if (types.length > 1)
    context.issue('columns', 'COLUMN_TYPE', `the columns have different types: ${types.join(', ')}`);
  const kept = table.columns?.filter(({ name }) => !turned.some((each) => each.name === name));
  const places = (['nameColumn', 'valueColumn'] as const).map((member) => ({ member, name: op[member] }));
  context.apart(kept, places);
  const inputs = turned.map(({ name }) => ({
    kind: 'select' as const,
    from: table.relation,
    outputs: [
      ...same(kept ?? []),
      { name: op.nameColumn, value: { kind: 'cast' as const, value: value(name), type: 'string', lenient: false } },
      { name: op.valueColumn, value: column(name) },
    ],
  }));
  return {
    relation: { kind: 'set', op: 'union', all: true, inputs },
    columns: kept && [...kept, { name: op.nameColumn, type: 'string' }, { name: op.valueColumn, type: types[0] }],
  };
}
