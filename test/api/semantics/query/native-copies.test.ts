import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, vi } from 'vitest';
import { type Api, type Caller, it, LOCAL } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';

/** Some two megabytes of rows, half of which are of each region. */
const rowsOf = (salt: number) =>
  `SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'eu' ELSE 'us' END AS region, hash(i + ${salt}) AS value FROM range(250_000) r(i)`;

const SQL =
  'SELECT region, count(*) AS n, sum(id) AS ids, sum(value) AS total FROM facts GROUP BY region ORDER BY region';

/** Computed again each time. */
async function ask(caller: Caller, sql = SQL): Promise<unknown[][]> {
  const reply = await caller.post('/api/query', { sql, maxAgeSeconds: 0 });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.rows;
}

/** What the engines report of the native copies of a dataset. */
async function reportsOf(api: Api, datasetId: string): Promise<string[]> {
  const lambda = new LambdaClient({ endpoint: api.endpoint, ...LOCAL });
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const { LoggingConfig } = Functions.find(({ FunctionName }) => FunctionName!.endsWith('-engine'))!;
  const logs = new CloudWatchLogsClient({ endpoint: api.endpoint, ...LOCAL });
  const query = { logGroupName: LoggingConfig!.LogGroup!, filterPattern: '"native copy of a table"' };
  const kinds: string[] = [];
  for await (const { events = [] } of paginateFilterLogEvents({ client: logs }, query)) {
    for (const { message = '{}' } of events) {
      const { kind, object } = JSON.parse(message) as { kind: string; object: string };
      if (object.includes(datasetId)) kinds.push(kind);
    }
  }
  return kinds;
}

/** Asks until an engine has copied the dataset, with the same rows each time. */
async function askUntilCopied(api: Api, datasetId: string, caller: Caller, copies = 1): Promise<unknown[][]> {
  const rows = await ask(caller);
  await vi.waitFor(
    async () => {
      expect(await ask(caller)).toEqual(rows);
      const made = (await reportsOf(api, datasetId)).filter((kind) => kind === 'made');
      expect(made.length).toBeGreaterThanOrEqual(copies);
    },
    { timeout: 60_000, interval: 200 },
  );
  return rows;
}

describe('an engine with a native copy of a dataset', () => {
  it('gives the same answers, of the version that there is', async ({ api }) => {
    const editor = api.as('editor');
    const { id } = await givenDataset(api, { name: 'facts', sql: [rowsOf(1), rowsOf(2)] });
    const first = await askUntilCopied(api, id, editor);
    for (let turn = 0; turn < 3; turn += 1) expect(await ask(editor)).toEqual(first);
    await givenDataset(api, { name: 'facts', sql: rowsOf(3) });
    const second = await ask(editor);
    expect(second.map(([, n]) => n)).toEqual([125_000, 125_000]);
    expect(await askUntilCopied(api, id, editor, 2)).toEqual(second);
  });

  it('shows no row of others, and follows rights that shrink', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'facts', sql: rowsOf(4) });
    const reader = await givenReader(api, { attributes: { region: 'eu' } });
    const all = await askUntilCopied(api, id, reader.caller);
    expect(all.map(([region]) => region)).toEqual(['eu', 'us']);

    const model = await givenModel(api, { name: 'Facts' });
    const table = await givenTable(api, model.path, 'facts');
    await givenField(api, table.path, 'region');
    await givenPolicy(api, model.path, { tableId: table.id });
    for (let turn = 0; turn < 3; turn += 1) expect(await ask(reader.caller)).toEqual([all[0]]);
    expect(await ask(reader.caller, "SELECT count(*) FROM facts WHERE region = 'us'")).toEqual([[0]]);
    expect(await ask(api.as('owner'))).toEqual([]);
    for (const sql of ['FROM "#native_1".main.rows', 'FROM "#native_1".rows', "FROM read_blob('/tmp/*')"]) {
      expect(await reader.caller.post('/api/query', { sql }), sql).toMatchObject({ status: 400 });
    }
  });

  it('removes the copy once the files of its version are gone', async ({ api }) => {
    const { id, workspaceId } = await givenDataset(api, { name: 'facts', sql: rowsOf(5) });
    await askUntilCopied(api, id, api.as('editor'));
    await givenDataset(api, { name: 'facts', sql: 'SELECT 1 AS id' });
    const { name: Bucket, s3 } = await dataBucket(api.endpoint);
    const place = { Bucket, Prefix: `W/${workspaceId}/datasets/${id}/` };
    const { Contents = [] } = await s3.send(new ListObjectsV2Command(place));
    const large = Contents.filter(({ Size = 0 }) => Size > 100_000);
    expect(large).toHaveLength(1);
    await s3.send(new DeleteObjectCommand({ Bucket, Key: large[0]!.Key! }));
    await vi.waitFor(async () => expect(await reportsOf(api, id)).toContain('removed'), {
      timeout: 60_000,
      interval: 1_000,
    });
  });
});
