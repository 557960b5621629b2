import { auditedRecords } from '../../../platform/audit/records.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { idFrom } from '../../../platform/storage/ids.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { outboxItem } from '../../events/events/index.ts';
import { nameOfTable } from '../table.ts';
import type { QualityIssue } from './records.ts';
import type { Edge, IssueChange } from './rules.ts';

export type IssueRepository = Collection<QualityIssue>;

/** Runs write no audit log, which is about what people do. */
export const issueRepository = (table: Table): IssueRepository =>
  collection<QualityIssue>(table, { entity: 'quality-issue', versioned: true });

/** For changes that people make. */
export const auditedIssues = (table: Table): IssueRepository =>
  collection<QualityIssue>(table, {
    entity: 'quality-issue',
    versioned: true,
    logs: auditedRecords<QualityIssue>(table, {
      subject: 'quality_issue',
      name: ({ title }) => title,
      members: { status: 'shown', resolutionNote: 'shown', assigneeId: 'shown', ignoreUntil: 'shown' },
    }),
  });

/** The event of an issue that has come or gone, once for each time. */
export function edgeItems(table: Table, { next, edge }: IssueChange, at: Date): TransactItem[] {
  return edge ? [edge === 'opened' ? opened(table, next, at) : resolved(table, next, at)] : [];
}

const eventId = (edge: Edge, { id, updatedAt }: QualityIssue): string => idFrom('quality-issue', edge, id, updatedAt);

const about = (issue: QualityIssue) => ({
  workspaceId: issue.workspaceId,
  issueId: issue.id,
  issueType: issue.issueType,
  title: issue.title,
  severity: issue.severity,
  tableName: nameOfTable(issue),
  testId: issue.testId,
  url: '/api/data-quality/issues',
});

const opened = (table: Table, issue: QualityIssue, at: Date): TransactItem =>
  outboxItem(table, {
    id: eventId('opened', issue),
    workspaceId: issue.workspaceId,
    event: 'quality.issue_opened',
    data: { ...about(issue), reopenedCount: issue.reopenedCount, openedAt: issue.updatedAt },
    at,
  });

const resolved = (table: Table, issue: QualityIssue, at: Date): TransactItem =>
  outboxItem(table, {
    id: eventId('resolved', issue),
    workspaceId: issue.workspaceId,
    event: 'quality.issue_resolved',
    data: { ...about(issue), resolvedBy: issue.history.at(-1)?.by ?? null, resolvedAt: issue.updatedAt },
    at,
  });
