import { bind } from '../../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../../shared/platform/http/open-group.ts';
import { entitlementRepository } from './repository.ts';
import * as routes from './routes.ts';
import { getBudgets, replaceBudgets } from './use-cases/budgets.ts';
import { describeEntitlements } from './use-cases/describe-entitlements.ts';
import { describeUsage } from './use-cases/describe-usage.ts';
import { getLicence, removeLicence, uploadLicence } from './use-cases/licences.ts';

const group = openGroup('entitlements');
const entitlements = entitlementRepository(group.table);
const licenceKeys = (process.env.LICENCE_PUBLIC_KEYS ?? '').split(',').filter((key) => key !== '');
const deps = { entitlements, licenceKeys, now: group.now };

export const handler = endpointGroup(
  [
    bind(routes.getEntitlements, async ({ principal }) => {
      const [company, platform] = await Promise.all([
        entitlements.entitlements(principal.companyId),
        entitlements.platformSwitches(),
      ]);
      return describeEntitlements(company, platform, deps.now());
    }),
    bind(routes.getLicence, ({ principal }) => getLicence(deps, principal)),
    bind(routes.uploadLicence, ({ principal, body }) => uploadLicence(deps, principal, body)),
    bind(routes.removeLicence, ({ principal }) => removeLicence(deps, principal)),
    bind(routes.getProductUsage, ({ principal: { companyId, workspaceId }, query: { month } }) =>
      describeUsage(deps, { companyId, workspaceId, month }),
    ),
    bind(routes.getBudgets, ({ principal }) => getBudgets(deps, principal)),
    bind(routes.setBudgets, ({ principal, body }) => replaceBudgets(deps, principal, body)),
  ],
  group,
);
