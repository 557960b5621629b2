import type { ReferrerKind } from '../../../platform/storage/referrers.ts';
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
};
