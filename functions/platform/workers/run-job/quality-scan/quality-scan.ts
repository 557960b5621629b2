import type { Engine } from '../../../../../shared/data/duckdb/engine.ts';
import { withGuardedEngine } from '../../../../../shared/data/duckdb/guarded-engine.ts';
import type { TableProfile } from '../../../../../shared/data/profiles/profile.ts';
import { profileTable } from '../../../../../shared/data/profiles/profile-table.ts';
import {
  checkLastDay,
  dueScan,
  historyKey,
  latestScan,
  profileKey,
  readHistory,
  readProfile,
  readScannedTable,
  recordSuggestions,
  removeOldScans,
  reportAnomalies,
  type ScanReport,
  type ScanRepository,
  type StoredScan,
  scanEndItems,
  scanOfJob,
  scanRepository,
  scanScheduleRepository,
  withMoment,
  withScan,
  writeCompact,
} from '../../../../../shared/domains/quality/index.ts';
import type { StoredJob } from '../../../../../shared/platform/jobs/record.ts';
import { createLogger } from '../../../../../shared/platform/observability/logger.ts';
import { MAX_WORK_MS } from '../dataset-refresh/refresh-worker.ts';
import { type JobControl, JobStopped, type JobWork } from '../job-kind.ts';
import { withoutValues } from '../quality/not-evaluated.ts';
import type { ScanWorker } from './scan-worker.ts';
import { openTable, type ScannedTable } from './scanned-table.ts';
import { suggestionContext, triedSuggestions, withoutSuggestions } from './suggest-tests.ts';

const log = createLogger('run-job');

const PROFILED = 'profiled';
const TOO_HEAVY = { code: 'OUT_OF_MEMORY', message: 'The scan exceeded its time or memory limit.' };

/** Profiles the columns of a table and stores the profile as an object. */
export function qualityScan(worker: ScanWorker): JobWork {
  const scans = scanRepository(worker.table);
  const schedules = scanScheduleRepository(worker.table);
  return {
    async run(job, control) {
      const scan = await scans.get(job.workspaceId, job.id);
      if (!scan) throw new JobStopped('cancelled');
      // Before the scan, because scans that fail need room as well.
      const kept = (await readScannedTable(worker.table, scan))?.scanId;
      const isClean = await removeOldScans(worker, scans, { ...scan, kept });
      if (!isClean) log.warn('old scans remain, because there are too many', { workspaceId: job.workspaceId });
      return { ...(await scanTable(worker, scans, { job, scan, control }).catch(withoutValues)) };
    },

    due: (instant) => dueScan(schedules, instant),

    beforehand: (job) => scans.createItems([scanOfJob(job, worker.now())]),

    afterwards: (job, ending) => scanEndItems(worker.table, scans, job, { ending, at: worker.now() }),
  };
}

interface Attempt {
  job: StoredJob;
  scan: StoredScan;
  control: JobControl;
}

async function scanTable(worker: ScanWorker, scans: ScanRepository, attempt: Attempt): Promise<ScanReport> {
  const { scan, control } = attempt;
  const deadline = performance.now() + MAX_WORK_MS;
  const withEngine: Parameters<typeof openTable>[2]['withEngine'] = (work) => {
    const timeoutMs = Math.max(1, Math.round(deadline - performance.now()));
    const limits = { timeoutMs, signal: control.signal, die: () => control.die(TOO_HEAVY) };
    return withGuardedEngine(worker.engineResources, limits, work);
  };
  const table = await openTable(worker, scan, { signal: control.signal, withEngine });
  try {
    const previous = await previousProfile(worker, scans, scan);
    const { profile, tried } = await withEngine(async (engine) => {
      await table.attach(engine, PROFILED);
      const context = await contextFor(worker, engine, scan, table);
      await engine.lock();
      const profile = await profileTable(engine, PROFILED, {
        ...scan.config,
        previous,
        skippedRows: table.skippedRows,
        progress: (done, total) => control.progress({ percent: Math.round((100 * done) / total) }),
      });
      if (!context) return { profile };
      const found = { profile, previous, context, now: new Date(scan.createdAt) };
      return { profile, tried: await triedSuggestions(engine, PROFILED, found).catch(withoutSuggestions) };
    });
    const report = await storeScan(worker, attempt, profile, table);
    if (tried) {
      const columns = profile.columns.map(({ name }) => name);
      const { rowCount } = profile;
      const { datasetId, datasetVersion } = table;
      const hasPrevious = previous !== undefined;
      await recordSuggestions(worker, scan, { tried, columns, hasPrevious, rowCount, datasetId, datasetVersion });
    }
    return report;
  } finally {
    await table.close();
  }
}

/** None for a part of the rows: a test that passes on them may fail on the others. */
async function contextFor(worker: ScanWorker, engine: Engine, scan: StoredScan, { skippedRows, bytes }: ScannedTable) {
  if (skippedRows > 0) return undefined;
  const room = worker.cache.maxBytes - bytes;
  return suggestionContext(worker, engine, { scan, relation: PROFILED, room }).catch(withoutSuggestions);
}

/** Stores the profile and the history with it, and opens issues of what is unusual. */
async function storeScan(
  worker: ScanWorker,
  { job, scan }: Attempt,
  profile: TableProfile,
  { datasetId, datasetVersion }: Pick<ScannedTable, 'datasetId' | 'datasetVersion'>,
): Promise<ScanReport> {
  const { objects } = worker;
  const keysOf = (attempt: number) => ({
    profileKey: profileKey(scan, scan.id, attempt),
    historyKey: historyKey(scan, scan.id, attempt),
  });
  const keys = keysOf(job.attempt);
  const state = await readScannedTable(worker.table, scan);
  // The scans of a table that is seldom scanned may have been removed.
  const hasHistory = state !== undefined && (await objects.find(state.historyKey)) !== undefined;
  const before = hasHistory ? await readHistory(objects, state.historyKey) : [];
  const history = withScan(before, profile, scan.createdAt);
  const { days, anomalies, usualColumns } = checkLastDay(history);
  await writeCompact(objects, keys.profileKey, profile);
  await writeCompact(objects, keys.historyKey, history);
  await reportAnomalies(worker, scan, { days, anomalies, usualColumns });
  const earlier = Array.from({ length: job.attempt - 1 }, (_, index) => Object.values(keysOf(index + 1))).flat();
  if (earlier.length > 0) await objects.remove(earlier);
  const { sourceId, schemaName, tableName } = scan;
  const at = { scannedAt: new Date(scan.createdAt), given: scan.config.freshness };
  const newest = withMoment(state?.newest, profile, at);
  return {
    ...keys,
    table: { sourceId, schemaName, tableName },
    checks: { days, anomalies },
    ...(newest ? { newest } : {}),
    columnCount: profile.columns.length,
    isSampled: profile.sampledRows !== null,
    datasetId,
    datasetVersion,
  };
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
