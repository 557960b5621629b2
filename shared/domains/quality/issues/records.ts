import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SEVERITIES } from '../../../data/quality/tests.ts';
import { Id, Nullable, Revision, StringEnum, Timestamp } from '../../../platform/http/schemas.ts';
import { idFrom } from '../../../platform/storage/ids.ts';

export const ISSUE_STATUSES = ['open', 'ignored', 'fixed', 'in_progress'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

export const ISSUE_TYPES = [
  'test_failed',
  'execution_error',
  'volume_anomaly',
  'freshness_anomaly',
  'distribution_anomaly',
] as const;
export type IssueType = (typeof ISSUE_TYPES)[number];

const Change = Type.Object({
  status: StringEnum(ISSUE_STATUSES),
  at: Timestamp,
  by: Nullable(Type.Unsafe<string>({ ...Id, description: 'Null if a run changed it.' })),
  note: Nullable(Type.String({ maxLength: 2000 })),
});

export const MAX_CHANGES = 50;

export const issueProperties = {
  id: Id,
  workspaceId: Id,
  issueType: StringEnum(ISSUE_TYPES),
  severity: StringEnum(SEVERITIES),
  status: StringEnum(ISSUE_STATUSES),
  sourceId: Type.String({ description: 'The data source of the table; `datasets` for a dataset.' }),
  schemaName: Type.String(),
  tableName: Type.String(),
  columnName: Nullable(Type.String({ description: 'The column, or several with commas; null for the whole table.' })),
  testId: Nullable(Id),
  title: Type.String({ description: 'The name of the test, or what is unusual.' }),
  message: Nullable(Type.String({ description: 'What the last finding says, without values of rows.' })),
  resolutionNote: Nullable(
    Type.String({ maxLength: 2000, description: '`auto` if a run that passes has fixed the issue.' }),
  ),
  lastFindingId: Nullable(Type.String({ description: 'The run or scan that has found it last.' })),
  occurrences: Type.Integer({ minimum: 1 }),
  reopenedCount: Type.Integer({ minimum: 0 }),
  assigneeId: Nullable(Id),
  ignoreUntil: Nullable(Timestamp),
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
  history: Type.Array(Change, { maxItems: MAX_CHANGES, description: 'The last changes of the status, oldest first.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  revision: Revision,
};

export const QualityIssueRecord = Type.Object(issueProperties);
export type QualityIssue = Static<typeof QualityIssueRecord>;

/** The same id for every finding of one kind in one place. */
export const issueId = (workspaceId: string, fingerprint: readonly string[]): string =>
  idFrom('quality-issue', workspaceId, ...fingerprint);
