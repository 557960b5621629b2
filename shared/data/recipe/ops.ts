import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';

/** The operations of a visual recipe, each with its closed shape. */
const Column = Type.String({ minLength: 1, maxLength: 63, pattern: '^[^\\0]*$' });
const Columns = Type.Array(Column, { minItems: 1, maxItems: 1000, uniqueItems: true });
const Expression = Type.String({ minLength: 1, maxLength: 10_000 });
const Text = Type.String({ maxLength: 1024 });
const Value = Type.Union([Text, Type.Number(), Type.Boolean()]);
const Order = Type.Array(StrictObject({ column: Column, direction: Type.Optional(StringEnum(['asc', 'desc'])) }), {
  minItems: 1,
  maxItems: 16,
});
const ColumnType = Type.String({
  pattern: '^(string|integer|double|boolean|date|timestamp|timestamptz|json|decimal\\(\\d{1,2},\\d{1,2}\\))$',
});
/** Another input of the step, by its alias. */
const Alias = Type.String({ minLength: 1, maxLength: 63 });
const On = Type.Array(StrictObject({ left: Column, right: Column }), { minItems: 1, maxItems: 16 });

export const AGGREGATES = [
  'count',
  'count_distinct',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'stddev',
  'variance',
] as const;
export const WINDOWS = [
  'row_number',
  'rank',
  'dense_rank',
  'percent_rank',
  'lag',
  'lead',
  'first_value',
  'last_value',
  'sum',
  'avg',
  'min',
  'max',
  'count',
] as const;

const op = <N extends string, P extends Record<string, TSchema>>(name: N, members: P) =>
  StrictObject({ op: Type.Literal(name), ...members });

export const OPS = {
  select: op('select', { columns: Columns }),
  drop: op('drop', { columns: Columns }),
  rename: op('rename', { map: Type.Record(Column, Column, { minProperties: 1 }) }),
  reorder: op('reorder', { columns: Columns }),
  filter: op('filter', { condition: Expression }),
  derive: op('derive', { column: Column, expression: Expression }),
  cast: op('cast', { column: Column, type: ColumnType, onError: Type.Optional(StringEnum(['fail', 'null'])) }),
  fill: op('fill', {
    column: Column,
    value: Type.Optional(Value),
    method: Type.Optional(StringEnum(['forward', 'backward', 'mean'])),
  }),
  replace: op('replace', { column: Column, from: Text, to: Text, regex: Type.Optional(Type.Boolean()) }),
  split: op('split', { column: Column, delimiter: Type.String({ minLength: 1, maxLength: 64 }), into: Columns }),
  concat: op('concat', { columns: Columns, into: Column, separator: Type.Optional(Text) }),
  extract: op('extract', { column: Column, pattern: Type.String({ minLength: 1, maxLength: 1024 }), into: Column }),
  text: op('text', { column: Column, fn: StringEnum(['trim', 'upper', 'lower', 'title']) }),
  parse_json: op('parse_json', {
    column: Column,
    paths: Type.Record(Column, Type.String({ pattern: '^\\$', maxLength: 1024 }), { minProperties: 1 }),
  }),
  flatten: op('flatten', { column: Column }),
  dedupe: op('dedupe', { keys: Columns, orderBy: Type.Optional(Order) }),
  sort: op('sort', { by: Order }),
  limit: op('limit', {
    count: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  sample: op('sample', {
    rows: Type.Optional(Type.Integer({ minimum: 1 })),
    percent: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
    seed: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  aggregate: op('aggregate', {
    groupBy: Type.Array(Column, { maxItems: 100, uniqueItems: true }),
    measures: Type.Array(StrictObject({ column: Type.Optional(Column), fn: StringEnum(AGGREGATES), as: Column }), {
      minItems: 1,
      maxItems: 200,
    }),
  }),
  window: op('window', {
    partitionBy: Type.Optional(Columns),
    orderBy: Type.Optional(Order),
    fn: StringEnum(WINDOWS),
    column: Type.Optional(Column),
    as: Column,
  }),
  pivot: op('pivot', {
    rows: Columns,
    column: Column,
    value: Column,
    fn: StringEnum(AGGREGATES),
    values: Type.Array(Value, { minItems: 1, maxItems: 500, uniqueItems: true }),
  }),
  unpivot: op('unpivot', { columns: Columns, nameColumn: Column, valueColumn: Column }),
  join: op('join', {
    with: Alias,
    type: StringEnum(['inner', 'left', 'right', 'full', 'semi', 'anti']),
    on: On,
    suffix: Type.Optional(Type.String({ minLength: 1, maxLength: 32 })),
  }),
  lookup: op('lookup', {
    with: Alias,
    on: On,
    columns: Columns,
    multiple: Type.Optional(StringEnum(['first', 'error'])),
  }),
  union: op('union', {
    with: Type.Array(Alias, { minItems: 1, maxItems: 20 }),
    by: Type.Optional(StringEnum(['name', 'position'])),
    distinct: Type.Optional(Type.Boolean()),
  }),
  intersect: op('intersect', { with: Alias }),
  except: op('except', { with: Alias }),
  surrogate_key: op('surrogate_key', { column: Column }),
  assert: op('assert', { condition: Expression, action: Type.Optional(StringEnum(['fail', 'drop'])) }),
} as const satisfies Record<string, TObject>;

export type OpName = keyof typeof OPS;
export type OpOf<N extends OpName> = Static<(typeof OPS)[N]>;
export type Op = { [N in OpName]: OpOf<N> }[OpName];

export const MAX_OPS = 200;
