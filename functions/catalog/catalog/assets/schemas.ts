import type { Static } from 'typebox';
import * as Type from 'typebox';
import { LINK_ROLES, TERM_STATUSES } from '../../../../shared/domains/catalog/terms/index.ts';
import { FRESHNESS_STATUSES } from '../../../../shared/domains/quality/index.ts';
import { CERTIFIED_OBJECTS, shownCertification } from '../../../../shared/domains/tenancy/certifications/index.ts';
import {
  Id,
  ListQuery,
  Name,
  Nullable,
  Page,
  StringEnum,
  searchFilter,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';
import { TRENDS } from '../../../../shared/platform/object-use/days.ts';

const AssetType = StringEnum(CERTIFIED_OBJECTS, { description: 'The kind of the object.' });

export const AssetParams = Type.Object({
  type: AssetType,
  id: Type.String({ format: 'uuid', description: 'The id of the object.' }),
});

const Tag = Type.Unsafe<string>({ ...Name, maxLength: 64 });

const entry = {
  ownerIds: Type.Array(Id, {
    maxItems: 20,
    uniqueItems: true,
    description: 'The members who answer for it: those whom the catalog names, or else whose object it is.',
  }),
  domainId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The domain of the business that it belongs to.' })),
  tags: Type.Array(Tag, { maxItems: 20, description: 'Words that group objects, in lower case.' }),
};

export const SetCatalogEntry = Type.Object(
  {
    ownerIds: Type.Optional(
      Type.Unsafe<string[]>({ ...entry.ownerIds, description: 'An empty list stands for whose object it is.' }),
    ),
    domainId: Type.Optional(entry.domainId),
    tags: Type.Optional(
      Type.Unsafe<string[]>({ ...entry.tags, description: 'They are kept in lower case, each once.' }),
    ),
  },
  {
    $id: 'SetCatalogEntry',
    minProperties: 1,
    description: 'Fields to change; omitted fields keep their values. Owners and tags of a term belong to the term.',
  },
);
export type SetCatalogEntry = Static<typeof SetCatalogEntry>;

const Usage = Type.Object(
  {
    views30d: Type.Integer({
      minimum: 0,
      description: 'How often people used it in the last 30 days; each person counts once a day.',
    }),
    queries30d: Type.Integer({
      minimum: 0,
      description: 'How often people ran or asked it in the last 30 days, also by SQL; each person counts once a day.',
    }),
    lastUsedAt: Nullable(Timestamp),
    trend: StringEnum(TRENDS, { description: 'The last 15 days against the 15 before.' }),
  },
  { $id: 'AssetUsage', description: 'How much an object is used by people, never by whom.' },
);

const asset = {
  type: AssetType,
  id: Id,
  name: Type.String(),
  description: Type.String(),
  ...entry,
  ...shownCertification,
  usage: Usage,
  updatedAt: Timestamp,
};

export const CatalogAsset = Type.Object(asset, {
  $id: 'CatalogAsset',
  description: 'An object with what people say about it, and how much it is used.',
});
export type CatalogAsset = Static<typeof CatalogAsset>;

export const CatalogAssetDetails = Type.Object(
  {
    ...asset,
    usage: Type.Object(
      {
        ...Usage.properties,
        viewers30d: Type.Integer({ minimum: 0, description: 'How many people used it in the last 30 days.' }),
      },
      { $id: 'AssetUsageDetails', description: 'How much an object is used by people, never by whom.' },
    ),
    terms: Type.Array(
      Type.Object(
        { id: Id, name: Type.String(), status: StringEnum(TERM_STATUSES), role: StringEnum(LINK_ROLES) },
        { $id: 'AssetTerm', description: 'A term of the glossary that is linked to an object.' },
      ),
      { description: 'By name; at most 100.' },
    ),
    fields: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String(), dataType: Type.String(), description: Type.String() },
        { $id: 'AssetField', description: 'A column of a dataset, or a field of a model with the alias of its table.' },
      ),
      { description: 'Those of datasets and models that the caller may see; at most 1,000.' },
    ),
    qualityScore: Type.Unsafe<number | null>({
      ...Nullable(Type.Number({ minimum: 0, maximum: 100 })),
      description: 'The score of a dataset, or the lowest among the datasets of a model; null without tests.',
    }),
    freshness: Nullable(
      Type.Object(
        { status: StringEnum(FRESHNESS_STATUSES), lastLoadedAt: Nullable(Timestamp), staleAt: Nullable(Timestamp) },
        {
          $id: 'AssetFreshness',
          description: 'Whether a dataset was loaded when it should have been, or the worst of a model.',
        },
      ),
    ),
  },
  { $id: 'CatalogAssetDetails', description: 'An object with what people say about it, and how many use it.' },
);
export type CatalogAssetDetails = Static<typeof CatalogAssetDetails>;

export const CatalogAssetPage = Page(CatalogAsset);

export const CatalogAssetListQuery = Type.Object({
  ...ListQuery.properties,
  search: searchFilter('objects'),
  type: Type.Optional(AssetType),
  domainId: Type.Optional(
    Type.String({ format: 'uuid', description: 'Only objects of this domain, or of one within it.' }),
  ),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only objects with this tag.' })),
  ownerId: Type.Optional(Type.String({ format: 'uuid', description: 'Only objects that this user answers for.' })),
  termId: Type.Optional(Type.String({ format: 'uuid', description: 'Only objects that are linked to this term.' })),
  certified: Type.Optional(
    Type.Boolean({ description: 'Only objects that are certified now (`true`), or only the others (`false`).' }),
  ),
  deprecated: Type.Optional(
    Type.Boolean({ description: 'Only deprecated objects (`true`), or only the others (`false`).' }),
  ),
  sort: StringEnum(['popular', 'name', 'recent'], {
    default: 'popular',
    description: '`popular`: the most used first. `recent`: the last changed first.',
  }),
});
export type CatalogAssetListQuery = Static<typeof CatalogAssetListQuery>;

const CatalogTag = Type.Object(
  { tag: Type.String(), count: Type.Integer({ minimum: 1, description: 'How many objects that you see have it.' }) },
  { $id: 'CatalogTag', description: 'A tag of objects and terms.' },
);
export const CatalogTagPage = Page(CatalogTag);
export const CatalogTagListQuery = Type.Object({
  ...ListQuery.properties,
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only tags that begin with this; case does not matter.' }),
  ),
});
export type CatalogTagListQuery = Static<typeof CatalogTagListQuery>;
