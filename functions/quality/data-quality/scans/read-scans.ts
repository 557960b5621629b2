import {
  findTable,
  latestScan,
  nameOfTable,
  ofTable,
  type QualityScan,
  readProfile,
  type StoredScan,
  showScans,
  tableKey,
  visibilityOf,
  visibleProfile,
} from '../../../../shared/domains/quality/index.ts';
import { DATASETS } from '../../../../shared/domains/semantics/models/index.ts';
import type { OpaqueDeps } from '../../../../shared/domains/semantics/row-rights/index.ts';
import type { DatasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';
import { selectPage } from '../../../../shared/platform/storage/list-request.ts';
import { type PageOf, pageOf } from '../../../../shared/platform/storage/page.ts';
import type { ProfileQuery, ScanListQuery, TableProfile, TableProfileQuery } from './schemas.ts';
import type { ScanDeps } from './start-scan.ts';

export interface ProfileDeps extends ScanDeps, OpaqueDeps {
  datasets: Pick<DatasetRepository, 'find'>;
  objects: Pick<ObjectStore, 'read'>;
}

export async function listScans(
  { scans, jobs }: ScanDeps,
  workspaceId: string,
  { tableName, status, ...request }: ScanListQuery,
): Promise<PageOf<QualityScan>> {
  const isOf = ofTable(tableName);
  const show = (stored: readonly StoredScan[]) => showScans(jobs.jobs, workspaceId, stored);
  if (status === 'queued' || status === 'running') {
    // A scan is stored as queued until it ends; only its job knows whether it runs.
    const all = await scans.readAll(workspaceId);
    const active = all.filter((scan) => scan.status === 'queued' && (isOf?.(scan) ?? true));
    return selectPage(await show(active), { ...request, status });
  }
  const page = await scans.list(workspaceId, { ...request, ...(status && { status }), matches: isOf });
  return { ...page, items: await show(page.items) };
}

interface Place {
  workspaceId: string;
  scanId: string;
}

async function findScan({ scans }: ScanDeps, { workspaceId, scanId }: Place): Promise<StoredScan> {
  const scan = await scans.get(workspaceId, scanId);
  if (!scan) throw new AppError('QUALITY_SCAN_NOT_FOUND');
  return scan;
}

export async function getScan(deps: ScanDeps, place: Place): Promise<QualityScan> {
  return (await showScans(deps.jobs.jobs, place.workspaceId, [await findScan(deps, place)]))[0]!;
}

export async function profilesOfScan(
  deps: ProfileDeps,
  { principal, scanId, query }: { principal: Principal; scanId: string; query: ProfileQuery },
): Promise<TableProfile> {
  const scan = await findScan(deps, { workspaceId: principal.workspaceId, scanId });
  return showProfile(deps, principal, scan, query);
}

/** The columns as the newest successful scan of the table found them. */
export async function profilesOfTable(
  deps: ProfileDeps,
  { principal, tableName, query }: { principal: Principal; tableName: string; query: TableProfileQuery },
): Promise<TableProfile> {
  const { workspaceId } = principal;
  const { sourceId, schemaName } = query;
  const suggestsSources = isPermitted('data-sources:read', principal);
  const table = await findTable({ ...deps, suggestsSources }, workspaceId, { tableName, sourceId, schemaName });
  const scan = await latestScan(deps.table, deps.scans, { workspaceId, tableKey: tableKey(table) });
  if (!scan) throw new AppError('QUALITY_PROFILE_NOT_FOUND', { detail: `${nameOfTable(table)} was never scanned.` });
  return showProfile(deps, principal, scan, query);
}

async function showProfile(
  deps: ProfileDeps,
  principal: Principal,
  scan: StoredScan,
  page: { limit: number; offset: number },
): Promise<TableProfile> {
  if (!scan.profileKey) {
    const detail = scan.error ? `The scan failed: ${scan.error.message}` : 'The scan has not finished yet.';
    throw new AppError('QUALITY_PROFILE_NOT_FOUND', { detail });
  }
  if (!(await isSameDataset(deps, scan))) {
    const detail = `The dataset ${scan.tableName} is not the one that was scanned. Start a new scan.`;
    throw new AppError('QUALITY_PROFILE_NOT_FOUND', { detail });
  }
  const stored = await readProfile(deps.objects, scan.profileKey);
  const { columns, ...profile } = visibleProfile(stored, await visibilityOf(deps, principal, scan));
  const { items, ...part } = pageOf(columns, page, (column) => column);
  const { sourceId, schemaName, tableName, datasetVersion, finishedAt } = scan;
  return {
    scanId: scan.id,
    ...{ sourceId, schemaName, tableName, datasetVersion },
    scannedAt: finishedAt!,
    ...profile,
    columns: items as TableProfile['columns'],
    ...part,
  };
}

/** The rights to a dataset are those to its name, which another one may have got since. */
async function isSameDataset(
  { datasets }: ProfileDeps,
  { workspaceId, sourceId, tableName, datasetId }: StoredScan,
): Promise<boolean> {
  if (sourceId !== DATASETS) return true;
  return datasetId !== undefined && (await datasets.find(workspaceId, tableName))?.id === datasetId;
}
