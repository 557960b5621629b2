import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DATA_TYPES } from '../../../shared/data/expressions/index.ts';
import {
  DIALECTS,
  endNames,
  FiscalCalendar,
  MeasureFormat,
  relationshipProperties,
} from '../../../shared/domains/semantics/models/index.ts';
import { QueryStats, queryOptions } from '../../../shared/domains/semantics/queries/index.ts';
import {
  Pivot,
  QuestionFilter,
  questionProperties,
  rowsProperties,
  valuesProperties,
} from '../../../shared/domains/semantics/questions/index.ts';
import { Id, idParams, Nullable, StrictObject, StringEnum, Timestamp } from '../../../shared/platform/http/schemas.ts';
import { TIME_GRAINS } from '../../../shared/platform/schedule/fiscal-calendar.ts';

export const ModelParams = Type.Object({
  modelId: Type.String({ format: 'uuid', description: 'The id of the model.' }),
});

export const TableParams = Type.Object({
  ...ModelParams.properties,
  tableId: Type.String({ format: 'uuid', description: 'The id of the table.' }),
});

export const AskModel = Type.Object(
  {
    ...questionProperties,
    pivot: Type.Optional(Pivot),
    timeoutMs: queryOptions.timeoutMs,
    maxAgeSeconds: queryOptions.maxAgeSeconds,
  },
  { $id: 'AskModel', description: 'A question to a model: what to compute, grouped by what, of which rows.' },
);
export type AskModel = Static<typeof AskModel>;

export const CompileQuestion = Type.Object(questionProperties, {
  $id: 'CompileQuestion',
  description: 'A question to a model, to be compiled instead of answered.',
});
export type CompileQuestion = Static<typeof CompileQuestion>;

export const AnswerColumn = Type.Object(
  {
    name: Type.String(),
    role: StringEnum(['dimension', 'measure']),
    type: Type.String({ description: 'Such as `string`, `integer`, `decimal`, `number`, `date` or `datetime`.' }),
    format: Nullable(Type.Union([Type.String(), MeasureFormat], { description: 'How to show the values.' })),
    fieldId: Type.Optional(Id),
    measureId: Type.Optional(Id),
    grain: Type.Optional(StringEnum(TIME_GRAINS)),
    calendar: Type.Optional(FiscalCalendar),
    hidden: Type.Optional(
      Type.Boolean({ description: 'Only of compiled questions: whether the answer leaves it out.' }),
    ),
  },
  { $id: 'AnswerColumn', description: 'A column of an answer, and where it comes from.' },
);

const PivotColumn = Type.Object(
  {
    ...AnswerColumn.properties,
    group: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'Of pivoted answers: the values of the pivoted dimensions.' }),
    ),
    isTotal: Type.Optional(Type.Boolean({ description: 'Of pivoted answers: whether it is a total over all groups.' })),
  },
  { $id: 'PivotColumn', description: 'A column of an answer, and the group that it belongs to.' },
);

export const Answer = Type.Object(
  {
    queryId: Id,
    columns: Type.Array(PivotColumn, {
      description:
        'The dimensions, then the measures, in the order of the question. Of a pivoted answer: the other dimensions, the measures of each group, and those of the totals.',
    }),
    pivot: Type.Optional(
      Type.Object(
        {
          columns: Type.Array(AnswerColumn, { description: 'The pivoted dimensions.' }),
          groups: Type.Array(Type.Array(Type.Unknown()), { description: 'Their values, in the order of the columns.' }),
        },
        { $id: 'AnswerPivot', description: 'The groups of columns of a pivoted answer.' },
      ),
    ),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'Whether there are more rows than `limit`.' }),
    tiesCut: Type.Boolean({
      description: 'Whether the first row that was cut off has the same values in all sorted columns as the last one.',
    }),
    totals: Type.Array(
      Type.Object(
        {
          level: Type.Integer({ description: 'How many leading dimensions it is for; 0 is the grand total.' }),
          row: Type.Array(Type.Unknown(), { description: 'Row as in `rows`; the other dimensions are null.' }),
        },
        { $id: 'AnswerTotal', description: 'A total over the rows of a question.' },
      ),
    ),
    warnings: Type.Array(Type.String()),
    timezone: Type.String(),
    asOf: Type.Unsafe<string>({ ...Timestamp, description: 'When the answer was computed.' }),
    stats: QueryStats,
  },
  {
    $id: 'Answer',
    description:
      'The answer to a question. Integers beyond 2^53 and decimals are strings, dates are `YYYY-MM-DD`, datetimes are in the time zone of the question.',
  },
);
export type Answer = Static<typeof Answer>;

export const RowsBehind = Type.Object(
  { ...rowsProperties, timeoutMs: queryOptions.timeoutMs },
  { $id: 'RowsBehind', description: 'The number of an answer to list the rows of.' },
);
export type RowsBehind = Static<typeof RowsBehind>;

const { tiesCut: _tiesCut, totals: _totals, pivot: _pivot, ...rowsReply } = Answer.properties;
export const Rows = Type.Object(
  { ...rowsReply, columns: Type.Array(AnswerColumn) },
  {
    $id: 'RowsOfAnswer',
    description: 'The rows of a table that a number was computed from, each once.',
  },
);

export const CompiledQuestion = Type.Object(
  {
    dialect: StringEnum(DIALECTS),
    sql: Type.String(),
    params: Type.Array(Type.Unknown(), { description: 'The values of `$1`, `$2`, … in the SQL.' }),
    columns: Type.Array(AnswerColumn),
    tables: Type.Array(
      Type.Object(
        { id: Id, alias: Type.String(), source: Type.String({ description: 'Name of the table in the source.' }) },
        { $id: 'QuestionTable', description: 'A table that the question reads.' },
      ),
    ),
    plan: Type.Array(Type.String(), { description: 'What each part of the SQL computes, in words.' }),
    warnings: Type.Array(Type.String()),
  },
  { $id: 'CompiledQuestion', description: 'A question as SQL.' },
);
export type CompiledQuestion = Static<typeof CompiledQuestion>;

const valuesReading = {
  ...valuesProperties,
  timezone: queryOptions.timezone,
  timeoutMs: queryOptions.timeoutMs,
  maxAgeSeconds: queryOptions.maxAgeSeconds,
};

export const ReadFieldValues = Type.Object(
  { fieldId: Id, filters: questionProperties.filters, ...valuesReading },
  { $id: 'ReadFieldValues', description: 'Which values of a field of a model to list. Filters narrow the list.' },
);
export type ReadFieldValues = Static<typeof ReadFieldValues>;

export const DatasetParams = idParams('dataset');

const column = Type.String({ minLength: 1, maxLength: 255, description: 'A column of the dataset.' });
const { fieldId: _fieldId, expression: _expression, ...condition } = QuestionFilter.properties;
export const ReadColumnValues = Type.Object(
  {
    column,
    filters: Type.Array(
      StrictObject(
        { column, ...condition },
        { $id: 'ColumnCondition', description: 'A condition on rows of a dataset.' },
      ),
      { maxItems: 50, default: [], description: 'All of them must hold.' },
    ),
    ...valuesReading,
  },
  { $id: 'ReadColumnValues', description: 'Which values of a column of a dataset to list. Filters narrow the list.' },
);
export type ReadColumnValues = Static<typeof ReadColumnValues>;

export const DistinctValues = Type.Object(
  {
    values: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
    truncated: Type.Boolean({ description: 'Whether there are further values.' }),
    asOf: Type.Unsafe<string>({ ...Timestamp, description: 'When the values were read.' }),
    timezone: Type.String(),
  },
  { $id: 'DistinctValues', description: 'Values of a field, each once, in ascending order and without nulls.' },
);

export const PreviewTable = Type.Object(
  {
    afterStep: Type.Optional(
      Nullable(
        Type.Unsafe<string>({
          ...Id,
          description: 'The last transform step to run; null to see the table as it is in its source. All if absent.',
        }),
      ),
    ),
    columns: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), {
        minItems: 1,
        maxItems: 1000,
        uniqueItems: true,
        description: 'The columns to show, in this order; all if absent.',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    timeoutMs: queryOptions.timeoutMs,
    timezone: queryOptions.timezone,
  },
  { $id: 'PreviewTable', description: 'Which rows of a table to show.' },
);
export type PreviewTable = Static<typeof PreviewTable>;

export const TablePreview = Type.Object(
  {
    columns: Type.Array(
      Type.Object(
        { name: Type.String(), type: StringEnum(DATA_TYPES) },
        { $id: 'TablePreviewColumn', description: 'A column after the steps.' },
      ),
    ),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'Whether there are more rows than `limit`.' }),
    sql: Type.String({ description: 'The SQL that has read the rows.' }),
  },
  { $id: 'TablePreview', description: 'The first rows of a table after transform steps, in the form of answers.' },
);
export type TablePreview = Static<typeof TablePreview>;

export const DetectedRelationship = Type.Object(
  {
    ...endNames,
    fromTableId: Id,
    fromFieldId: Id,
    toTableId: Id,
    toFieldId: Id,
    joinType: relationshipProperties.joinType,
    cardinality: relationshipProperties.cardinality,
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
    evidence: Type.Object(
      {
        containment: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Which part of the values of one field the other field has.',
        }),
        sampleSize: Type.Integer({ minimum: 0, description: 'The number of different values that were compared.' }),
      },
      { $id: 'RelationshipEvidence', description: 'What the rows say.' },
    ),
  },
  { $id: 'DetectedRelationship', description: 'A relationship that could be created as it is.' },
);

export const DetectedRelationships = Type.Object(
  {
    items: Type.Array(DetectedRelationship),
    total: Type.Integer(),
    isComplete: Type.Boolean({ description: 'Whether all likely pairs of fields could be compared.' }),
  },
  { $id: 'DetectedRelationships', description: 'Relationships that the data confirms, the surest first.' },
);
export type DetectedRelationships = Static<typeof DetectedRelationships>;
