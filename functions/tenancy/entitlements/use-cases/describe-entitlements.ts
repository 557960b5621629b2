import {
  type CompanyEntitlements,
  resolveEntitlements,
  type Switches,
} from '../../../../shared/platform/entitlements/entitlements.ts';
import type { EntitlementSnapshot } from '../schemas.ts';

export function describeEntitlements(company: CompanyEntitlements, platform: Switches, now: Date): EntitlementSnapshot {
  const { tier, licensed, availability } = resolveEntitlements(company, platform, now);
  return {
    bi: { tier },
    pipelines: { licensed: licensed.pipelines },
    warehouse: { licensed: licensed.warehouse },
    trialGrants: company.trials,
    ...(availability ? { availability } : {}),
  };
}
