import type { Static } from 'typebox';
import * as Type from 'typebox';
import { accessSchemas } from '../../shared/domains/grants/index.ts';
import { queryOptions } from '../../shared/domains/queries/index.ts';
import {
  Id,
  idParams,
  Name,
  NamedListQuery,
  Nullable,
  Page,
  Revision,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../shared/platform/http/schemas.ts';
export const PARAMETER_TYPES = [
  'string',
  'integer',
  'decimal',
  'double',
  'boolean',
  'date',
  'timestamp',
  'timestamptz',
] as const;

const Value = Nullable(Type.Union([Type.String({ maxLength: 65_536 }), Type.Number(), Type.Boolean()]));

export const SavedQueryParams = idParams('saved query');

export const Parameter = StrictObject(
  {
    name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' }),
    type: StringEnum(PARAMETER_TYPES),
    default: Type.Optional(Value),
    required: Type.Boolean({
      default: false,
      description: 'Whether a run must pass a value. If not, the default or null is used.',
    }),
  },
  { $id: 'SavedQueryParameter', description: 'A parameter of the statement, `$name` in its text.' },
);
export type Parameter = Static<typeof Parameter>;

const folder = Type.String({
  maxLength: 500,
  pattern: '^(|[^/\\s][^/]*(/[^/\\s][^/]*)*)$',
  description: 'A path such as `finance/monthly`; empty for the top level.',
});

/** The members of a version: everything that affects the rows. */
const content = {
  sql: Type.String({ minLength: 1, maxLength: 65_536 }),
  sourceId: Nullable(Id),
  datasetIds: Nullable(Type.Array(Id, { minItems: 1, maxItems: 50, uniqueItems: true })),
  params: Type.Array(Parameter, { maxItems: 50 }),
};

export const SavedQuery = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    description: Type.String(),
    folder,
    ...content,
    reads: Type.Array(Id, { description: 'The datasets that it reads; they cannot be deleted while it exists.' }),
    version: Type.Integer({ description: 'The number of changes to the statement, its parameters and what it reads.' }),
    revision: Revision,
    createdBy: Id,
    updatedBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'SavedQuery', description: 'A named statement.' },
);
export type SavedQuery = Static<typeof SavedQuery>;

export const SavedQueryVersion = Type.Object(
  { version: Type.Integer(), ...content, createdBy: Id, createdAt: Timestamp },
  { $id: 'SavedQueryVersion', description: 'The current or an earlier statement of a saved query.' },
);
export type SavedQueryVersion = Static<typeof SavedQueryVersion>;

export const CreateSavedQuery = Type.Object(
  {
    name: Name,
    description: Type.String({ maxLength: 2000, default: '' }),
    folder: Type.Unsafe<string>({ ...folder, default: '' }),
    sql: content.sql,
    sourceId: Type.Optional(content.sourceId),
    datasetIds: Type.Optional(content.datasetIds),
    params: Type.Unsafe<Parameter[]>({ ...content.params, default: [] }),
  },
  { $id: 'CreateSavedQuery', description: 'A statement to save.' },
);
export type CreateSavedQuery = Static<typeof CreateSavedQuery>;

export const UpdateSavedQuery = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Type.String({ maxLength: 2000 })),
    folder: Type.Optional(folder),
    sql: Type.Optional(content.sql),
    sourceId: Type.Optional(content.sourceId),
    datasetIds: Type.Optional(content.datasetIds),
    params: Type.Optional(content.params),
  },
  { $id: 'UpdateSavedQuery', description: 'The members to change; the others stay.' },
);
export type UpdateSavedQuery = Static<typeof UpdateSavedQuery>;

export const SavedQueryPage = Page(SavedQuery);
export const SavedQueryVersionPage = Page(SavedQueryVersion);

export const SavedQueryFilter = Type.Object({
  ...NamedListQuery.properties,
  folder: Type.Optional(
    Type.Unsafe<string>({ ...folder, description: 'Only queries of this folder, without those of its subfolders.' }),
  ),
  q: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only queries with this text in their name; case does not matter.' }),
  ),
});
export type SavedQueryFilter = Static<typeof SavedQueryFilter>;

export const { Access, AccessPage, SetAccess, AccessParams } = accessSchemas(
  'saved-query',
  'SavedQuery',
  'saved query',
);
export type Access = Static<typeof Access>;

export const VersionParams = Type.Object({
  ...SavedQueryParams.properties,
  version: Type.Integer({ minimum: 1, description: 'The number of the version.' }),
});

export const RunSavedQuery = Type.Object(
  {
    params: Type.Unsafe<Record<string, Static<typeof Value>>>({
      ...Type.Record(Type.String(), Value, { maxProperties: 50, description: 'Values of the parameters, by name.' }),
      default: {},
    }),
    ...queryOptions,
  },
  { $id: 'RunSavedQuery', description: 'Values of the parameters, and how to run the statement.' },
);
export type RunSavedQuery = Static<typeof RunSavedQuery>;
