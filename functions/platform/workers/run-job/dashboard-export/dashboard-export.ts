import { JobFailure, type JobWork } from '../job-kind.ts';
import type { DashboardExportWorker } from './dashboard-export-worker.ts';

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
