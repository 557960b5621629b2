import type { Principal } from '../../../platform/auth/principal.ts';
import type { TransactItem } from '../../../platform/storage/table.ts';
import { isInForce } from './records.ts';
import type { Certifications, Certified } from './store.ts';

export interface CertifyingDeps {
  certifications: Certifications;
  now(): Date;
  members(workspaceId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, { name?: string | undefined }>>;
}

/**
 * What `isCertified` and `certifiedBy` of an object do: a certification keeps its time until the object is certified
 * again, and a deprecation stays unless the object is certified.
 */
export async function changeCertification(
  deps: CertifyingDeps,
  command: {
    principal: Principal;
    certified: Certified & { also?: readonly TransactItem[] };
    isCertified?: boolean | undefined;
    certifiedBy?: string | null | undefined;
  },
): Promise<void> {
  const { principal, certified, isCertified, certifiedBy } = command;
  const { also, ...object } = certified;
  const at = deps.now();
  const before = await deps.certifications.find(certified.place, certified);
  const isCurrent = isInForce(before, at);
  if (!(isCertified ?? isCurrent)) {
    if (before?.status === 'certified') await deps.certifications.set(object, null, principal.userId);
    return;
  }
  if (isCurrent && certifiedBy === undefined) return;
  const certification = {
    ...{ status: 'certified' as const, by: principal.userId, note: null, at: at.toISOString(), expiresAt: null },
    ...{ certifiedBy: certifiedBy ?? (await nameOf(deps, principal)), replacedBy: null, removeAfter: null },
  };
  await deps.certifications.set(object, certification, principal.userId, also);
}

export const nameOf = async ({ members }: Pick<CertifyingDeps, 'members'>, { workspaceId, userId }: Principal) =>
  (await members(workspaceId, [userId])).get(userId)?.name ?? userId;
