import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { it } from '../../../support/api.ts';
import { givenDashboard, POSITION, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected, givenReader, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenTest, QUALITY, ranAll } from '../../../support/given/quality.ts';

const PEOPLE = `SELECT range AS id, range % 5 AS team, 'person' || range || '@example.com' AS email, '+49 30 12345' || range AS phone,
  DATE '2026-01-01' + range::INTEGER AS born, CASE WHEN range = 3 THEN NULL ELSE range * 10 END AS pay FROM range(10)`;

const table = { tableName: 'people' };
/** The result of each type of test over the people: status, checked rows, failing rows. */
const TYPES: Record<string, [body: object, status: string, evaluated: number, failed: number | null]> = {
  not_null: [{ columnName: 'pay', config: { maxNullPct: 10 } }, 'passed', 10, 1],
  unique: [{ columnName: 'team' }, 'failed', 10, 10],
  value_range: [{ columnName: 'pay', config: { max: 80, warnAt: 5, failAt: 50 } }, 'warned', 9, 1],
  row_count: [{ config: { min: 10 } }, 'passed', 10, null],
  email: [{ columnName: 'email' }, 'passed', 10, 0],
  phone: [{ columnName: 'phone' }, 'passed', 10, 0],
  regex: [{ columnName: 'email', config: { pattern: '^person[0-4]@', mostly: 0.5 } }, 'passed', 10, 5],
  allowed_values: [{ columnName: 'team', config: { values: [0, 1, 2, 3] } }, 'failed', 10, 2],
  date_range: [{ columnName: 'born', config: { min: '2026-01-03' } }, 'failed', 10, 2],
  no_future_date: [{ columnName: 'born' }, 'passed', 10, 0],
  no_negative: [{ columnName: 'pay', config: { where: 'pay > 1000' } }, 'skipped', 0, 0],
  foreign_key: [{ columnName: 'team', config: { refTable: 'teams', refColumn: 'id' } }, 'failed', 10, 4],
  duplicate_detection: [{ config: { keys: ['team'] } }, 'failed', 10, 5],
  custom_sql: [{ config: { sql: 'SELECT id FROM input WHERE pay > 70', maxFailing: 2 } }, 'passed', 10, 2],
};

describe('runs of tests', () => {
  it('check every type of test, read by one job', async ({ api }) => {
    await givenDataset(api, { name: 'people', sql: PEOPLE });
    await givenDataset(api, { name: 'teams', sql: 'SELECT range AS id FROM range(3)' });
    const tests = new Map<string, string>();
    for (const [testType, [body]] of Object.entries(TYPES)) {
      tests.set(testType, (await givenTest(api, { testType, ...table, ...body })).path);
    }
    await givenTest(api, { testType: 'email', name: 'idle', ...table, columnName: 'email', isActive: false });
    const job = await ranAll(api);
    expect(job.status).toBe('succeeded');
    expect(job.result).toEqual({ tables: 1, tests: 14, passed: 7, warned: 1, failed: 5, skipped: 1 });
    for (const [testType, [, status, evaluatedRows, failedRows]] of Object.entries(TYPES)) {
      const { body } = await api.as('editor').get(`${tests.get(testType)}/runs?limit=1`);
      expect(body.items, testType).toMatchObject([
        { status, evaluatedRows, failedRows, trigger: 'run_all', datasetVersion: 1 },
      ]);
    }
    const again = await api.as('editor').post(`${tests.get('allowed_values')}/run`);
    expect(again, JSON.stringify(again.body)).toMatchObject({
      status: 200,
      body: {
        status: 'failed',
        trigger: 'manual',
        passRate: 0.8,
        message: '2 of 10 rows fail allowed_values on team.',
        sql: expect.stringContaining('NOT IN'),
        sample: { columns: ['id', 'team', 'email', 'phone', 'born', 'pay'] },
      },
    });
    expect(again.body.sample.rows.map(([id]: string[]) => Number(id))).toEqual([4, 9]);
    const { items } = (await api.as('viewer').get(`${tests.get('allowed_values')}/runs`)).body;
    expect(items).toMatchObject([{ id: again.body.id, sample: null }, { trigger: 'run_all' }]);
    for (const reply of [
      await api.as('stranger').get(`${tests.get('email')}/runs`),
      await api.as('stranger').post(`${tests.get('email')}/run`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'QUALITY_TEST_NOT_FOUND' } });
    }
    expect((await api.as('stranger').get(`${QUALITY}/jobs/${job.id}`)).body.code).toBe('QUALITY_JOB_NOT_FOUND');
    expect((await api.as('viewer').post(`${tests.get('email')}/run`)).status).toBe(403);
    expect((await api.as('viewer').post(`${QUALITY}/tests/run-all`)).status).toBe(403);
  });

  it('take allowed values from a query over datasets, which authors must be allowed to see', async ({ api }) => {
    await givenDataset(api, { name: 'people', sql: PEOPLE });
    const teams = (rows: number) =>
      givenDataset(api, { name: 'teams', sql: `SELECT range AS id, range > 2 AS old FROM range(${rows})` });
    await teams(5);
    const body = {
      testType: 'allowed_values',
      name: 'Teams',
      targetType: 'source_table',
      ...table,
      columnName: 'team',
    };
    const post = (config: object, actor: 'editor' | 'owner' = 'editor') =>
      api.as(actor).post(`${QUALITY}/tests`, { ...body, config });
    const issue = async (config: object) => (await post(config)).body.errors;
    const query = 'SELECT id FROM teams WHERE NOT old';
    expect(await issue({})).toMatchObject([{ pointer: '/config/values', code: 'REQUIRED' }]);
    expect(await issue({ query, values: [1] })).toMatchObject([{ pointer: '/config/query', code: 'NOT_ALLOWED' }]);
    const pointer = '/config/query';
    expect(await issue({ query: 'SELECT * FROM teams' })).toMatchObject([{ pointer, code: 'MAX_ITEMS' }]);
    expect(await issue({ query: 'SELECT id FROM input' })).toMatchObject([{ pointer }]);
    expect(await issue({ query: 'SELECT id FROM team' })).toMatchObject([{ pointer }]);
    expect(await issue({ query: "SELECT 1 FROM read_csv('/etc/passwd')" })).toMatchObject([{ pointer }]);

    const created = await post({ query });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const path = `${QUALITY}/tests/${created.body.id}`;
    const run = async () => (await api.as('editor').post(`${path}/run`)).body;
    expect(await run()).toMatchObject({ status: 'failed', evaluatedRows: 10, failedRows: 4 });
    await givenDataset(api, { name: 'teams', sql: 'SELECT range AS id, false AS old FROM range(5)' });
    expect(await run()).toMatchObject({ status: 'passed', failedRows: 0 });
    await teams(2000);
    expect((await api.as('editor').put(path, { config: { query: 'SELECT id FROM teams' } })).status).toBe(200);
    expect(await run()).toMatchObject({ status: 'error', message: expect.stringContaining('more than 1000 values') });

    await givenProtected(api, { name: 'staff' });
    const hidden = { query: 'SELECT id FROM staff' };
    expect((await api.as('editor').put(path, { config: hidden })).body.code).toBe('RLS_RAW_SQL');
    expect((await api.as('owner').put(path, { config: hidden })).status).toBe(200);
    expect(await run()).toMatchObject({ status: 'failed', failedRows: 2, sample: null });
    expect(await api.as('owner').post(`${path}/failing-rows`, {})).toMatchObject({
      status: 409,
      body: { code: 'QUALITY_ROWS_NOT_STORED', detail: expect.stringContaining('protect staff') },
    });
  });

  it('show samples only to those who may see all rows and columns', async ({ api }) => {
    await givenDataset(api, { name: 'people', sql: PEOPLE });
    const { path } = await givenTest(api, { testType: 'unique', ...table, columnName: 'team' });
    expect((await api.as('editor').post(`${path}/run`)).body.sample.rows).toHaveLength(5);
    const model = await givenModel(api, { name: 'Staff' });
    const { id: tableId } = await givenTable(api, model.path, 'people');
    await api.as('editor').post(`${model.path}/tables/${tableId}/fields`, {
      name: 'team',
      fieldType: 'dimension',
      dataType: 'integer',
    });
    await givenPolicy(api, model.path, { tableId, filterExpression: '[team] = 1' });
    const hidden = await api.as('editor').post(`${path}/run`);
    expect(hidden.body).toMatchObject({ status: 'error', failedRows: null, sample: null });
    const { items } = (await api.as('owner').get(`${path}/runs`)).body;
    expect(items.map(({ sample }: { sample: unknown }) => sample)).toEqual([null, null]);
  });

  it('show no sample of a table that the test read before, nor of a dataset that was replaced', async ({ api }) => {
    await givenProtected(api);
    const open = await givenDataset(api, { name: 'open', sql: "SELECT 'a' AS region FROM range(2)" });
    const all = await givenReader(api, { attributes: { region: ['eu', 'us'], sensitivityLabels: ['private'] } });
    const made = { testType: 'unique', tableName: 'people', columnName: 'region' };
    const created = await api.as('owner').post(`${QUALITY}/tests`, { name: 'u', targetType: 'source_table', ...made });
    const path = `${QUALITY}/tests/${created.body.id}`;
    expect((await api.as('owner').post(`${path}/run`)).body).toMatchObject({ status: 'failed', failedRows: 5 });
    expect((await all.caller.put(path, { tableName: 'open' })).status).toBe(200);
    const runs = await all.caller.get(`${path}/runs`);
    expect(runs.body.items).toMatchObject([{ failedRows: 5, sample: null }]);
    expect(runs.bytes.toString()).not.toContain(SECRET_ROW);

    expect((await all.caller.post(`${path}/run`)).body.sample.rows).toHaveLength(2);
    const samples = async () =>
      (await all.caller.get(`${path}/runs`)).body.items.map(({ sample }: { sample: unknown }) => sample !== null);
    expect(await samples()).toEqual([true, false]);
    expect((await api.as('owner').delete(`/api/datasets/${open.id}`)).status).toBe(204);
    await givenDataset(api, { name: 'open', sql: "SELECT 'b' AS region FROM range(2)" });
    expect(await samples()).toEqual([false, false]);
  });
});

describe('scores of tables', () => {
  it('are sorted by name or score, and last without one', async ({ api }) => {
    const scores = [
      ['good', 'SELECT 1 AS amount'],
      ['bad', 'SELECT -1 AS amount'],
      ['empty', 'SELECT NULL::INTEGER AS amount'],
    ] as const;
    for (const [tableName, sql] of scores) {
      await givenDataset(api, { name: tableName, sql });
      await givenTest(api, { testType: 'no_negative', name: tableName, tableName, columnName: 'amount' });
    }
    await ranAll(api);
    const sorted = async (query: string) =>
      (await api.as('viewer').get(`${QUALITY}/score/tables?${query}`)).body.items.map(
        (each: { tableName: string }) => each.tableName,
      );
    expect(await sorted('')).toEqual(['bad', 'empty', 'good']);
    expect(await sorted('sort=-tableName')).toEqual(['good', 'empty', 'bad']);
    expect(await sorted('sort=score')).toEqual(['bad', 'good', 'empty']);
    expect(await sorted('sort=-score&limit=2')).toEqual(['good', 'bad']);
  });
});

describe('issues', () => {
  it('open with a failing run, are fixed by a passing one, and come back', async ({ api }) => {
    const amounts = (sql: string) => givenDataset(api, { name: 'amounts', sql });
    await amounts('SELECT 1 AS amount UNION ALL SELECT -5');
    const { id, path } = await givenTest(api, {
      testType: 'no_negative',
      name: 'Amounts',
      tableName: 'amounts',
      columnName: 'amount',
      severity: 'critical',
    });
    const run = async () => (await api.as('editor').post(`${path}/run`)).body;
    const issues = async (query = '') => (await api.as('viewer').get(`${QUALITY}/issues?${query}`)).body.items;
    expect(await run()).toMatchObject({ status: 'failed' });
    const [issue] = await issues();
    expect(issue).toMatchObject({
      issueType: 'test_failed',
      status: 'open',
      severity: 'critical',
      testId: id,
      title: 'Amounts',
      columnName: 'amount',
      message: '1 of 2 rows fail no_negative on amount.',
      occurrences: 1,
    });
    expect((await api.as('viewer').get(`${QUALITY}/score`)).body).toMatchObject({ score: 50, tests: 1, unscored: 0 });

    const decide = (body: object, actor: 'editor' | 'stranger' | 'viewer' = 'editor') =>
      api.as(actor).put(`${QUALITY}/issues/${issue.id}/status`, body);
    const colleague = await givenMember(api, 'editor');
    const taken = await decide({ status: 'in_progress', resolutionNote: 'Asked', assigneeId: colleague.userId });
    expect(taken.body).toMatchObject({ status: 'in_progress', assigneeId: colleague.userId, resolutionNote: 'Asked' });
    expect((await decide({ status: 'open', assigneeId: id })).body.code).toBe('MEMBER_NOT_FOUND');
    expect((await decide({ status: 'open', ignoreUntil: '2030-01-01T00:00:00.000Z' })).body.errors).toMatchObject([
      { pointer: '/ignoreUntil' },
    ]);
    expect((await decide({ status: 'ignored', ignoreUntil: '2026-06-30T23:59:60Z' })).body.errors).toMatchObject([
      { pointer: '/ignoreUntil' },
    ]);
    expect((await decide({ status: 'fixed' }, 'stranger')).body.code).toBe('QUALITY_ISSUE_NOT_FOUND');
    expect((await decide({ status: 'fixed' }, 'viewer')).status).toBe(403);
    const ofIssue = `${QUALITY}/issues/${issue.id}`;
    expect((await api.as('viewer').get(ofIssue)).body).toEqual((await issues())[0]);
    expect((await api.as('stranger').get(ofIssue)).body.code).toBe('QUALITY_ISSUE_NOT_FOUND');
    expect((await api.as('viewer').get(`${QUALITY}/issues/${id}`)).body.code).toBe('QUALITY_ISSUE_NOT_FOUND');
    const old = { headers: { 'if-match': '"1"' } };
    const late = await api.as('editor').put(`${QUALITY}/issues/${issue.id}/status`, { status: 'fixed' }, old);
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });

    await amounts('SELECT 1 AS amount');
    expect(await run()).toMatchObject({ status: 'passed', datasetVersion: 2 });
    expect(await issues()).toMatchObject([{ status: 'fixed', resolutionNote: 'auto', occurrences: 1 }]);
    await amounts('SELECT -1 AS amount');
    await run();
    expect(await issues('status=open&issueType=test_failed&tableName=amounts')).toMatchObject([
      { status: 'open', occurrences: 2, reopenedCount: 1, resolvedAt: null },
    ]);
    expect(await issues('severity=low')).toEqual([]);
    await decide({ status: 'ignored', ignoreUntil: '2030-01-01T00:00:00.000Z' });
    await run();
    expect(await issues()).toMatchObject([{ status: 'ignored', occurrences: 3 }]);
    expect((await api.as('viewer').get(`${QUALITY}/issues/summary`)).body).toMatchObject({
      total: 1,
      byStatus: { ignored: 1, open: 0 },
      bySeverity: { critical: 0 },
      byType: { test_failed: 0 },
    });

    await amounts("SELECT 'text' AS amount");
    expect(await run()).toMatchObject({ status: 'error', message: expect.stringContaining('amount') });
    expect(await issues('issueType=execution_error')).toMatchObject([{ status: 'open' }]);
    const types = async (sort: string) =>
      (await issues(`sort=${sort}`)).map(({ issueType }: { issueType: string }) => issueType);
    expect(await types('firstSeenAt')).toEqual(['test_failed', 'execution_error']);
    expect(await types('-lastSeenAt')).toEqual(['execution_error', 'test_failed']);
    const scored = (await api.as('viewer').get(`${QUALITY}/score/tables`)).body;
    expect(scored.items).toMatchObject([{ tableName: 'amounts', score: null, unscored: 1, dependents: 0 }]);
    await run();
    expect((await api.as('viewer').get(`${QUALITY}/score`)).body).toMatchObject({
      score: 0,
      components: { validity: 0, volume: null },
      trend: [{ score: 0 }],
    });
    const status = (await api.as('viewer').get(`${QUALITY}/report-status?tableNames=amounts`)).body;
    expect(status).toMatchObject({
      score: 0,
      issues: { open: 1, worstSeverity: 'critical' },
      freshness: { status: 'fresh' },
      tables: [{ tableName: 'amounts', openIssues: 1 }],
    });
    const model = await givenModel(api);
    await givenTable(api, model.path, 'amounts');
    const ofModel = await api.as('viewer').get(`${QUALITY}/report-status?modelId=${model.id}`);
    expect(ofModel.body).toMatchObject({ score: 0, tables: [{ tableName: 'amounts' }] });
    const report = (query: string) => api.as('viewer').get(`${QUALITY}/report-status?${query}`);
    expect((await report('')).body.errors).toMatchObject([{ pointer: '/query/tableNames' }]);
    expect((await report(`reportId=${id}`)).body.code).toBe('DASHBOARD_NOT_FOUND');
    expect((await report(`reportId=${id}&modelId=${model.id}`)).status).toBe(400);

    // Neither the model nor a dashboard with the table is published, unless an admin wants it.
    const message = 'The data-quality score of amounts is 0, below 60.';
    const low = (more: object) => ({
      status: 409,
      body: { code: 'PUBLISH_GATE', reasons: [{ code: 'DATA_QUALITY_LOW', message, ...more }] },
    });
    const gated = await api.as('editor').post(`${model.path}/publish`);
    expect(gated).toMatchObject(low({ part: { type: 'table', name: 'amounts' } }));
    const dashboard = await givenDashboard(api);
    const { id: savedQueryId } = await posted(api, '/api/saved-queries', { name: 'q', sql: 'SELECT * FROM amounts' });
    const card = { id: 'rows', title: 'Rows', cardType: 'table', savedQueryId, position: POSITION };
    await posted(api, `${dashboard.path}/cards`, card);
    await posted(api, `${dashboard.path}/cards`, textCard('text'));
    const ofReport = () => api.as('viewer').get(`${QUALITY}/report-status?reportId=${dashboard.id}`);
    expect((await ofReport()).body.code).toBe('DASHBOARD_NOT_FOUND');
    const blocked = await api.as('editor').post(`${dashboard.path}/publish`, {});
    expect(blocked).toMatchObject(low({ cardId: 'rows', cardTitle: 'Rows' }));
    const gate = `${QUALITY}/publish-gate`;
    expect((await api.as('viewer').get(gate)).body).toEqual({
      ...{ minScore: 60, updatedBy: null, updatedAt: null, revision: 1 },
    });
    expect((await api.as('editor').put(gate, { minScore: 0 })).status).toBe(403);
    expect((await api.as('owner').put(gate, { minScore: 101 })).status).toBe(400);
    const off = await api.as('owner').put(gate, { minScore: 0 }, old);
    expect(off).toMatchObject({ status: 200, body: { minScore: 0, revision: 2 } });
    expect((await api.as('stranger').get(gate)).body.minScore).toBe(60);
    expect((await api.as('editor').post(`${model.path}/publish`)).status).toBe(200);
    expect((await api.as('owner').put(gate, { minScore: 100 }, old)).status).toBe(412);
    expect((await api.as('owner').put(gate, { minScore: 60 })).body).toMatchObject({ minScore: 60, revision: 3 });
    const override = { override: true, overrideReason: 'Known and harmless' };
    const published = await api.as('owner').post(`${dashboard.path}/publish`, override);
    expect(published).toMatchObject({ status: 200, body: { gate: { overridden: true, reasons: [{ message }] } } });
    expect((await api.as('owner').post(`${model.path}/publish`, override)).status).toBe(200);
    expect((await ofReport()).body).toMatchObject({ score: 0, tables: [{ tableName: 'amounts' }] });
    const chartSpec = {
      version: 1,
      query: { source: { kind: 'savedQuery', id: savedQueryId } },
      mark: { type: 'table' },
    };
    const layout = { blocks: [{ id: 'rows', type: 'table', chartSpec }] };
    const { id: reportId } = await posted(api, '/api/reports', { name: 'Rows', layout, isPublished: true });
    expect((await report(`reportId=${reportId}`)).body).toMatchObject({ score: 0, tables: [{ tableName: 'amounts' }] });
    expect((await report('tableNames=amount')).body.code).toBe('QUALITY_TABLE_NOT_FOUND');
    expect((await report(`modelId=${id}`)).body.code).toBe('MODEL_NOT_FOUND');
    expect((await api.as('viewer').get(`${QUALITY}/freshness`)).body.items).toMatchObject([
      { tableName: 'amounts', status: 'fresh', lastLoadedAt: expect.any(String) },
    ]);

    expect((await api.as('editor').delete(path)).status).toBe(204);
    expect(await issues('status=fixed')).toMatchObject([{ resolutionNote: 'The test was deleted.' }]);
    expect((await api.as('viewer').get(`${QUALITY}/score`)).body).toMatchObject({ score: null, tests: 0 });
    expect((await api.as('stranger').get(`${QUALITY}/issues`)).body.total).toBe(0);
  });

  it('are fixed when their test moves to another table or column', async ({ api }) => {
    await givenDataset(api, { name: 'first', sql: 'SELECT -1 AS amount, -2 AS price' });
    await givenDataset(api, { name: 'second', sql: 'SELECT 1 AS price' });
    const negative = { testType: 'no_negative', tableName: 'first', columnName: 'amount' };
    const { path } = await givenTest(api, negative);
    const moved = async (change: object) => expect((await api.as('editor').put(path, change)).status).toBe(200);
    const issues = async () => (await api.as('viewer').get(`${QUALITY}/issues`)).body.items;
    await api.as('editor').post(`${path}/run`);
    await moved({ severity: 'low' });
    expect(await issues()).toMatchObject([{ tableName: 'first', columnName: 'amount', status: 'open' }]);
    await moved({ columnName: 'price' });
    expect(await issues()).toMatchObject([{ status: 'fixed', resolutionNote: 'The test checks other rows now.' }]);
    await api.as('editor').post(`${path}/run`);
    expect(await issues()).toMatchObject([{ columnName: 'price', status: 'open', reopenedCount: 1 }]);
    await moved({ tableName: 'second' });
    expect(await issues()).toMatchObject([{ tableName: 'first', status: 'fixed' }]);
    await api.as('editor').post(`${path}/run`);
    expect(await issues()).toMatchObject([{ tableName: 'first', status: 'fixed' }]);
  });

  it('are not listed when there are too many', async ({ api }) => {
    const get = async (path: string) => (await api.as('viewer').get(`${QUALITY}/${path}`)).body.code;
    expect(await get('issues?offset=20000')).toBe('OFFSET_TOO_LARGE');
    expect(await get('freshness?offset=20000')).toBe('OFFSET_TOO_LARGE');
    await givenDataset(api, { name: 'people', sql: PEOPLE });
    const have = async (collection: string, count: number) => {
      const total = { pk: `W#${api.workspaceId}#${collection}`, sk: '#TOTAL' };
      await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count } })));
    };
    await have('QUALITY-ISSUE', 5001);
    for (const path of ['issues', 'issues/summary', 'report-status?tableNames=people']) {
      expect(await get(path), path).toBe('LIST_TOO_LARGE');
    }
    await have('QUALITY-TEST', 5001);
    for (const path of ['tests?isActive=true', 'score', 'score/tables']) {
      expect(await get(path), path).toBe('LIST_TOO_LARGE');
    }
    await have('DATASET', 5001);
    expect(await get('freshness')).toBe('LIST_TOO_LARGE');
  });
});
