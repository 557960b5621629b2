import type { Static } from 'typebox';
import * as Type from 'typebox';
import { queryOptions } from '../../../shared/domains/semantics/queries/index.ts';
import {
  content,
  folder,
  type Parameter,
  ParameterValue,
  SavedQuery,
  SavedQueryVersion,
} from '../../../shared/domains/semantics/saved-queries/index.ts';
import { accessSchemas } from '../../../shared/domains/tenancy/grants/index.ts';
import { FormerName } from '../../../shared/platform/http/former-names.ts';
import { idParams, Name, NamedListQuery, Page } from '../../../shared/platform/http/schemas.ts';
export const SavedQueryParams = idParams('saved query');

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
  { $id: 'UpdateSavedQuery', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateSavedQuery = Static<typeof UpdateSavedQuery>;

export const SavedQueryPage = Page(SavedQuery);
export const SavedQueryVersionPage = Page(SavedQueryVersion);

const searched = Type.String({
  maxLength: 200,
  description: 'Only queries with this text in their name; case does not matter.',
});

export const SavedQueryFilter = Type.Object({
  ...NamedListQuery.properties,
  folder: Type.Optional(
    Type.Unsafe<string>({ ...folder, description: 'Only queries of this folder, without those of its subfolders.' }),
  ),
  search: Type.Optional(searched),
  q: FormerName('search', searched),
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
    params: Type.Unsafe<Record<string, Static<typeof ParameterValue>>>({
      ...Type.Record(Type.String(), ParameterValue, {
        maxProperties: 50,
        description: 'Values of the parameters, by name.',
      }),
      default: {},
    }),
    ...queryOptions,
  },
  { $id: 'RunSavedQuery', description: 'Values of the parameters, and how to run the statement.' },
);
export type RunSavedQuery = Static<typeof RunSavedQuery>;
