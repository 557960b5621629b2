import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { metricRepository } from '../../../shared/domains/semantics/metrics/index.ts';
import { collection } from '../../../shared/platform/storage/collection.ts';
import { newId } from '../../../shared/platform/storage/ids.ts';
import { openTable } from '../../../shared/platform/storage/table.ts';
import { transact } from '../../../shared/platform/storage/transact.ts';
import { referencesTo } from '../../../shared/platform/storage/uses.ts';
import type { Bench } from '../bench.ts';
import type { Platform } from '../platform.ts';
import type { Result } from '../result.ts';
import { loadDataset } from '../sales.ts';
import { counted, scaled } from '../scale.ts';
import { rounds, spread } from '../spread.ts';

const METRICS = scaled(1_995, 20);
const ROUNDS = 5;
const GOAL_MS = 500;
const BATCH = 50;

const MODEL = `version: 1
name: Lineage
tables:
  - alias: sales
    sourceTable: lineage_sales
    fields:
      - name: day
        fieldType: dimension
        dataType: date
        sourceColumn: day
      - name: amount
        fieldType: measure
        dataType: integer
        sourceColumn: amount
        aggregation: sum
measures:
  - name: Revenue
    expression: SUM([sales.amount])
`;

/** The lineage of a model with as many dependents as a lineage may have. */
export async function lineage({ platform, deployment }: Bench): Promise<Result> {
  const modelId = await givenModel(platform, deployment.scratch('lineage'));
  await givenMetrics(platform, modelId);
  const times = await rounds(ROUNDS + 1, async () => {
    const startedAt = performance.now();
    const { nodes } = await platform.call<{ nodes: object[] }>('GET', `/api/catalog/lineage/model/${modelId}`);
    if (nodes.length < METRICS + 2) throw new Error(`the lineage has ${nodes.length} nodes`);
    return performance.now() - startedAt;
  });
  return {
    title: `A lineage of ${counted(METRICS + 2)} objects`,
    rows: [
      {
        what: 'the whole lineage of a model',
        unit: 'ms',
        measured: spread(times.slice(1)),
        goal: { of: 'measured', atMost: GOAL_MS },
      },
    ],
    notes: [
      `A dataset, a model and ${counted(METRICS)} metrics, each of which is checked for the caller. The records of the metrics are copies, which are written into the table directly.`,
    ],
    bound: 'the table: each metric, and what the caller may do with it, is read in batches of a hundred items.',
  };
}

async function givenModel(platform: Platform, folder: string): Promise<string> {
  await loadDataset(platform, 'lineage_sales', "SELECT DATE '2026-01-05' AS day, 1::BIGINT AS amount", folder);
  const { id } = await platform.call<{ id: string }>('POST', '/api/models', { name: 'Lineage', sourceId: 'datasets' });
  await platform.call('PUT', `/api/models/${id}/file`, { yaml: MODEL });
  return id;
}

/** Writes copies of a metric that the API has made. */
async function givenMetrics(platform: Platform, modelId: string): Promise<void> {
  const path = `/api/models/${modelId}`;
  const { items: measures } = await platform.call<{ items: { id: string }[] }>('GET', `${path}/measures`);
  const { items: tables } = await platform.call<{ items: { id: string }[] }>('GET', `${path}/tables`);
  const fields = await platform.call<{ items: { id: string; name: string }[] }>(
    'GET',
    `${path}/tables/${tables[0]!.id}/fields`,
  );
  const { id } = await platform.call<{ id: string }>('POST', '/api/metrics', {
    ...{ name: 'Metric', modelId, measureId: measures[0]!.id },
    timeFieldId: fields.items.find(({ name }) => name === 'day')!.id,
  });
  const { TABLE_NAME = '' } = await platform.variablesOf('lineage');
  const client = new DynamoDBClient(platform.awsClient);
  const table = openTable(TABLE_NAME, client);
  try {
    const sample = (await metricRepository(table).get(platform.workspaceId, id))!;
    const records = collection<typeof sample>(table, { entity: 'metric' });
    const copies = Array.from({ length: METRICS - 1 }, (_, at) => ({ ...sample, id: newId(), name: `Metric ${at}` }));
    const references = referencesTo(table, 'model');
    for (let start = 0; start < copies.length; start += BATCH) {
      const batch = copies.slice(start, start + BATCH);
      await transact(table, records.createItems(batch));
      for (const copy of batch) {
        const referrer = { workspaceId: platform.workspaceId, type: 'metric', id: copy.id } as const;
        await transact(table, references.items(referrer, [], [modelId]));
      }
    }
  } finally {
    client.destroy();
  }
}
