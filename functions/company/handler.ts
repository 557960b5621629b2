import { shownCompany, shownWorkspace } from '../../shared/domains/workspaces/index.ts';
import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/platform/http/open-group.ts';
import { companyRepository } from './repository.ts';
import * as routes from './routes.ts';
import { deleteCompany, renameCompany, restoreCompany } from './use-cases/change-company.ts';
import { changeCompanyMember, shownMember, transferCompany } from './use-cases/change-roles.ts';

const group = openGroup('company');
const companies = companyRepository(group.table);
const deps = { companies, graceDays: Number(environment('DELETION_GRACE_DAYS')), now: group.now };

export const handler = endpointGroup(
  [
    bind(routes.getCompany, async ({ principal }) => shownCompany(await companies.company(principal.companyId))),
    bind(routes.updateCompany, ({ principal, body }) => renameCompany(deps, principal, body.name)),
    bind(routes.deleteCompany, ({ principal, query }) => deleteCompany(deps, principal, query.confirm)),
    bind(routes.restoreCompany, ({ principal }) => restoreCompany(deps, principal)),
    bind(routes.listCompanyWorkspaces, async ({ principal, query }) => {
      const { items, total } = await companies.workspaces(principal, query);
      return { items: items.map(shownWorkspace), total, ...query };
    }),
    bind(routes.listCompanyMembers, async ({ principal, query }) => {
      const { items, total } = await companies.users(principal, query);
      return { items: items.map(shownMember), total, ...query };
    }),
    bind(routes.changeCompanyMember, ({ principal, params: { userId }, body: { companyRole } }) =>
      changeCompanyMember(deps, principal, { userId, companyRole }),
    ),
    bind(routes.transferCompany, ({ principal, body }) => transferCompany(deps, principal, body)),
  ],
  group,
);
