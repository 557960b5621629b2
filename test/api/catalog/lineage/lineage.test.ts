import { describe, expect, vi } from 'vitest';
import { type Api, type Caller, it, itWithOwnCompany } from '../../../support/api.ts';
import { givenAlert } from '../../../support/given/alerts.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { givenProtectedText, HIDDEN } from '../../../support/given/protected-stories.ts';
import { cardBlock, chartBlock, doc, givenStory } from '../../../support/given/stories.ts';
import { changeCompany } from '../../../support/operator.ts';

interface Ref {
  type: string;
  id: string;
}
interface Reply {
  nodes: (Ref & { name: string; distance: number; isComplete: boolean })[];
  edges: { from: Ref; to: Ref }[];
  isTruncated: boolean;
}

const SOON = { timeout: 60_000, interval: 500 };
const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const pathOf = ({ type, id }: Ref, query = '') => `/api/catalog/lineage/${type}/${id}${query}`;

async function lineage(caller: Caller, ref: Ref, query = ''): Promise<Reply> {
  const reply = await caller.get(pathOf(ref, query));
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body;
}

/** The edges as pairs of names, in order. */
function flows({ nodes, edges }: Reply): string[] {
  const nameOf = ({ type, id }: Ref) => {
    const node = nodes.find((each) => each.type === type && each.id === id);
    expect(node, `${type} ${id}`).toBeDefined();
    return `${type} ${node!.name}`;
  };
  return edges.map(({ from, to }) => `${nameOf(from)} → ${nameOf(to)}`).sort();
}

/** One object of each kind, from a source over copies of its rows to what people read. */
async function givenChain(api: Api) {
  const { modelId, definition, revenue } = await givenSalesModel(api);
  const sales = (await api.as('viewer').get('/api/datasets')).body.items[0] as { id: string };
  const metric = await givenMetric(api, definition);
  const source = await api.as('owner').post('/api/data-sources', { name: 'Files', type: 'file' });
  expect(source.status).toBe(201);
  const pipeline = await posted(api, '/api/pipelines', {
    name: 'Copy',
    dag: {
      version: 1,
      steps: [
        { id: 'read', type: 'extract', config: { object: { dataset: 'SALES' } } },
        { id: 'file', type: 'extract', config: { sourceId: source.body.id, object: { path: 'more.csv' } } },
        {
          id: 'keep',
          type: 'load',
          dependsOn: ['read'],
          config: { target: { kind: 'dataset', name: 'copied' }, mode: 'overwrite' },
        },
        {
          id: 'also',
          type: 'load',
          dependsOn: ['file'],
          config: { target: { kind: 'dataset', name: 'more' }, mode: 'overwrite' },
        },
      ],
    },
  });
  const copied = await givenDataset(api, { name: 'copied', sql: 'SELECT 1 AS a' });
  const derived = await posted(api, '/api/datasets', {
    name: 'by_region',
    source: { kind: 'datasets', sql: 'SELECT region FROM "Sales"' },
  });
  const query = await posted(api, '/api/saved-queries', { name: 'Regions', sql: 'SELECT region FROM sales' });
  const board = await givenDashboard(api, { name: 'Board' });
  const measured = { source: { kind: 'model', id: modelId }, measures: [{ measureId: revenue }] };
  const kpi = { version: 1, mark: { type: 'table' }, query: measured };
  await posted(api, `${board.path}/cards`, { id: 'kpi', cardType: 'table', position: POSITION, chartSpec: kpi });
  await posted(api, `${board.path}/cards`, {
    ...{ id: 'regions', cardType: 'table', position: POSITION },
    savedQueryId: query.id,
  });
  const report = await posted(api, '/api/reports', {
    name: 'Report',
    layout: {
      blocks: [
        { id: 'rows', type: 'table', chartSpec: { ...kpi, query: { source: { kind: 'metric', id: metric.id } } } },
      ],
    },
  });
  const story = await givenStory(
    api,
    doc(
      cardBlock('card', board.id, 'kpi'),
      chartBlock('own', { source: { kind: 'dataset', id: sales.id }, dimensions: [{ column: 'region' }] }),
    ),
  );
  const alert = await givenAlert(api, {
    name: 'Low',
    condition: {
      ...{ kind: 'field', source: { kind: 'card', id: 'kpi', dashboardId: board.id }, column: 'Revenue' },
      ...{ reduce: 'last', operator: 'lt', threshold: 1 },
    },
  });
  const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
  const digest = await api.as('owner').post('/api/metrics/digests', {
    ...{ name: 'Mondays', metricIds: [metric.id], cron: '@weekly', recipientIds: [me] },
  });
  expect(digest.status, JSON.stringify(digest.body)).toBe(201);
  const ref = (type: string, { id }: { id: string }): Ref => ({ type, id });
  return {
    source: ref('source', source.body),
    pipeline: ref('pipeline', pipeline),
    sales: ref('dataset', sales),
    copied: ref('dataset', copied),
    derived: ref('dataset', derived),
    query: ref('saved-query', query),
    model: { type: 'model', id: modelId },
    metric: ref('metric', metric),
    board: ref('dashboard', board),
    report: ref('report', report),
    story: ref('story', story),
    alert: ref('alert', alert),
    digest: ref('metric-digest', digest.body),
    paths: { board: board.path, story: story.path, query: `/api/saved-queries/${query.id}` },
  };
}

const DOWN_FROM_SALES = [
  'dashboard Board → alert Low',
  'dashboard Board → story Weekly',
  'dataset sales → dataset by_region',
  'dataset sales → model Sales',
  'dataset sales → pipeline Copy',
  'dataset sales → saved-query Regions',
  'dataset sales → story Weekly',
  'metric Revenue → metric-digest Mondays',
  'metric Revenue → report Report',
  'model Sales → dashboard Board',
  'model Sales → metric Revenue',
  'pipeline Copy → dataset copied',
  'saved-query Regions → dashboard Board',
];

describe('the lineage of an object', () => {
  it('goes from where rows come from to where people look at them, and back', async ({ api }) => {
    const chain = await givenChain(api);
    const editor = api.as('editor');

    const down = await lineage(editor, chain.sales, '?direction=down');
    expect(flows(down)).toEqual(DOWN_FROM_SALES);
    expect(down.nodes[0]).toMatchObject({ ...chain.sales, name: 'sales', distance: 0, isComplete: true });
    expect(down.nodes.find(({ type }) => type === 'alert')).toMatchObject({ ...chain.alert, distance: 3 });
    expect(down.isTruncated).toBe(false);

    const up = await lineage(editor, chain.alert, '?direction=up');
    expect(flows(up)).toEqual([
      'dashboard Board → alert Low',
      'dataset sales → model Sales',
      'dataset sales → saved-query Regions',
      'model Sales → dashboard Board',
      'saved-query Regions → dashboard Board',
    ]);
    expect(up.nodes[0]).toMatchObject({ ...chain.sales, distance: -3 });

    const near = await lineage(editor, chain.model, '?depth=1');
    expect(flows(near)).toEqual([
      'dataset sales → model Sales',
      'model Sales → dashboard Board',
      'model Sales → metric Revenue',
    ]);
    expect(flows(await lineage(editor, chain.copied))).toEqual([
      'dataset sales → pipeline Copy',
      'pipeline Copy → dataset copied',
      'source Files → pipeline Copy',
    ]);
    expect(flows(await lineage(editor, chain.source, '?direction=down&depth=2'))).toEqual([
      'pipeline Copy → dataset copied',
      'source Files → pipeline Copy',
    ]);
  });

  it('starts at each kind of object, and a key may read it', async ({ api }) => {
    const { paths: _, ...chain } = await givenChain(api);
    const key = await api.as('owner').post('/api/api-keys', { name: 'reads', scope: 'read' });
    const reader = api.as({ token: key.body.key });
    for (const [name, ref] of Object.entries(chain)) {
      const { nodes, edges } = await lineage(reader, ref, '?depth=1');
      expect(
        nodes.filter(({ distance }) => distance === 0),
        name,
      ).toMatchObject([ref]);
      expect(edges.length, name).toBeGreaterThan(0);
    }
  });

  it('forgets uses that have ended, and follows new ones', async ({ api }) => {
    const { sales, board, paths } = await givenChain(api);
    const editor = api.as('editor');
    expect((await editor.delete(`${paths.board}/cards/regions`)).status).toBe(204);
    expect(flows(await lineage(editor, board, '?direction=up&depth=1'))).toEqual(['model Sales → dashboard Board']);
    expect(flows(await lineage(editor, sales))).not.toContain('saved-query Regions → dashboard Board');
    expect((await editor.delete(paths.board)).status).toBe(204);
    const { nodes } = await lineage(editor, sales);
    expect(nodes.map(({ type }) => type)).not.toContain('dashboard');
    expect((await editor.get(pathOf(board))).status).toBe(404);
  });

  it('says where more may be behind an object', async ({ api }) => {
    await givenDataset(api, { name: 'sales', sql: 'SELECT 1 AS a' });
    const pipeline = await posted(api, '/api/pipelines', {
      name: 'Any',
      dag: {
        version: 1,
        parameters: [{ name: 'from', type: 'string', default: 'sales' }],
        steps: [{ id: 'read', type: 'extract', config: { object: { dataset: '{{ params.from }}' } } }],
      },
    });
    const { nodes, edges } = await lineage(api.as('editor'), { type: 'pipeline', id: pipeline.id });
    expect(edges).toEqual([]);
    expect(nodes).toMatchObject([{ name: 'Any', isComplete: false }]);
  });

  it('shows nothing of objects that the caller may not see', async ({ api }) => {
    const { sales, source, board, report, story, alert, metric } = await givenChain(api);
    const viewer = api.as('viewer');
    const seen = await lineage(viewer, sales);
    const hidden = [source, board, report, story, alert];
    for (const { type, id } of hidden) {
      expect(JSON.stringify(seen)).not.toContain(id);
      expect(await viewer.get(pathOf({ type, id }))).toMatchObject({
        status: 404,
        body: { code: 'LINEAGE_OBJECT_NOT_FOUND' },
      });
    }
    // What a hidden dashboard shows tells nothing either, from whichever side the caller looks.
    expect(flows(seen)).toEqual(DOWN_FROM_SALES.filter((flow) => !/dashboard|story|report/.test(flow)));
    expect(flows(await lineage(viewer, metric, '?direction=up'))).toEqual([
      'dataset sales → model Sales',
      'model Sales → metric Revenue',
    ]);
    // A grant opens the dashboard, of which readers see what is published.
    expect((await api.as('editor').post(`/api/dashboards/${board.id}/publish`, {})).status).toBe(200);
    const opened = flows(await lineage(viewer, board));
    expect(opened).toContain('model Sales → dashboard Board');
    expect(opened).not.toContain('dashboard Board → alert Low');
    await posted(api, `/api/dashboards/${board.id}/cards`, {
      ...{ id: 'draft', cardType: 'table', position: POSITION },
      chartSpec: { version: 1, mark: { type: 'table' }, query: { source: { kind: 'metric', id: metric.id } } },
    });
    expect(flows(await lineage(viewer, metric, '?direction=down'))).not.toContain('metric Revenue → dashboard Board');
    expect(flows(await lineage(api.as('editor'), metric, '?direction=down'))).toContain(
      'metric Revenue → dashboard Board',
    );
  });

  it('rejects kinds, depths and objects that do not exist, and strangers', async ({ api }) => {
    const { paths: _, ...chain } = await givenChain(api);
    const { sales } = chain;
    const missing = { status: 404, body: { code: 'LINEAGE_OBJECT_NOT_FOUND' } };
    for (const ref of Object.values(chain))
      expect(await api.as('stranger').get(pathOf(ref)), ref.type).toMatchObject(missing);
    expect(await api.as('owner').get(pathOf({ type: 'model', id: UNKNOWN }))).toMatchObject(missing);
    expect((await api.as('owner').get(pathOf({ ...sales, type: 'card' }))).status).toBe(400);
    expect((await api.as('owner').get(pathOf(sales, '?depth=11'))).status).toBe(400);
    expect((await api.as('owner').get(pathOf(sales, '?direction=left'))).status).toBe(400);
    expect((await api.as('anonymous').get(pathOf(sales))).status).toBe(401);
  });

  it('keeps what a hidden section of a story uses from those who edit the others', async ({ api }) => {
    const { dataset, content, reader } = await givenProtectedText(api);
    const story = await givenStory(api, content);
    const section = `${story.path}/sections/${story.sections[0]}`;
    expect((await api.as('editor').put(`${section}/visibility`, { visibility: 'data_access' })).status).toBe(200);
    const peer = await reader('eu', 'editor');
    const other = await reader('us', 'editor');
    const of = { type: 'story', id: story.id };
    const shown = await lineage(peer.caller, of);
    expect(shown.edges).toContainEqual({ from: { type: 'dataset', id: dataset.id }, to: of, columns: [] });
    expect(shown.nodes.find(({ distance }) => distance === 0)).toMatchObject({ isComplete: true });
    expect((await other.caller.get(story.path)).body.sections[0]).toMatchObject(HIDDEN);
    const hidden = await lineage(other.caller, of);
    expect(hidden).toMatchObject({ nodes: [{ ...of, isComplete: false }], edges: [] });
    expect(JSON.stringify(await lineage(other.caller, { type: 'dataset', id: dataset.id }))).not.toContain(story.id);
  });

  it('names dashboards as their readers know them', async ({ api }) => {
    const { metric, board, paths } = await givenChain(api);
    const { id } = metric;
    const chartSpec = { version: 1, mark: { type: 'table' }, query: { source: { kind: 'metric', id } } };
    await posted(api, `${paths.board}/cards`, { id: 'of', cardType: 'table', position: POSITION, chartSpec });
    expect((await api.as('editor').post(`${paths.board}/publish`, {})).status).toBe(200);
    expect((await api.as('editor').put(paths.board, { name: 'Secret plans' })).status).toBe(200);
    const seen = await lineage(api.as('viewer'), metric, '?direction=down');
    expect(seen.nodes.find(({ type }) => type === 'dashboard')).toMatchObject({ ...board, name: 'Board' });
    expect(JSON.stringify(await lineage(api.as('editor'), metric))).toContain('Secret plans');
  });

  itWithOwnCompany('leaves out the objects of a product that is turned off', async ({ api }) => {
    const { sales, model } = await givenChain(api);
    const editor = api.as('editor');
    await changeCompany(api, { change: 'switch', product: 'warehouse', on: false });
    // Each function learns of the switch within seconds.
    await vi.waitFor(async () => {
      expect((await editor.get(pathOf(sales))).status).toBe(404);
      const seen = await lineage(editor, model);
      expect(flows(seen)).toContain('model Sales → dashboard Board');
      expect(seen.nodes.map(({ type }) => type)).not.toContain('dataset');
      expect(JSON.stringify(seen)).not.toContain(sales.id);
    }, SOON);
  });
});
