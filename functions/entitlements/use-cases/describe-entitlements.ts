import { type CompanyEntitlements, holdsLicence } from '../../../shared/platform/entitlements/entitlements.ts';
import type { EntitlementSnapshot } from '../schemas.ts';

export function describeEntitlements(entitlements: CompanyEntitlements, now: Date): EntitlementSnapshot {
  return {
    bi: { tier: entitlements.tier },
    pipelines: { licensed: holdsLicence(entitlements, 'pipelines', now) },
    warehouse: { licensed: holdsLicence(entitlements, 'warehouse', now) },
    trialGrants: entitlements.trials,
    availability: entitlements.availability,
  };
}
