import type { Dataset, DatasetRepository, Manifest } from '../../../../../shared/domains/warehouse/datasets/index.ts';
import type { DataSourceRepository } from '../../../../../shared/domains/warehouse/sources/index.ts';
import type { RefreshWorker } from '../dataset-refresh/refresh-worker.ts';

/** The dependencies of scans. */
export interface ScanWorker extends RefreshWorker {
  datasets: DatasetRepository;
  manifest(dataset: Dataset): Promise<Manifest | undefined>;
  sources: DataSourceRepository;
}
