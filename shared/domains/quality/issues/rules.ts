import type { Severity } from '../../../data/quality/tests.ts';
import { later } from '../../../platform/storage/ids.ts';
import { type CheckedTable, tableKey } from '../table.ts';
import { type IssueStatus, type IssueType, issueId, MAX_CHANGES, type QualityIssue } from './records.ts';

/** Where and of what kind an issue is: all findings of one place are one issue. */
export interface IssuePlace {
  workspaceId: string;
  table: CheckedTable;
  issueType: IssueType;
  columnName?: string | null;
  testId?: string | null;
}

/** Something that is wrong now. */
export interface Finding extends IssuePlace {
  severity: Severity;
  title: string;
  /** Without values of rows: people who may not see them read it. */
  message: string | null;
  /** The run or scan that has found it, which counts once however often it is repeated. */
  findingId: string;
}

export const idOfPlace = ({ workspaceId, table, issueType, columnName, testId }: IssuePlace): string =>
  issueId(workspaceId, [tableKey(table), issueType, testId ?? '', testId ? '' : (columnName ?? '')]);

/** What is reported to others: an issue that has come, or gone. */
export type Edge = 'opened' | 'resolved';

export interface IssueChange {
  next: QualityIssue;
  edge?: Edge;
}

/** The issue after another finding; undefined if it knows the finding. */
export function afterFinding(before: QualityIssue | undefined, finding: Finding, now: Date): IssueChange | undefined {
  const { severity, title, message, columnName = null, findingId } = finding;
  if (!before) return { next: newIssue(finding, now), edge: 'opened' };
  if (before.lastFindingId === findingId) return undefined;
  const at = later(before.updatedAt, now);
  const seen = {
    ...before,
    ...{ severity, title, message, columnName },
    lastFindingId: findingId,
    occurrences: before.occurrences + 1,
    lastSeenAt: at,
    updatedAt: at,
  };
  if (!reopens(before, now)) return { next: seen };
  const isBack = before.status === 'fixed';
  const opened = withStatus(seen, { status: 'open', at, by: null, note: null });
  const reopenedCount = before.reopenedCount + (isBack ? 1 : 0);
  return { next: { ...opened, reopenedCount, resolutionNote: null }, edge: 'opened' };
}

const reopens = ({ status, ignoreUntil }: QualityIssue, now: Date): boolean =>
  status === 'fixed' || (status === 'ignored' && ignoreUntil !== null && new Date(ignoreUntil) <= now);

/** The issue once nothing is found any more; undefined if that changes nothing. */
export function afterAbsence(before: QualityIssue | undefined, now: Date, note = 'auto'): IssueChange | undefined {
  if (!before || (before.status !== 'open' && before.status !== 'in_progress')) return undefined;
  const at = later(before.updatedAt, now);
  const fixed = withStatus({ ...before, updatedAt: at }, { status: 'fixed', at, by: null, note });
  return { next: { ...fixed, resolutionNote: note }, edge: 'resolved' };
}

/** What a person decides about an issue. */
export interface Decision {
  status: IssueStatus;
  by: string;
  resolutionNote?: string | null | undefined;
  assigneeId?: string | null | undefined;
  ignoreUntil?: string | null | undefined;
}

/** Any status may follow any other. */
export function afterDecision(before: QualityIssue, decision: Decision, now: Date): IssueChange {
  const { status, by, resolutionNote, assigneeId, ignoreUntil = null } = decision;
  const at = later(before.updatedAt, now);
  const note = resolutionNote ?? null;
  const isOther = status !== before.status;
  const changed = isOther ? withStatus(before, { status, at, by, note }) : before;
  const next: QualityIssue = {
    ...changed,
    resolutionNote: resolutionNote === undefined ? (isOther ? null : before.resolutionNote) : resolutionNote,
    assigneeId: assigneeId === undefined ? before.assigneeId : assigneeId,
    ignoreUntil: status === 'ignored' && ignoreUntil ? new Date(ignoreUntil).toISOString() : null,
    updatedAt: at,
  };
  const edge = isOther ? edgeOf(before.status, status) : undefined;
  return { next, ...(edge ? { edge } : {}) };
}

const isActive = (status: IssueStatus): boolean => status === 'open' || status === 'in_progress';

function edgeOf(before: IssueStatus, after: IssueStatus): Edge | undefined {
  if (after === 'fixed' && isActive(before)) return 'resolved';
  return isActive(after) && before === 'fixed' ? 'opened' : undefined;
}

function withStatus(issue: QualityIssue, change: QualityIssue['history'][number]): QualityIssue {
  return {
    ...issue,
    status: change.status,
    resolvedAt: change.status === 'fixed' ? change.at : null,
    ignoreUntil: null,
    history: [...issue.history, change].slice(-MAX_CHANGES),
  };
}

function newIssue(finding: Finding, now: Date): QualityIssue {
  const { workspaceId, table, issueType, severity, title, message, columnName = null, testId = null } = finding;
  const { sourceId, schemaName, tableName } = table;
  const at = now.toISOString();
  return {
    id: idOfPlace(finding),
    ...{ workspaceId, issueType, severity, sourceId, schemaName, tableName, columnName, testId, title, message },
    status: 'open',
    resolutionNote: null,
    lastFindingId: finding.findingId,
    occurrences: 1,
    reopenedCount: 0,
    assigneeId: null,
    ignoreUntil: null,
    firstSeenAt: at,
    lastSeenAt: at,
    resolvedAt: null,
    history: [{ status: 'open', at, by: null, note: null }],
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
}
