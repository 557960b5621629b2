import { JobFailure, type JobWork } from '../job-kind.ts';
import type { QueryWorker } from '../query/query-worker.ts';
import type { DashboardExportWorker } from './dashboard-export-worker.ts';
import { statementRunner } from './run-statement.ts';

/** Writes a dashboard to a file for longer than a request may take. */
export function dashboardExport(worker: DashboardExportWorker & QueryWorker): JobWork {
  return {
    async run(job, control) {
      const { writeExport } = await import('./write-export.ts');
      const written = await writeExport(worker, job, { signal: control.signal, run: statementRunner(worker, control) });
      if ('failure' in written) throw new JobFailure(written.failure.code, written.failure.message);
      return written.result;
    },
  };
}
