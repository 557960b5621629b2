import type { Table } from '../../../platform/storage/table.ts';
import type { CheckedTable } from '../table.ts';
import type { QualityIssue } from './records.ts';
import { issueRepository } from './repository.ts';

/** Critical issues, and those of rows that are late, until they are fixed or ignored. */
const isSerious = ({ status, severity, issueType }: QualityIssue): boolean =>
  (status === 'open' || status === 'in_progress') && (severity === 'critical' || issueType === 'freshness_anomaly');

/** The tables of the workspace whose rows are not to be trusted now. */
export async function untrustedTables(table: Table, workspaceId: string): Promise<CheckedTable[]> {
  const issues = await issueRepository(table).readAll(workspaceId);
  return issues.filter(isSerious);
}
