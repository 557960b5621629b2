import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitLoad, type Load } from '../../../../shared/domains/warehouse/datasets/commit.ts';
import { readManifest } from '../../../../shared/domains/warehouse/datasets/manifests.ts';
import { type Dataset, emptyDataset } from '../../../../shared/domains/warehouse/datasets/record.ts';
import { datasetRepository, turnsOfDataset } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { peakIn, usageAfter } from '../../../../shared/domains/warehouse/datasets/storage-usage.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { inTurns } from '../../../../shared/platform/storage/turns.ts';
import { cases } from '../../../support/cases.ts';
import { RunSetup } from '../../pipelines/run-setup.ts';

let setup: RunSetup;
beforeAll(async () => {
  setup = await RunSetup.open();
});
afterAll(() => setup.close());

const at = new Date('2026-03-01T12:00:00Z');
const FENCE = { pk: 'fence', sk: 'x' };

function newDataset(name: string): Dataset {
  return emptyDataset({ id: newId(), workspaceId: setup.workspaceId, name, createdBy: null, at });
}

function loadOf(dataset: Dataset, more: Partial<Load> = {}): Load {
  return {
    dataset,
    isNew: dataset.version === 0,
    loadKey: newId(),
    mode: 'append',
    kept: [],
    added: [{ key: newId(), rows: 2, sizeBytes: 100 }],
    columns: [{ name: 'a', type: 'integer' }],
    rowsLoaded: 2,
    bytesLoaded: 100,
    origin: { kind: 'pipeline', pipelineId: newId(), runId: newId(), stepId: 'load' },
    at,
    fence: { ConditionCheck: { TableName: 'table', Key: FENCE, ConditionExpression: 'attribute_not_exists(closed)' } },
    ...more,
  };
}

const stored = async (name: string) => (await datasetRepository(setup.context.table).find(setup.workspaceId, name))!;

const commit = (load: Load) => commitLoad(setup.context.table, setup.worker.objects, load);

describe('commitLoad', () => {
  it('makes a version visible with its files, and takes effect once', async () => {
    const load = loadOf(newDataset('once'));
    const first = await commit(load);
    expect(first).toMatchObject({ kind: 'committed', load: { version: 1, rowsLoaded: 2 } });
    const dataset = await stored('once');
    expect(await readManifest(setup.context.table, setup.worker.objects, dataset)).toMatchObject({
      version: 1,
      files: load.added,
      rowCount: 2,
    });
    const again = await commit({ ...load, dataset, isNew: false });
    expect(again).toEqual(first);
    expect(await stored('once')).toMatchObject({ version: 1, rowCount: 2 });
  });

  it('rejects a load if another one came first or has taken the name', async () => {
    await commit(loadOf(newDataset('shared')));
    expect(await commit(loadOf(newDataset('SHARED')))).toEqual({ kind: 'moved' });
    const seen = await stored('shared');
    const outcomes = await Promise.all([1, 2, 3].map(() => commit(loadOf(seen))));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['committed', 'moved', 'moved']);
    expect((await stored('shared')).version).toBe(2);
  });

  it('commits each of many concurrent appends once, with a try or two for each', async () => {
    const { table } = setup.context;
    const { workspaceId } = setup;
    await commit(loadOf(newDataset('busy'), { added: [] }));
    const { id } = await stored('busy');
    const { signal } = new AbortController();
    let prepared = 0;
    const count = cases(60, 300);
    const append = (n: number) => {
      const added = [{ key: `file ${n}`, rows: 1, sizeBytes: 1 }];
      const load = loadOf(newDataset('busy'), { isNew: false, added, rowsLoaded: 1, bytesLoaded: 1 });
      return inTurns(table, { workspaceId, name: turnsOfDataset(id) }, { signal }, async () => {
        prepared++;
        const dataset = await stored('busy');
        const { files } = (await readManifest(table, setup.worker.objects, dataset))!;
        const next = { ...load, dataset, kept: files };
        const outcome = await commitLoad(table, setup.worker.objects, next, { signal });
        return outcome.kind === 'committed' ? outcome.load.version : undefined;
      });
    };
    const versions = await Promise.all(Array.from({ length: count }, (_, n) => append(n)));
    expect(new Set(versions).size).toBe(count);
    const dataset = await stored('busy');
    expect(dataset).toMatchObject({ version: count + 1, rowCount: count });
    const { files } = (await readManifest(table, setup.worker.objects, dataset))!;
    expect(new Set(files.map(({ key }) => key)).size).toBe(count);
    // Without turns, each commit would let all others prepare once more.
    expect(prepared).toBeLessThan(3 * count);
  });

  it('lets nothing through from an attempt that was given up', async () => {
    await setup.context.table.db.send(
      new PutCommand({ TableName: 'table', Item: { ...FENCE, sk: 'y', closed: true } }),
    );
    const fence = {
      ConditionCheck: {
        TableName: 'table',
        Key: { ...FENCE, sk: 'y' },
        ConditionExpression: 'attribute_not_exists(closed)',
      },
    };
    expect(await commit(loadOf(newDataset('fenced'), { fence }))).toEqual({ kind: 'fenced' });
    expect(await datasetRepository(setup.context.table).find(setup.workspaceId, 'fenced')).toBeUndefined();
  });
});

describe('the storage meter', () => {
  it('keeps the peak of the month and begins the next one at what is stored', () => {
    const march = usageAfter(at, usageAfter(at, undefined, 100), -60);
    expect(march).toEqual({ bytes: 40, month: '2026-03', peakBytes: 100 });
    expect(peakIn('2026-04', march)).toBe(40);
    expect(usageAfter(new Date('2026-04-01T00:00:00Z'), march, 10)).toEqual({
      bytes: 50,
      month: '2026-04',
      peakBytes: 50,
      earlier: { '2026-03': { peakBytes: 100, bytes: 40 } },
    });
  });

  it('keeps the peaks of earlier months, and the size at their end for months without a change', () => {
    const march = usageAfter(at, usageAfter(at, undefined, 100), -60);
    const june = usageAfter(new Date('2026-06-30T23:59:59.999Z'), march, 25);
    const months = ['2026-02', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07'];
    expect(months.map((month) => peakIn(month, june))).toEqual([0, 100, 40, 40, 65, 65]);
    let usage = june;
    for (let year = 2027; year < 2032; year++) {
      for (let month = 1; month <= 12; month++) {
        usage = usageAfter(new Date(`${year}-${String(month).padStart(2, '0')}-01T00:00:00Z`), usage, 1);
      }
    }
    expect(Object.keys(usage.earlier!)).toHaveLength(36);
    expect(peakIn('2031-06', usage)).toBe(119);
  });
});
