import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { endGrantsOn } from '../../tenancy/grants/index.ts';
import { purgeAt } from '../dashboards/index.ts';
import { reportRepository } from './repository.ts';

/**
 * Removes a report that was deleted 30 days ago, with its grants. Returns false if anything is left once `isOver` is
 * true.
 */
export async function endReport(
  table: Table,
  { workspaceId, reportId }: { workspaceId: string; reportId: string },
  isOver: () => boolean,
): Promise<boolean> {
  const reports = reportRepository(table);
  const record = await reports.get(workspaceId, reportId);
  if (record) {
    if (record.deletedAt === null) return true;
    if (purgeAt(record.deletedAt) > table.now()) return false;
    await reports.purge(record);
  }
  return endGrantsOn(table, { workspaceId, objectType: 'report', objectId: reportId }, isOver);
}

/** A report that was deleted 30 days ago. */
export type EndedReport = { kind: 'report'; workspaceId: string; reportId: string };

export const reportCleanUps: readonly [CleanUp<EndedReport>] = [{ kind: 'report', remove: endReport }];
