import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Attributes } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { ROLES } from '../../../../shared/platform/auth/permissions.ts';
import {
  Id,
  idParams,
  Name,
  NamedListQuery,
  Page,
  Revision,
  StringEnum,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

export const ServiceAccountParams = idParams('service account');

export const ServiceAccountsQuery = Type.Object({
  ...NamedListQuery.properties,
  role: Type.Optional(StringEnum(ROLES, { description: 'Only accounts with this role.' })),
});
export type ServiceAccountsQuery = Static<typeof ServiceAccountsQuery>;

const Role = StringEnum(ROLES, { description: 'What its keys may do at most; the scope of a key limits it further.' });
const Description = Type.String({ maxLength: 2000 });

export const ServiceAccount = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    description: Description,
    role: Role,
    attributes: Attributes,
    createdBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  {
    $id: 'ServiceAccount',
    description:
      'A member of the workspace that is not a person. Its API keys keep working when the admin who created them leaves.',
  },
);
export type ServiceAccount = Static<typeof ServiceAccount>;

export const ServiceAccountPage = Page(ServiceAccount);

export const CreateServiceAccount = Type.Object(
  {
    name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
    description: Type.Unsafe<string>({ ...Description, default: '' }),
    role: Role,
    attributes: Type.Unsafe<Attributes>({ ...Attributes, default: {} }),
  },
  { $id: 'CreateServiceAccount', description: 'A new service account, without keys.' },
);
export type CreateServiceAccount = Static<typeof CreateServiceAccount>;

export const UpdateServiceAccount = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    role: Type.Optional(Role),
    attributes: Type.Optional(Attributes),
  },
  { $id: 'UpdateServiceAccount', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateServiceAccount = Static<typeof UpdateServiceAccount>;
