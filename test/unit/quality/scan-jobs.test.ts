import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { qualityScan } from '../../../functions/platform/workers/run-job/quality-scan/quality-scan.ts';
import { queuedScan, type StoredScan } from '../../../shared/domains/quality/scans/records.ts';
import { KEPT_SCANS, scanRepository } from '../../../shared/domains/quality/scans/repository.ts';
import { profileKey, readProfile, writeCompact } from '../../../shared/domains/quality/scans/stored-profile.ts';
import { tableKey } from '../../../shared/domains/quality/table.ts';
import { datasetRepository, readManifest } from '../../../shared/domains/warehouse/datasets/index.ts';
import { dataSourceRepository } from '../../../shared/domains/warehouse/sources/index.ts';
import { startJob } from '../../../shared/platform/jobs/jobs.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { RunSetup } from '../pipelines/run-setup.ts';
import { WorkedJobs } from '../platform/jobs/worked-jobs.ts';
import { givenOrders, type Place } from './given-tables.ts';

let setup: RunSetup;
let jobs: WorkedJobs;
beforeAll(async () => {
  setup = await RunSetup.open();
  const { table } = setup.context;
  const more = {
    datasets: datasetRepository(table),
    manifest: (dataset: Parameters<typeof readManifest>[2]) => readManifest(table, setup.worker.objects, dataset),
    sources: dataSourceRepository(table),
  };
  jobs = new WorkedJobs(setup, (worker) => qualityScan({ ...worker, ...more }));
});
afterAll(() => setup.close());

const scans = () => scanRepository(setup.context.table);
const queued = (place: Place, config: StoredScan['config'] = {}, at = setup.context.now()): StoredScan =>
  queuedScan(
    { id: newId(), workspaceId: setup.workspaceId, ...place, modelId: null, tableId: null, config, createdBy: 'ada' },
    at,
  );

/** Scans the table and returns the scan as it ended. */
async function scanned(place: Place, config?: StoredScan['config']): Promise<StoredScan> {
  const scan = queued(place, config);
  const { id, workspaceId } = scan;
  const trigger = { kind: 'manual', scheduledAt: null, actor: null } as const;
  const job = { id, workspaceId, kind: 'quality_scan', subjectId: scan.tableKey, trigger, input: {} } as const;
  const started = await startJob(jobs.workerOf(), job, 'JOB_ACTIVE', scans().createItems([scan]));
  expect(await jobs.seeThrough(started)).toMatchObject({ status: 'succeeded' });
  return (await scans().get(workspaceId, id))!;
}

describe('a scan of a sample', () => {
  it('says so, and counts all rows', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `${i},${i % 3}`).join('\n');
    const place = await givenOrders(setup, 'many', `id,kind\n${rows}\n`);
    const profileOf = ({ profileKey: key }: StoredScan) => readProfile(setup.worker.objects, key!);
    const full = await scanned(place);
    expect(full).toMatchObject({ status: 'succeeded', isSampled: false });
    expect(await profileOf(full)).toMatchObject({ rowCount: 5000, sampledRows: null });
    const sampled = await scanned(place, { sampleRows: 1000 });
    expect(sampled).toMatchObject({ status: 'succeeded', isSampled: true });
    const profile = await profileOf(sampled);
    expect(profile).toMatchObject({ rowCount: 5000, sampledRows: 1000 });
    expect(profile.columns.map(({ isSampled }) => isSampled)).toEqual([true, true]);
  });
});

describe('old scans of a table', () => {
  it('are removed with their profiles, also failed ones, except the newest that succeeded', async () => {
    const [place, other] = [await givenOrders(setup, 'often'), await givenOrders(setup, 'seldom')];
    const elsewhere = await scanned(other);
    const succeeded = await scanned(place);
    // All other scans have failed since: more than are kept.
    const failed = Array.from({ length: KEPT_SCANS + 3 }, (_, index) => {
      const at = new Date(setup.context.now().getTime() + index);
      return { ...queued(place, {}, at), status: 'failed', finishedAt: at.toISOString() } satisfies StoredScan;
    });
    const old = failed[0]!;
    old.profileKey = profileKey(old, old.id, 1);
    await writeCompact(setup.worker.objects, old.profileKey, []);
    for (const scan of failed) await scans().create(scan);
    setup.aheadMs += 60_000;
    const newest = await scanned(place);
    const key = tableKey(place);
    const kept = (await scans().readAll(setup.workspaceId)).filter((scan) => scan.tableKey === key);
    const expected = [succeeded, ...failed.slice(-(KEPT_SCANS - 1)), newest].map(({ id }) => id);
    expect(kept.map(({ id }) => id).sort()).toEqual(expected.sort());
    expect(await setup.worker.objects.find(old.profileKey)).toBeUndefined();
    expect(await setup.worker.objects.find(succeeded.profileKey!)).toBeDefined();
    expect(await scans().get(setup.workspaceId, elsewhere.id)).toMatchObject({ status: 'succeeded' });
  });
});
