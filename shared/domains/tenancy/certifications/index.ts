/** The public API of this domain; everything else is internal. */
export { type CertifyingDeps, changeCertification, nameOf } from './change-certification.ts';
export { certificationCleanUps } from './clean-ups.ts';
export { deprecatedSources } from './deprecated-sources.ts';
export { endOfCertification, guardingCertification } from './guard.ts';
export {
  type Basis,
  CERTIFICATION_STATUSES,
  CERTIFIED_OBJECTS,
  CERTIFIED_PARTS,
  CERTIFIED_TYPES,
  type Certification,
  type CertificationEvent,
  type CertificationRecord,
  type CertifiedObject,
  type CertifiedPlace,
  type CertifiedRef,
  type CertifiedType,
  entryName,
  HISTORY_EVENTS,
  isInForce,
  type Listing,
  matchingCertification,
  type ShownCertification,
  showCertification,
} from './records.ts';
export { CertifiedRefSchema, Deprecation, shownCertification } from './schemas.ts';
export { type Certifications, type Certified, certifications, unchangedItem } from './store.ts';
