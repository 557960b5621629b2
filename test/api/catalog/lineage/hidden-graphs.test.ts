import { describe, expect } from 'vitest';
import { type Api, type Caller, it } from '../../../support/api.ts';
import { givenAlert } from '../../../support/given/alerts.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { cardBlock, doc, givenStory, valueParagraph } from '../../../support/given/stories.ts';
import type { LineageReply, Ref } from './world.ts';

/** Where an object of each type is read by itself. */
const PATHS: Readonly<Record<string, string>> = {
  source: '/api/data-sources',
  pipeline: '/api/pipelines',
  dataset: '/api/datasets',
  'saved-query': '/api/saved-queries',
  model: '/api/models',
  metric: '/api/metrics',
  blend: '/api/composite-models',
  dashboard: '/api/dashboards',
  report: '/api/reports',
  story: '/api/stories',
  alert: '/api/dashboard-alerts',
  'metric-digest': '/api/metrics/digests',
};

interface GraphObject extends Ref {
  name: string;
  /** What it is made of. */
  origins: GraphObject[];
}

interface Knowledge {
  isEditor: boolean;
  knowsStories: boolean;
}

class Graph {
  readonly objects: GraphObject[] = [];

  add(type: string, name: string, { id }: { id: string }, ...origins: GraphObject[]): GraphObject {
    const object = { type, id, name, origins };
    this.objects.push(object);
    return object;
  }

  /**
   * What is reached from an object. Editors see what is behind hidden objects; for others the graph ends there. What
   * stories use is known to those who may edit them.
   */
  reach(start: GraphObject, direction: 'up' | 'down', isVisible: (object: GraphObject) => boolean, knows: Knowledge) {
    const { isEditor, knowsStories } = knows;
    const originsOf = ({ type, origins }: GraphObject) => (type === 'story' && !knowsStories ? [] : origins);
    const next = (of: GraphObject) =>
      direction === 'up' ? originsOf(of) : this.objects.filter((each) => originsOf(each).includes(of));
    const reached = new Set<GraphObject>();
    const follow = (object: GraphObject) => {
      if (reached.has(object) || !(isEditor || isVisible(object))) return;
      reached.add(object);
      next(object).forEach(follow);
    };
    follow(start);
    return [...reached].filter(isVisible);
  }
}

const card = (id: string, query: object) => ({
  ...{ id, title: id, cardType: 'table', position: POSITION },
  chartSpec: { version: 1, mark: { type: 'table' }, query },
});
const onMetric = ({ id: metricId }: Ref) => ({ kind: 'metric', metricId, operator: 'gt', threshold: 1 });
const onCard = ({ id: dashboardId }: Ref, column: string) => ({
  ...{ kind: 'field', source: { kind: 'card', id: 'kpi', dashboardId }, column },
  ...{ reduce: 'last', operator: 'lt', threshold: 1 },
});

/** A dashboard, which only editors see until it is published. */
async function addBoard(api: Api, graph: Graph, name: string, query: object, ...origins: GraphObject[]) {
  const board = await givenDashboard(api, { name });
  await posted(api, `${board.path}/cards`, card('kpi', query));
  return graph.add('dashboard', name, board, ...origins);
}

const publish = async (api: Api, { id }: Ref) =>
  expect((await api.as('editor').post(`/api/dashboards/${id}/publish`, {})).status).toBe(200);

/** A model over a dataset, and a metric of it. */
async function addMetric(api: Api, graph: Graph, table: string, loaded?: GraphObject) {
  const dataset =
    loaded ?? graph.add('dataset', table, await givenDataset(api, { name: table, sql: 'SELECT 1 AS id' }));
  const { id: modelId, path } = await givenModel(api, { name: `model of ${table}` });
  const model = graph.add('model', `model of ${table}`, { id: modelId }, dataset);
  const { id: tableId, path: tablePath } = await givenTable(api, path, table);
  const field = await givenField(api, tablePath, 'id', { dataType: 'integer', sourceColumn: 'id' });
  const day = { dataType: 'date', expression: "DATE '2026-01-01'", fieldType: 'calculated' };
  const timeFieldId = await givenField(api, tablePath, 'day', day);
  const expression = `COUNT([${table}.id])`;
  const { id: measureId } = await posted(api, `${path}/measures`, { name: 'Revenue', expression });
  const made = await givenMetric(api, { name: `metric of ${table}`, modelId, measureId, timeFieldId });
  const metric = graph.add('metric', `metric of ${table}`, made, model);
  return { dataset, model, tableId, field, measureId, metric };
}

const asOwner = async (api: Api, path: string, body: object): Promise<{ id: string; tokenPrefix: string }> => {
  const reply = await api.as('owner').post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
};

async function addShare(api: Api, graph: Graph, of: GraphObject) {
  const share = await asOwner(api, '/api/shares', { contentType: of.type, contentId: of.id, shareType: 'public' });
  return graph.add('share', share.tokenPrefix, share, of);
}

/** Each makes a graph in which something is hidden from some, and returns what adds one more hidden object. */
const GRAPHS: Readonly<Record<string, (api: Api, graph: Graph) => Promise<() => Promise<unknown>>>> = {
  async 'sources and pipelines'(api, graph) {
    const addSource = async (name: string) =>
      graph.add('source', name, await asOwner(api, '/api/data-sources', { name, type: 'file' }));
    const source = await addSource('files of suppliers');
    const base = graph.add('dataset', 'base', await givenDataset(api, { name: 'base', sql: 'SELECT 1 AS id' }));
    const made = await givenDataset(api, { name: 'loaded', sql: 'SELECT 1 AS id' });
    const step = (id: string, type: string, config: object, ...dependsOn: string[]) => ({
      id,
      type,
      config,
      dependsOn,
    });
    const fileOf = ({ id: sourceId }: Ref, name: string) =>
      step(name, 'extract', { sourceId, object: { path: 'more.csv' } });
    const dag = (...files: object[]) => ({
      version: 1,
      steps: [
        step('read', 'extract', { object: { dataset: 'base' } }),
        step('save', 'load', { target: { kind: 'dataset', name: 'loaded' }, mode: 'overwrite' }, 'read'),
        ...files,
      ],
    });
    const body = { name: 'nightly flow', dag: dag(fileOf(source, 'file')) };
    const flow = graph.add('pipeline', 'nightly flow', await posted(api, '/api/pipelines', body), source, base);
    const loaded = graph.add('dataset', 'loaded', made, flow);
    const { metric } = await addMetric(api, graph, 'loaded', loaded);
    await publish(
      api,
      await addBoard(api, graph, 'board of loads', { source: { kind: 'metric', id: metric.id } }, metric),
    );
    return async () => {
      const second = await addSource('files of customers');
      const changed = dag(fileOf(source, 'file'), fileOf(second, 'second'));
      const { status, body: problem } = await api.as('editor').patch(`/api/pipelines/${flow.id}`, { dag: changed });
      expect(status, JSON.stringify(problem)).toBe(200);
      flow.origins.push(second);
    };
  },

  async 'dashboards between a metric and what is made of their cards'(api, graph) {
    const { metric } = await addMetric(api, graph, 'visits');
    const query = { source: { kind: 'metric', id: metric.id } };
    const draft = await addBoard(api, graph, 'unpublished visits', query, metric);
    await publish(api, await addBoard(api, graph, 'published visits', query, metric));
    const text = doc(cardBlock('card', draft.id, 'kpi'));
    graph.add('story', 'Weekly', await givenStory(api, text), draft);
    const alert = await givenAlert(api, { name: 'visits are low', condition: onCard(draft, metric.name) });
    graph.add('alert', 'visits are low', alert, draft);
    return () => addBoard(api, graph, 'second draft of visits', query, metric);
  },

  async 'blends of two models'(api, graph) {
    const [left, right] = [await addMetric(api, graph, 'orders'), await addMetric(api, graph, 'returns')];
    const ends = { leftTableId: left.tableId, leftAlias: 'o', rightTableId: right.tableId, rightAlias: 'r' };
    const addBlend = async (name: string) => {
      const blend = await posted(api, '/api/composite-models', { name, ...ends, keys: [{ left: 'id', right: 'id' }] });
      return graph.add('blend', name, blend, left.model, right.model);
    };
    const blend = await addBlend('orders and returns');
    const query = {
      source: { kind: 'blend', id: blend.id },
      measures: [{ measureId: left.measureId, side: 'left' }],
    };
    const draft = await addBoard(api, graph, 'unpublished returns', query, blend);
    graph.add('story', 'Weekly', await givenStory(api, doc(cardBlock('card', draft.id, 'kpi'))), draft);
    const board = await addBoard(api, graph, 'published returns', query, blend);
    await publish(api, board);
    await addShare(api, graph, board);
    return () => addBoard(api, graph, 'second draft of returns', query, blend);
  },

  async 'stories with the values of metrics'(api, graph) {
    const { metric } = await addMetric(api, graph, 'members');
    const board = await addBoard(api, graph, 'board of members', { source: { kind: 'metric', id: metric.id } }, metric);
    await publish(api, board);
    const addStory = async (title: string, content: object, caller: 'owner' | 'editor', ...origins: GraphObject[]) => {
      const body = { title, sections: [{ title: 'One', content }] };
      const reply = await api.as(caller).post('/api/stories', body);
      expect(reply.status, JSON.stringify(reply.body)).toBe(201);
      return graph.add('story', title, reply.body, ...origins);
    };
    const value = doc(valueParagraph('p', 'v', '1', 'We have ', metric.id));
    await addStory('story of the editor', value, 'editor', metric);
    const own = await addStory('story of the owner', doc(cardBlock('card', board.id, 'kpi')), 'owner', board);
    expect((await api.as('owner').post(`/api/stories/${own.id}/publish`, {})).status).toBe(200);
    await addShare(api, graph, own);
    return () => addStory('second story of the owner', value, 'owner', metric);
  },

  async 'alerts and digests of several people'(api, graph) {
    const { metric } = await addMetric(api, graph, 'tickets');
    const board = await addBoard(api, graph, 'board of tickets', { source: { kind: 'metric', id: metric.id } }, metric);
    await publish(api, board);
    const addAlert = async (name: string, condition: object, actor: 'owner' | 'editor' | 'viewer', of: GraphObject) =>
      graph.add('alert', name, await givenAlert(api, { name, condition }, api.as(actor)), of);
    await addAlert('alert of the viewer', onMetric(metric), 'viewer', metric);
    await addAlert('alert of the editor', onCard(board, metric.name), 'editor', board);
    await addAlert('alert of the owner', onMetric(metric), 'owner', metric);
    const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
    const digest = { name: 'tickets on Mondays', metricIds: [metric.id], cron: '@weekly', recipientIds: [me] };
    graph.add('metric-digest', digest.name, await asOwner(api, '/api/metrics/digests', digest), metric);
    return () => addAlert('second alert of the editor', onMetric(metric), 'editor', metric);
  },

  async 'saved queries, reports and share links'(api, graph) {
    const sql = 'SELECT 1 AS id';
    const stock = graph.add('dataset', 'stock', await givenDataset(api, { name: 'stock', sql }));
    const saved = await posted(api, '/api/saved-queries', { name: 'stock by id', sql: 'SELECT id FROM stock' });
    const query = graph.add('saved-query', 'stock by id', saved, stock);
    const source = { kind: 'savedQuery', id: query.id };
    const board = await addBoard(api, graph, 'board of stock', { source }, query);
    await publish(api, board);
    const addReport = async (name: string) => {
      const spec = { version: 1, mark: { type: 'table' }, query: { source } };
      const layout = { blocks: [{ id: 'block', type: 'table', chartSpec: spec }] };
      return graph.add('report', name, await posted(api, '/api/reports', { name, layout }), query);
    };
    await addReport('report of stock');
    await addShare(api, graph, board);
    await addBoard(api, graph, 'unpublished stock', { source }, query);
    return () => addShare(api, graph, board);
  },
};

const namesOf = (objects: Iterable<Ref>) => [...objects].map(({ type, id }) => `${type} ${id}`).sort();

/** Whether an object exists for a caller is what the operation that returns it answers. Links are only listed. */
async function visibleTo(caller: Caller, graph: Graph): Promise<ReadonlySet<GraphObject>> {
  const links = await caller.get('/api/shares?limit=100');
  expect([200, 403]).toContain(links.status);
  const listed = namesOf((links.body.items ?? []).map(({ id }: Ref) => ({ type: 'share', id })));
  const isVisible = async ({ type, id, name }: GraphObject) => {
    if (type === 'share') return listed.includes(`share ${id}`);
    const { status } = await caller.get(`${PATHS[type]}/${id}`);
    expect([200, 403, 404], `${type} ${name}`).toContain(status);
    return status === 200;
  };
  const seen = await Promise.all(graph.objects.map(isVisible));
  return new Set(graph.objects.filter((_, index) => seen[index]));
}

type Replies = Record<string, LineageReply | { affected: Ref[] } | undefined>;

/** Both directions and the impact, of every object. */
async function readAll(caller: Caller, graph: Graph): Promise<Replies> {
  const replies: Replies = {};
  for (const [kind, query] of [
    ['lineage', '?direction=up'],
    ['lineage', '?direction=down'],
    ['impact', ''],
  ])
    await Promise.all(
      graph.objects.map(async ({ type, id, name }) => {
        const what = `${kind}${query} of ${type} ${name}`;
        const { status, body } = await caller.get(`/api/catalog/${kind}/${type}/${id}${query}`);
        expect([200, 404], what).toContain(status);
        replies[what] = status === 200 ? body : undefined;
      }),
    );
  return replies;
}

function assertSilent(graph: Graph, visible: ReadonlySet<GraphObject>, replies: Replies, knows: Knowledge): void {
  const hidden = graph.objects.filter((object) => !visible.has(object));
  for (const object of graph.objects) {
    for (const direction of ['up', 'down'] as const) {
      const what = `lineage?direction=${direction} of ${object.type} ${object.name}`;
      const reply = replies[what] as LineageReply | undefined;
      expect(reply === undefined, what).toBe(!visible.has(object));
      if (!reply) continue;
      const expected = graph.reach(object, direction, (each) => visible.has(each), knows);
      expect(namesOf(reply.nodes), what).toEqual(namesOf(expected));
      if (!knows.isEditor)
        expect(
          reply.edges.filter(({ via }) => via),
          what,
        ).toEqual([]);
    }
  }
  for (const [what, reply] of Object.entries(replies)) {
    const text = JSON.stringify(reply ?? '');
    for (const { id, name } of hidden) for (const word of [id, name]) expect(text, what).not.toContain(word);
  }
}

describe('hidden objects have no name and no number in lineage and impact, in a graph of', () => {
  it.for(Object.entries(GRAPHS))('%s', { timeout: 400_000 }, async ([, make], { api }) => {
    const graph = new Graph();
    const addHidden = await make(api, graph);
    const key = async (scope: string) =>
      api.as({
        token: ((await asOwner(api, '/api/api-keys', { name: scope, scope })) as unknown as { key: string }).key,
      });
    const callers: Record<string, Caller> = {
      owner: api.as('owner'),
      editor: api.as('editor'),
      viewer: api.as('viewer'),
      'reading key': await key('read'),
      'writing key': await key('read/write'),
      stranger: api.as('stranger'),
    };
    const editors = ['owner', 'editor', 'writing key'];
    const read = async () => {
      const found: Record<string, { visible: ReadonlySet<GraphObject>; replies: Replies }> = {};
      for (const [name, caller] of Object.entries(callers)) {
        const [visible, replies] = [await visibleTo(caller, graph), await readAll(caller, graph)];
        // A key without the scope to write reads what its owner may edit.
        const knows = { isEditor: editors.includes(name), knowsStories: name !== 'viewer' };
        assertSilent(graph, visible, replies, knows);
        found[name] = { visible, replies };
      }
      return found;
    };
    const before = await read();
    expect(before.owner!.visible.size).toBeGreaterThan(before.viewer!.visible.size);
    expect(before.stranger!.visible.size).toBe(0);

    const known = new Set(graph.objects);
    await addHidden();
    const added = graph.objects.filter((object) => !known.has(object));
    expect(added).toHaveLength(1);
    const after = await read();
    const blind = Object.keys(callers).filter((name) => !after[name]!.visible.has(added[0]!));
    expect(blind).toEqual(expect.arrayContaining(['viewer', 'stranger']));
    expect(blind).not.toContain('owner');
    for (const name of blind)
      for (const [what, reply] of Object.entries(before[name]!.replies))
        expect(after[name]!.replies[what], `${name}: ${what}`).toEqual(reply);
  });
});
