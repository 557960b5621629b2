import { contentIssues, type Report } from '../../../../shared/domains/boards/reports/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { CreateReport, Report as ShownReport, UpdateReport } from '../schemas.ts';
import type { NamedReport, ReportDeps } from './context.ts';
import { editedReport, showToEditor } from './find-report.ts';

/** Throws `REPORT_NAME_TAKEN` or `VALIDATION_FAILED`. */
export async function createReport(
  deps: Pick<ReportDeps, 'reports' | 'now'>,
  { id, principal, report: given }: { id: string; principal: Principal; report: CreateReport },
): Promise<ShownReport> {
  const { workspaceId, userId } = principal;
  const { layout = { blocks: [] }, parameters = [], ...members } = given;
  const at = deps.now().toISOString();
  const report: Report = {
    id,
    workspaceId,
    ...members,
    layout,
    parameters,
    blockCount: layout.blocks.length,
    ownerId: userId,
    deletedAt: null,
    deletedBy: null,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  assertContent(report);
  return showToEditor(await onNewest('STALE_WRITE', () => deps.reports.create(report)));
}

/** Throws the same codes, and `REPORT_NOT_FOUND`. */
export async function updateReport(
  deps: Pick<ReportDeps, 'reports' | 'now'>,
  { change, ...named }: NamedReport & { change: UpdateReport },
): Promise<ShownReport> {
  const updated = await onNewest('STALE_WRITE', async () => {
    const before = await editedReport(deps, named);
    const next: Report = {
      ...before,
      ...change,
      updatedBy: named.principal.userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    assertContent(next);
    return deps.reports.replace(before, next);
  });
  return showToEditor(updated);
}

function assertContent(report: Report): void {
  const errors = contentIssues({ layout: report.layout, parameters: report.parameters });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
