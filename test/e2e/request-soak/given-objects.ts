import { call } from '../../support/http.ts';
import type { Json } from './mutations.ts';

/** Ids by the name of the path parameter, or by the collection before `{id}`. */
export type Ids = Record<string, string>;

export interface Session {
  baseUrl: string;
  token: string;
}

const NIL = '00000000-0000-7000-8000-000000000000';
const POSITION = { x: 0, y: 0, w: 12, h: 6 };
const ROWS = 'id,region,amount,placed,customer\n1,North,10.5,2026-01-05,1\n2,South,20,2026-01-20,2\n3,,1,2026-03-09,\n';

/** The dataset that examples of the document speak of with its source, and others that requests may change. */
export async function givenOrders(session: Session): Promise<Ids> {
  const orders = await givenDataset(session, 'orders');
  const spare = await givenDataset(session, 'spare');
  return { ...orders, 'data-sources': spare.sourceId!, datasets: spare.datasetId! };
}

async function givenDataset(session: Session, name: string): Promise<Ids> {
  const post = poster(session);
  const source = await post('/data-sources', { name: `files of ${name}`, type: 'file' });
  const upload = await post(`/data-sources/${source.id}/uploads`, { path: 'orders.csv', size: ROWS.length });
  const { 'content-length': _length, ...headers } = upload.headers;
  await fetch(upload.url, { method: upload.method, headers, body: ROWS });
  const dataset = await post('/datasets', {
    name,
    source: { kind: 'file', sourceId: source.id, path: 'orders.csv' },
  });
  const path = `/api/datasets/${dataset.id}`;
  for (let tries = 0; tries < 300; tries += 1) {
    const { body } = await call(session.baseUrl, 'GET', path, { token: session.token });
    if (body.columns?.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return { sourceId: source.id, datasetId: dataset.id };
}

/** One object of most kinds, new in each round because requests change and break them. */
export async function givenObjects(session: Session, common: Ids, round: number): Promise<Ids> {
  const post = poster(session);
  const name = (kind: string) => `${kind} ${round}`;
  const model = await post('/models', { name: name('Sales'), sourceId: 'datasets' });
  const inModel = `/models/${model.id}`;
  const table = await post(`${inModel}/tables`, { sourceSchema: '', sourceTable: 'orders', alias: 'orders' });
  const field = (of: string, fieldType: string, dataType: string) =>
    post(`${inModel}/tables/${table.id}/fields`, { name: of, fieldType, dataType });
  const region = await field('region', 'dimension', 'string');
  const placed = await field('placed', 'dimension', 'date');
  await field('amount', 'measure', 'decimal');
  const measure = await post(`${inModel}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
  const metric = await post('/metrics', {
    name: name('Revenue'),
    modelId: model.id,
    measureId: measure.id,
    timeFieldId: placed.id,
  });
  const query = {
    source: { kind: 'model', id: model.id },
    dimensions: [{ fieldId: region.id, label: 'Region' }],
    measures: [{ measureId: measure.id, label: 'Revenue' }],
  };
  const chartSpec = { version: 1, query, mark: { type: 'table' } };
  const dashboard = await post('/dashboards', { name: name('Sales') });
  const inDashboard = `/dashboards/${dashboard.id}`;
  await post(`${inDashboard}/cards`, { id: 'chart', cardType: 'chart', position: POSITION, chartSpec });
  const filter = await post(`${inDashboard}/filters`, { fieldId: region.id, filterType: 'select', label: 'Region' });
  await post(`${inDashboard}/publish`, {});
  const rlsContext = { attributes: {} };
  const share = await post('/shares', {
    contentType: 'dashboard',
    contentId: dashboard.id,
    shareType: 'rls',
    rlsContext,
  });
  const blocks = [{ id: 'block', type: 'table', title: 'By region', chartSpec }];
  const report = await post('/reports', { name: name('Report'), layout: { blocks } });
  const steps = [
    { id: 'rows', type: 'extract', config: { sourceId: common.sourceId, object: { path: 'orders.csv' } } },
    { id: 'big', type: 'transform_sql', dependsOn: ['rows'], config: { sql: 'SELECT * FROM rows' } },
  ];
  const pipeline = await post('/pipelines', { name: name('Orders'), dag: { version: 1, steps } });
  const run = await post(`/pipelines/${pipeline.id}/run`, {});
  const test = await post('/data-quality/tests', {
    name: name('Amounts'),
    testType: 'not_null',
    targetType: 'source_table',
    tableName: 'orders',
    columnName: 'amount',
  });
  const saved = await post('/saved-queries', { name: name('All'), sql: 'SELECT id, amount FROM orders' });
  const webhook = await post('/webhooks', {
    kind: 'generic',
    name: name('Hook'),
    url: 'https://hooks.example.com/soak',
    events: ['pipeline.run_failed'],
  });
  const group = await post('/groups', { name: name('Group') });
  const tokens = { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false };
  const theme = await post('/themes', { name: name('Theme'), tokens });
  const flowlet = await post('/pipelines/flowlets', {
    name: name('flowlet'),
    params: [],
    inputs: [{ name: 'rows', columns: [{ name: 'net', type: 'double' }] }],
    ops: [{ op: 'filter', condition: 'net IS NOT NULL' }],
  });
  return {
    ...common,
    ...{ models: model.id, modelId: model.id, tableId: table.id, fieldId: region.id, timeFieldId: placed.id },
    ...{ measureId: measure.id, mid: measure.id, metrics: metric.id, metricIds: metric.id },
    ...{ dashboards: dashboard.id, contentId: dashboard.id, cardId: 'chart', filterId: filter.id, pageId: 'page-1' },
    ...{ token: share.token, shares: share.id, reports: report.id, blockId: 'block', themes: theme.id },
    ...{ pipelines: pipeline.id, pipelineId: pipeline.id, runId: run.id, stepId: 'big', flowlets: flowlet.id },
    ...{ tests: test.id, 'saved-queries': saved.id, savedQueryId: saved.id, webhooks: webhook.id, groups: group.id },
    ...{ granteeType: 'group', granteeId: group.id, name: 'secret' },
  };
}

/** The path of an operation with ids of given objects. */
export const pathWith = (path: string, ids: Ids): string =>
  path.replaceAll(/([^/]+)\/\{(\w+)\}|\{(\w+)\}/g, (_all, before: string, name: string, alone: string) =>
    before === undefined ? (ids[alone] ?? NIL) : `${before}/${(name === 'id' ? ids[before] : ids[name]) ?? NIL}`,
  );

/** An example whose ids are those of given objects. */
export function bodyWith(example: Json, ids: Ids): Json {
  if (Array.isArray(example)) return example.map((each) => bodyWith(each, ids));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries<Json>(example).map(([name, value]) => {
      const id = name === 'id' ? ids[`${example.kind}s`] : ids[name];
      if (id && typeof value === 'string') return [name, id];
      if (id && Array.isArray(value)) return [name, [id]];
      return [name, bodyWith(value, ids)];
    }),
  );
}

const poster =
  ({ baseUrl, token }: Session) =>
  async (path: string, body: object): Promise<Json> => {
    const reply = await call(baseUrl, 'POST', `/api${path}`, { token, body });
    if (reply.status >= 300) throw new Error(`POST ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
