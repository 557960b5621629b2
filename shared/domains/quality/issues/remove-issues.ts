import { AppError } from '../../../platform/errors/app-error.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import type { IssueRepository } from './repository.ts';

/** Fixed issues can be read for a year. */
export const FIXED_ISSUE_MS = 365 * DAY_MS;
const REMOVED_AT_ONCE = 100;

/** Removes the oldest issues that were fixed long ago. Each new issue does so, so that they do not add up. */
export async function removeOldIssues(
  issues: Pick<IssueRepository, 'list' | 'remove'>,
  workspaceId: string,
  now: Date,
): Promise<void> {
  const { items } = await issues.list(workspaceId, { limit: REMOVED_AT_ONCE, offset: 0, sort: 'createdAt' });
  const isOld = (at: string | null) => at !== null && Date.parse(at) < now.getTime() - FIXED_ISSUE_MS;
  for (const issue of items.filter(({ status, resolvedAt }) => status === 'fixed' && isOld(resolvedAt))) {
    await issues.remove(issue, 'STALE_WRITE').catch(ignoreChanged);
  }
}

/** It was reopened or removed at the same time. */
function ignoreChanged(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'STALE_WRITE') throw error;
}
