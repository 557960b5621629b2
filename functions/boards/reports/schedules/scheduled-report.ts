import { namedCard } from '../../../../shared/domains/boards/cards/index.ts';
import {
  type ObjectNamed,
  parameterIssues,
  type ReportSchedule,
  type ScheduledObject,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { isDataBlock } from '../../../../shared/domains/boards/reports/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { ReportDeps } from '../use-cases/context.ts';
import { editedReport } from '../use-cases/find-report.ts';

/** The report as its schedules need it. Throws `REPORT_NOT_FOUND`. */
export async function scheduledReport(
  deps: Pick<ReportDeps, 'reports'>,
  named: ObjectNamed,
): Promise<ScheduledObject<ReportSchedule>> {
  const report = await editedReport(deps, named);
  return {
    presentItem: deps.reports.presentItem(report.workspaceId, report.id),
    issues: (schedule) => [...filterIssues(schedule.filters), ...parameterIssues(report, schedule)],
    stopReason: (schedule) => (parameterIssues(report, schedule).length > 0 ? 'PARAMETERS_INVALID' : null),
    sources: () =>
      report.layout.blocks.filter(isDataBlock).map(({ id, title = '', chartSpec }) => ({
        name: namedCard({ id, title }, 'block'),
        source: chartSpec.query.source,
      })),
  };
}

/** A report has no filters of its own, so a condition names its field. */
const filterIssues = (filters: ReportSchedule['filters']): Issue[] =>
  filters.flatMap(({ filterId, fieldId }, index) => {
    if (filterId === undefined && fieldId !== undefined) return [];
    const message = 'needs `fieldId` and not `filterId`: reports have no filters of their own';
    return [{ pointer: `/filters/${index}`, code: 'REQUIRED', message }];
  });
