import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Workspace } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { COMPANY_ROLES } from '../../../shared/platform/auth/permissions.ts';
import {
  EmailFilter,
  Id,
  ListQuery,
  Name,
  NameFilter,
  Page,
  StringEnum,
  searchFilter,
  sortedBy,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

export const UpdateCompany = Type.Object(
  { name: Name },
  { $id: 'UpdateCompany', description: 'The new name of the company.' },
);

export const ConfirmQuery = Type.Object({
  confirm: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The current name of the company, to confirm the deletion.',
  }),
});

export const WorkspacesQuery = Type.Object({
  ...ListQuery.properties,
  name: NameFilter,
  search: searchFilter('workspaces', { texts: 'name' }),
  sort: sortedBy(['createdAt', 'name', 'updatedAt'], '`createdAt`'),
});
export type WorkspacesQuery = Static<typeof WorkspacesQuery>;
export const WorkspacePage = Page(Workspace);

export const CompanyMember = Type.Object(
  {
    userId: Id,
    email: Type.String(),
    name: Type.String(),
    companyRole: StringEnum(COMPANY_ROLES),
    active: Type.Boolean({ description: 'Whether the person may sign in.' }),
    createdAt: Timestamp,
  },
  { $id: 'CompanyMember', description: 'A person of the company, with a role in it.' },
);
export type CompanyMember = Static<typeof CompanyMember>;

export const CompanyMembersQuery = Type.Object({
  ...ListQuery.properties,
  email: EmailFilter,
  search: searchFilter('people', { texts: 'name or email' }),
  companyRole: Type.Optional(StringEnum(COMPANY_ROLES, { description: 'Only people with this role.' })),
  active: Type.Optional(Type.Boolean({ description: 'Only people who may sign in, or only the others.' })),
  sort: sortedBy(['createdAt', 'name', 'email'], '`createdAt`'),
});
export type CompanyMembersQuery = Static<typeof CompanyMembersQuery>;
export const CompanyMemberPage = Page(CompanyMember);

export const CompanyMemberParams = Type.Object({
  userId: Type.String({ format: 'uuid', description: 'The user id of the person.' }),
});

export const UpdateCompanyMember = Type.Object(
  { companyRole: StringEnum(COMPANY_ROLES) },
  { $id: 'UpdateCompanyMember', description: 'The new role of the person in the company.' },
);

export const TransferCompany = Type.Object(
  { userId: Type.String({ format: 'uuid', description: 'The user id of the new company admin.' }) },
  { $id: 'TransferCompany', description: 'Who becomes a company admin in place of the caller.' },
);
