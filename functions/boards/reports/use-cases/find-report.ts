import {
  type Report,
  type ReportRecord,
  reportInSight,
  reportSight,
} from '../../../../shared/domains/boards/reports/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { isFound, MAX_OFFSET, selectPage } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { ReportListQuery, ReportSummary, Report as ShownReport } from '../schemas.ts';
import type { NamedReport, ReportDeps } from './context.ts';

/** Throws `OFFSET_TOO_LARGE` or `LIST_TOO_LARGE`. */
export async function listReports(
  deps: Pick<ReportDeps, 'reports' | 'grantsTo'>,
  principal: Principal,
  { search, includeDeleted, ...request }: ReportListQuery,
): Promise<PageOf<ReportSummary>> {
  if (request.offset > MAX_OFFSET) throw new AppError('OFFSET_TOO_LARGE');
  const [records, grants] = await Promise.all([deps.reports.readAll(principal.workspaceId), deps.grantsTo(principal)]);
  const sightOf = (record: ReportRecord) => reportSight(principal, record, grants.get(record.id));
  const matches = (record: ReportRecord) =>
    (includeDeleted || record.deletedAt === null) &&
    isFound(search, [record.name, record.description]) &&
    sightOf(record) !== undefined;
  const page = selectPage(records, { ...request, matches });
  const items = page.items.map((record) => ({ ...record, permission: sightOf(record)!.permission }));
  return { ...page, items };
}

/** Throws `REPORT_NOT_FOUND`. */
export async function showReport(deps: ReportDeps, named: NamedReport): Promise<ShownReport> {
  const { report, sight } = await reportInSight(deps, named);
  return { ...report, permission: sight.permission };
}

/** The report for the caller who has just changed it. */
export const showToEditor = (report: Report): ShownReport => ({ ...report, permission: 'editor' });

/** A report for a caller with the right to change it, which the route has checked. Throws `REPORT_NOT_FOUND`. */
export async function editedReport(
  { reports }: Pick<ReportDeps, 'reports'>,
  { principal: { workspaceId }, id }: NamedReport,
): Promise<Report> {
  const report = await reports.read(workspaceId, id);
  if (report?.deletedAt !== null) throw new AppError('REPORT_NOT_FOUND');
  return report;
}
