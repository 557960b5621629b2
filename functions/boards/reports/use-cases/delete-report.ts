import { purgeAt } from '../../../../shared/domains/boards/dashboards/index.ts';
import type { EndedReport, Report } from '../../../../shared/domains/boards/reports/index.ts';
import { outboxItem } from '../../../../shared/domains/events/events/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { idFrom, later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { RestoreReport, Report as ShownReport } from '../schemas.ts';
import type { NamedReport, ReportDeps } from './context.ts';
import { editedReport, showToEditor } from './find-report.ts';

/** Soft: the report can be restored until the clean-up in 30 days. Throws `REPORT_NOT_FOUND`. */
export async function deleteReport(deps: ReportDeps, named: NamedReport): Promise<void> {
  const { userId } = named.principal;
  await onNewest('STALE_WRITE', async () => {
    const before = await editedReport(deps, named);
    const { workspaceId, id: reportId } = before;
    const at = deps.now();
    const deletedAt = at.toISOString();
    const updatedAt = later(before.updatedAt, at);
    const deleted = { ...before, deletedAt, deletedBy: userId, updatedBy: userId, updatedAt };
    await deps.reports.replace(before, deleted, [
      deps.cleanUpItem({ kind: 'report', workspaceId, reportId } satisfies EndedReport, purgeAt(deletedAt)),
      deletedEvent(deps, deleted, at),
    ]);
  });
}

function deletedEvent({ table }: ReportDeps, report: Report, at: Date): TransactItem {
  const { id: reportId, workspaceId, name: reportName, deletedBy } = report;
  const deletedAt = at.toISOString();
  return outboxItem(table, {
    id: idFrom('report.deleted', reportId, deletedAt),
    workspaceId,
    event: 'report.deleted',
    data: { workspaceId, reportId, reportName, deletedBy, deletedAt },
    at,
  });
}

/** Throws `REPORT_NOT_FOUND`, or `REPORT_NAME_TAKEN` if another report has its name by now. */
export async function restoreReport(
  deps: ReportDeps,
  { principal: { workspaceId, userId }, id, name }: NamedReport & RestoreReport,
): Promise<ShownReport> {
  const restored = await onNewest('STALE_WRITE', async () => {
    const before = await deps.reports.read(workspaceId, id);
    if (!before) throw new AppError('REPORT_NOT_FOUND');
    if (before.deletedAt === null) return before;
    // The clean-up that is due later does nothing for a report that is not deleted.
    return deps.reports.replace(before, {
      ...before,
      name: name ?? before.name,
      deletedAt: null,
      deletedBy: null,
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    });
  });
  return showToEditor(restored);
}
