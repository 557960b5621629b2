import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ACTOR_TYPES } from '../../../platform/audit/act.ts';
import { AUDIT_ACTIONS } from '../../../platform/audit/actions.ts';
import { DEFAULT_RETENTION_DAYS, MAX_RETENTION_DAYS, MIN_RETENTION_DAYS } from '../../../platform/audit/settings.ts';
import { Id, Nullable, Revision, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';

const Members = Nullable(Type.Record(Type.String(), Type.Unknown()));

export const AuditEntry = Type.Object(
  {
    id: Id,
    at: Timestamp,
    workspaceId: Type.Unsafe<string | null>({
      ...Nullable(Id),
      description: 'Null for an act that concerns the company as a whole, such as a change of a password.',
    }),
    action: StringEnum(AUDIT_ACTIONS),
    actor: Type.Object({
      type: StringEnum(ACTOR_TYPES),
      id: Nullable(Type.String({ description: 'Of the user or the API key.' })),
      name: Nullable(Type.String({ description: 'At the time of the act.' })),
      email: Nullable(Type.String({ description: 'At the time; for an API key, of the person it acts for.' })),
    }),
    object: Type.Object({
      type: Type.String(),
      id: Type.String(),
      name: Nullable(Type.String({ description: 'At the time of the act.' })),
    }),
    before: Type.Unsafe<Static<typeof Members>>({
      ...Members,
      description: 'Members that changed; null if there was nothing.',
    }),
    after: Type.Unsafe<Static<typeof Members>>({
      ...Members,
      description: 'The same members after the act. `[hidden]` stands for a secret.',
    }),
    address: Nullable(Type.String({ description: 'The IP address of the client.' })),
    userAgent: Nullable(Type.String()),
    requestId: Type.String(),
  },
  { $id: 'AuditEntry', description: 'An act, who did it, and what it changed.' },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const RetentionDays = Type.Integer({
  minimum: MIN_RETENTION_DAYS,
  maximum: MAX_RETENTION_DAYS,
  description: `How long entries are kept, in days; ${DEFAULT_RETENTION_DAYS} until it is set.`,
});

export const AuditSettings = Type.Object(
  {
    retentionDays: RetentionDays,
    updatedBy: Nullable(Id),
    updatedAt: Nullable(Timestamp),
    revision: Revision,
  },
  { $id: 'AuditSettings', description: 'How the company keeps its audit log.' },
);
export type AuditSettings = Static<typeof AuditSettings>;
