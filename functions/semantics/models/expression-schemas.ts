import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DIALECTS, MEASURE_TYPES, measureProperties } from '../../../shared/domains/semantics/models/index.ts';
import { Id, Nullable, Page, StringEnum } from '../../../shared/platform/http/schemas.ts';
import { optional, partProperties, stampProperties } from './schemas.ts';

const modelId = Type.String({ format: 'uuid', description: 'The id of the model.' });
export const MeasureParams = Type.Object({
  modelId,
  mid: Type.String({ format: 'uuid', description: 'The id of the measure.' }),
});

export const Diagnostic = Type.Object(
  {
    code: Type.Integer({ description: 'The number of the diagnostic; the guide of expressions lists them.' }),
    severity: StringEnum(['error', 'warning']),
    message: Type.String(),
    from: Type.Integer({ minimum: 0, description: 'The start in the expression, in UTF-16 units.' }),
    to: Type.Integer({ minimum: 0, description: 'The end, exclusive.' }),
    hint: Type.Optional(Type.String()),
  },
  { $id: 'ExpressionDiagnostic', description: 'An issue of an expression, with its place.' },
);

const expression = Type.String({ minLength: 1, maxLength: 65_536, description: 'Such as `SUM([orders.amount])`.' });

const ADDITIVITY = ['full', 'semi', 'none'] as const;

export const DependsOn = Type.Object(
  { fields: Type.Array(Id), measures: Type.Array(Id) },
  { $id: 'ExpressionDependencies', description: 'The ids of fields and measures that the expression refers to.' },
);

export const Measure = Type.Object(
  {
    ...partProperties,
    ...measureProperties,
    expression: Type.String({ description: 'With the current names of what it refers to.' }),
    stale: Type.Boolean({
      description: 'Whether the expression has errors, because something that it uses has changed.',
    }),
    diagnostics: Type.Array(Diagnostic),
    dependsOn: DependsOn,
    ...stampProperties,
  },
  { $id: 'Measure', description: 'A number that a model defines by an expression over its fields.' },
);
export type Measure = Static<typeof Measure>;
export const MeasurePage = Page(Measure);

const { name, dataType, ...others } = measureProperties;

export const CreateMeasure = Type.Object(
  {
    name,
    expression,
    dataType: Type.Optional(
      StringEnum(MEASURE_TYPES, { description: 'Must be the type of the expression, which is the default.' }),
    ),
    format: Type.Optional(others.format),
    folder: Type.Unsafe<string>({ ...others.folder, default: '' }),
    description: Type.Unsafe<string>({ ...others.description, default: '' }),
    isHidden: Type.Unsafe<boolean>({ ...others.isHidden, default: false }),
  },
  { $id: 'CreateMeasure', description: 'A measure. Its expression must be valid.' },
);
export type CreateMeasure = Static<typeof CreateMeasure>;

export const UpdateMeasure = Type.Object(optional({ name, expression, dataType, ...others }), {
  $id: 'UpdateMeasure',
  description: 'Fields to change; omitted fields keep their values. A new expression without `dataType` decides it.',
});
export type UpdateMeasure = Static<typeof UpdateMeasure>;

export const ValidateMeasure = Type.Object(
  {
    expression: Type.String({ maxLength: 65_536 }),
    name: Type.Optional(name),
    measureId: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'The measure that the expression is for, if it exists.' }),
    ),
  },
  { $id: 'ValidateMeasure', description: 'An expression to check, and the measure that it is for.' },
);
export type ValidateMeasure = Static<typeof ValidateMeasure>;

export const MeasureValidation = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether there are no errors; there may be warnings.' }),
    diagnostics: Type.Array(Diagnostic),
    dataType: Nullable(Type.String({ description: 'The type of the result; null if it is not known.' })),
    dependsOn: DependsOn,
    additive: Nullable(
      StringEnum(ADDITIVITY, {
        description: 'Whether results of groups add up to the result of all rows; null if the expression has errors.',
      }),
    ),
  },
  { $id: 'MeasureValidation', description: 'The result of checking the expression of a measure.' },
);
export type MeasureValidation = Static<typeof MeasureValidation>;

export const ValidateExpression = Type.Object(
  {
    expression: Type.String({ maxLength: 65_536 }),
    tableId: Type.Optional(
      Type.Unsafe<string>({ ...Id, description: 'The table whose fields may be named without its alias.' }),
    ),
  },
  { $id: 'ValidateExpression', description: 'An expression for single rows, such as that of a calculated field.' },
);
export type ValidateExpression = Static<typeof ValidateExpression>;

export const ExpressionValidation = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether there are no errors; there may be warnings.' }),
    diagnostics: Type.Array(Diagnostic),
    dataType: Nullable(Type.String({ description: 'The type of the result; null if it is not known.' })),
  },
  { $id: 'ExpressionValidation', description: 'The result of checking an expression.' },
);
export type ExpressionValidation = Static<typeof ExpressionValidation>;

export const PreviewMeasure = Type.Object(
  {
    dialect: Type.Optional(
      StringEnum(DIALECTS, { description: 'That of the source when absent: `duckdb` for datasets.' }),
    ),
  },
  { $id: 'PreviewMeasure', description: 'The SQL dialect to preview.' },
);
export type PreviewMeasure = Static<typeof PreviewMeasure>;

export const MeasurePreview = Type.Object(
  {
    dialect: StringEnum(DIALECTS),
    sql: Type.Union([Type.String(), Type.Null()], {
      description: 'The expression in SQL, with aliases of the model before columns; null if it has none by itself.',
    }),
    params: Type.Array(Type.Unknown(), { description: 'Values of `$1`, `$2`, … in the SQL.' }),
    diagnostics: Type.Array(Diagnostic),
  },
  { $id: 'MeasurePreview', description: 'The expression of a measure as SQL.' },
);
export type MeasurePreview = Static<typeof MeasurePreview>;
