import { folded } from '../duckdb/column-names.ts';
import type { OpOf } from './ops.ts';
import { type OpContext, type RecipeColumn, same, type Table } from './table.ts';
import { call, column, type Expression, type Output, type Relation, value } from './tree.ts';

/** Operations that combine the rows with another input of the step. */
export function join(context: OpContext, table: Table, op: OpOf<'join'>): Table {
  const other = context.input('with', op.with);
  if (!other) return table;
  const on = pairs(context, table, other, op.on);
  const relation = (outputs: Output[]): Relation => ({
    kind: 'join',
    type: op.type,
    left: table.relation,
    right: other.relation,
    on,
    outputs,
  });
  const left = table.columns ?? [];
  const mine = left.map(({ name }) => ({ name, value: column(name, 'left') }));
  if (op.type === 'semi' || op.type === 'anti') return { relation: relation(mine), columns: table.columns };

  // A key with the same name on both sides becomes one column; in a row without a left side it has the value of the
  // right one.
  const shared = new Map(
    on.filter((pair) => folded(pair.left) === folded(pair.right)).map((pair) => [pair.left, pair]),
  );
  const outer = op.type === 'right' || op.type === 'full';
  const first = mine.map((output) => {
    const pair = shared.get(output.name);
    if (!pair || !outer) return output;
    return { ...output, value: call('coalesce', output.value, column(pair.right, 'right')) };
  });
  const suffix = op.suffix ?? '_right';
  const taken = new Set(left.map(({ name }) => folded(name)));
  const second = (other.columns ?? [])
    .filter(({ name }) => ![...shared.values()].some((pair) => pair.right === name))
    .map((each) => ({
      from: each.name,
      column: { ...each, name: taken.has(folded(each.name)) ? each.name + suffix : each.name },
    }));
  const places = second.map(({ column: { name } }) => ({ member: 'suffix', name }));
  context.apart(left, places);
  const outputs = [...first, ...second.map(({ from, column: { name } }) => ({ name, value: column(from, 'right') }))];
  const columns = table.columns && other.columns && [...left, ...second.map((each) => each.column)];
  return { relation: relation(outputs), columns };
}

/** Adds columns of the row with the key, or nulls. Never adds rows. */
export function lookup(context: OpContext, table: Table, op: OpOf<'lookup'>): Table {
  const other = context.input('with', op.with);
  if (!other) return table;
  const on = pairs(context, table, other, op.on);
  const places = op.columns.map((name, index) => ({ member: `columns/${index}`, name }));
  context.apart(table.columns, places);
  const wanted = context.findAll(other, 'columns', op.columns);
  const keys = on.map(({ right }) => right);
  const matches = 'matches of the key';
  const counted: Relation = {
    kind: 'select',
    from: other.relation,
    outputs: [
      ...same(other.columns ?? []),
      { name: matches, value: { kind: 'window', fn: 'count', args: [], partitionBy: keys, orderBy: [] } },
    ],
    keepFirstOf: { keys, orderBy: (other.columns ?? []).map(({ name }) => ({ column: name })) },
  };
  const failure = call('failure', value(`Several rows of ${op.with} have the same lookup key.`));
  const found = (name: string): Expression => {
    const own = column(name, 'right');
    if (op.multiple !== 'error') return own;
    return { kind: 'case', when: call('greater', column(matches, 'right'), value(1)), result: failure, otherwise: own };
  };
  const relation: Relation = {
    kind: 'join',
    type: 'left',
    left: table.relation,
    right: counted,
    on,
    outputs: [
      ...(table.columns ?? []).map(({ name }) => ({ name, value: column(name, 'left') })),
      ...wanted.map(({ name }) => ({ name, value: found(name) })),
    ],
  };
  if (op.multiple === 'error') {
    const numbers: Relation = {
      kind: 'select',
      from: other.relation,
      groupBy: keys,
      outputs: [
        ...same(other.columns ?? []).filter(({ name }) => keys.includes(name)),
        { name: matches, value: { kind: 'aggregate', fn: 'count', of: null } },
      ],
    };
    const outputs = [{ name: matches, value: column(matches, 'right') }];
    const of: Relation = { kind: 'join', type: 'inner', left: table.relation, right: numbers, on, outputs };
    const when = call('greater', column(matches), value(1));
    context.check({ of, bad: { kind: 'case', when, result: failure, otherwise: value(false) } });
  }
  return { relation, columns: table.columns && [...table.columns, ...wanted] };
}

function pairs(context: OpContext, table: Table, other: Table, on: OpOf<'join'>['on']) {
  return on.map((pair, index) => {
    const left = context.find(table, `on/${index}/left`, pair.left);
    const right = context.find(other, `on/${index}/right`, pair.right);
    if (left.type && right.type && kindOf(left.type) !== kindOf(right.type)) {
      const message = `${left.name} is ${left.type} and ${right.name} is ${right.type}, so they can never be equal`;
      context.issue(`on/${index}`, 'COLUMN_TYPE', message);
    }
    return { left: left.name, right: right.name };
  });
}

/** Numbers can be compared with numbers and times with times, whatever their precision. */
function kindOf(type: string): string {
  if (/^(integer|double|decimal)/.test(type)) return 'number';
  return /^(date|timestamp)/.test(type) ? 'time' : type;
}

/** The column that holds the values of both columns. */
function united(context: OpContext, member: string, met: RecipeColumn, next: RecipeColumn): RecipeColumn {
  if (met.type && next.type && kindOf(met.type) !== kindOf(next.type)) {
    context.issue(member, 'COLUMN_TYPE', `${next.name} is ${next.type} here and ${met.type} before`);
  }
  return { name: met.name, type: met.type === next.type ? met.type : undefined };
}

export function union(context: OpContext, table: Table, op: OpOf<'union'>): Table {
  const others = op.with.map((alias, index) => context.input(`with/${index}`, alias));
  const tables = [table, ...others.filter((each) => each !== undefined)];
  const all = op.distinct !== true;
  if (op.by === 'position') {
    let columns = table.columns;
    for (const [index, each] of tables.entries()) {
      if (!columns || !each.columns) continue;
      if (each.columns.length === columns.length) {
        columns = columns.map((met, place) => united(context, `with/${index - 1}`, met, each.columns![place]!));
      } else {
        const message = `has ${each.columns.length} columns, not ${columns.length}`;
        context.issue(`with/${index - 1}`, 'COLUMN_COUNT', message);
      }
    }
    return { relation: { kind: 'set', op: 'union', all, inputs: tables.map(({ relation }) => relation) }, columns };
  }
  const known = tables.every(({ columns }) => columns);
  const columns: RecipeColumn[] = [];
  for (const [index, each] of tables.entries()) {
    for (const next of each.columns ?? []) {
      const place = columns.findIndex(({ name }) => folded(name) === folded(next.name));
      if (place < 0) columns.push(next);
      else columns[place] = united(context, `with/${index - 1}`, columns[place]!, next);
    }
  }
  const inputs = tables.map(
    ({ relation, columns: own = [] }): Relation => ({
      kind: 'select',
      from: relation,
      outputs: columns.map(({ name }) => {
        const found = own.find((each) => folded(each.name) === folded(name));
        return { name, value: found ? column(found.name) : value(null) };
      }),
    }),
  );
  return { relation: { kind: 'set', op: 'union', all, inputs }, columns: known ? columns : undefined };
}

export function combine(op: 'intersect' | 'except') {
  return (context: OpContext, table: Table, { with: alias }: OpOf<'intersect' | 'except'>): Table => {
    const other = context.input('with', alias);
    if (!other) return table;
    const columns = (table.columns ?? []).map(({ name }) => context.find(other, 'with', name));
    const right: Relation = { kind: 'select', from: other.relation, outputs: same(columns) };
    return { ...table, relation: { kind: 'set', op, all: false, inputs: [table.relation, right] } };
  };
}
