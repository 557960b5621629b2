import type { Static, TObject } from 'typebox';
import * as Type from 'typebox';
import { StrictObject, StringEnum } from '../../platform/http/schemas.ts';
import { DATA_TYPES } from '../expressions/index.ts';

export const TRANSFORM_TYPES = [
  'filter_rows',
  'remove_columns',
  'rename_column',
  'change_type',
  'add_column',
  'replace_values',
  'sort_rows',
  'top_n',
  'deduplicate',
  'group_aggregate',
] as const;
export type TransformType = (typeof TRANSFORM_TYPES)[number];

export const FILTER_OPERATORS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'contains',
  'starts_with',
  'is_null',
  'not_null',
] as const;

const Column = Type.String({ minLength: 1, maxLength: 255 });
const Columns = Type.Array(Column, { minItems: 1, maxItems: 1000, uniqueItems: true });
const Scalar = Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean()]);
const Order = StrictObject(
  {
    column: Column,
    direction: Type.Optional(StringEnum(['asc', 'desc'])),
    nulls: Type.Optional(StringEnum(['first', 'last'])),
  },
  {
    $id: 'TransformOrder',
    description: 'A column to sort by: ascending, with nulls last, when nothing else is given.',
  },
);
const Orders = Type.Array(Order, { minItems: 1, maxItems: 20 });

const describe = (name: string, description: string) => ({ $id: `${name}Config`, description });

/** The closed shape of `config` for each type of step. */
export const TRANSFORM_CONFIGS = {
  filter_rows: StrictObject(
    {
      match: Type.Optional(
        StringEnum(['all', 'any'], { description: 'Whether rows must meet `all` conditions (the default), or any.' }),
      ),
      conditions: Type.Array(
        StrictObject(
          {
            column: Column,
            op: StringEnum(FILTER_OPERATORS, { description: '`ne` and `not_in` keep rows without a value.' }),
            value: Type.Optional(
              Type.Union([Scalar, Type.Array(Scalar, { minItems: 1, maxItems: 1000 })], {
                description:
                  'A list for `in` and `not_in`, two values for `between`, none for `is_null` and `not_null`.',
              }),
            ),
          },
          { $id: 'TransformCondition', description: 'A condition on one column.' },
        ),
        { minItems: 1, maxItems: 50 },
      ),
    },
    describe('FilterRows', 'Keeps the rows that meet the conditions.'),
  ),
  remove_columns: StrictObject({ columns: Columns }, describe('RemoveColumns', 'Removes columns.')),
  rename_column: StrictObject({ from: Column, to: Column }, describe('RenameColumn', 'Gives a column another name.')),
  change_type: StrictObject(
    {
      column: Column,
      type: StringEnum(DATA_TYPES),
      onError: Type.Optional(
        StringEnum(['null', 'fail'], { description: 'What becomes of values that do not convert; `null` by default.' }),
      ),
      format: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'The format of dates in texts, such as `%d.%m.%Y`.' }),
      ),
    },
    describe('ChangeType', 'Converts the values of a column.'),
  ),
  add_column: StrictObject(
    {
      name: Column,
      expression: Type.String({
        minLength: 1,
        maxLength: 65_536,
        description: 'Over the columns at this step, such as `[price] * [quantity]`.',
      }),
      type: Type.Optional(StringEnum(DATA_TYPES, { description: 'The type of the expression when absent.' })),
    },
    describe('AddColumn', 'Adds a computed column.'),
  ),
  replace_values: StrictObject(
    {
      column: Column,
      pairs: Type.Array(
        StrictObject(
          { from: Type.String({ maxLength: 1000 }), to: Type.String({ maxLength: 1000 }) },
          { $id: 'TransformReplacement', description: 'A text and what takes its place.' },
        ),
        { minItems: 1, maxItems: 500 },
      ),
      mode: Type.Optional(
        StringEnum(['exact', 'regex'], {
          description: '`exact` by default. With `regex`, `to` may have groups (`\\1`) and the match (`\\0`).',
        }),
      ),
    },
    describe('ReplaceValues', 'Replaces whole texts, or what matches a regular expression.'),
  ),
  sort_rows: StrictObject(
    { by: Orders },
    describe('SortRows', 'Sorts the rows for previews, and for `deduplicate` without `orderBy`.'),
  ),
  top_n: StrictObject(
    { n: Type.Integer({ minimum: 1, maximum: 1_000_000 }), by: Orders, perGroup: Type.Optional(Columns) },
    describe('TopN', 'Keeps the first rows in an order, of all rows or per group.'),
  ),
  deduplicate: StrictObject(
    {
      keys: Columns,
      keep: Type.Optional(StringEnum(['first', 'last'], { description: '`first` by default.' })),
      orderBy: Type.Optional(Orders),
    },
    describe('Deduplicate', 'Keeps one row for each combination of keys.'),
  ),
  group_aggregate: StrictObject(
    {
      groupBy: Type.Array(Column, { maxItems: 100, uniqueItems: true }),
      aggregations: Type.Array(
        StrictObject(
          {
            column: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 255,
                description: 'Not needed for `count`, which then counts rows.',
              }),
            ),
            fn: StringEnum(['sum', 'count', 'count_distinct', 'avg', 'min', 'max']),
            as: Column,
          },
          { $id: 'TransformAggregation', description: 'An aggregate of a column, under a name.' },
        ),
        { minItems: 1, maxItems: 100 },
      ),
    },
    describe('GroupAggregate', 'Combines the rows of each group into one.'),
  ),
} as const satisfies Record<TransformType, TObject>;

export type TransformConfig<T extends TransformType = TransformType> = Static<(typeof TRANSFORM_CONFIGS)[T]>;
