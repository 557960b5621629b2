import type { BatchGetCommandInput, BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mentionedDatasets } from '../../../../shared/domains/semantics/queries/dataset-tables.ts';
import { emptyDataset } from '../../../../shared/domains/warehouse/datasets/record.ts';
import { type DatasetRepository, datasetRepository } from '../../../../shared/domains/warehouse/datasets/repository.ts';
import { later, newId } from '../../../../shared/platform/storage/ids.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const [workspaceId, other] = [newId(), newId()];
const named = ['Orders', 'the "odd" one', 'Ähren'];
let maker: DatasetRepository;
let datasets: DatasetRepository;
/** Read units of each request. */
let reads: number[];

beforeAll(async () => {
  maker = datasetRepository(local.open());
  for (const [index, name] of named.entries()) await make(workspaceId, name, index);
  for (let index = 3; index < 150; index += 1) await make(workspaceId, `d${index}`, index);
  await make(other, 'customers', 0);
});
/** A function instance that has read nothing yet. */
beforeEach(() => {
  const table = local.open();
  reads = [];
  table.db.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as BatchGetCommandInput;
      const result = await next({ ...args, input: { ...input, ReturnConsumedCapacity: 'TOTAL' } });
      const [capacity] = (result.output as BatchGetCommandOutput).ConsumedCapacity ?? [];
      reads.push(capacity!.CapacityUnits!);
      return result;
    },
    { step: 'initialize' },
  );
  datasets = datasetRepository(table);
});

function make(workspace: string, name: string, index: number) {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index));
  return maker.create(emptyDataset({ id: newId(at), workspaceId: workspace, name, createdBy: null, at }));
}

async function rename(name: string, to: string) {
  const dataset = (await maker.find(workspaceId, name))!;
  const updatedAt = later(dataset.updatedAt, new Date());
  await maker.replace(dataset, { ...dataset, name: to, updatedAt }, 'STALE_WRITE');
}

const mentioned = async (sql: string) => {
  const found = await mentionedDatasets({ datasets }, { workspaceId, sql });
  return found.map(({ name }) => name);
};

describe('finding what a statement mentions among many datasets', () => {
  it('costs two requests, and one when it was found before; the order is always the same', async () => {
    const sql = `SELECT d7.x, d9 FROM ORDERS o JOIN "The ""odd"" one" USING (id) JOIN ähren JOIN customers -- d8`;
    expect(await mentioned(sql)).toEqual(named);
    // Four names, one of them unknown, and three records.
    expect(reads).toEqual([4, 3]);
    expect(await mentioned(sql)).toEqual(named);
    expect(reads).toEqual([4, 3, 4]);
  });

  it('costs one unit of a statement that is asked again', async () => {
    const sql =
      'SELECT region, count(*) AS n, sum(amount) AS total FROM d10 WHERE x > 1 GROUP BY region ORDER BY region, n';
    for (let times = 0; times < 3; times += 1) expect(await mentioned(sql)).toEqual(['d10']);
    expect(reads).toEqual([1, 1, 1, 1]);
  });

  it('is not misled by what it caches when names change hands', async () => {
    expect(await mentioned('SELECT * FROM d20 JOIN d21')).toEqual(['d20', 'd21']);
    await rename('d20', 'old');
    await rename('d21', 'D20');
    expect(await mentioned('SELECT * FROM d20')).toEqual(['D20']);
    expect(await mentioned('SELECT * FROM d21')).toEqual([]);
    expect(await mentioned('SELECT * FROM old, d20, d21')).toEqual(['old', 'D20']);
  });
});
