import type {
  Certifications,
  CertifiedRef,
  CertifyingDeps,
} from '../../../../../shared/domains/tenancy/certifications/index.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import type { ReadRule } from '../../../../../shared/platform/entitlements/may-read.ts';
import { AppError } from '../../../../../shared/platform/errors/app-error.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';
import { type Found, kindOf } from '../certified-kinds.ts';

export interface CertificationDeps extends CertifyingDeps {
  table: Table;
  certifications: Certifications;
  mayRead(principal: Principal, rule: ReadRule): Promise<boolean>;
}

export interface OfCertification extends CertifiedRef {
  principal: Principal;
  modelId?: string | undefined;
}

/** Throws `CERTIFIED_OBJECT_NOT_FOUND` also for an object that the caller cannot see. */
export async function findCertified(deps: CertificationDeps, request: OfCertification): Promise<Found> {
  const found = await objectOrNone(deps, request);
  if (!found) throw new AppError('CERTIFIED_OBJECT_NOT_FOUND');
  return found;
}

export async function objectOrNone(
  deps: Pick<CertificationDeps, 'table' | 'mayRead'>,
  { principal, modelId, type, id }: OfCertification,
): Promise<Found | undefined> {
  const kind = kindOf({ type, id }, modelId);
  if (!kind || !(await deps.mayRead(principal, kind))) return undefined;
  return kind.find(deps.table, principal, id);
}
