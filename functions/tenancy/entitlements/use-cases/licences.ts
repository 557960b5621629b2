import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { StoredLicence } from '../../../../shared/platform/entitlements/entitlements.ts';
import { isLicenceActive } from '../../../../shared/platform/entitlements/licence.ts';
import { verifyLicence } from '../../../../shared/platform/entitlements/licence-file.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { EntitlementRepository } from '../repository.ts';
import type { Licence } from '../schemas.ts';

interface Deps {
  entitlements: EntitlementRepository;
  /** The public keys that licence files are verified with. */
  licenceKeys: readonly string[];
  now(): Date;
}

/** Throws `LICENCE_NOT_FOUND`. */
export async function getLicence(deps: Deps, { companyId }: Principal): Promise<Licence> {
  const stored = await deps.entitlements.licence(companyId);
  if (!stored) throw new AppError('LICENCE_NOT_FOUND');
  return showLicence(stored, deps.now());
}

/** Replaces the licence of the company. Throws the errors of `verifyLicence`, after which the present one stays. */
export async function uploadLicence(
  deps: Deps,
  { companyId, userId }: Principal,
  command: { licence: string },
): Promise<Licence> {
  const now = deps.now();
  const licence = await verifyLicence(command.licence, { keys: deps.licenceKeys, companyId, now });
  const stored = { ...licence, uploadedBy: userId, uploadedAt: now.toISOString() };
  await deps.entitlements.putLicence(stored);
  return showLicence(stored, now);
}

/** Throws `LICENCE_NOT_FOUND`. */
export async function removeLicence(deps: Deps, { companyId }: Principal): Promise<void> {
  if (!(await deps.entitlements.removeLicence(companyId))) throw new AppError('LICENCE_NOT_FOUND');
}

function showLicence(stored: StoredLicence, now: Date): Licence {
  const { id, companyId, tier, products, notBefore, validUntil, uploadedBy, uploadedAt } = stored;
  const status = isLicenceActive(stored, now) ? 'active' : 'expired';
  return { id, companyId, tier, products, notBefore, validUntil, status, uploadedBy, uploadedAt };
}
