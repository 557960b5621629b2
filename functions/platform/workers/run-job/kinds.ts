import type { JobKind } from '../../../../shared/platform/jobs/record.ts';
import { dashboardExport } from './dashboard-export/dashboard-export.ts';
import type { DashboardExportWorker } from './dashboard-export/dashboard-export-worker.ts';
import { datasetRefresh } from './dataset-refresh/dataset-refresh.ts';
import type { RefreshWorker } from './dataset-refresh/refresh-worker.ts';
import type { JobWork } from './job-kind.ts';
import { qualityRun } from './quality/quality-run.ts';
import { qualityScan } from './quality-scan/quality-scan.ts';
import type { ScanWorker } from './quality-scan/scan-worker.ts';
import { queryWork } from './query/query-work.ts';
import type { QueryWorker } from './query/query-worker.ts';
import { type SearchVectorsWorker, searchVectors } from './search-vectors/search-vectors.ts';
import { sourceSync } from './source-sync/source-sync.ts';
import type { SyncWorker } from './source-sync/sync-worker.ts';
import type { ExportWorker } from './workspace-export/export-worker.ts';
import { workspaceExport } from './workspace-export/workspace-export.ts';

/** The work for each kind of job. */
export function jobKinds(
  worker: RefreshWorker &
    QueryWorker &
    SyncWorker &
    ScanWorker &
    ExportWorker &
    DashboardExportWorker &
    SearchVectorsWorker,
): Record<JobKind, JobWork> {
  return {
    dataset_refresh: datasetRefresh(worker),
    query: queryWork(worker),
    source_sync: sourceSync(worker),
    quality_scan: qualityScan(worker),
    quality_run: qualityRun(worker),
    workspace_export: workspaceExport(worker),
    dashboard_export: dashboardExport(worker),
    search_vectors: searchVectors(worker),
  };
}
