import type { IssuePlace } from './issue-rules.ts';
import { type FindingDeps, recordFinding, recordResolved } from './record-finding.ts';
import type { Anomaly, ScanChecks } from './scan-history.ts';
import type { StoredScan } from './scan-records.ts';
import { nameOfTable } from './table.ts';

/** Opens an issue for what a scan found unusual, and sets those of what has become usual to `fixed`. */
export async function reportAnomalies(deps: FindingDeps, scan: StoredScan, checks: ScanChecks): Promise<void> {
  const { workspaceId, sourceId, schemaName, tableName } = scan;
  const table = { sourceId, schemaName, tableName };
  const place = (columnName: string | null): IssuePlace => ({
    workspaceId,
    table,
    issueType: columnName === null ? 'volume_anomaly' : 'distribution_anomaly',
    columnName,
  });
  const byColumn = Map.groupBy(checks.anomalies, ({ columnName }) => columnName);
  for (const [columnName, anomalies] of byColumn) {
    await recordFinding(deps, {
      ...place(columnName),
      severity: columnName === null ? 'high' : 'medium',
      title: titleOf(nameOfTable(table), columnName),
      message: anomalies.map(textOf).join(' '),
      findingId: scan.id,
    });
  }
  const usual = [...(byColumn.has(null) ? [] : [null]), ...checks.usualColumns];
  // Without a baseline nothing was found before.
  if (checks.days > 0) for (const columnName of usual) await recordResolved(deps, place(columnName));
}

const titleOf = (table: string, columnName: string | null) =>
  columnName === null ? `Unusual number of rows in ${table}` : `Unusual values of ${columnName} in ${table}`;

const SUBJECTS = { volume: 'number of rows', null_share: 'share of nulls', mean: 'mean' } as const;

/** Without figures, since people read it who may not see the rows. */
const textOf = ({ kind, score, season }: Anomaly): string => {
  const compared = season === 'day_of_week' ? 'on the same day of earlier weeks' : 'on earlier days';
  return `The ${SUBJECTS[kind]} is far ${score > 0 ? 'above' : 'below'} what it was ${compared}.`;
};
