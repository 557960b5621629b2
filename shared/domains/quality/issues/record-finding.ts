import { AppError } from '../../../platform/errors/app-error.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { QualityIssue } from './records.ts';
import { removeOldIssues } from './remove-issues.ts';
import { edgeItems, type IssueRepository, issueRepository } from './repository.ts';
import { afterAbsence, afterFinding, type Finding, type IssueChange, type IssuePlace, idOfPlace } from './rules.ts';

export interface FindingDeps {
  table: Table;
  now(): Date;
}

/** Opens the issue of the finding, reopens it, or counts one more occurrence. */
export function recordFinding(deps: FindingDeps, finding: Finding): Promise<void> {
  return change(deps, finding, (before, now) => afterFinding(before, finding, now));
}

/** Sets the issue of the place to `fixed` unless a person has decided about it, or there is none. */
export function recordResolved(deps: FindingDeps, place: IssuePlace, note = 'auto'): Promise<void> {
  return change(deps, place, (before, now) => afterAbsence(before, now, note));
}

function change(
  { table, now }: FindingDeps,
  place: IssuePlace,
  rule: (before: QualityIssue | undefined, now: Date) => IssueChange | undefined,
): Promise<void> {
  const issues = issueRepository(table);
  return onNewest('STALE_WRITE', async () => {
    const before = await issues.get(place.workspaceId, idOfPlace(place));
    const changed = rule(before, now());
    if (changed) await store(table, issues, { before, changed, at: now() });
  });
}

async function store(
  table: Table,
  issues: IssueRepository,
  { before, changed, at }: { before: QualityIssue | undefined; changed: IssueChange; at: Date },
): Promise<void> {
  const events = edgeItems(table, changed, at);
  if (before) {
    await issues.replace(before, changed.next, 'STALE_WRITE', events);
    return;
  }
  const stored = await issues.create(changed.next, events);
  // Another finding has opened the issue at the same time.
  if (stored.lastFindingId !== changed.next.lastFindingId) throw new AppError('STALE_WRITE');
  await removeOldIssues(issues, stored.workspaceId, at);
}
