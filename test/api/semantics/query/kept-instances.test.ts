import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, vi } from 'vitest';
import { type Api, type Caller, it, LOCAL } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenField, givenModel, givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenReader } from '../../../support/given/protected.ts';
import { givenEmbedToken, givenShare, publish } from '../../../support/given/shares.ts';

const SQL = 'SELECT region, count(*) AS n FROM facts GROUP BY region ORDER BY region';
const factsOf = (mark: string, rows = 10) =>
  `SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'eu' ELSE 'us' END AS region, '${mark}' AS mark FROM range(${rows}) r(i)`;

/** Computed again each time. */
async function ask(caller: Caller, sql = SQL): Promise<unknown[][]> {
  const reply = await caller.post('/api/query', { sql, maxAgeSeconds: 0 });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.rows;
}

/** What the engines report of the instances that they keep for a workspace. */
async function reportsOf({ endpoint, workspaceId }: Pick<Api, 'endpoint' | 'workspaceId'>): Promise<string[]> {
  const lambda = new LambdaClient({ endpoint, ...LOCAL });
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const { LoggingConfig } = Functions.find(({ FunctionName }) => FunctionName!.endsWith('-engine'))!;
  const logs = new CloudWatchLogsClient({ endpoint, ...LOCAL });
  const query = { logGroupName: LoggingConfig!.LogGroup!, filterPattern: '"kept instance"' };
  const kinds: string[] = [];
  for await (const { events = [] } of paginateFilterLogEvents({ client: logs }, query)) {
    for (const { message = '{}' } of events) {
      const report = JSON.parse(message) as { kind: string; workspaceId: string };
      if (report.workspaceId === workspaceId) kinds.push(report.kind);
    }
  }
  return kinds;
}

/** Asks until an engine keeps one more instance, with the same rows each time, and then some more. */
async function askUntilKept(api: Api, caller: Caller): Promise<unknown[][]> {
  const opened = async () => (await reportsOf(api)).filter((kind) => kind === 'opened').length;
  const before = await opened();
  const rows = await ask(caller);
  await vi.waitFor(
    async () => {
      expect(await ask(caller)).toEqual(rows);
      expect(await opened()).toBeGreaterThan(before);
    },
    { timeout: 60_000, interval: 100 },
  );
  for (let turn = 0; turn < 4; turn += 1) expect(await ask(caller)).toEqual(rows);
  return rows;
}

describe('an engine that keeps instances', () => {
  it('answers each workspace from its own rows, and from the version that there is', async ({ api }) => {
    const stranger = api.as('stranger');
    await givenDataset(api, { name: 'facts', sql: factsOf('mine') });
    const editor = api.as('editor');
    const rows = [
      ['eu', 5],
      ['us', 5],
    ];
    expect(await askUntilKept(api, editor)).toEqual(rows);
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await stranger.post('/api/query', { sql: SQL, maxAgeSeconds: 0 })).toMatchObject({ status: 400 });
      expect(await ask(editor, 'SELECT DISTINCT mark FROM facts')).toEqual([['mine']]);
      expect(await ask(api.as('owner'), 'SELECT DISTINCT mark FROM facts')).toEqual([['mine']]);
    }
    await givenDataset(api, { name: 'facts', sql: factsOf('newer', 4) });
    for (let turn = 0; turn < 4; turn += 1) {
      expect(await ask(editor, 'SELECT DISTINCT mark FROM facts')).toEqual([['newer']]);
    }
    await vi.waitFor(async () => expect(await reportsOf(api)).toContain('closed'), { timeout: 60_000, interval: 200 });
  });

  it('knows nothing of statements before, whether they were rejected, failed or ran', async ({ api }) => {
    const editor = api.as('editor');
    await givenDataset(api, { name: 'facts', sql: factsOf('mine') });
    const rows = await askUntilKept(api, editor);
    const hostile = [
      'CREATE TEMP MACRO count() AS 42',
      'CREATE OR REPLACE TEMP VIEW facts AS SELECT 1 AS region',
      'PREPARE early AS SELECT 1',
      "SET VARIABLE early = 'x'",
      'SELECT 1; CREATE TEMP TABLE facts AS SELECT 1 AS region',
      'CALL enable_logging()',
      'DETACH "#native_1"',
      'BEGIN',
      'SELECT * FROM duckdb_logs()',
      "SELECT getvariable('early') FROM facts",
      'SELECT current_query() FROM facts',
      'WITH x AS (DELETE FROM facts RETURNING *) SELECT * FROM x',
      'SELECT CAST(region AS INTEGER) FROM facts',
      'SELECT nothing FROM facts',
    ];
    for (const sql of hostile) {
      expect(await editor.post('/api/query', { sql, maxAgeSeconds: 0 }), sql).toMatchObject({ status: 400 });
      expect(await ask(editor), sql).toEqual(rows);
    }
    const slow = 'SELECT count(*) FROM facts a, range(1000000000) b, range(100) c WHERE hash(b.range + c.range) = a.id';
    const stopped = await editor.post('/api/query', { sql: slow, timeoutMs: 500, maxAgeSeconds: 0 });
    expect(stopped.body).toMatchObject({ code: 'QUERY_TIMEOUT' });
    for (let turn = 0; turn < 4; turn += 1) expect(await ask(editor)).toEqual(rows);
  });

  it('shows no row of others once rights shrink, and keeps none for a reader with fewer rights', async ({ api }) => {
    await givenDataset(api, { name: 'facts', sql: factsOf('mine') });
    const reader = await givenReader(api, { attributes: { region: 'eu' } });
    const all = await askUntilKept(api, reader.caller);
    expect(all).toHaveLength(2);
    const model = await givenModel(api, { name: 'Facts' });
    const table = await givenTable(api, model.path, 'facts');
    await givenField(api, table.path, 'region');
    await givenPolicy(api, model.path, { tableId: table.id });
    const opened = (await reportsOf(api)).length;
    for (let turn = 0; turn < 6; turn += 1) {
      expect(await ask(reader.caller)).toEqual([all[0]]);
      expect(await ask(api.as('owner'))).toEqual([]);
    }
    expect(await reportsOf(api)).toHaveLength(opened);
  });

  it('keeps none for readers of links and of embed tokens', async ({ api }) => {
    const { id } = await givenDataset(api, { name: 'facts', sql: factsOf('mine') });
    const source = { kind: 'dataset', id };
    const labels = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'];
    const cards = await givenCards(
      api,
      labels.map((label) => card(label, chart({ source, measures: [{ column: 'id', aggregation: 'sum', label }] }))),
    );
    await publish(api, cards.path);
    const [ofLink, ofToken] = [await givenShare(api, cards.id), await givenEmbedToken(api, cards.id)];
    for (const label of labels.slice(0, 4)) expect(await ofLink.reader.rows(label)).toEqual([['45']]);
    for (const label of labels.slice(4)) expect(await ofToken.reader.rows(label)).toEqual([['45']]);
    expect(await reportsOf(api)).toEqual([]);
    expect(await askUntilKept(api, api.as('editor'))).toHaveLength(2);
  });

  it('closes the instance once the files of its version are gone', async ({ api }) => {
    const { id, workspaceId } = await givenDataset(api, { name: 'facts', sql: factsOf('mine') });
    await askUntilKept(api, api.as('editor'));
    const { name: Bucket, s3 } = await dataBucket(api.endpoint);
    const place = { Bucket, Prefix: `W/${workspaceId}/datasets/${id}/` };
    const { Contents = [] } = await s3.send(new ListObjectsV2Command(place));
    for (const { Key } of Contents) await s3.send(new DeleteObjectCommand({ Bucket, Key: Key! }));
    await vi.waitFor(
      async () => {
        const kinds = await reportsOf(api);
        expect(kinds.filter((kind) => kind === 'closed')).toHaveLength(
          kinds.filter((kind) => kind === 'opened').length,
        );
      },
      { timeout: 60_000, interval: 1_000 },
    );
  });
});
