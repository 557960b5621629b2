import type { Static } from 'typebox';
import * as Type from 'typebox';
import { TRANSFORM_TYPES } from '../../../../data/transforms/index.ts';
import { Name, StrictObject, StringEnum } from '../../../../platform/http/schemas.ts';
import {
  Alias,
  Description,
  FiscalCalendar,
  fieldProperties,
  ModelParameters,
  measureProperties,
  modelProperties,
  PolicySubject,
  RollupDimension,
  RollupMeasure,
  relationshipProperties,
  tableProperties,
} from '../definition/records.ts';

const Expression = Type.String({ minLength: 1, maxLength: 65_536 });
/** `alias.name` of a field, quoted as in expressions where it must be. */
const FieldName = Type.String({ minLength: 1, maxLength: 1000 });
const {
  name: fieldName,
  fieldType,
  dataType,
  ordinal: _ordinal,
  sortByField: _sortByField,
  ...others
} = fieldProperties;
const { name: measureName, ...measureMembers } = measureProperties;

const FileField = StrictObject({
  name: fieldName,
  fieldType,
  dataType,
  ...Type.Partial(Type.Object(others)).properties,
  sortByField: Type.Optional(fieldName),
  expression: Type.Optional(Expression),
});
export type FileField = Static<typeof FileField>;

const FileTransform = StrictObject({
  type: StringEnum(TRANSFORM_TYPES),
  label: Type.Optional(Type.String({ maxLength: 200 })),
  isEnabled: Type.Optional(Type.Boolean()),
  config: Type.Record(Type.String(), Type.Unknown()),
});
export type FileTransform = Static<typeof FileTransform>;

const fileTable = {
  alias: Alias,
  sourceSchema: Type.Optional(tableProperties.sourceSchema),
  sourceTable: tableProperties.sourceTable,
  description: Type.Optional(Description),
  transforms: Type.Optional(Type.Array(FileTransform, { maxItems: 2000 })),
  fields: Type.Optional(Type.Array(FileField, { maxItems: 10_000 })),
};
const FileTable = StrictObject(fileTable);
export type FileTable = Static<typeof FileTable>;

const { joinType, cardinality, isActive, aiDetected } = relationshipProperties;
const FileRelationship = StrictObject({
  from: FieldName,
  to: FieldName,
  ...Type.Partial(Type.Object({ joinType, cardinality, isActive, aiDetected })).properties,
});
export type FileRelationship = Static<typeof FileRelationship>;

const FileHierarchy = StrictObject({
  name: Name,
  table: Type.Optional(Alias),
  levels: Type.Array(
    StrictObject({ field: FieldName, label: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })) }),
    { minItems: 2, maxItems: 10 },
  ),
});
export type FileHierarchy = Static<typeof FileHierarchy>;

const FileMeasure = StrictObject({
  name: measureName,
  expression: Expression,
  ...Type.Partial(Type.Object(measureMembers)).properties,
});
export type FileMeasure = Static<typeof FileMeasure>;

const FileRollup = StrictObject({
  name: Name,
  dimensions: Type.Optional(
    Type.Array(StrictObject({ field: FieldName, grain: RollupDimension.properties.grain }), { maxItems: 20 }),
  ),
  measures: Type.Array(
    StrictObject({
      measure: Type.Optional(measureName),
      field: Type.Optional(FieldName),
      aggregation: RollupMeasure.properties.aggregation,
    }),
    { minItems: 1, maxItems: 50 },
  ),
});
export type FileRollup = Static<typeof FileRollup>;

const FilePolicy = StrictObject({
  name: Name,
  table: Alias,
  filterExpression: Expression,
  appliesTo: Type.Array(PolicySubject, { minItems: 1, maxItems: 100 }),
});
export type FilePolicy = Static<typeof FilePolicy>;

const members = {
  version: Type.Literal(1),
  name: Type.Optional(modelProperties.name),
  description: Type.Optional(Description),
  calendar: Type.Optional(FiscalCalendar),
  parameters: Type.Optional(ModelParameters),
  tables: Type.Optional(Type.Array(FileTable, { maxItems: 500 })),
  relationships: Type.Optional(Type.Array(FileRelationship, { maxItems: 2000 })),
  hierarchies: Type.Optional(Type.Array(FileHierarchy, { maxItems: 500 })),
  measures: Type.Optional(Type.Array(FileMeasure, { maxItems: 2000 })),
  rollups: Type.Optional(Type.Array(FileRollup, { maxItems: 20 })),
  policies: Type.Optional(Type.Array(FilePolicy, { maxItems: 500 })),
};

/** A model as one document, which names tables and fields where the API has ids. */
export const ModelFile = StrictObject(members);
export type ModelFile = Static<typeof ModelFile>;

/** One of the documents of a model, which adds to the others and to the model that it extends. */
export const PartialModelFile = StrictObject({
  ...members,
  extends: Type.Optional(Name),
  tables: Type.Optional(
    Type.Array(StrictObject({ ...fileTable, sourceTable: Type.Optional(tableProperties.sourceTable) }), {
      maxItems: 500,
    }),
  ),
});
export type PartialModelFile = Static<typeof PartialModelFile>;
