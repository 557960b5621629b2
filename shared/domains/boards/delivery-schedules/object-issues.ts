import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { DashboardParts } from '../dashboards/index.ts';
import { isDataBlock, parameterValues, type Report } from '../reports/index.ts';
import type { ReportSchedule, ScheduleRecord } from './records.ts';

/**
 * Whether the dashboard has the filters that the schedule sets; without one, an email would have rows that it leaves
 * out.
 */
export const hasFilters = (
  { filters }: Pick<DashboardParts, 'filters'>,
  { filters: set = [] }: Pick<ScheduleRecord, 'filters'>,
): boolean => set.every(({ filterId }) => filterId === undefined || filters.some(({ id }) => id === filterId));

/** What is wrong with the values that the schedule has for the parameters of the report. */
export function parameterIssues(report: Report, { parameters }: Pick<ReportSchedule, 'parameters'>): readonly Issue[] {
  try {
    parameterValues(report, parameters, report.layout.blocks.filter(isDataBlock));
    return [];
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_FAILED') return error.errors;
    throw error;
  }
}
