import type { Static } from 'typebox';
import * as Type from 'typebox';
import type { StoredExpression } from '../../../../data/expressions/index.ts';
import { DATA_TYPES } from '../../../../data/expressions/index.ts';
import {
  Id,
  Name,
  Nullable,
  Revision,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../../../platform/http/schemas.ts';
import {
  type FiscalCalendar as Calendar,
  WEEK_PATTERNS,
  WEEKDAYS,
  YEAR_NAMES,
  YEAR_STARTS,
} from '../../../../platform/schedule/fiscal-years.ts';
import { PERIOD_GRAINS } from '../../../../platform/schedule/periods.ts';

export const Alias = Type.Unsafe<string>({
  ...Name,
  maxLength: 100,
  description: 'The name of the table in expressions, unique within the model; case does not matter.',
});

/** An expression as stored: its references are ids, so that names can change. */
const Stored = Type.Unsafe<StoredExpression>({ type: 'object' });

export const Description = Type.String({ maxLength: 2000 });

/** The members of every part of a model. The revision of each counts its own changes only. */
const stamps = {
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export const FIELD_TYPES = ['dimension', 'measure', 'calculated'] as const;
export const AGGREGATIONS = ['sum', 'count', 'count_distinct', 'avg', 'min', 'max', 'none'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];
export const JOIN_TYPES = ['inner', 'left', 'right', 'full'] as const;
export const CARDINALITIES = ['1:1', '1:N', 'N:M'] as const;
export const MEASURE_TYPES = ['number', 'integer', 'decimal', 'string', 'date', 'boolean'] as const;
export const FORMAT_KINDS = ['number', 'percent', 'currency', 'duration', 'date'] as const;
export const POLICY_SUBJECTS = ['everyone', 'role', 'group', 'user', 'apiKey', 'share', 'embed'] as const;

/** A column of a source table, as the last import or sync has seen it. */
export const SourceColumn = Type.Object({
  name: Type.String(),
  type: Type.String({ description: 'Such as `integer`, `decimal(18,2)` or `timestamp`.' }),
  /** The type in the database, such as `uuid`; absent for datasets, and where no sync has stored it. */
  sourceType: Type.Optional(Type.String()),
});

export const tableProperties = {
  sourceSchema: Type.String({ maxLength: 255 }),
  sourceTable: Type.String({ minLength: 1, maxLength: 1024 }),
  alias: Alias,
  description: Description,
};

export const ModelTable = Type.Object({
  id: Id,
  ...tableProperties,
  /** Null until an import or a sync has seen them. */
  columns: Nullable(Type.Array(SourceColumn)),
  missing: Type.Boolean({ description: 'Whether the last sync did not find the table in its source.' }),
  ...stamps,
});
export type ModelTable = Static<typeof ModelTable>;

export const fieldProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the table; case does not matter.' }),
  sourceColumn: Nullable(Type.String({ minLength: 1, maxLength: 1024 })),
  fieldType: StringEnum(FIELD_TYPES),
  dataType: StringEnum(DATA_TYPES),
  aggregation: StringEnum(AGGREGATIONS, { description: 'How values are combined where no measure says so.' }),
  format: Nullable(Type.String({ maxLength: 200, description: 'How to show values, such as `0.00` or `yyyy-MM-dd`.' })),
  description: Description,
  isHidden: Type.Boolean(),
  sortByField: Nullable(Type.Unsafe<string>({ ...Id, description: 'The field of the same table to sort by.' })),
  semanticType: Nullable(
    Type.String({ minLength: 1, maxLength: 100, description: 'What values mean, such as `email` or `country`.' }),
  ),
  isMetric: Type.Boolean(),
  ordinal: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The place in the list of the table.' }),
  sensitivityLabel: Nullable(Type.String({ minLength: 1, maxLength: 100 })),
};

export const ModelField = Type.Object({
  id: Id,
  tableId: Id,
  ...fieldProperties,
  isKey: Type.Boolean(),
  /** Null unless calculated. */
  expression: Nullable(Stored),
  ...stamps,
});
export type ModelField = Static<typeof ModelField>;

export const relationshipProperties = {
  fromTableId: Id,
  fromFieldId: Id,
  toTableId: Id,
  toFieldId: Id,
  joinType: StringEnum(JOIN_TYPES, {
    description:
      'Which rows without a partner count. `inner`: none. `left`: those of the aggregated table. `right`: also those of `to`, as groups of their own. `full`: those of both tables.',
  }),
  cardinality: StringEnum(CARDINALITIES, {
    description: 'Rows of `from` : rows of `to`.',
    'x-hints': { 'N:1': 'for N:1, swap the ends: `from` is the table with one row, `to` the one with many' },
  }),
  isActive: Type.Boolean({ description: 'Whether queries join by it.' }),
  aiDetected: Type.Boolean({ description: 'Whether it comes from a suggestion.' }),
};

/** As long as names can be. */
const MAX_END_NAME = 200;

/** The names of the ends of a suggested relationship. */
export const endNames = {
  fromTable: Type.String({ maxLength: MAX_END_NAME, description: 'The alias of the table.' }),
  fromField: Type.String({ maxLength: MAX_END_NAME, description: 'The name of the field.' }),
  toTable: Type.String({ maxLength: MAX_END_NAME, description: 'The alias of the table.' }),
  toField: Type.String({ maxLength: MAX_END_NAME, description: 'The name of the field.' }),
};

export const Relationship = Type.Object({ id: Id, ...relationshipProperties, ...stamps });
export type Relationship = Static<typeof Relationship>;

export const HierarchyLevel = StrictObject({
  fieldId: Id,
  label: Type.String({ minLength: 1, maxLength: 200 }),
});

export const Hierarchy = Type.Object({
  id: Id,
  name: Name,
  tableId: Nullable(Id),
  levels: Type.Array(HierarchyLevel, { minItems: 2, maxItems: 10 }),
  ...stamps,
});
export type Hierarchy = Static<typeof Hierarchy>;

const AGGREGATES = AGGREGATIONS.filter((each) => each !== 'none') as Exclude<(typeof AGGREGATIONS)[number], 'none'>[];

export const RollupDimension = StrictObject(
  {
    fieldId: Id,
    grain: Type.Optional(StringEnum(PERIOD_GRAINS, { description: 'Stores periods of a date instead of the date.' })),
  },
  { $id: 'ModelRollupDimension', description: 'A field, or the periods of a date.' },
);
export const RollupMeasure = StrictObject(
  {
    measureId: Type.Optional(Id),
    fieldId: Type.Optional(Id),
    aggregation: Type.Optional(StringEnum(AGGREGATES, { description: 'By default that of the field.' })),
  },
  { $id: 'ModelRollupMeasure', description: 'A measure of the model, or an aggregated field.' },
);
export const rollupProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the model; case does not matter.' }),
  dimensions: Type.Array(RollupDimension, { maxItems: 20 }),
  measures: Type.Array(RollupMeasure, { minItems: 1, maxItems: 50 }),
};

/** Aggregates that are stored, so that questions which they fit are answered from them. */
export const Rollup = Type.Object({ id: Id, ...rollupProperties, ...stamps });
export type Rollup = Static<typeof Rollup>;

export const PolicySubject = StrictObject(
  {
    type: StringEnum(POLICY_SUBJECTS),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  {
    $id: 'PolicySubject',
    description:
      'Who the policy applies to: a role by name, others by id. `everyone` and `embed` have no id; `share` without one means all share links.',
  },
);
export type PolicySubject = Static<typeof PolicySubject>;

export const Policy = Type.Object({
  id: Id,
  name: Name,
  tableId: Id,
  filterExpression: Stored,
  appliesTo: Type.Array(PolicySubject, { minItems: 1, maxItems: 100 }),
  ...stamps,
});
export type Policy = Static<typeof Policy>;

export const MeasureFormat = StrictObject(
  {
    kind: StringEnum(FORMAT_KINDS),
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 15 })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'An ISO 4217 code, such as `EUR`.' })),
    pattern: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    abbreviate: Type.Optional(Type.Boolean()),
  },
  { $id: 'MeasureFormat', description: 'How to show the values of a measure.' },
);

export const measureProperties = {
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the model; case does not matter.' }),
  dataType: StringEnum(MEASURE_TYPES),
  format: Nullable(MeasureFormat),
  folder: Type.String({ maxLength: 200 }),
  description: Description,
  isHidden: Type.Boolean(),
};

export const Measure = Type.Object({
  id: Id,
  ...measureProperties,
  expression: Stored,
  /** Deleted measures are kept for a while, so that expressions that were restored with them have their names. */
  deletedAt: Nullable(Timestamp),
  ...stamps,
});
export type Measure = Static<typeof Measure>;

export const Transform = Type.Object({
  id: Id,
  tableId: Id,
  type: Type.String(),
  config: Type.Record(Type.String(), Type.Unknown()),
  label: Type.String({ maxLength: 200 }),
  isEnabled: Type.Boolean(),
  order: Type.Integer({ minimum: 1 }),
  ...stamps,
});
export type Transform = Static<typeof Transform>;

export const FiscalCalendar = StrictObject(
  {
    firstMonth: Type.Integer({
      minimum: 1,
      maximum: 12,
      description: 'The month in which the year begins; a year of weeks begins near its first day.',
    }),
    yearName: Type.Optional(
      StringEnum(YEAR_NAMES, {
        description:
          'Whether a year has the number of the calendar year in which it starts, or in which it ends (the default).',
      }),
    ),
    weeks: Type.Optional(
      StrictObject(
        {
          pattern: StringEnum(WEEK_PATTERNS, {
            description:
              'The weeks of the periods of each quarter. A 53rd week belongs to the last period of its year.',
          }),
          firstDay: Type.Optional(StringEnum(WEEKDAYS, { description: 'The first day of a week; by default Monday.' })),
          yearStart: Type.Optional(
            StringEnum(YEAR_STARTS, {
              description:
                'Which first day of a week begins the year: the one nearest to the first of the month (the default), or the last one up to it.',
            }),
          ),
        },
        { $id: 'FiscalWeeks', description: 'Years of 52 or 53 whole weeks.' },
      ),
    ),
  },
  {
    $id: 'FiscalCalendar',
    description:
      'How fiscal years begin, and whether they consist of months or of whole weeks. Without one, they begin in January.',
  },
);

export const PARAMETER_TYPES = ['string', 'integer', 'decimal', 'date', 'boolean'] as const;

export const ParameterChoice = Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()]);
export type ParameterChoice = Static<typeof ParameterChoice>;

export const ModelParameter = StrictObject(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 63,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      description:
        'Its name in expressions, such as `currency` for `{currency}`. Unique among the parameters and measures of the model; case does not matter.',
    }),
    dataType: StringEnum(PARAMETER_TYPES),
    default: Type.Unsafe<ParameterChoice>({
      ...ParameterChoice,
      description: 'The value for questions that choose none. Dates are texts, such as `2026-01-31`.',
    }),
    allowedValues: Type.Optional(
      Type.Array(ParameterChoice, {
        minItems: 1,
        maxItems: 100,
        description: 'The values that questions may choose; by default all values of the type.',
      }),
    ),
    description: Type.Optional(Description),
  },
  { $id: 'ModelParameter', description: 'A constant of expressions, whose value questions choose.' },
);
export type ModelParameter = Static<typeof ModelParameter>;
export const ModelParameters = Type.Array(ModelParameter, { maxItems: 50 });

export const MODEL_STATUSES = ['draft', 'published'] as const;

export const modelProperties = {
  id: Id,
  workspaceId: Id,
  name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
  description: Description,
  sourceId: Type.String({
    description: 'The id of the data source with the tables, or `datasets` for the datasets of the workspace.',
  }),
  status: StringEnum(MODEL_STATUSES),
  latestVersion: Nullable(Type.Integer({ minimum: 1 })),
  publishedAt: Nullable(Timestamp),
  hasUnpublishedChanges: Type.Boolean(),
  tableCount: Type.Integer({ minimum: 0 }),
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};
const ShownModel = Type.Object(modelProperties);

/** The record of a model. Its revision counts the changes of the record itself, `edition` those of any part. */
export interface ModelRecord extends Static<typeof ShownModel> {
  /** Absent until there are any. */
  parameters?: readonly ModelParameter[];
  edition: number;
  /** Absent and null are the same: fiscal years begin in January. */
  calendar?: Calendar | null;
  /** The items of this generation are the parts of the model. */
  generation: string;
  /** The request that has published last, which a repetition must not do again. */
  publishRequest?: string;
}
