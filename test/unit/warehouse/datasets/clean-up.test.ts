import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUpDatasets } from '../../../../functions/platform/workers/minute-tick/clean-up-datasets.ts';
import { cleanUpDataset, FILE_GRACE_MS } from '../../../../shared/domains/warehouse/datasets/clean-up.ts';
import { commitLoad } from '../../../../shared/domains/warehouse/datasets/commit.ts';
import { deleteDataset } from '../../../../shared/domains/warehouse/datasets/delete-dataset.ts';
import {
  datasetPrefix,
  manifestKey,
  readAllVersions,
  readManifest,
} from '../../../../shared/domains/warehouse/datasets/manifests.ts';
import { type Dataset, emptyDataset, type Retention } from '../../../../shared/domains/warehouse/datasets/record.ts';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { restoreVersion } from '../../../../shared/domains/warehouse/datasets/restore-version.ts';
import { expiryOf } from '../../../../shared/domains/warehouse/datasets/retention.ts';
import { readStorageStats, storageStatsKey } from '../../../../shared/domains/warehouse/datasets/storage-stats.ts';
import { readStorageUsage } from '../../../../shared/domains/warehouse/datasets/storage-usage.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { cases } from '../../../support/cases.ts';
import { Crashed } from '../../../support/crash.ts';
import { RunSetup } from '../../pipelines/run-setup.ts';

const HOUR_MS = 60 * 60 * 1000;

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const context = () => ({ table: setup.context.table, objects: setup.worker.objects, now: setup.context.now });
const get = (id: string) => datasetRepository(setup.context.table).get(setup.workspaceId, id);
const cleanUp = (id: string) => cleanUpDataset(context(), setup.workspaceId, id);
const stored = (id: string) => setup.worker.objects.list(datasetPrefix(setup.workspaceId, id));
const meter = async () => (await readStorageUsage(setup.context.table, setup.workspaceId))?.bytes ?? 0;

async function load(dataset: Dataset, mode: 'append' | 'overwrite', size: number, files = 1): Promise<Dataset> {
  const current = await readManifest(setup.context.table, setup.worker.objects, dataset);
  const added = [];
  for (let part = 0; part < files; part++) {
    const key = `${datasetPrefix(setup.workspaceId, dataset.id)}${newId()}/part-1.parquet`;
    await setup.worker.objects.write(key, Buffer.alloc(size), 'application/octet-stream');
    added.push({ key, sizeBytes: size, rows: 1 });
  }
  const outcome = await commitLoad(setup.context.table, setup.worker.objects, {
    dataset,
    isNew: dataset.version === 0,
    loadKey: newId(),
    mode,
    kept: mode === 'append' ? (current?.files ?? []) : [],
    added,
    columns: [{ name: 'a', type: 'integer' }],
    rowsLoaded: files,
    bytesLoaded: size * files,
    origin: { kind: 'refresh', jobId: newId() },
    at: setup.context.now(),
    fence: {
      ConditionCheck: {
        TableName: 'table',
        Key: { pk: 'no', sk: 'no' },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  });
  expect(outcome.kind).toBe('committed');
  return (await get(dataset.id))!;
}

function fresh(retention: Retention = { versions: 1, days: 0 }): Dataset {
  const id = newId();
  const made = { id, workspaceId: setup.workspaceId, name: id, createdBy: null, at: setup.context.now() };
  return { ...emptyDataset(made), retention };
}

/** What the versions that are there hold together, each file once. */
async function held(id: string): Promise<{ bytes: number; keys: string[] }> {
  const versions = await readAllVersions(setup.context.table, setup.worker.objects, setup.workspaceId, id);
  const files = new Map(
    versions.filter(({ expiredAt }) => !expiredAt).flatMap((version) => version.files.map((file) => [file.key, file])),
  );
  return { bytes: [...files.values()].reduce((sum, file) => sum + file.sizeBytes, 0), keys: [...files.keys()] };
}

describe('retention', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
  const versions = [1, 2, 3, 4].map((version) => ({ version, createdAt: at(version) }));

  it('keeps the newest versions, and each for its days since it was superseded', () => {
    expect(expiryOf(versions, { versions: 2, days: 0 })).toEqual([
      { version: 4, expiresAt: undefined },
      { version: 3, expiresAt: undefined },
      { version: 2, expiresAt: new Date(at(3)) },
      { version: 1, expiresAt: new Date(at(2)) },
    ]);
    expect(expiryOf(versions, { versions: 1, days: 1 })[1]).toEqual({ version: 3, expiresAt: new Date(at(28)) });
  });
});

describe('cleaning up a dataset', () => {
  it('lowers the meter when a version expires, and deletes its files when no reader can need them', async () => {
    const before = await meter();
    const first = await load(fresh(), 'overwrite', 100);
    const second = await load(first, 'overwrite', 30);
    expect(await meter()).toBe(before + 130);
    await cleanUp(second.id);
    expect(await meter()).toBe(before + 30);
    expect(await stored(second.id)).toHaveLength(2);
    setup.aheadMs += FILE_GRACE_MS + 1000;
    await cleanUp(second.id);
    expect((await stored(second.id)).map(({ key }) => key)).toEqual((await held(second.id)).keys);
    expect(
      await setup.context.table.db.send(
        new BatchGetCommand({ RequestItems: { table: { Keys: [manifestKey(setup.workspaceId, second.id, 1)] } } }),
      ),
    ).toMatchObject({ Responses: { table: [] } });
    expect(await readStorageStats(setup.context.table, setup.workspaceId, second.id)).toMatchObject({ bytes: 30 });
  });

  it('keeps what a version that stays shares with one that goes', async () => {
    const appended = await load(await load(fresh(), 'append', 100), 'append', 30);
    await cleanUp(appended.id);
    setup.aheadMs += FILE_GRACE_MS + 1000;
    await cleanUp(appended.id);
    expect(await stored(appended.id)).toHaveLength(2);
    expect((await held(appended.id)).bytes).toBe(130);
  });

  it('deletes what a load left behind that never committed, once it is too old to belong to a living one', async () => {
    const dataset = await load(fresh(), 'overwrite', 10);
    const key = `${datasetPrefix(setup.workspaceId, dataset.id)}lost/part-1.parquet`;
    await setup.worker.objects.write(key, Buffer.alloc(5), 'application/octet-stream');
    const ahead = setup.aheadMs;
    setup.aheadMs = 0;
    await cleanUp(dataset.id);
    expect(await setup.worker.objects.find(key)).toBeDefined();
    setup.aheadMs = ahead + FILE_GRACE_MS + 1000;
    await cleanUp(dataset.id);
    expect(await setup.worker.objects.find(key)).toBeUndefined();
    expect(await stored(dataset.id)).toHaveLength(1);
  });

  it('leaves a version alone that is restored at the same moment', async () => {
    const first = await load(fresh(), 'overwrite', 100);
    const second = await load(first, 'overwrite', 30);
    const restored = await restoreVersion(context(), {
      restoreId: newId(),
      workspaceId: setup.workspaceId,
      datasetId: second.id,
      version: 1,
      userId: newId(),
      at: setup.context.now(),
    });
    expect(restored).toMatchObject({ version: 3, rowCount: 1, sizeBytes: 100 });
    for (let times = 0; times < 2; times++) {
      await cleanUp(second.id);
      setup.aheadMs += FILE_GRACE_MS + 1000;
    }
    await cleanUp(second.id);
    expect((await held(second.id)).bytes).toBe(100);
    expect((await stored(second.id)).map(({ key }) => key)).toEqual((await held(second.id)).keys);
  });

  it('stores a long list of files beside the version, and deletes it with it', async () => {
    const many = await load(fresh(), 'overwrite', 1, 600);
    const manifest = await readManifest(setup.context.table, setup.worker.objects, many);
    expect(manifest?.files).toHaveLength(600);
    expect((await stored(many.id)).filter(({ key }) => key.includes('/manifests/'))).toHaveLength(1);
    await load(many, 'overwrite', 1);
    await cleanUp(many.id);
    setup.aheadMs += FILE_GRACE_MS + 1000;
    await cleanUp(many.id);
    expect(await stored(many.id)).toHaveLength(1);
  });

  it('leaves nothing of a deleted dataset', async () => {
    const before = await meter();
    const dataset = await load(await load(fresh({ versions: 10, days: 10 }), 'overwrite', 100), 'append', 50);
    await deleteDataset(setup.context.table, dataset, setup.context.now());
    expect(await meter()).toBe(before);
    setup.aheadMs += HOUR_MS;
    await cleanUp(dataset.id);
    expect(await stored(dataset.id)).toHaveLength(2);
    setup.aheadMs += FILE_GRACE_MS;
    await cleanUpDatasets(context(), new Date(Date.now() + setup.aheadMs + HOUR_MS), (failure) => {
      throw new Error(JSON.stringify(failure));
    });
    expect(await stored(dataset.id)).toEqual([]);
    const { pk } = storageStatsKey(setup.workspaceId, dataset.id);
    const left = await setup.context.table.db.send(
      new QueryCommand({
        TableName: 'table',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      }),
    );
    expect(left.Items).toEqual([]);
  });
});

type Step =
  | { do: 'load'; mode: 'append' | 'overwrite'; size: number }
  | { do: 'restore'; back: number }
  | { do: 'wait'; hours: number }
  | { do: 'clean' }
  | { do: 'delete' };

const steps = fc.array(
  fc.record({
    dataset: fc.integer({ min: 0, max: 1 }),
    step: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant('load' as const),
          mode: fc.constantFrom('append' as const, 'overwrite' as const),
          size: fc.integer({ min: 0, max: 50 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('restore' as const), back: fc.integer({ min: 1, max: 4 }) }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('clean' as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const) }) },
    ) as fc.Arbitrary<Step>,
  }),
  { maxLength: 14 },
);

describe('after any loads, restores, deletes and clean-ups, some of them dying half-way', () => {
  it('the meter is what the versions hold, all of their files are there, and in the end nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.record({ versions: fc.integer({ min: 1, max: 3 }), days: fc.integer({ min: 0, max: 1 }) }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom('before' as const, 'after' as const)), {
          maxLength: 3,
        }),
        async (sequence, retention, crashes) => {
          const before = await meter();
          const seen = new Set<string>();
          const datasets = [fresh(retention), fresh(retention)];
          const losses = [...crashes];
          for (const { dataset: index, step } of sequence) {
            seen.add(datasets[index]!.id);
            const current = await take(step, datasets[index]!, losses);
            datasets[index] = (await get(current.id)) ?? current;
            await agrees(before, [...seen]);
          }
          setup.aheadMs += 40 * HOUR_MS;
          for (const id of seen) for (let times = 0; times < 3; times++) await settled(id);
          await agrees(before, [...seen]);
          for (const id of seen) await holdsNothingElse(id);
        },
      ),
      { numRuns: cases(6, 40) },
    );
  });

  /** Takes a step with a dataset; returns the dataset that it leads to. */
  async function take(step: Step, dataset: Dataset, losses: [number, 'before' | 'after'][]): Promise<Dataset> {
    switch (step.do) {
      case 'load':
        return load(dataset, step.mode, step.size);
      case 'wait':
        setup.aheadMs += step.hours * HOUR_MS;
        return dataset;
      case 'restore':
        await restoreBack(dataset, step.back);
        return dataset;
      case 'clean':
        await dyingCleanUp(dataset.id, losses.shift());
        return dataset;
      case 'delete':
        if (dataset.version === 0) return dataset;
        await deleteDataset(setup.context.table, dataset, setup.context.now());
        return fresh(dataset.retention);
    }
  }

  async function holdsNothingElse(id: string): Promise<void> {
    const keys = (await get(id)) ? (await held(id)).keys.sort() : [];
    expect((await stored(id)).map(({ key }) => key)).toEqual(keys);
  }

  async function settled(id: string): Promise<void> {
    await cleanUp(id);
    setup.aheadMs += 30 * HOUR_MS;
  }

  async function restoreBack(dataset: Dataset, back: number): Promise<void> {
    const version = dataset.version - back;
    const there = await readManifest(setup.context.table, setup.worker.objects, { ...dataset, version });
    const restore = restoreVersion(context(), {
      restoreId: newId(),
      workspaceId: setup.workspaceId,
      datasetId: dataset.id,
      version,
      userId: newId(),
      at: setup.context.now(),
    });
    if (there && dataset.version > 0) await restore;
    else await expect(restore).rejects.toMatchObject({ name: 'AppError' });
  }

  async function dyingCleanUp(id: string, loss: [number, 'before' | 'after'] | undefined): Promise<void> {
    let writes = 0;
    setup.crash = () => (loss && writes++ === loss[0] ? loss[1] : undefined);
    await cleanUp(id).catch((error: unknown) => {
      if (!(error instanceof Crashed)) throw error;
    });
    setup.crash = () => undefined;
  }

  async function agrees(before: number, ids: string[]): Promise<void> {
    let sum = 0;
    for (const id of ids) {
      if (!(await get(id))) continue;
      const { bytes, keys } = await held(id);
      sum += bytes;
      const objects = new Set((await stored(id)).map(({ key }) => key));
      expect(keys.filter((key) => !objects.has(key))).toEqual([]);
      expect((await readStorageStats(setup.context.table, setup.workspaceId, id)).bytes).toBe(bytes);
    }
    expect(await meter()).toBe(before + sum);
  }
});
