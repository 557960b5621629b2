import type { Static } from 'typebox';
import * as Type from 'typebox';
import { AuditEntry, AuditSettings } from '../../../shared/domains/tenancy/audit/index.ts';
import { AUDIT_ACTIONS } from '../../../shared/platform/audit/actions.ts';
import { Cursor, DownloadLink, Id, LimitQuery, NextCursor, StringEnum } from '../../../shared/platform/http/schemas.ts';

const instant = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }));

const filter = {
  from: instant('Only acts at this time or later.'),
  to: instant('Only acts before this time.'),
  actorId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only acts of this user or API key.' })),
  action: Type.Optional(StringEnum(AUDIT_ACTIONS, { description: 'Only this action.' })),
  objectType: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Only acts on this kind of object, such as `group`.' }),
  ),
  objectId: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only acts on this object.' })),
  workspaceId: Type.Optional(
    Type.Unsafe<string>({
      ...Id,
      description: 'Only acts in this workspace. Company admins read the log of the whole company without it.',
    }),
  ),
  cursor: Type.Optional(Cursor),
};

export const AuditLogQuery = Type.Object({ ...LimitQuery.properties, ...filter });
export const AuditExportQuery = Type.Object(filter);
export type LogQuery = Static<typeof AuditExportQuery>;

export const AuditLogPage = Type.Object(
  { items: Type.Array(AuditEntry), nextCursor: NextCursor },
  {
    $id: 'AuditLogPage',
    description:
      'A part of the log, newest first. With filters it may have fewer items than `limit`, or none: go on while there is a `nextCursor`.',
  },
);
export type AuditLogPage = Static<typeof AuditLogPage>;

export const AuditExport = Type.Object(
  {
    ...DownloadLink.properties,
    entries: Type.Integer({ description: 'The number of lines of the file.' }),
    nextCursor: NextCursor,
  },
  {
    $id: 'AuditExport',
    description:
      'A link to a file with an entry on each line (NDJSON), newest first. Anyone who has the URL can read the file until `expiresAt`. A long log has further files: repeat the request with `nextCursor`.',
  },
);
export type AuditExport = Static<typeof AuditExport>;

export const PutAuditSettings = Type.Object(
  { retentionDays: AuditSettings.properties.retentionDays },
  { $id: 'PutAuditSettings', description: 'How long entries are kept.' },
);
