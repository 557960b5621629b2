import { SEVERITIES } from '../../../../shared/data/quality/tests.ts';
import {
  afterDecision,
  edgeItems,
  ISSUE_STATUSES,
  ISSUE_TYPES,
  type IssueRepository,
  ofTable,
  type QualityIssue,
} from '../../../../shared/domains/quality/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { MAX_SELECTED } from '../../../../shared/platform/storage/list-request.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import type { Named } from '../use-cases/context.ts';
import type { IssueListQuery, IssueSummary, SetIssueStatus } from './schemas.ts';

interface Deps {
  table: Table;
  issues: IssueRepository;
  now(): Date;
  isMember(workspaceId: string, userId: string): Promise<boolean>;
}

export function listIssues(
  { issues }: Pick<Deps, 'issues'>,
  workspaceId: string,
  { limit, offset, sort = '-lastSeenAt', tableName, ...having }: IssueListQuery,
): Promise<PageOf<QualityIssue>> {
  return issues.list(workspaceId, { limit, offset, sort, having, matches: ofTable(tableName) });
}

export async function summarizeIssues({ issues }: Pick<Deps, 'issues'>, workspaceId: string): Promise<IssueSummary> {
  const all = await allIssues(issues, workspaceId);
  const active = all.filter(({ status }) => status === 'open' || status === 'in_progress');
  return {
    total: all.length,
    byStatus: countBy(
      ISSUE_STATUSES,
      all.map(({ status }) => status),
    ),
    bySeverity: countBy(
      SEVERITIES,
      active.map(({ severity }) => severity),
    ),
    byType: countBy(
      ISSUE_TYPES,
      active.map(({ issueType }) => issueType),
    ),
  };
}

/** Every issue, although a page holds no more than fit into a reply. */
export async function allIssues(issues: IssueRepository, workspaceId: string): Promise<QualityIssue[]> {
  const found: QualityIssue[] = [];
  for (;;) {
    const { items, total } = await issues.list(workspaceId, {
      limit: MAX_SELECTED,
      offset: found.length,
      matches: () => true,
    });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

const countBy = (words: readonly string[], values: readonly string[]): Record<string, number> =>
  Object.fromEntries(words.map((word) => [word, values.filter((value) => value === word).length]));

/** Throws `QUALITY_ISSUE_NOT_FOUND`. */
export async function findIssue({ issues }: Pick<Deps, 'issues'>, { workspaceId, id }: Named): Promise<QualityIssue> {
  const found = await issues.get(workspaceId, id);
  if (!found) throw new AppError('QUALITY_ISSUE_NOT_FOUND');
  return found;
}

/** Throws `QUALITY_ISSUE_NOT_FOUND`, and `MEMBER_NOT_FOUND` for an assignee from elsewhere. */
export function setIssueStatus(
  deps: Deps,
  { workspaceId, id, by, ...decision }: Named & SetIssueStatus & { by: string },
): Promise<QualityIssue> {
  const { status, ignoreUntil, assigneeId } = decision;
  if (ignoreUntil && status !== 'ignored') {
    const message = 'is only allowed with the status `ignored`';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/ignoreUntil', code: 'NOT_ALLOWED', message }] });
  }
  // The format of timestamps has leap seconds, which dates do not.
  if (ignoreUntil && Number.isNaN(Date.parse(ignoreUntil))) {
    const message = 'is not a time that exists';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/ignoreUntil', code: 'FORMAT', message }] });
  }
  return onNewest('STALE_WRITE', async () => {
    const before = await findIssue(deps, { workspaceId, id });
    const isNew = assigneeId && assigneeId !== before.assigneeId;
    if (isNew && !(await deps.isMember(workspaceId, assigneeId))) throw new AppError('MEMBER_NOT_FOUND');
    const at = deps.now();
    const changed = afterDecision(before, { ...decision, by }, at);
    return deps.issues.replace(before, changed.next, 'STALE_WRITE', edgeItems(deps.table, changed, at));
  });
}
