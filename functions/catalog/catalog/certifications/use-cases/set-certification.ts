import { reminderItems } from '../../../../../shared/domains/catalog/reminders/index.ts';
import { type Certification, nameOf } from '../../../../../shared/domains/tenancy/certifications/index.ts';
import { AppError, type Issue } from '../../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../../shared/platform/storage/on-newest.ts';
import type { Found } from '../certified-kinds.ts';
import type { CertificationState, SetCertification } from '../schemas.ts';
import { type CertificationDeps, findCertified, type OfCertification, objectOrNone } from './context.ts';
import { showState } from './find-certification.ts';

/**
 * Throws `CERTIFIED_OBJECT_NOT_FOUND`, `CERTIFICATION_STALE`, `CERTIFICATION_FULL`, and `VALIDATION_FAILED` for members
 * that do not belong to the status.
 */
export function setCertification(
  deps: CertificationDeps,
  request: OfCertification & { wanted: SetCertification; apiUrl: string },
): Promise<CertificationState> {
  const { principal, wanted, apiUrl, ...ref } = request;
  return onNewest('STALE_WRITE', async () => {
    const found = await findCertified(deps, { principal, ...ref });
    if (wanted.reviewedRevision !== undefined && wanted.reviewedRevision !== found.revision)
      throw new AppError('CERTIFICATION_STALE');
    const errors = [...issuesOf(wanted, deps.now()), ...(await successorIssues(deps, request))];
    if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
    const { also = [], ownerId: _ownerId, ...certified } = found;
    const certification = wanted.status === 'none' ? null : await certificationOf(deps, request, wanted.status);
    const isCertified = certification?.status === 'certified';
    const reminders = certification?.expiresAt ? await remindersOf(deps, found, certification, apiUrl) : [];
    await deps.certifications.set(
      certified,
      certification,
      principal.userId,
      isCertified ? [...also, ...reminders] : [],
    );
    return showState(found, certification ?? undefined, deps.now());
  });
}

/** For those who certified the object, and those who answer for it. */
async function remindersOf(
  { table, certifications }: CertificationDeps,
  { place, type, id, ownerId }: Found,
  { by, expiresAt }: Certification,
  apiUrl: string,
) {
  const owners = (await certifications.read(place))?.listing?.ownerIds ?? [];
  const userIds = [...new Set([by, ...(owners.length > 0 ? owners : [ownerId].filter((each) => each !== null))])];
  return reminderItems(table, { place, ref: { type, id }, expiresAt: expiresAt!, userIds, apiUrl });
}

async function certificationOf(
  deps: CertificationDeps,
  { principal, wanted }: OfCertification & { wanted: SetCertification },
  status: Certification['status'],
): Promise<Certification> {
  const { certifiedBy, note = null, expiresAt = null, replacedBy = null, removeAfter = null } = wanted;
  return {
    status,
    by: principal.userId,
    certifiedBy: certifiedBy ?? (await nameOf(deps, principal)),
    ...{ note, at: deps.now().toISOString(), expiresAt, replacedBy, removeAfter },
  };
}

function issuesOf({ status, expiresAt, replacedBy, removeAfter }: SetCertification, now: Date): Issue[] {
  const only = (pointer: string, wanted: SetCertification['status'], value: unknown): Issue[] =>
    (value ?? null) === null || status === wanted
      ? []
      : [{ pointer, code: 'NOT_ALLOWED', message: `belongs to the status ${wanted}` }];
  const isPast = (expiresAt ?? null) !== null && Date.parse(expiresAt!) <= now.getTime();
  return [
    ...only('/expiresAt', 'certified', expiresAt),
    ...(isPast ? [{ pointer: '/expiresAt', code: 'IN_THE_PAST', message: 'must be in the future' }] : []),
    ...only('/replacedBy', 'deprecated', replacedBy),
    ...only('/removeAfter', 'deprecated', removeAfter),
  ];
}

async function successorIssues(
  deps: CertificationDeps,
  { principal, wanted: { replacedBy }, type, id, modelId }: OfCertification & { wanted: SetCertification },
): Promise<Issue[]> {
  if (!replacedBy) return [];
  const pointer = '/replacedBy';
  if (replacedBy.type === type && replacedBy.id === id)
    return [{ pointer, code: 'NOT_ALLOWED', message: 'must be another object' }];
  if (await objectOrNone(deps, { principal, modelId, ...replacedBy })) return [];
  return [{ pointer, code: 'NOT_FOUND', message: 'is no object that you can see' }];
}
