import { bind } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { openGroup } from '../../shared/platform/http/open-group.ts';
import { entitlementRepository } from './repository.ts';
import * as routes from './routes.ts';
import { describeEntitlements } from './use-cases/describe-entitlements.ts';
import { describeUsage } from './use-cases/describe-usage.ts';

const group = openGroup('entitlements', { recordsUse: false });
const deps = { entitlements: entitlementRepository(group.table), now: group.now };

export const handler = endpointGroup(
  [
    bind(routes.getEntitlements, async ({ principal }) =>
      describeEntitlements(await deps.entitlements.entitlements(principal.companyId), deps.now()),
    ),
    bind(routes.getProductUsage, ({ principal }) => describeUsage(deps, principal)),
  ],
  group,
);
