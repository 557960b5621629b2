import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { isActive, type StoredJob } from '../../../platform/jobs/record.ts';
import type { Ending, JobRepository } from '../../../platform/jobs/repository.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import { type Key, workspaceKey } from '../../../platform/storage/keys.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { updateOf } from '../../../platform/storage/update.ts';
import type { CheckedTable } from '../table.ts';
import type { QualityScan, ScanReport, StoredScan } from './records.ts';

export type ScanRepository = Collection<StoredScan>;

/** Ended scans that a table keeps, and all tables of a workspace together. */
export const KEPT_SCANS = 30;
export const MAX_SCANS = 2_000;

export const scanRepository = (table: Table): ScanRepository =>
  collection<StoredScan>(table, { entity: 'quality-scan' });

const latestKey = (workspaceId: string, tableKey: string): Key =>
  workspaceKey(workspaceId, 'QUALITY-PROFILE', tableKey);

/** What is kept of a table beside its scans. */
export interface ScannedTableState extends CheckedTable, Pick<ScanReport, 'historyKey' | 'checks' | 'newest'> {
  scanId: string;
  scannedAt: string;
  /** The dataset that was scanned; null for a table of a data source. */
  datasetId: string | null;
}

interface Place {
  workspaceId: string;
  tableKey: string;
}

/** The newest scan of a table that succeeded. */
export async function latestScan(
  table: Table,
  scans: Pick<ScanRepository, 'get'>,
  place: Place,
): Promise<StoredScan | undefined> {
  const state = await readScannedTable(table, place);
  return state && scans.get(place.workspaceId, state.scanId);
}

export async function readScannedTable(
  table: Table,
  { workspaceId, tableKey }: Place,
): Promise<ScannedTableState | undefined> {
  const { Item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: latestKey(workspaceId, tableKey), ConsistentRead: true }),
  );
  return Item as ScannedTableState | undefined;
}

/** Every table with a scan that succeeded. */
export async function listScannedTables(table: Table, workspaceId: string): Promise<ScannedTableState[]> {
  const { pk } = latestKey(workspaceId, '');
  const states: ScannedTableState[] = [];
  const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
  for await (const item of queryItems(table, query)) states.push(item as unknown as ScannedTableState);
  return states;
}

/** Items for the transaction that ends the job of a scan. */
export function scanEndItems(
  table: Table,
  scans: Pick<ScanRepository, 'key'>,
  job: StoredJob,
  { ending, at }: { ending: Ending; at: Date },
): TransactItem[] {
  const { workspaceId, id, subjectId: tableKey } = job;
  const finishedAt = at.toISOString();
  const stamps = { finishedAt, updatedAt: finishedAt };
  const end = (set: Partial<StoredScan>): TransactItem => ({
    Update: updateOf(table, scans.key(workspaceId, id), { set: { ...set, ...stamps } }),
  });
  if (ending.status !== 'succeeded') {
    const error = ending.status === 'failed' ? ending.error : { code: 'CANCELLED', message: 'The scan was cancelled.' };
    return [end({ status: 'failed', error })];
  }
  const { table: place, historyKey, checks, newest, ...report } = ending.result as unknown as ScanReport;
  const state: ScannedTableState = {
    ...place,
    historyKey,
    checks,
    scanId: id,
    scannedAt: finishedAt,
    datasetId: report.datasetId,
    ...(newest ? { newest } : {}),
  };
  const Item = { ...latestKey(workspaceId, tableKey), entity: 'quality-profile', ...state };
  return [end({ status: 'succeeded', historyKey, ...report }), { Put: { TableName: table.name, Item } }];
}

/** Scans as the API shows them, with the state of the jobs of those that have not ended. */
export async function showScans(
  jobs: Pick<JobRepository, 'getMany'>,
  workspaceId: string,
  scans: readonly StoredScan[],
): Promise<QualityScan[]> {
  const waiting = scans.filter(({ status }) => status === 'queued').map(({ id }) => id);
  const found = waiting.length === 0 ? [] : await jobs.getMany(workspaceId, waiting);
  const states = new Map(found.filter(isActive).map((job) => [job.id, job]));
  return scans.map((scan) => showScan(scan, states.get(scan.id)));
}

function showScan(
  { tableKey: _table, datasetId: _dataset, profileKey: _profile, historyKey: _history, ...scan }: StoredScan,
  job?: StoredJob,
): QualityScan {
  if (job?.status !== 'running') return { ...scan, progressPct: null };
  return { ...scan, status: 'running', progressPct: job.progress?.percent ?? 0 };
}
