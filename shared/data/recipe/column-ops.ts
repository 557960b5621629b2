import { folded } from '../duckdb/column-names.ts';
import { decimalDigits } from '../duckdb/column-types.ts';
import type { OpOf } from './ops.ts';
import { LISTS_OR_JSON, NUMBERS, type OpContext, same, type Table, TEXTS, TEXTS_OR_JSON, withColumn } from './table.ts';
import { call, column, type Expression, value } from './tree.ts';

/** Operations on columns. Each row stays one row, except with `flatten`. */
export function select(context: OpContext, table: Table, { columns }: OpOf<'select'>): Table {
  const kept = context.findEach(table, 'columns', columns);
  return { relation: { kind: 'select', from: table.relation, outputs: same(kept) }, columns: kept };
}

export function drop(context: OpContext, table: Table, { columns }: OpOf<'drop'>): Table {
  const dropped = new Set(context.findAll(table, 'columns', columns).map(({ name }) => name));
  const left = table.columns?.filter(({ name }) => !dropped.has(name));
  if (left?.length === 0) context.issue('columns', 'NO_COLUMNS', 'no column would be left');
  return { relation: { kind: 'select', from: table.relation, outputs: same(left ?? []) }, columns: left };
}

export function rename(context: OpContext, table: Table, { map }: OpOf<'rename'>): Table {
  const names = new Map(
    Object.entries(map).map(([from, to]) => [context.find(table, `map/${from}`, from).name, to] as const),
  );
  const columns = table.columns?.map((each) => ({ ...each, name: names.get(each.name) ?? each.name }));
  const firsts = columns?.map(({ name }) => columns.findIndex((other) => folded(other.name) === folded(name))) ?? [];
  const taken = firsts.findIndex((first, i) => first < i);
  if (taken > 0) {
    const [one, other] = [table.columns![firsts[taken]!]!.name, table.columns![taken]!.name];
    context.issue('map', 'COLUMN_TAKEN', `${one} and ${other} would both be called ${columns![taken]!.name}`);
  }
  const outputs = (table.columns ?? []).map(({ name }) => ({ name: names.get(name) ?? name, value: column(name) }));
  return { relation: { kind: 'select', from: table.relation, outputs }, columns };
}

export function reorder(context: OpContext, table: Table, { columns }: OpOf<'reorder'>): Table {
  const first = context.findEach(table, 'columns', columns);
  const names = new Set(first.map(({ name }) => name));
  const ordered = table.columns && [...first, ...table.columns.filter(({ name }) => !names.has(name))];
  return { relation: { kind: 'select', from: table.relation, outputs: same(ordered ?? []) }, columns: ordered };
}

export function derive(_context: OpContext, table: Table, op: OpOf<'derive'>): Table {
  return withColumn(table, { name: op.column }, { kind: 'author', text: op.expression });
}

export function cast(context: OpContext, table: Table, op: OpOf<'cast'>): Table {
  const { name } = context.find(table, 'column', op.column);
  const { type } = op;
  const decimal = decimalDigits(type);
  if (decimal && (decimal.precision > 38 || decimal.precision < 1 || decimal.scale > decimal.precision)) {
    context.issue('type', 'PATTERN', `${type} is no type: at most 38 digits, of which so many stand after the point`);
    return table;
  }
  return withColumn(table, { name, type }, { kind: 'cast', value: column(name), type, lenient: op.onError === 'null' });
}

export function fill(context: OpContext, table: Table, op: OpOf<'fill'>): Table {
  const found = context.find(table, 'column', op.column, op.method === 'mean' ? NUMBERS : undefined);
  if ((op.value === undefined) === (op.method === undefined)) {
    context.issue('value', 'SHAPE', 'either value or method is required');
    return table;
  }
  const own = column(found.name);
  const typed = (expression: Expression): Expression =>
    found.type ? { kind: 'cast', value: expression, type: found.type, lenient: false } : expression;
  if (op.value !== undefined) {
    const misfit = found.type && misfitOf(op.value, found.type);
    if (misfit) context.issue('value', 'COLUMN_TYPE', `${op.value} ${misfit}: ${found.name} is ${found.type}`);
    return withColumn(table, found, call('coalesce', own, typed(value(op.value))));
  }
  const window = { kind: 'window', partitionBy: [], orderBy: [], args: [own] } as const;
  const filled: Expression =
    op.method === 'mean'
      ? typed({ ...window, args: [own], partitionBy: [], orderBy: [], fn: 'avg' })
      : op.method === 'forward'
        ? { ...window, args: [own], partitionBy: [], orderBy: [], fn: 'last_value', frame: 'before' }
        : { ...window, args: [own], partitionBy: [], orderBy: [], fn: 'first_value', frame: 'after' };
  return withColumn(table, found, call('coalesce', own, filled));
}

/** Every text that the engine reads as a number of some type, even `+-5` as a double. */
const NUMBER = /^\s*\+?-?(?:(?:\d[\d_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?|0[xb][\da-f_]+|nan|inf(?:inity)?)\s*$/i;

/** Why a column of the type cannot hold a value, as far as this can be determined without the engine. */
function misfitOf(given: string | number | boolean, type: string): string | undefined {
  if (NUMBERS.test(type) && typeof given === 'string' && !NUMBER.test(given)) return 'is not a number';
  if (/^(date|timestamp)/.test(type) && typeof given !== 'string') return 'is no date';
  return decimalsOf(given) > decimalsIn(type) ? 'would be rounded' : undefined;
}

/** The number of decimal places of a number. */
function decimalsOf(number: string | number | boolean): number {
  const [, digits = '', exponent = 0] = /^\s*[-+]?\d*\.?(\d*)(?:e([-+]?\d+))?\s*$/i.exec(String(number)) ?? [];
  return digits.replace(/0+$/, '').length - Number(exponent);
}

/** The number of decimal places that a type keeps. */
function decimalsIn(type: string): number {
  if (type === 'integer') return 0;
  return decimalDigits(type)?.scale ?? Number.POSITIVE_INFINITY;
}

export function replace(context: OpContext, table: Table, op: OpOf<'replace'>): Table {
  const found = context.find(table, 'column', op.column, TEXTS);
  const fn = op.regex ? 'replacePattern' : 'replace';
  return withColumn(table, found, call(fn, column(found.name), value(op.from), value(op.to)));
}

export function split(context: OpContext, table: Table, op: OpOf<'split'>): Table {
  const { name } = context.find(table, 'column', op.column, TEXTS);
  const places = op.into.map((into, index) => ({ member: `into/${index}`, name: into }));
  context.apart(table.columns, places);
  return op.into.reduce((made, into, index) => {
    const part = call('splitPart', column(name), value(op.delimiter), value(index + 1));
    return withColumn(made, { name: into, type: 'string' }, part);
  }, table);
}

export function concat(context: OpContext, table: Table, op: OpOf<'concat'>): Table {
  const texts = context
    .findAll(table, 'columns', op.columns)
    .map(({ name }): Expression => ({ kind: 'cast', value: column(name), type: 'string', lenient: false }));
  return withColumn(table, { name: op.into, type: 'string' }, call('joinTexts', value(op.separator ?? ''), ...texts));
}

export function extract(context: OpContext, table: Table, op: OpOf<'extract'>): Table {
  const { name } = context.find(table, 'column', op.column, TEXTS);
  // The first group, if the pattern has one.
  const group = hasGroup(op.pattern) ? 1 : 0;
  const found = call('extractPattern', column(name), value(op.pattern), value(group));
  return withColumn(table, { name: op.into, type: 'string' }, found);
}

/** The literal parts of a pattern: quoted texts, escaped characters, character classes. */
const NO_SYNTAX = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]/gs;

const hasGroup = (pattern: string) => /\((?:[^?]|\?P<)/.test(pattern.replace(NO_SYNTAX, '-'));

export function text(context: OpContext, table: Table, op: OpOf<'text'>): Table {
  const found = context.find(table, 'column', op.column, TEXTS);
  return withColumn(table, found, call(op.fn, column(found.name)));
}

export function parseJson(context: OpContext, table: Table, op: OpOf<'parse_json'>): Table {
  const { name } = context.find(table, 'column', op.column, TEXTS_OR_JSON);
  const places = Object.keys(op.paths).map((into) => ({ member: `paths/${into}`, name: into }));
  context.apart(table.columns, places);
  return Object.entries(op.paths).reduce((made, [into, path]) => {
    return withColumn(made, { name: into, type: 'string' }, call('jsonText', column(name), value(path)));
  }, table);
}

export function flatten(context: OpContext, table: Table, op: OpOf<'flatten'>): Table {
  const { name, type } = context.find(table, 'column', op.column, LISTS_OR_JSON);
  if (type === 'json') return withColumn(table, { name, type }, call('unnestJson', column(name)));
  return withColumn(table, { name, type: type?.slice('list('.length, -1) }, call('unnest', column(name)));
}

export function surrogateKey(context: OpContext, table: Table, op: OpOf<'surrogate_key'>): Table {
  context.free(table, 'column', op.column);
  const number: Expression = { kind: 'window', fn: 'row_number', args: [], partitionBy: [], orderBy: [] };
  return withColumn(table, { name: op.column, type: 'integer' }, number);
}

/** The `by` columns of an operation that sorts. */
export function sorted(context: OpContext, table: Table, member: string, by: OpOf<'sort'>['by'] = []) {
  return by.map((each, index) => ({
    ...each,
    column: context.find(table, `${member}/${index}/column`, each.column).name,
  }));
}

const NEED_COLUMN: ReadonlySet<string> = new Set([
  'lag',
  'lead',
  'first_value',
  'last_value',
  'sum',
  'avg',
  'min',
  'max',
]);
const RANKS: ReadonlySet<string> = new Set(['row_number', 'rank', 'dense_rank', 'percent_rank']);

export function window(context: OpContext, table: Table, op: OpOf<'window'>): Table {
  if (NEED_COLUMN.has(op.fn) && op.column === undefined)
    context.issue('column', 'REQUIRED', `is required with ${op.fn}`);
  if (RANKS.has(op.fn) && op.column !== undefined) context.issue('column', 'NOT_ALLOWED', `${op.fn} takes no column`);
  const numbers = op.fn === 'sum' || op.fn === 'avg' ? NUMBERS : undefined;
  const of = op.column === undefined ? undefined : context.find(table, 'column', op.column, numbers);
  context.free(table, 'as', op.as);
  const orderBy = sorted(context, table, 'orderBy', op.orderBy);
  const type = RANKS.has(op.fn) || op.fn === 'count' ? (op.fn === 'percent_rank' ? 'double' : 'integer') : undefined;
  const running = !RANKS.has(op.fn) && op.fn !== 'lag' && op.fn !== 'lead' && orderBy.length > 0;
  return withColumn(
    table,
    { name: op.as, type },
    {
      kind: 'window',
      fn: op.fn,
      args: of ? [column(of.name)] : [],
      partitionBy: context.findAll(table, 'partitionBy', op.partitionBy ?? []).map(({ name }) => name),
      orderBy,
      ...(running ? { frame: 'running' as const } : {}),
    },
  );
}
