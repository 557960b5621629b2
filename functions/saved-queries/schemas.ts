import Type, { type Static } from 'typebox';
import { queryOptions } from '../../shared/domains/queries/index.ts';
import {
  Id,
  IdParams,
  ListQuery,
  Name,
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

export const Parameter = StrictObject(
  {
    name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' }),
    type: StringEnum(PARAMETER_TYPES),
    default: Type.Optional(Value),
    required: Type.Boolean({
      default: false,
      description: 'A run must give a value; otherwise the default, or null, is taken.',
    }),
  },
  { $id: 'SavedQueryParameter' },
);
export type Parameter = Static<typeof Parameter>;

const folder = Type.String({
  maxLength: 500,
  pattern: '^(|[^/\\s][^/]*(/[^/\\s][^/]*)*)$',
  description: 'A path such as `finance/monthly`; empty for the top.',
});

/** What a version keeps: everything that decides about the rows. */
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
    reads: Type.Array(Id, { description: 'The datasets that it needs, which cannot be deleted before it.' }),
    version: Type.Integer({ description: 'Counts the changes of what decides about the rows.' }),
    revision: Revision,
    createdBy: Id,
    updatedBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'SavedQuery' },
);
export type SavedQuery = Static<typeof SavedQuery>;

export const SavedQueryVersion = Type.Object(
  { version: Type.Integer(), ...content, createdBy: Id, createdAt: Timestamp },
  { $id: 'SavedQueryVersion' },
);
export type SavedQueryVersion = Static<typeof SavedQueryVersion>;

export const NewSavedQuery = Type.Object({
  name: Name,
  description: Type.String({ maxLength: 2000, default: '' }),
  folder: Type.Unsafe<string>({ ...folder, default: '' }),
  sql: content.sql,
  sourceId: Type.Optional(content.sourceId),
  datasetIds: Type.Optional(content.datasetIds),
  params: Type.Unsafe<Parameter[]>({ ...content.params, default: [] }),
});
export type NewSavedQuery = Static<typeof NewSavedQuery>;

export const SavedQueryChange = Type.Object({
  name: Type.Optional(Name),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  folder: Type.Optional(folder),
  sql: Type.Optional(content.sql),
  sourceId: Type.Optional(content.sourceId),
  datasetIds: Type.Optional(content.datasetIds),
  params: Type.Optional(content.params),
});
export type SavedQueryChange = Static<typeof SavedQueryChange>;

export const SavedQueryPage = Page(SavedQuery, { $id: 'SavedQueryPage' });
export const SavedQueryVersionPage = Page(SavedQueryVersion, { $id: 'SavedQueryVersionPage' });

export const SavedQueryFilter = Type.Object({
  ...ListQuery.properties,
  folder: Type.Optional(
    Type.Unsafe<string>({ ...folder, description: 'The queries of one folder, without those below it.' }),
  ),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name, whatever its case.' })),
});
export type SavedQueryFilter = Static<typeof SavedQueryFilter>;

export const VersionParams = Type.Object({ ...IdParams.properties, version: Type.Integer({ minimum: 1 }) });

export const RunBody = Type.Object({
  params: Type.Unsafe<Record<string, Static<typeof Value>>>({
    ...Type.Record(Type.String(), Value, { maxProperties: 50 }),
    default: {},
  }),
  ...queryOptions,
});
export type RunBody = Static<typeof RunBody>;
