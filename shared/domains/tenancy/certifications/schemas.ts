import * as Type from 'typebox';
import { Id, Nullable, StrictObject, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { CERTIFIED_TYPES } from './records.ts';

const Ref = StrictObject(
  {
    type: StringEnum(CERTIFIED_TYPES, { description: 'The kind of the object.' }),
    id: Type.Unsafe<string>({ ...Id, description: 'The id of the object.' }),
  },
  { $id: 'CertifiedRef', description: 'An object that can be certified.' },
);

export const Deprecation = Type.Object(
  {
    reason: Nullable(Type.String()),
    replacedBy: Nullable(Ref),
    removeAfter: Nullable(Timestamp),
    at: Timestamp,
  },
  { $id: 'Deprecation', description: 'Why an object should no longer be used.' },
);

export { Ref as CertifiedRefSchema };

/** What replies of objects show of their certification. */
export const shownCertification = {
  isCertified: Type.Boolean({ description: 'Whether someone who may certify vouches for it now.' }),
  certifiedBy: Nullable(Type.String({ minLength: 1, maxLength: 200 })),
  certifiedAt: Nullable(Timestamp),
  deprecation: Nullable(Deprecation),
};
