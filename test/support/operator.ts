import type {
  ChangedEntitlements,
  EntitlementChange,
} from '../../functions/tenancy/workers/change-entitlements/change.ts';
import { changeEntitlements, operatorClients } from '../../infra/operator.ts';
import type { Api } from './api.ts';

type WithoutCompany<C> = C extends unknown ? Omit<C, 'companyId'> : never;

/** What an operator does with `npm run entitlements`, for the company of the test. */
export function changeCompany(
  api: Pick<Api, 'endpoint' | 'companyId'>,
  change: WithoutCompany<EntitlementChange>,
): Promise<ChangedEntitlements> {
  const whole = { ...change, companyId: api.companyId } as EntitlementChange;
  return changeEntitlements(operatorClients(api.endpoint), 'AnalyticsRuntime-change-entitlements', whole);
}
