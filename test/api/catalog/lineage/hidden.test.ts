import { expect, vi } from 'vitest';
import { type Api, type Caller, itWithOwnCompany } from '../../../support/api.ts';
import { givenAlert } from '../../../support/given/alerts.ts';
import { givenDashboard, POSITION } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { endedRefresh } from '../../../support/given/dataset-job.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { cardBlock, doc, givenStory } from '../../../support/given/stories.ts';
import { changeCompany } from '../../../support/operator.ts';
import type { Ref, LineageReply as Reply } from './world.ts';

interface Named extends Ref {
  name: string;
}

/** One pass over all objects takes seconds, on a busy machine many. */
const SOON = { timeout: 100_000, interval: 500 };

/** From a source to what people read; names of what is to be hidden begin with `secret`. */
async function givenGraph(api: Api) {
  const objects: Named[] = [];
  const put = (type: string, name: string, { id }: { id: string }): Named => {
    const object = { type, id, name };
    objects.push(object);
    return object;
  };
  await givenDataset(api, { name: 'secret_base', sql: 'SELECT 1 AS id, 2.5 AS weight' });
  await givenDataset(api, { name: 'secret_loaded', sql: 'SELECT 1 AS id, 2.5 AS heavy' });
  const { id: cleanId } = await posted(api, '/api/datasets', {
    name: 'secret_clean',
    source: { kind: 'datasets', sql: 'SELECT id, heavy FROM secret_loaded' },
  });
  expect(await endedRefresh(api, cleanId)).toMatchObject({ status: 'succeeded' });
  for (const { id, name } of (await api.as('editor').get('/api/datasets?limit=100')).body.items)
    put('dataset', name, { id });
  const made = await api.as('owner').post('/api/data-sources', { name: 'secret files', type: 'file' });
  put('source', 'secret files', made.body);
  const step = (id: string, type: string, config: object, ...dependsOn: string[]) => ({ id, type, config, dependsOn });
  const pipeline = put(
    'pipeline',
    'Flow',
    await posted(api, '/api/pipelines', {
      name: 'Flow',
      dag: {
        version: 1,
        steps: [
          step('read', 'extract', { object: { dataset: 'secret_base' } }),
          step('file', 'extract', { sourceId: made.body.id, object: { path: 'more.csv' } }),
          step('calc', 'transform_sql', { sql: 'SELECT id, weight * 2 AS heavy FROM read' }, 'read'),
          step('save', 'load', { target: { kind: 'dataset', name: 'secret_loaded' }, mode: 'overwrite' }, 'calc'),
        ],
      },
    }),
  );
  const { id: modelId, path } = await givenModel(api, { name: 'Shop' });
  const model = put('model', 'Shop', { id: modelId });
  const table = await givenTable(api, path, 'secret_clean', 'goods');
  const heavy = await givenField(api, table.path, 'heavy', {
    ...{ dataType: 'decimal', sourceColumn: 'heavy', fieldType: 'measure', aggregation: 'sum' },
  });
  const { id: measureId } = await posted(api, `${path}/measures`, {
    name: 'Weight',
    expression: 'SUM([goods.heavy])',
  });
  const timeFieldId = await givenField(api, table.path, 'day', {
    dataType: 'date',
    expression: "DATE '2026-01-01'",
    fieldType: 'calculated',
  });
  const metric = put('metric', 'Weight', await givenMetric(api, { name: 'Weight', modelId, measureId, timeFieldId }));
  const query = put(
    'saved-query',
    'secret query',
    await posted(api, '/api/saved-queries', { name: 'secret query', sql: 'SELECT heavy FROM secret_clean' }),
  );
  const spec = (source: object) => ({ version: 1, mark: { type: 'table' }, query: { source } });
  const card = (id: string, source: Ref) => ({
    ...{ id, cardType: 'table', position: POSITION },
    ...(source.type === 'saved-query'
      ? { savedQueryId: source.id }
      : { chartSpec: spec({ kind: 'metric', id: source.id }) }),
  });
  const open = await givenDashboard(api, { name: 'Open' });
  const board = put('dashboard', 'Open', open);
  for (const [index, of] of [metric, query].entries()) await posted(api, `${open.path}/cards`, card(`c${index}`, of));
  expect((await api.as('editor').post(`${open.path}/publish`, {})).status).toBe(200);
  const addDraft = async (name: string) => {
    const draft = await givenDashboard(api, { name });
    await posted(api, `${draft.path}/cards`, card('kpi', metric));
    return put('dashboard', name, draft);
  };
  const draft = await addDraft('secret draft');
  const story = put('story', 'Weekly', await givenStory(api, doc(cardBlock('card', draft.id, 'kpi'))));
  put(
    'alert',
    'Low',
    await givenAlert(api, {
      name: 'Low',
      condition: {
        ...{ kind: 'field', source: { kind: 'card', id: 'kpi', dashboardId: draft.id }, column: 'Weight' },
        ...{ reduce: 'last', operator: 'lt', threshold: 1 },
      },
    }),
  );
  return { objects, pipeline, model, metric, query, board, draft, story, heavy, addDraft };
}

const pathOf = ({ type, id }: Ref, query = '') => `/api/catalog/lineage/${type}/${id}${query}`;

function assertSilentOn(reply: Reply | undefined, hidden: readonly Named[], isEditor: boolean, what: string): void {
  if (!reply) return;
  const text = JSON.stringify(reply);
  for (const { id, name } of hidden) {
    expect(text, what).not.toContain(id);
    if (name.startsWith('secret')) expect(text, what).not.toContain(name);
  }
  const ids = new Set(reply.nodes.map(({ id }) => id));
  const ends = reply.edges.flatMap(({ from, to }) => [from.id, to.id]);
  expect(
    ends.filter((id) => !ids.has(id)),
    what,
  ).toEqual([]);
  const hiddenEdges = reply.edges.filter(({ via }) => via);
  if (!isEditor) expect(hiddenEdges, what).toEqual([]);
}

itWithOwnCompany(
  'hidden objects have no name and no number in the lineage of anything, for any caller',
  async ({ api }) => {
    const { objects, pipeline, model, metric, board, heavy, addDraft } = await givenGraph(api);
    const columned = [[model, heavy] as const, [pipeline, 'save.heavy'] as const, [board, 'c1'] as const];
    const key = async (scope: string) =>
      api.as({ token: (await api.as('owner').post('/api/api-keys', { name: scope, scope })).body.key });
    const callers: Record<string, Caller> = {
      owner: api.as('owner'),
      editor: api.as('editor'),
      viewer: api.as('viewer'),
      'reading key': await key('read'),
      'writing key': await key('read/write'),
      stranger: api.as('stranger'),
    };
    const editors = ['owner', 'editor', 'writing key'];
    const every = async () => {
      const replies: Record<string, Reply | undefined> = {};
      for (const [name, caller] of Object.entries(callers)) {
        const found = await Promise.all(objects.map((object) => caller.get(pathOf(object))));
        for (const [index, { status, body }] of found.entries()) {
          const object = objects[index]!;
          expect([200, 404], `${name} ${object.name}`).toContain(status);
          replies[`${name} ${object.type} ${object.name}`] = status === 200 ? body : undefined;
        }
        for (const [object, column] of columned) {
          const { status, body } = await caller.get(pathOf(object, `?column=${column}`));
          expect([200, 404], `${name} ${object.name} ${column}`).toContain(status);
          replies[`${name} column of ${object.name}`] = status === 200 ? body : undefined;
        }
      }
      return replies;
    };
    const assertSilent = (replies: Record<string, Reply | undefined>) => {
      for (const name of Object.keys(callers)) {
        const of = ({ type, name: object }: Named) => replies[`${name} ${type} ${object}`];
        const hidden = objects.filter((object) => of(object) === undefined);
        const isEditor = editors.includes(name);
        for (const object of objects) assertSilentOn(of(object), hidden, isEditor, `${name}: ${object.name}`);
        for (const [{ name: object }] of columned)
          assertSilentOn(replies[`${name} column of ${object}`], hidden, isEditor, `${name}: column of ${object}`);
      }
    };

    // Drafts, stories, alerts and sources are hidden from viewers, everything from the stranger.
    const before = await every();
    assertSilent(before);
    for (const { type, name } of objects) expect(before[`stranger ${type} ${name}`]).toBeUndefined();
    expect(before['viewer dashboard secret draft']).toBeUndefined();
    expect(before['editor model Shop']!.edges.filter(({ via }) => via)).toEqual([]);
    const withDraft = await addDraft('secret second');
    const again = await every();
    assertSilent(again);
    for (const name of ['viewer metric Weight', 'viewer model Shop', 'viewer dataset secret_clean'])
      expect(again[name], name).toEqual(before[name]);
    expect(JSON.stringify(again['editor metric Weight'])).toContain(withDraft.id);

    // Datasets and saved queries are hidden from everyone.
    await changeCompany(api, { change: 'switch', product: 'warehouse', on: false });
    let off = again;
    // Each function learns of the switch within seconds; the promise holds once all have.
    await vi.waitFor(async () => {
      off = await every();
      assertSilent(off);
      for (const { type, name } of objects.filter((object) => object.type === 'dataset'))
        expect(off[`owner ${type} ${name}`]).toBeUndefined();
    }, SOON);
    const edge = (from: Ref, to: Ref, more: object = {}) =>
      expect.objectContaining({
        from: { type: from.type, id: from.id },
        to: { type: to.type, id: to.id },
        ...more,
      });
    for (const name of editors) {
      const { edges } = off[`${name} model Shop`]!;
      expect(edges.filter(({ via }) => via)).toEqual([edge(pipeline, model, { via: 'hidden', columns: [] })]);
      expect(off[`${name} pipeline Flow`]!.edges).toContainEqual(edge(pipeline, model, { via: 'hidden' }));
      // Through two datasets and a saved query, next to the path through the model.
      const upwards = off[`${name} dashboard Open`]!.edges;
      expect(upwards).toContainEqual(edge(pipeline, board, { via: 'hidden' }));
      expect(upwards).toContainEqual(edge(metric, board));
      // Columns lead through them too, with the columns of the visible ends alone.
      const toModel = edge(pipeline, model, { via: 'hidden', columns: [{ from: 'save.heavy', to: heavy }] });
      const toBoard = edge(pipeline, board, { via: 'hidden', columns: [{ from: 'save.heavy', to: 'c1' }] });
      expect(off[`${name} column of Shop`]!.edges).toContainEqual(toModel);
      expect(off[`${name} column of Open`]!.edges).toContainEqual(toBoard);
      for (const expected of [toModel, toBoard]) expect(off[`${name} column of Flow`]!.edges).toContainEqual(expected);
    }
    for (const name of ['viewer', 'reading key']) {
      expect(off[`${name} model Shop`]!.nodes.map(({ type }) => type)).not.toContain('pipeline');
      expect(off[`${name} dashboard Open`]!.nodes.map(({ type }) => type)).not.toContain('pipeline');
      for (const object of ['Shop', 'Open'])
        expect(off[`${name} column of ${object}`]!.nodes.map(({ type }) => type)).not.toContain('pipeline');
    }
  },
  300_000,
);
