import { showCompany } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../../shared/platform/http/open-group.ts';
import { companyRepository } from './repository.ts';
import * as routes from './routes.ts';
import { deleteCompany, renameCompany, restoreCompany } from './use-cases/change-company.ts';
import { changeCompanyMember, transferCompany } from './use-cases/change-roles.ts';
import { listPeople, listWorkspaces } from './use-cases/list-company.ts';

const group = openGroup('company');
const companies = companyRepository(group.table);
const deps = { companies, graceDays: Number(environment('DELETION_GRACE_DAYS')), now: group.now };

export const handler = endpointGroup(
  [
    bind(routes.getCompany, async ({ principal }) => showCompany(await companies.company(principal.companyId))),
    bind(routes.updateCompany, ({ principal, body }) => renameCompany(deps, principal, body.name)),
    bind(routes.deleteCompany, ({ principal, query }) => deleteCompany(deps, principal, query.confirm)),
    bind(routes.restoreCompany, ({ principal }) => restoreCompany(deps, principal)),
    bind(routes.listCompanyWorkspaces, ({ principal, query }) => listWorkspaces(deps, principal, query)),
    bind(routes.listCompanyMembers, ({ principal, query }) => listPeople(deps, principal, query)),
    bind(routes.changeCompanyMember, ({ principal, params: { userId }, body: { companyRole } }) =>
      changeCompanyMember(deps, principal, { userId, companyRole }),
    ),
    bind(routes.transferCompany, ({ principal, body }) => transferCompany(deps, principal, body)),
  ],
  group,
);
