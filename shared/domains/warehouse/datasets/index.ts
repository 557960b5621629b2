/** The public API of this domain; everything else is internal. */
export { cachedManifests } from './cached-manifests.ts';
export { cleanUpDataset } from './clean-up.ts';
export { type CommittedLoad, commitLoad, externalLoadItem, findLoad, type Load, notLoadedItem } from './commit.ts';
export { DATASET_SUBJECT } from './dataset-subject.ts';
export { deleteDataset } from './delete-dataset.ts';
export { findOrCreateDataset } from './find-or-create.ts';
export { LastRefresh, lastRefreshItem, readLastRefreshes } from './last-refresh.ts';
export { listAllDatasets } from './list-all.ts';
export {
  datasetPrefix,
  listVersions,
  NEW_VERSIONS_PARTITION,
  newVersionOf,
  readManifest,
  type VersionSummary,
} from './manifests.ts';
export { derivedFrom, failingRowsName, QUARANTINE_SUFFIX, renamedAlong } from './quarantine.ts';
export { Dataset, emptyDataset, LOAD_MODES, type LoadMode, type Manifest, Retention } from './record.ts';
export { datasetReferences } from './references.ts';
export { refreshInput, refreshJob } from './refresh-job.ts';
export { type DatasetRepository, datasetRepository, turnsOfDataset } from './repository.ts';
export { restoreVersion } from './restore-version.ts';
export { expiryOf } from './retention.ts';
export { DatasetIncremental, DatasetSource, type DatasetWatermark, REFRESH_MODES, watermarkSubject } from './source.ts';
export { addStorageStatsItem, CLEAN_UP_SHARDS, readStorageStats } from './storage-stats.ts';
export { peakIn, readStorageUsage, type StorageUsage, storageUsageItem, usageAfter } from './storage-usage.ts';
export { pinVersionItem, unpinVersionItem } from './version-pins.ts';
