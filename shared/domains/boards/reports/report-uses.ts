import { everyRecord } from '../../../platform/storage/every-record.ts';
import type { ReferrerKind } from '../../../platform/storage/referrers.ts';
import type { ReportRecord } from './records.ts';
import { reportRepository } from './repository.ts';
import { usesOfReport } from './uses-of-report.ts';

export const REPORT_USES: ReferrerKind = {
  type: 'report',

  async read(table, workspaceId, id) {
    const reports = reportRepository(table);
    const report = await reports.read(workspaceId, id);
    if (!report) return undefined;
    return { name: report.name, uses: usesOfReport(report), unchanged: [reports.unchangedItem(report)] };
  },

  async *all(table, workspaceId) {
    for await (const { id } of everyRecord<ReportRecord>(table, workspaceId, 'report')) yield id;
  },
};
