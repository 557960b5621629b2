import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  CERTIFICATION_STATUSES,
  CERTIFIED_TYPES,
  type CertifiedRef,
  CertifiedRefSchema,
  HISTORY_EVENTS,
} from '../../../../shared/domains/tenancy/certifications/index.ts';
import {
  Id,
  ListQuery,
  Nullable,
  Page,
  Revision,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

const ObjectType = StringEnum(CERTIFIED_TYPES, { description: 'The kind of the object.' });

export const CertificationParams = Type.Object({
  type: ObjectType,
  id: Type.String({ format: 'uuid', description: 'The id of the object.' }),
});

const modelId = Type.Optional(
  Type.String({ format: 'uuid', description: 'The model of a table, field or measure; required for these.' }),
);

export const CertificationQuery = StrictObject({ modelId });
export const CertificationHistoryQuery = StrictObject({ modelId, ...ListQuery.properties });

const certifiedBy = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The person or team that vouches for it; the name of the caller when absent.',
});
const note = Nullable(
  Type.String({ maxLength: 2_000, description: 'What was checked, or why the object should no longer be used.' }),
);
const expiresAt = Nullable(
  Type.Unsafe<string>({
    ...Timestamp,
    maxLength: 64,
    description: 'When the certification ends unless it is renewed.',
  }),
);
const replacedBy = Nullable(CertifiedRefSchema);
const removeAfter = Nullable(
  Type.Unsafe<string>({ ...Timestamp, maxLength: 64, description: 'When the deprecated object is to be removed.' }),
);

export const SetCertification = StrictObject(
  {
    status: StringEnum([...CERTIFICATION_STATUSES, 'none'], {
      description: '`none` withdraws a certification or deprecation.',
    }),
    certifiedBy: Type.Optional(certifiedBy),
    note: Type.Optional(note),
    expiresAt: Type.Optional(expiresAt),
    replacedBy: Type.Optional(replacedBy),
    removeAfter: Type.Optional(removeAfter),
    reviewedRevision: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'The revision of the object that was reviewed. Rejected with `CERTIFICATION_STALE` if there is a newer one.',
      }),
    ),
  },
  { $id: 'SetCertification', description: 'Who vouches for an object and until when, or why not to use it.' },
);
export type SetCertification = Static<typeof SetCertification>;

const state = {
  status: StringEnum([...CERTIFICATION_STATUSES, 'none']),
  certifiedBy: Nullable(Type.String()),
  by: Type.Unsafe<string | null>({ ...Nullable(Id), description: 'The user who set it.' }),
  at: Nullable(Timestamp),
  note: Nullable(Type.String()),
  expiresAt,
  replacedBy,
  removeAfter,
};

export const CertificationState = Type.Object(
  {
    type: ObjectType,
    id: Id,
    name: Type.String(),
    isCertified: Type.Boolean({ description: 'Whether the certification is in force now.' }),
    ...state,
    revision: Type.Unsafe<number>({ ...Revision, description: 'The revision of the object now.' }),
  },
  { $id: 'CertificationState', description: 'Whether an object is certified or deprecated.' },
);
export type CertificationState = Static<typeof CertificationState>;

export const CertificationEvent = Type.Object(
  {
    id: Id,
    event: StringEnum(HISTORY_EVENTS, {
      description: '`ended`: someone who may not certify changed what the object means.',
    }),
    by: Type.Unsafe<string>({ ...Id, description: 'The user who did it, or whose change ended the certification.' }),
    at: Timestamp,
    status: StringEnum(CERTIFICATION_STATUSES, { description: 'What was set, withdrawn or ended.' }),
    certifiedBy: Type.String(),
    note: Nullable(Type.String()),
    expiresAt,
    because: Type.Unsafe<CertifiedRef | null>({
      ...Nullable(CertifiedRefSchema),
      description: 'The part of a model whose change ended the certification of a metric.',
    }),
  },
  { $id: 'CertificationEvent', description: 'A change of a certification.' },
);
export type CertificationEvent = Static<typeof CertificationEvent>;
export const CertificationHistory = Page(CertificationEvent);
