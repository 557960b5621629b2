import { type Certification, isInForce } from '../../../../../shared/domains/tenancy/certifications/index.ts';
import type { PageOf } from '../../../../../shared/platform/storage/page.ts';
import type { Found } from '../certified-kinds.ts';
import type { CertificationEvent, CertificationState } from '../schemas.ts';
import { type CertificationDeps, findCertified, type OfCertification } from './context.ts';

/** Throws `CERTIFIED_OBJECT_NOT_FOUND`. */
export async function getCertification(deps: CertificationDeps, request: OfCertification): Promise<CertificationState> {
  const found = await findCertified(deps, request);
  return showState(found, await deps.certifications.find(found.place, found), deps.now());
}

/** Throws `CERTIFIED_OBJECT_NOT_FOUND`. */
export async function listEvents(
  deps: CertificationDeps,
  { limit, offset, ...request }: OfCertification & { limit: number; offset: number },
): Promise<PageOf<CertificationEvent>> {
  const found = await findCertified(deps, request);
  const events = await deps.certifications.history(found.place, found);
  const items = events.slice(offset, offset + limit).map(({ certification, because = null, ...event }) => {
    const { status, certifiedBy, note, expiresAt } = certification;
    return { ...event, status, certifiedBy, note, expiresAt, because };
  });
  return { items, total: events.length, limit, offset };
}

const NONE = {
  ...{ status: 'none' as const, certifiedBy: null, by: null, at: null, note: null, expiresAt: null },
  ...{ replacedBy: null, removeAfter: null },
};

export const showState = (
  { type, id, name, revision }: Found,
  certification: Certification | undefined,
  now: Date,
): CertificationState => ({
  ...{ type, id, name, isCertified: isInForce(certification, now) },
  ...(certification ?? NONE),
  revision,
});
