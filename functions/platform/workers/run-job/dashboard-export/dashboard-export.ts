import type { ExportJobResult } from '../../../../../shared/domains/boards/exports/index.ts';
import type { MasterSecret } from '../../../../../shared/platform/crypto/master-secret.ts';
import type { JobError, StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';
import { JobFailure, type JobWork } from '../job-kind.ts';

export interface DashboardExportWorker {
  table: Table;
  objects: ObjectStore;
  master: MasterSecret;
  now(): Date;
  /** Logs an error of a card that its reader does not see. */
  reportCard(error: unknown, job: StoredJob): void;
}

export type WrittenExport = { result: ExportJobResult } | { failure: JobError };

/** Writes a dashboard to a file for longer than a request may take. */
export function dashboardExport(worker: DashboardExportWorker): JobWork {
  return {
    async run(job, { signal }) {
      const { writeExport } = await import('./write-export.ts');
      const written = await writeExport(worker, job, signal);
      if ('failure' in written) throw new JobFailure(written.failure.code, written.failure.message);
      return written.result;
    },
  };
}
