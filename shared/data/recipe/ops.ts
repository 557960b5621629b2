import type { Static, TObject, TSchema } from 'typebox';
import * as Type from 'typebox';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';

/** The operations of a visual recipe, each as a strict object. */
const Column = Type.String({ minLength: 1, maxLength: 63, pattern: '^[^\\0]*$' });
const Columns = Type.Array(Column, { minItems: 1, maxItems: 1000, uniqueItems: true });
const Expression = Type.String({ minLength: 1, maxLength: 10_000, description: 'SQL over the columns of one row.' });
const Text = Type.String({ maxLength: 1024 });
const Value = Type.Union([Text, Type.Number(), Type.Boolean()]);
const Order = Type.Array(StrictObject({ column: Column, direction: Type.Optional(StringEnum(['asc', 'desc'])) }), {
  minItems: 1,
  maxItems: 16,
});
const ColumnType = Type.String({
  pattern: '^(string|integer|double|boolean|date|timestamp|timestamptz|json|decimal\\(\\d{1,2},\\d{1,2}\\))$',
});
const Alias = Type.String({ minLength: 1, maxLength: 63, description: 'The name of another input of the step.' });
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

const op = <N extends string, P extends Record<string, TSchema>>(name: N, description: string, members: P) =>
  StrictObject({ op: Type.Literal(name), ...members }, { description });

export const OPS = {
  select: op('select', 'Keeps the given columns, in the given order.', { columns: Columns }),
  drop: op('drop', 'Removes the given columns.', { columns: Columns }),
  rename: op('rename', 'Renames columns.', {
    map: Type.Record(Column, Column, { minProperties: 1, maxProperties: 1000, description: 'New names by old ones.' }),
  }),
  reorder: op('reorder', 'Moves the given columns to the front.', { columns: Columns }),
  filter: op('filter', 'Keeps the rows for which a condition is true.', { condition: Expression }),
  derive: op('derive', 'Adds a column, or replaces the values of one.', { column: Column, expression: Expression }),
  cast: op('cast', 'Changes the type of a column.', {
    column: Column,
    type: ColumnType,
    onError: Type.Optional(
      StringEnum(['fail', 'null'], { description: 'What to do with values that do not fit. Omit it for `fail`.' }),
    ),
  }),
  fill: op('fill', 'Replaces nulls by a value, or by a method.', {
    column: Column,
    value: Type.Optional(Value),
    method: Type.Optional(StringEnum(['forward', 'backward', 'mean'])),
  }),
  replace: op('replace', 'Replaces a part of texts.', {
    column: Column,
    from: Text,
    to: Text,
    regex: Type.Optional(Type.Boolean()),
  }),
  split: op('split', 'Splits texts into several columns.', {
    column: Column,
    delimiter: Type.String({ minLength: 1, maxLength: 64 }),
    into: Columns,
  }),
  concat: op('concat', 'Joins texts of several columns into one; nulls are left out.', {
    columns: Columns,
    into: Column,
    separator: Type.Optional(Text),
  }),
  extract: op('extract', 'Takes what a pattern, or its first group, matches in texts.', {
    column: Column,
    pattern: Type.String({ minLength: 1, maxLength: 1024 }),
    into: Column,
  }),
  text: op('text', 'Trims texts or changes their case.', {
    column: Column,
    fn: StringEnum(['trim', 'upper', 'lower', 'title']),
  }),
  parse_json: op('parse_json', 'Reads values from texts of JSON into new columns.', {
    column: Column,
    paths: Type.Record(Column, Type.String({ pattern: '^\\$', maxLength: 1024 }), {
      minProperties: 1,
      maxProperties: 1000,
      description: 'Paths such as `$.address.city`, by the name of the new column.',
    }),
  }),
  flatten: op('flatten', 'Makes a row of each item of a list or of a JSON array.', { column: Column }),
  dedupe: op('dedupe', 'Keeps the first row of each key.', { keys: Columns, orderBy: Type.Optional(Order) }),
  sort: op('sort', 'Sorts the rows, with nulls last.', { by: Order }),
  limit: op('limit', 'Keeps so many rows.', {
    count: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  sample: op('sample', 'Keeps a sample of the rows, the same each time.', {
    rows: Type.Optional(Type.Integer({ minimum: 1 })),
    percent: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 100 })),
    seed: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  aggregate: op('aggregate', 'Groups the rows and calculates measures of each group.', {
    groupBy: Type.Array(Column, { maxItems: 100, uniqueItems: true }),
    measures: Type.Array(StrictObject({ column: Type.Optional(Column), fn: StringEnum(AGGREGATES), as: Column }), {
      minItems: 1,
      maxItems: 200,
    }),
  }),
  window: op('window', 'Adds a column with a window function.', {
    partitionBy: Type.Optional(Columns),
    orderBy: Type.Optional(Order),
    fn: StringEnum(WINDOWS),
    column: Type.Optional(Column),
    as: Column,
  }),
  pivot: op('pivot', 'Makes a column of each of the given values.', {
    rows: Columns,
    column: Column,
    value: Column,
    fn: StringEnum(AGGREGATES),
    values: Type.Array(Value, { minItems: 1, maxItems: 500, uniqueItems: true }),
  }),
  unpivot: op('unpivot', 'Makes a row of each of the given columns.', {
    columns: Columns,
    nameColumn: Column,
    valueColumn: Column,
  }),
  join: op('join', 'Joins another input.', {
    with: Alias,
    type: StringEnum(['inner', 'left', 'right', 'full', 'semi', 'anti']),
    on: On,
    suffix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'Added to columns of the other input whose names are taken. Omit it for `_right`.',
      }),
    ),
  }),
  lookup: op('lookup', 'Adds columns of the row of another input that has the same key.', {
    with: Alias,
    on: On,
    columns: Columns,
    multiple: Type.Optional(
      StringEnum(['first', 'error'], {
        description: 'What to do when several rows have the key. Omit it for `first`.',
      }),
    ),
  }),
  union: op('union', 'Adds the rows of other inputs.', {
    with: Type.Array(Alias, { minItems: 1, maxItems: 20 }),
    by: Type.Optional(
      StringEnum(['name', 'position'], { description: 'How columns are matched. Omit it for `name`.' }),
    ),
    distinct: Type.Optional(Type.Boolean({ description: 'Whether to leave out repeated rows.' })),
  }),
  intersect: op('intersect', 'Keeps distinct rows that another input has as well.', { with: Alias }),
  except: op('except', 'Keeps distinct rows that another input does not have.', { with: Alias }),
  surrogate_key: op('surrogate_key', 'Numbers the rows, from 1.', { column: Column }),
  assert: op('assert', 'Checks that a condition is true for all rows.', {
    condition: Expression,
    action: Type.Optional(
      StringEnum(['fail', 'drop'], { description: 'Fail the step, as when omitted, or drop the row.' }),
    ),
  }),
} as const satisfies Record<string, TObject>;

export type OpName = keyof typeof OPS;
export type OpOf<N extends OpName> = Static<(typeof OPS)[N]>;
export type Op = { [N in OpName]: OpOf<N> }[OpName];

export const MAX_OPS = 200;
