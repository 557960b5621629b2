import { Company } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { defineRoute } from '../../../shared/platform/http/route.ts';
import {
  CompanyMember,
  CompanyMemberPage,
  CompanyMemberParams,
  CompanyMembersQuery,
  ConfirmQuery,
  TransferCompany,
  UpdateCompany,
  UpdateCompanyMember,
  WorkspacePage,
  WorkspacesQuery,
} from './schemas.ts';

export const getCompany = defineRoute({
  operationId: 'getCompany',
  method: 'GET',
  path: '/api/company',
  summary: 'Get the company',
  permission: 'session:read',
  success: { status: 200, body: Company, versioned: true },
});

export const updateCompany = defineRoute({
  operationId: 'updateCompany',
  method: 'PATCH',
  path: '/api/company',
  summary: 'Change the company',
  permission: 'company:manage',
  body: UpdateCompany,
  success: { status: 200, body: Company, versioned: true },
  audit: 'company.updated',
});

export const deleteCompany = defineRoute({
  operationId: 'deleteCompany',
  method: 'DELETE',
  path: '/api/company',
  summary: 'Delete the company',
  description:
    'Deletes all its workspaces. The company can be restored until `deletesAt`; then everything is erased, with the accounts of its people. Repeating the request changes nothing.',
  permission: 'company:manage',
  query: ConfirmQuery,
  success: { status: 200, body: Company, versioned: true },
  errors: ['NAME_NOT_CONFIRMED'],
  audit: ['company.deleted', 'workspace.deleted'],
});

export const restoreCompany = defineRoute({
  operationId: 'restoreCompany',
  method: 'POST',
  path: '/api/company/restore',
  summary: 'Restore the deleted company',
  description: 'Restores the workspaces that were deleted with it. Workspaces that were deleted before stay deleted.',
  permission: 'company:manage',
  success: { status: 200, body: Company, versioned: true },
  errors: ['COMPANY_ERASED'],
  audit: ['company.restored', 'workspace.restored'],
});

export const listCompanyWorkspaces = defineRoute({
  operationId: 'listCompanyWorkspaces',
  method: 'GET',
  path: '/api/company/workspaces',
  summary: 'List the workspaces of the company',
  description: 'The oldest first, with those that are deleted and can be restored.',
  permission: 'company:manage',
  query: WorkspacesQuery,
  success: { status: 200, body: WorkspacePage },
});

export const listCompanyMembers = defineRoute({
  operationId: 'listCompanyMembers',
  method: 'GET',
  path: '/api/company/members',
  summary: 'List the people of the company',
  description: 'The oldest accounts first, whichever workspaces they are members of.',
  permission: 'company:manage',
  query: CompanyMembersQuery,
  success: { status: 200, body: CompanyMemberPage },
});

export const changeCompanyMember = defineRoute({
  operationId: 'changeCompanyMember',
  method: 'PATCH',
  path: '/api/company/members/{userId}',
  summary: "Change a person's role in the company",
  description:
    'Takes effect within seconds. The last company admin who can sign in cannot become a member. A person whose password an admin has chosen counts only after signing in.',
  permission: 'company:manage',
  params: CompanyMemberParams,
  body: UpdateCompanyMember,
  success: { status: 200, body: CompanyMember },
  errors: [
    'COMPANY_MEMBER_NOT_FOUND',
    'COMPANY_MEMBER_INACTIVE',
    'EMAIL_UNCONFIRMED',
    'PASSWORD_OF_ANOTHER',
    'LAST_COMPANY_ADMIN',
  ],
  audit: 'company_member.updated',
});

export const transferCompany = defineRoute({
  operationId: 'transferCompany',
  method: 'POST',
  path: '/api/company/transfer',
  summary: 'Replace yourself as company admin',
  description: 'The person becomes a company admin, and the caller a member of the company, in one step.',
  permission: 'company:manage',
  body: TransferCompany,
  success: { status: 200, body: CompanyMember },
  errors: [
    'COMPANY_MEMBER_NOT_FOUND',
    'COMPANY_MEMBER_INACTIVE',
    'EMAIL_UNCONFIRMED',
    'PASSWORD_OF_ANOTHER',
    'LAST_COMPANY_ADMIN',
  ],
  audit: 'company.transferred',
});
