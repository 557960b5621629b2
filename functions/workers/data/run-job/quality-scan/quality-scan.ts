import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import type { TableProfile } from '../../../../../shared/data/profiles/profile.ts';
import { profileTable } from '../../../../../shared/data/profiles/profile-table.ts';
import {
  latestScan,
  profileKey,
  readProfile,
  removeOldScans,
  type ScanReport,
  type ScanRepository,
  type StoredScan,
  scanEndItems,
  scanRepository,
  writeProfile,
} from '../../../../../shared/domains/quality/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { MAX_WORK_MS } from '../dataset-refresh/refresh-worker.ts';
import { type JobControl, JobStopped, type JobWork } from '../job-kind.ts';
import type { ScanWorker } from './scan-worker.ts';
import { openTable } from './scanned-table.ts';

const PROFILED = 'profiled';
const TOO_HEAVY = { code: 'OUT_OF_MEMORY', message: 'The scan exceeded its time or memory limit.' };

/** Profiles the columns of a table and stores the profile as an object. */
export function qualityScan(worker: ScanWorker): JobWork {
  const scans = scanRepository(worker.table);
  return {
    async run(job, control) {
      const scan = await scans.get(job.workspaceId, job.id);
      if (!scan) throw new JobStopped('cancelled');
      const report = await scanTable(worker, scans, { job, scan, control });
      await removeOldScans(worker, scans, scan);
      return { ...report };
    },

    afterwards: (job, ending) => scanEndItems(worker.table, scans, job, { ending, at: worker.now() }),
  };
}

interface Attempt {
  job: StoredJob;
  scan: StoredScan;
  control: JobControl;
}

async function scanTable(worker: ScanWorker, scans: ScanRepository, attempt: Attempt): Promise<ScanReport> {
  const { job, scan, control } = attempt;
  const deadline = performance.now() + MAX_WORK_MS;
  const withEngine: Parameters<typeof openTable>[2]['withEngine'] = (work) => {
    const timeoutMs = Math.max(1, Math.round(deadline - performance.now()));
    const limits = { timeoutMs, signal: control.signal, die: () => control.die(TOO_HEAVY) };
    return withGuardedEngine(worker.engineResources, limits, work);
  };
  const table = await openTable(worker, scan, { signal: control.signal, withEngine });
  try {
    const previous = await previousProfile(worker, scans, scan);
    const profile = await withEngine(async (engine) => {
      await table.attach(engine, PROFILED);
      await engine.lock();
      return profileTable(engine, PROFILED, {
        ...scan.config,
        previous,
        skippedRows: table.skippedRows,
        progress: (done, total) => control.progress({ percent: Math.round((100 * done) / total) }),
      });
    });
    const key = profileKey(scan, scan.id, job.attempt);
    await writeProfile(worker.objects, key, profile);
    const earlier = Array.from({ length: job.attempt - 1 }, (_, index) => profileKey(scan, scan.id, index + 1));
    if (earlier.length > 0) await worker.objects.remove(earlier);
    return {
      profileKey: key,
      columnCount: profile.columns.length,
      isSampled: profile.sampledRows !== null,
      datasetVersion: table.datasetVersion,
    };
  } finally {
    await table.close();
  }
}

/** The profile to compare with; undefined if it is of other columns. */
async function previousProfile(
  worker: ScanWorker,
  scans: ScanRepository,
  scan: StoredScan,
): Promise<TableProfile | undefined> {
  const latest = await latestScan(worker.table, scans, scan);
  if (!latest?.profileKey) return undefined;
  const columnsOf = ({ config }: StoredScan) => JSON.stringify(config.columns?.toSorted() ?? null);
  if (columnsOf(latest) !== columnsOf(scan)) return undefined;
  return readProfile(worker.objects, latest.profileKey);
}
