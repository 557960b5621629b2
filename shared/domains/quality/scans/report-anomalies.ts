import { type FindingDeps, recordFinding, recordResolved } from '../issues/record-finding.ts';
import type { Finding, IssuePlace } from '../issues/rules.ts';
import { isProtected } from '../protected-table.ts';
import { type CheckedTable, nameOfTable } from '../table.ts';
import { tableOf } from '../tests/records.ts';
import type { Anomaly, ScanChecks } from './history.ts';
import type { StoredScan } from './records.ts';

/** Opens an issue for what a scan found unusual, and sets those of what has become usual to `fixed`. */
export async function reportAnomalies(deps: FindingDeps, scan: StoredScan, checks: ScanChecks): Promise<void> {
  const findings = (await isProtected(deps, scan)) ? protectedFindings(scan, checks) : anomalyFindings(scan, checks);
  for (const finding of findings) await recordFinding(deps, finding);
  // Without a baseline nothing was found before.
  if (checks.days === 0) return;
  const found = new Set(findings.map(nameOfPlace));
  for (const place of placesOf(scan, checks)) {
    if (!found.has(nameOfPlace(place))) await recordResolved(deps, place);
  }
}

type Scanned = Pick<StoredScan, 'id' | 'workspaceId'> & CheckedTable;

export function anomalyFindings(scan: Scanned, { anomalies }: Pick<ScanChecks, 'anomalies'>): Finding[] {
  const byColumn = Map.groupBy(anomalies, ({ columnName }) => columnName);
  return [...byColumn].map(([columnName, ofColumn]) => ({
    ...(columnName === null ? ofVolume(scan) : ofValues(scan, columnName)),
    severity: columnName === null ? 'high' : 'medium',
    title: titleOf(nameOfTable(scan), columnName),
    message: ofColumn.map(textOf).join(' '),
    findingId: scan.id,
  }));
}

/** One for the table that names neither a column nor a direction: people read it who may not see all of the table. */
export function protectedFindings(scan: Scanned, { anomalies }: Pick<ScanChecks, 'anomalies'>): Finding[] {
  if (anomalies.length === 0) return [];
  const title = `Unusual rows or values in ${nameOfTable(scan)}`;
  return [{ ...ofValues(scan, null), severity: 'high', title, message: null, findingId: scan.id }];
}

/** Where a scan of the table may find something, before and after a model protects it. */
function placesOf(scan: Scanned, { anomalies, usualColumns }: ScanChecks): IssuePlace[] {
  const columns = new Set([null, ...usualColumns, ...anomalies.map(({ columnName }) => columnName)]);
  return [ofVolume(scan), ...[...columns].map((columnName) => ofValues(scan, columnName))];
}

const ofVolume = (scan: Scanned): IssuePlace => ({
  ...scannedPlaceOf(scan),
  issueType: 'volume_anomaly',
  columnName: null,
});

const ofValues = (scan: Scanned, columnName: string | null): IssuePlace => ({
  ...scannedPlaceOf(scan),
  issueType: 'distribution_anomaly',
  columnName,
});

const scannedPlaceOf = (scan: Scanned) => ({ workspaceId: scan.workspaceId, table: tableOf(scan) });

const nameOfPlace = ({ issueType, columnName }: IssuePlace): string => JSON.stringify([issueType, columnName]);

const titleOf = (table: string, columnName: string | null) =>
  columnName === null ? `Unusual number of rows in ${table}` : `Unusual values of ${columnName} in ${table}`;

const SUBJECTS = { volume: 'number of rows', null_share: 'share of nulls', mean: 'mean' } as const;

/** Without figures, since people read it who may not see the rows. */
const textOf = ({ kind, score, season }: Anomaly): string => {
  const compared = season === 'day_of_week' ? 'on the same day of earlier weeks' : 'on earlier days';
  return `The ${SUBJECTS[kind]} is far ${score > 0 ? 'above' : 'below'} what it was ${compared}.`;
};
