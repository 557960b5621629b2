import { expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenLoad } from '../../../support/given/alerts.ts';
import { givenShopAndDesk } from '../../../support/given/blend.ts';
import { givenSalesModel } from '../../../support/given/metric.ts';
import { files, posted } from './given.ts';

const NONE = { key: null, managedBy: null };
const PALETTE = { palette: ['#1f77b4'], fonts: { heading: 'serif', body: 'sans' }, radius: 8, dark: false };
const TEST = {
  testType: 'not_null',
  targetType: 'source_table',
  sourceId: 'datasets',
  schemaName: '',
  tableName: 'sales',
  columnName: 'region',
};
const STEPS = [{ id: 'a', type: 'transform_sql', config: { sql: 'SELECT 1 AS a' } }];

/** The path of the objects of each kind, and the body of one. */
const KINDS: Record<string, [path: string, body: (api: Api) => Promise<object> | object]> = {
  source: ['/api/data-sources', () => ({ type: 'file' })],
  dataset: ['/api/datasets', () => ({})],
  query: ['/api/saved-queries', () => ({ sql: 'SELECT 1 AS a' })],
  theme: ['/api/themes', () => ({ tokens: PALETTE })],
  group: ['/api/groups', () => ({})],
  model: ['/api/models', () => ({ sourceId: 'datasets' })],
  blend: ['/api/composite-models', async (api) => (await givenShopAndDesk(api)).body],
  metric: ['/api/metrics', async (api) => (await givenSalesModel(api)).definition],
  'quality-test': ['/api/data-quality/tests', async (api) => (await givenSalesModel(api)) && TEST],
  pipeline: ['/api/pipelines', () => ({ dag: { version: 1, steps: STEPS } })],
  dashboard: ['/api/dashboards', () => ({})],
  report: ['/api/reports', () => ({})],
  alert: [
    '/api/dashboard-alerts',
    async (api) => ({
      onRefresh: false,
      condition: {
        ...{ kind: 'field', source: { kind: 'savedQuery', id: (await givenLoad(api)).queryId } },
        ...{ column: 'load', reduce: 'max', operator: 'gt', threshold: 1 },
      },
    }),
  ],
  webhook: ['/api/webhooks', () => ({ kind: 'generic', url: 'https://hooks.example.com/', events: ['*'] })],
  term: ['/api/catalog/terms', () => ({ definition: 'What it means' })],
};

it.for(Object.entries(KINDS))(
  'replies about a %s say by which file it is managed',
  async ([kind, [path, body]], { api }) => {
    const rest = await body(api);
    const made = await posted(api, path, { ...rest, name: 'One' });
    expect(made).toMatchObject(NONE);
    const other = await posted(api, path, { ...rest, name: 'Other' });
    const owner = api.as('owner');
    expect((await owner.get(`${path}/${made.id}`)).body).toMatchObject(NONE);

    const { text, deploy, delete: remove } = files(api, 'owner');
    await deploy(kind, 'one', await text(kind, 'one'), 'adopt=true');
    const managed = { key: 'one', managedBy: { project: 'shop', path: 'queries/orders.yaml', commit: null } };
    expect((await owner.get(`${path}/${made.id}`)).body).toMatchObject(managed);
    const { items } = (await owner.get(path)).body as { items: { id: string }[] };
    expect(items.find(({ id }) => id === made.id)).toMatchObject(managed);
    expect(items.find(({ id }) => id === other.id)).toMatchObject(NONE);
    // The change of an object that a file manages says so, too.
    const change = kind === 'blend' ? { ...rest, name: 'Two' } : { name: 'Two' };
    const method = ['alert', 'blend', 'dashboard', 'model', 'quality-test', 'report', 'theme'].includes(kind)
      ? 'put'
      : 'patch';
    const whole = ['theme', 'quality-test'].includes(kind) ? { ...rest, ...change } : change;
    expect((await owner[method](`${path}/${made.id}`, whole)).body).toMatchObject({ ...managed, name: 'Two' });

    expect((await api.as('stranger').get(`${path}/${made.id}`)).status).toBe(404);
    expect((await remove(kind, 'one')).status).toBe(204);
    expect((await owner.get(path)).body.items.some(({ id }: { id: string }) => id === made.id)).toBe(false);
  },
);
