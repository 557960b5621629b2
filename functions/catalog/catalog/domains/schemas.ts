import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, idParams, ListQuery, Name, Nullable, Page, Timestamp } from '../../../../shared/platform/http/schemas.ts';

export const DomainParams = idParams('domain');

const members = {
  name: Type.Unsafe<string>({
    ...Name,
    maxLength: 100,
    description: 'Unique within the workspace; case does not matter.',
  }),
  description: Type.String({ maxLength: 300 }),
  parentId: Nullable(Type.Unsafe<string>({ ...Id, description: 'The domain that contains it. There are two levels.' })),
};

export const CreateCatalogDomain = Type.Object(
  {
    name: members.name,
    description: { ...members.description, default: '' },
    parentId: { ...members.parentId, default: null },
  },
  { $id: 'CreateCatalogDomain', description: 'A part of the business that objects and terms belong to.' },
);
export type CreateCatalogDomain = Static<typeof CreateCatalogDomain>;

export const UpdateCatalogDomain = Type.Partial(Type.Object(members), {
  $id: 'UpdateCatalogDomain',
  minProperties: 1,
  description: 'Fields to change; omitted fields keep their values.',
});
export type UpdateCatalogDomain = Static<typeof UpdateCatalogDomain>;

export const CatalogDomain = Type.Object(
  { id: Id, ...members, createdBy: Id, updatedBy: Id, createdAt: Timestamp, updatedAt: Timestamp },
  { $id: 'CatalogDomain', description: 'A part of the business that objects and terms belong to.' },
);
export type CatalogDomain = Static<typeof CatalogDomain>;

export const CatalogDomainPage = Page(CatalogDomain);
export const CatalogDomainListQuery = ListQuery;
export type CatalogDomainListQuery = Static<typeof CatalogDomainListQuery>;
