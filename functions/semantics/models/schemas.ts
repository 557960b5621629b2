import type { Static, TProperties } from 'typebox';
import * as Type from 'typebox';
import {
  Alias,
  DATASETS,
  Description,
  FiscalCalendar,
  fieldProperties,
  MODEL_STATUSES,
  ModelParameters,
  modelProperties,
} from '../../../shared/domains/semantics/models/index.ts';
import { shownCertification } from '../../../shared/domains/tenancy/certifications/index.ts';
import { accessSchemas, shownPermission } from '../../../shared/domains/tenancy/grants/index.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import {
  Id,
  idParams,
  ListQuery,
  NameFilter,
  Nullable,
  Page,
  Revision,
  StringEnum,
  searchedListQuery,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

const uuid = (description: string) => Type.String({ format: 'uuid', description });
const modelId = uuid('The id of the model.');

export const ModelIdParams = idParams('model');
export const ModelParams = Type.Object({ modelId });
const tableId = uuid('The id of the table.');
export const TableParams = Type.Object({ modelId, tableId });
export const FieldParams = Type.Object({ modelId, tableId, fieldId: uuid('The id of the field.') });
export type TableParams = Static<typeof TableParams>;
export type FieldParams = Static<typeof FieldParams>;

/** All members are optional; those that are absent stay as they are. */
export const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof P]: import('typebox').TOptional<P[K]>;
  };

/** The members that every part of a model has in replies. */
export const partProperties = { id: Id, workspaceId: Id, modelId: Id };
export const stampProperties = {
  createdBy: Id,
  updatedBy: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

/** Parts of a model are few enough to come in one page as a rule. */
export const PartsQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    default: 1_000,
    description: 'The maximum number of items to return.',
  }),
  offset: ListQuery.properties.offset,
});
export const NamedPartsQuery = Type.Object({ ...PartsQuery.properties, name: NameFilter });
export type NamedPartsQuery = Static<typeof NamedPartsQuery>;

// Models

export const Health = Type.Object(
  {
    errors: Type.Integer({ minimum: 0 }),
    warnings: Type.Integer({ minimum: 0 }),
  },
  {
    $id: 'ModelHealth',
    description: 'The number of issues of expressions, columns and transform steps that a publication would report.',
  },
);

const calendar = Nullable(FiscalCalendar);
const shownModelProperties = {
  ...modelProperties,
  calendar,
  parameters: ModelParameters,
  ...shownCertification,
  ...shownPermission,
  ...shownDefinition,
};

export const Model = Type.Object(shownModelProperties, {
  $id: 'Model',
  description: 'The meaning of tables: fields, relationships, measures and rules over one source.',
});
export type Model = Static<typeof Model>;

export const ModelDetails = Type.Object(
  {
    ...shownModelProperties,
    staleMeasures: Type.Integer({ minimum: 0, description: 'The number of measures with errors.' }),
    health: Health,
    whereUsed: Type.String({
      description: 'The path in the API of the list of what uses the model, as far as the caller may see it.',
    }),
  },
  { $id: 'ModelDetails', description: 'A model with the state of its parts.' },
);
export type ModelDetails = Static<typeof ModelDetails>;

export const ModelPage = Page(Model);

export const ModelListQuery = Type.Object({
  ...searchedListQuery('models', {
    more: ['tables'],
    also: ', and `tables` has the models with the most tables first',
  }).properties,
  status: Type.Optional(StringEnum(MODEL_STATUSES, { description: 'Only models with this status.' })),
  isCertified: Type.Optional(Type.Boolean({ description: 'Only models that are certified, or only the others.' })),
  sourceId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 36,
      description: `Only models of this data source, or of \`${DATASETS}\`.`,
    }),
  ),
});
export type ModelListQuery = Static<typeof ModelListQuery>;

export const CreateModel = Type.Object(
  {
    name: modelProperties.name,
    description: Type.Unsafe<string>({ ...Description, default: '' }),
    sourceId: Type.String({
      pattern: `^(${DATASETS}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$`,
      description: `The id of a database that is queried in place, or \`${DATASETS}\` for the datasets of the workspace.`,
    }),
  },
  { $id: 'CreateModel', description: 'A new model, without tables.' },
);
export type CreateModel = Static<typeof CreateModel>;

export const UpdateModel = Type.Object(
  {
    name: Type.Optional(modelProperties.name),
    description: Type.Optional(Description),
    calendar: Type.Optional(calendar),
    parameters: Type.Optional(ModelParameters),
    isCertified: Type.Optional(Type.Boolean()),
    certifiedBy: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Who certifies the model, such as a person or a team; the name of the caller when absent.',
        }),
      ),
    ),
  },
  { $id: 'UpdateModel', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateModel = Static<typeof UpdateModel>;

// Tables

export const ModelTable = Type.Object(
  {
    ...partProperties,
    sourceSchema: Type.String(),
    sourceTable: Type.String(),
    alias: Alias,
    description: Description,
    missing: Type.Boolean({ description: 'Whether the source does not have the table, as far as it is known.' }),
    ...stampProperties,
  },
  { $id: 'ModelTable', description: 'A table of the source in a model, under its alias.' },
);
export type ModelTable = Static<typeof ModelTable>;

const tableInput = {
  sourceSchema: Type.String({
    maxLength: 255,
    description: 'The schema in the data source; empty for datasets, which have none.',
  }),
  sourceTable: Type.String({ minLength: 1, maxLength: 1024, description: 'The table, or the name of a dataset.' }),
  alias: Alias,
};

export const AddTable = Type.Object(
  { ...tableInput, description: Type.Unsafe<string>({ ...Description, default: '' }) },
  { $id: 'AddModelTable', description: 'A table of the source. Its fields are added on their own, or by an import.' },
);
export type AddTable = Static<typeof AddTable>;

export const UpdateTable = Type.Object(
  { ...optional(tableInput), description: Type.Optional(Description) },
  { $id: 'UpdateModelTable', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateTable = Static<typeof UpdateTable>;

export const TablesQuery = Type.Object({
  ...PartsQuery.properties,
  includeFields: Type.Boolean({
    default: false,
    description: 'Whether each table has its `fields`, also hidden ones.',
  }),
});

export type TablesQuery = Static<typeof TablesQuery>;

// Fields

export const ModelField = Type.Object(
  {
    ...partProperties,
    tableId: Id,
    ...fieldProperties,
    expression: Nullable(Type.String({ description: 'With the current names of what it refers to.' })),
    isKey: Type.Boolean({ description: 'Whether the column was part of the primary key when it was imported.' }),
    missing: Type.Boolean({ description: 'Whether the table does not have the column, as far as it is known.' }),
    stale: Type.Boolean({ description: 'Whether the expression has errors.' }),
    ...stampProperties,
  },
  { $id: 'ModelField', description: 'A column, or an expression over columns, with its meaning.' },
);
export type ModelField = Static<typeof ModelField>;

const { ordinal, sensitivityLabel, name, fieldType, dataType, ...otherFieldProperties } = fieldProperties;
const fieldInput = {
  ...otherFieldProperties,
  expression: Nullable(
    Type.String({ minLength: 1, maxLength: 65_536, description: 'The expression of a calculated field.' }),
  ),
};

export const CreateField = Type.Object(
  { name, fieldType, dataType, ...optional(fieldInput) },
  {
    $id: 'CreateModelField',
    description:
      'A field. Unless it is calculated, its column has the name of the field when `sourceColumn` is absent.',
  },
);
export type CreateField = Static<typeof CreateField>;

export const UpdateField = Type.Object(
  optional({ name, fieldType, dataType, ...fieldInput, ordinal, sensitivityLabel }),
  {
    $id: 'UpdateModelField',
    description: 'Fields to change; omitted fields keep their values.',
  },
);
export type UpdateField = Static<typeof UpdateField>;

export const FieldPage = Page(ModelField);

export const ModelTableWithFields = Type.Object(
  { ...ModelTable.properties, fields: Type.Optional(Type.Array(ModelField)) },
  { $id: 'ModelTableWithFields', description: 'A table, with its fields if the request asks for them.' },
);
export type ModelTableWithFields = Static<typeof ModelTableWithFields>;
export const TablePage = Page(ModelTableWithFields);

export const { Access, AccessPage, SetAccess, AccessParams } = accessSchemas('model', 'Model', 'model');
export type Access = Static<typeof Access>;
