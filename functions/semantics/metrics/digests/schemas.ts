import type { Static, TProperties } from 'typebox';
import * as Type from 'typebox';
import {
  DigestMail,
  DigestRun,
  digestProperties,
  MAX_RECIPIENTS,
  STOP_REASONS,
} from '../../../../shared/domains/semantics/metric-reports/index.ts';
import {
  Id,
  idParams,
  Nullable,
  Page,
  Revision,
  StringEnum,
  searchedListQuery,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

export const DigestParams = idParams('digest');
export const DigestRunParams = Type.Object({
  ...DigestParams.properties,
  runId: Type.String({ format: 'uuid', description: 'The id of the run.' }),
});

const people = {
  ownerId: Type.Unsafe<string>({
    ...Id,
    description: 'The member who answers for the digest; the creator by default. It stops when they leave.',
  }),
  recipientIds: Type.Array(Id, {
    minItems: 1,
    maxItems: MAX_RECIPIENTS,
    uniqueItems: true,
    description: 'Members of the workspace. Each gets an email with the numbers that they may see.',
  }),
};

export const Digest = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    ...digestProperties,
    ...people,
    recipientIds: Type.Array(Id, { description: 'The recipients who are still members of the workspace.' }),
    status: StringEnum(['active', 'paused', 'stopped'], {
      description: '`paused` while `isActive` is false; `stopped` for the reason in `stopReason`.',
    }),
    stopReason: Nullable(StringEnum(STOP_REASONS)),
    nextAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When it is sent next.' })),
    createdBy: Id,
    updatedBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'Digest', description: 'Metrics that members of the workspace get by email on a schedule.' },
);
export type Digest = Static<typeof Digest>;

export const DigestPage = Page(Digest);

export const DigestListQuery = Type.Object({
  ...searchedListQuery('digests', { texts: 'name', default: 'name' }).properties,
  isActive: Type.Optional(Type.Boolean({ description: 'Only digests that are active, or only the others.' })),
});
export type DigestListQuery = Static<typeof DigestListQuery>;

const { name, metricIds, cron, timezone, isActive } = digestProperties;

export const CreateDigest = Type.Object(
  {
    name,
    metricIds,
    cron,
    timezone: Type.Unsafe<string>({ ...timezone, default: 'UTC' }),
    recipientIds: people.recipientIds,
    isActive: Type.Unsafe<boolean>({ ...isActive, default: true }),
    ownerId: Type.Optional(people.ownerId),
  },
  { $id: 'CreateDigest', description: 'The metrics, the schedule and the recipients of a digest.' },
);
export type CreateDigest = Static<typeof CreateDigest>;

const optional = <P extends TProperties>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof P]: import('typebox').TOptional<P[K]>;
  };

export const UpdateDigest = Type.Object(optional({ ...digestProperties, ...people }), {
  $id: 'UpdateDigest',
  description: 'Fields to change; omitted fields keep their values.',
});
export type UpdateDigest = Static<typeof UpdateDigest>;

export const DigestRunsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many runs to return.' }),
});

export const DigestRuns = Type.Object(
  { items: Type.Array(DigestRun, { description: 'The newest first.' }) },
  { $id: 'DigestRuns', description: 'The newest runs of a digest.' },
);

export const DigestRunDetails = Type.Object(
  {
    ...DigestRun.properties,
    mails: Type.Array(DigestMail, { description: 'The emails that are written so far, one for each recipient.' }),
  },
  { $id: 'DigestRunDetails', description: 'A run of a digest with its emails.' },
);
export type DigestRunDetails = Static<typeof DigestRunDetails>;
