/** What people certify on its own. */
export const CERTIFIED_OBJECTS = [
  'model',
  'metric',
  'dataset',
  'saved-query',
  'dashboard',
  'report',
  'story',
  'pipeline',
  'term',
] as const;
/** Parts of a model, which are certified beside it. */
export const CERTIFIED_PARTS = ['table', 'field', 'measure'] as const;
export const CERTIFIED_TYPES = [...CERTIFIED_OBJECTS, ...CERTIFIED_PARTS] as const;
export type CertifiedObject = (typeof CERTIFIED_OBJECTS)[number];
export type CertifiedType = (typeof CERTIFIED_TYPES)[number];

export const CERTIFICATION_STATUSES = ['certified', 'deprecated'] as const;

export interface CertifiedRef {
  type: CertifiedType;
  id: string;
}

/** What someone vouches for, or advises against. */
export interface Certification {
  status: (typeof CERTIFICATION_STATUSES)[number];
  by: string;
  /** The person or team that vouches for it, as people read it. */
  certifiedBy: string;
  note: string | null;
  at: string;
  /** A certification is no longer in force from then on. */
  expiresAt: string | null;
  /** What to use instead of a deprecated object. */
  replacedBy: CertifiedRef | null;
  /** When a deprecated object is to be removed. */
  removeAfter: string | null;
}

/**
 * The certifications of an object and, of a model, of its parts: one item, so that a change of the object reads and
 * guards them all.
 */
export interface CertificationRecord {
  workspaceId: string;
  objectType: CertifiedObject;
  objectId: string;
  /** By type and id, such as `field#…`. */
  entries: Record<string, Certification>;
  /** What the catalog says about the object beside that. */
  listing?: Listing;
  /** Certified objects that are made from this one or its parts, by type and id, such as `metric#…`. */
  dependents?: Record<string, Dependent>;
  revision: number;
}

/** Who answers for an object, and where and by which words people find it. */
export interface Listing {
  ownerIds: string[];
  domainId: string | null;
  tags: string[];
}

/** Its certification ends with a change of what it rests on. */
export interface Dependent {
  type: CertifiedObject;
  id: string;
  /** The names of entries, certified or not. */
  on: string[];
}

/** The object, and those of its parts, from which another one is made. */
export interface Basis {
  place: CertifiedPlace;
  parts: readonly CertifiedRef[];
}

/** The object that people certify, or that has the part. */
export interface CertifiedPlace {
  workspaceId: string;
  type: CertifiedObject;
  id: string;
}

export const HISTORY_EVENTS = ['certified', 'deprecated', 'withdrawn', 'ended'] as const;

export interface CertificationEvent {
  id: string;
  event: (typeof HISTORY_EVENTS)[number];
  /** The user who did it, or whose change ended the certification. */
  by: string;
  at: string;
  /** What was set, withdrawn or ended. */
  certification: Certification;
  /** What the object is made from, if the change of that ended the certification. */
  because?: CertifiedRef;
}

/** A change may end the certifications of many parts. */
export interface StoredEvent extends Omit<CertificationEvent, 'certification'> {
  objects: { ref: CertifiedRef; certification: Certification }[];
}

export const entryName = ({ type, id }: CertifiedRef): string => `${type}#${id}`;

/** Compared whenever it is read, so that nothing must run at that moment. */
export const isInForce = (certification: Certification | undefined, now: Date): boolean =>
  certification?.status === 'certified' &&
  (certification.expiresAt === null || certification.expiresAt > now.toISOString());

export interface ShownCertification {
  isCertified: boolean;
  certifiedBy: string | null;
  certifiedAt: string | null;
  deprecation: {
    reason: string | null;
    replacedBy: CertifiedRef | null;
    removeAfter: string | null;
    at: string;
  } | null;
}

export function showCertification(certification: Certification | undefined, now: Date): ShownCertification {
  const isCertified = isInForce(certification, now);
  const { certifiedBy, at, note, replacedBy, removeAfter } = certification ?? {};
  return {
    isCertified,
    certifiedBy: isCertified ? certifiedBy! : null,
    certifiedAt: isCertified ? at! : null,
    deprecation:
      certification?.status === 'deprecated'
        ? { reason: note!, replacedBy: replacedBy!, removeAfter: removeAfter!, at: at! }
        : null,
  };
}

/** Adds the filter `isCertified` of a list to its search. */
export function matchingCertification<T extends { id: string }>(
  certified: ReadonlyMap<string, Certification>,
  wanted: boolean | undefined,
  now: Date,
  matches: ((record: T) => boolean) | undefined,
): ((record: T) => boolean) | undefined {
  if (wanted === undefined) return matches;
  return (record) => isInForce(certified.get(record.id), now) === wanted && (matches?.(record) ?? true);
}
