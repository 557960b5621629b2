import type { DatasetDeps } from '../../../../../shared/domains/semantics/queries/index.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';

export interface ExportWorker extends Pick<DatasetDeps, 'manifest'> {
  table: Table;
  objects: ObjectStore;
  engineResources: { tempDir: string };
  now(): Date;
}
