import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitLoad, type Load } from '../../../shared/datasets/commit.ts';
import type { Dataset } from '../../../shared/datasets/record.ts';
import { datasetRepository, readManifest } from '../../../shared/datasets/repository.ts';
import { grown, usageIn } from '../../../shared/datasets/storage-usage.ts';
import { newId } from '../../../shared/storage/ids.ts';
import { RunPlane } from '../pipelines/run-plane.ts';

let plane: RunPlane;
beforeAll(async () => {
  plane = await RunPlane.open();
});
afterAll(() => plane.close());

const at = new Date('2026-03-01T12:00:00Z');
const FENCE = { pk: 'fence', sk: 'x' };

function newDataset(name: string): Dataset {
  const time = at.toISOString();
  const empty = { version: 0, columns: [], rowCount: 0, sizeBytes: 0, loadedAt: null, createdBy: null };
  return { id: newId(), workspaceId: plane.workspaceId, name, ...empty, createdAt: time, updatedAt: time };
}

function loadOf(dataset: Dataset, more: Partial<Load> = {}): Load {
  return {
    dataset,
    isNew: dataset.version === 0,
    loadKey: newId(),
    mode: 'append',
    files: [{ key: newId(), rows: 2, sizeBytes: 100 }],
    columns: [{ name: 'a', type: 'integer' }],
    rowsLoaded: 2,
    bytesLoaded: 100,
    pipelineId: newId(),
    runId: newId(),
    stepId: 'load',
    at,
    fence: { ConditionCheck: { TableName: 'table', Key: FENCE, ConditionExpression: 'attribute_not_exists(closed)' } },
    ...more,
  };
}

const stored = async (name: string) => (await datasetRepository(plane.context.table).find(plane.workspaceId, name))!;

describe('commitLoad', () => {
  it('makes a version visible with its files, and takes effect once', async () => {
    const load = loadOf(newDataset('once'));
    const first = await commitLoad(plane.context.table, load);
    expect(first).toMatchObject({ kind: 'committed', load: { version: 1, rowsLoaded: 2 } });
    const dataset = await stored('once');
    expect(await readManifest(plane.context.table, dataset)).toMatchObject({
      version: 1,
      files: load.files,
      rowCount: 2,
    });
    const again = await commitLoad(plane.context.table, { ...load, dataset, isNew: false });
    expect(again).toEqual(first);
    expect(await stored('once')).toMatchObject({ version: 1, rowCount: 2 });
  });

  it('tells a load that another one came first, also by taking the name', async () => {
    await commitLoad(plane.context.table, loadOf(newDataset('shared')));
    expect(await commitLoad(plane.context.table, loadOf(newDataset('SHARED')))).toEqual({ kind: 'moved' });
    const seen = await stored('shared');
    const outcomes = await Promise.all([1, 2, 3].map(() => commitLoad(plane.context.table, loadOf(seen))));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['committed', 'moved', 'moved']);
    expect((await stored('shared')).version).toBe(2);
  });

  it('lets nothing through from an attempt that was given up', async () => {
    await plane.context.table.db.send(
      new PutCommand({ TableName: 'table', Item: { ...FENCE, sk: 'y', closed: true } }),
    );
    const fence = {
      ConditionCheck: {
        TableName: 'table',
        Key: { ...FENCE, sk: 'y' },
        ConditionExpression: 'attribute_not_exists(closed)',
      },
    };
    expect(await commitLoad(plane.context.table, loadOf(newDataset('fenced'), { fence }))).toEqual({ kind: 'fenced' });
    expect(await datasetRepository(plane.context.table).find(plane.workspaceId, 'fenced')).toBeUndefined();
  });
});

describe('the storage meter', () => {
  it('keeps the peak of the month and begins the next one at what is stored', () => {
    const march = grown('2026-03', grown('2026-03', undefined, 100), -60);
    expect(march).toEqual({ bytes: 40, month: '2026-03', peakBytes: 100 });
    expect(usageIn('2026-04', march)).toEqual({ bytes: 40, month: '2026-04', peakBytes: 40 });
    expect(grown('2026-04', march, 10)).toEqual({ bytes: 50, month: '2026-04', peakBytes: 50 });
  });
});
