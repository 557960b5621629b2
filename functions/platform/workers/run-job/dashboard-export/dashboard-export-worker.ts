import type { ExportJobResult } from '../../../../../shared/domains/boards/exports/index.ts';
import type { MasterSecret } from '../../../../../shared/platform/crypto/master-secret.ts';
import type { JobError, StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';

export interface DashboardExportWorker {
  table: Table;
  objects: ObjectStore;
  master: MasterSecret;
  now(): Date;
  /** Logs an error of a card that its reader does not see. */
  reportCard(error: unknown, job: StoredJob): void;
}

export type WrittenExport = { result: ExportJobResult } | { failure: JobError };
