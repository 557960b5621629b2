import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { ANNOUNCEMENT_PARTITION, announceItemAt } from '../../../../shared/domains/delivery/notifications/index.ts';
import { certifications } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { recordKey } from '../../../../shared/domains/tenancy/certifications/keys.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import { type Actor, type Api, it } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { clockOf } from '../../../support/given/notifications.ts';
import { chartBlock, doc, givenStory, paragraph, texts } from '../../../support/given/stories.ts';

const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';
const CERTIFICATIONS = '/api/catalog/certifications';
const refused = (status: number, code: string) => ({ status, body: { code } });
const dag = (sql: string) => ({ version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql } }] });

type Edit = (actor: Actor) => Promise<Reply>;

/** Something to certify, and edits of it by path: those that keep what it means, and those that change it. */
interface Certified {
  type: string;
  id: string;
  modelId?: string;
  same: Record<string, Edit>;
  other: Record<string, Edit>;
}

const YAML = { 'content-type': 'application/yaml' };

const certificationOf = ({ type, id, modelId }: Pick<Certified, 'type' | 'id' | 'modelId'>) =>
  `${CERTIFICATIONS}/${type}/${id}${modelId ? `?modelId=${modelId}` : ''}`;
const historyOf = (certified: Parameters<typeof certificationOf>[0]) =>
  certificationOf(certified).replace(certified.id, `${certified.id}/history`);

const KINDS: Record<string, (api: Api) => Promise<Certified>> = {
  metric: async (api) => {
    const { definition, path: model, revenue, average, fields, table } = await givenSalesModel(api);
    const { id, path } = await givenMetric(api, definition);
    await api.as('owner').post(`${model}/publish`, {});
    const measure = `${model}/measures/${revenue}`;
    return {
      ...{ type: 'metric', id },
      same: {
        api: (actor) => api.as(actor).patch(path, { name: 'Sales', description: 'New', direction: 'down_good' }),
        'other measure': (actor) =>
          api.as(actor).put(`${model}/measures/${average}`, { expression: 'MAX([sales.amount])' }),
        'name of the measure': (actor) => api.as(actor).put(measure, { name: 'Turnover' }),
        'default aggregation': (actor) =>
          api.as(actor).put(`${table.path}/fields/${fields.amount}`, { aggregation: 'min' }),
      },
      other: {
        api: (actor) => api.as(actor).patch(path, { grain: actor === 'owner' ? 'day' : 'week' }),
        measure: (actor) => api.as(actor).put(measure, { expression: `SUM([sales.amount]) + ${actor.length}` }),
        file: async (actor) => {
          const text = (await api.as('owner').get(`${model}/file`)).body as string;
          const changed = text.replace(/SUM\(\[sales\.amount\]\)/, (found) => `${found} + 1`);
          return api.as(actor).send('PUT', `${model}/file`, { text: changed, headers: YAML });
        },
        restore: (actor) => api.as(actor).post(`${model}/versions/1/restore`),
        // Last, because the other measure declares the type.
        column: (actor) =>
          api
            .as(actor)
            .put(`${table.path}/fields/${fields.amount}`, { dataType: actor === 'owner' ? 'decimal' : 'number' }),
      },
    };
  },
  model: async (api) => {
    const { modelId, path, fields, table, revenue, average } = await givenSalesModel(api);
    await api.as('owner').post(`${path}/publish`, {});
    await api.as('owner').put(`${path}/measures/${average}`, { expression: 'MAX([sales.amount])' });
    return {
      ...{ type: 'model', id: modelId },
      same: {
        api: (actor) => api.as(actor).put(`${table.path}/fields/${fields.region}`, { description: 'Where' }),
        record: (actor) => api.as(actor).put(path, { description: 'Of the shop' }),
      },
      other: {
        api: (actor) =>
          api.as(actor).put(`${path}/measures/${revenue}`, { expression: `SUM([sales.amount]) * ${actor.length}` }),
        file: async (actor) => {
          const text = (await api.as('owner').get(`${path}/file`)).body as string;
          const changed = text.replace(/(AVG|MAX)\(\[sales\.amount\]\)/, (found) => `${found} + 1`);
          return api.as(actor).send('PUT', `${path}/file`, { text: changed, headers: YAML });
        },
        restore: (actor) => api.as(actor).post(`${path}/versions/1/restore`),
      },
    };
  },
  table: async (api) => {
    const { modelId, fields, table } = await givenSalesModel(api);
    return {
      ...{ type: 'table', id: table.id, modelId },
      same: { api: (actor) => api.as(actor).put(table.path, { description: 'Sales of the shop', alias: 'sold' }) },
      other: {
        api: (actor) =>
          api
            .as(actor)
            .put(`${table.path}/fields/${fields.amount}`, { aggregation: actor === 'owner' ? 'max' : 'min' }),
      },
    };
  },
  field: async (api) => {
    const { modelId, fields, table } = await givenSalesModel(api);
    const path = `${table.path}/fields/${fields.amount}`;
    return {
      ...{ type: 'field', id: fields.amount, modelId },
      same: { api: (actor) => api.as(actor).put(path, { name: 'gross', format: '0.00', isHidden: true }) },
      other: { api: (actor) => api.as(actor).put(path, { aggregation: actor === 'owner' ? 'max' : 'min' }) },
    };
  },
  measure: async (api) => {
    const { modelId, path, revenue } = await givenSalesModel(api);
    const measure = `${path}/measures/${revenue}`;
    return {
      ...{ type: 'measure', id: revenue, modelId },
      same: { api: (actor) => api.as(actor).put(measure, { name: 'Turnover', folder: 'Money' }) },
      other: {
        api: (actor) => api.as(actor).put(measure, { expression: `SUM([sales.amount]) + ${actor.length}` }),
        removal: (actor) => (actor === 'owner' ? api.as(actor).get(path) : api.as(actor).delete(measure)),
      },
    };
  },
  dataset: async (api) => {
    const sql = (actor: Actor) => `SELECT ${actor.length} AS a`;
    const { id } = await posted(api, '/api/datasets', {
      name: 'two',
      source: { kind: 'datasets', sql: 'SELECT 1 AS a' },
    });
    const path = `/api/datasets/${id}`;
    return {
      ...{ type: 'dataset', id },
      same: { api: (actor) => api.as(actor).patch(path, { name: 'renamed' }) },
      other: { api: (actor) => api.as(actor).patch(path, { source: { kind: 'datasets', sql: sql(actor) } }) },
    };
  },
  'saved-query': async (api) => {
    const { id } = await posted(api, '/api/saved-queries', { name: 'One', sql: 'SELECT 1 AS a' });
    const path = `/api/saved-queries/${id}`;
    await api.as('owner').patch(path, { sql: 'SELECT 2 AS a' });
    return {
      ...{ type: 'saved-query', id },
      same: { api: (actor) => api.as(actor).patch(path, { name: 'Two', description: 'New' }) },
      other: {
        api: (actor) => api.as(actor).patch(path, { sql: `SELECT ${actor.length} AS a` }),
        restore: (actor) => api.as(actor).post(`${path}/versions/1/restore`),
      },
    };
  },
  dashboard: async (api) => {
    const { id, path } = await givenDashboard(api);
    await posted(api, `${path}/cards`, textCard('a'));
    await api.as('owner').post(`${path}/publish`, {});
    const published = async (actor: Actor, body: object) => {
      expect((await api.as(actor).put(`${path}/cards/a`, body)).status).toBe(200);
      return api.as(actor).post(`${path}/publish`, {});
    };
    return {
      ...{ type: 'dashboard', id },
      same: {
        draft: (actor) => api.as(actor).put(`${path}/cards/a`, { textContent: 'Not published' }),
        api: (actor) => published(actor, { textContent: 'The text of a', title: 'A title' }),
      },
      other: {
        api: (actor) => published(actor, { textContent: `By ${actor}` }),
        restore: async (actor) => {
          const { status } = await api.as(actor).post(`${path}/versions/1/restore`);
          expect(status).toBe(200);
          return api.as(actor).post(`${path}/publish`, {});
        },
      },
    };
  },
  report: async (api) => {
    const layout = (text: string, heading = 'A') => ({
      blocks: [
        { id: 'h', type: 'heading', text: heading },
        { id: 'a', type: 'text', text },
      ],
    });
    const { id } = await posted(api, '/api/reports', { name: 'Orders', layout: layout('One'), isPublished: true });
    const path = `/api/reports/${id}`;
    return {
      ...{ type: 'report', id },
      same: { api: (actor) => api.as(actor).put(path, { name: 'All orders', layout: layout('One', 'B') }) },
      other: { api: (actor) => api.as(actor).put(path, { layout: layout(`By ${actor}`) }) },
    };
  },
  story: async (api) => {
    const { id, path, sections } = await givenStory(api, texts(['a', 'One']));
    await api.as('owner').post(`${path}/publish`, {});
    const section = `${path}/sections/${sections[0]}`;
    return {
      ...{ type: 'story', id },
      same: {
        draft: (actor) => api.as(actor).patch(path, { title: 'Monthly' }),
        api: (actor) => api.as(actor).post(`${path}/publish`, {}),
      },
      other: {
        api: async (actor) => {
          const { status, body } = await api.as(actor).patch(section, { content: texts(['a', `By ${actor}`]) });
          expect(status, JSON.stringify(body)).toBe(200);
          return api.as(actor).post(`${path}/publish`, {});
        },
        restore: (actor) => api.as(actor).post(`${path}/versions/1/restore`),
      },
    };
  },
  pipeline: async (api) => {
    const { id } = await posted(api, '/api/pipelines', { name: 'Nightly', dag: dag('SELECT 1 AS a') });
    const path = `/api/pipelines/${id}`;
    return {
      ...{ type: 'pipeline', id },
      same: { api: (actor) => api.as(actor).patch(path, { name: 'Hourly' }) },
      other: { api: (actor) => api.as(actor).patch(path, { dag: dag(`SELECT ${actor.length} AS a`) }) },
    };
  },
  term: async (api) => {
    const { id } = await posted(api, '/api/catalog/terms', { name: 'Churn', definition: 'Who leaves' });
    const path = `/api/catalog/terms/${id}`;
    return {
      ...{ type: 'term', id },
      same: {
        api: (actor) => api.as(actor).patch(path, { name: 'Churn rate', synonyms: ['Attrition'] }),
        restore: async (actor) => {
          await done(api.as(actor).delete(path), 'delete');
          return api.as(actor).post(`${path}/restore`);
        },
      },
      other: { api: (actor) => api.as(actor).patch(path, { definition: `As ${actor} sees it` }) },
    };
  },
};

const done = async (reply: Promise<Reply>, what: string) => {
  const { status, body } = await reply;
  expect(status, `${what} ${JSON.stringify(body)}`).toBeLessThan(300);
};

describe('certifications', () => {
  for (const [kind, given] of Object.entries(KINDS)) {
    it(`of a ${kind} end only when someone who may not certify changes what it means`, async ({ api }) => {
      const certified = await given(api);
      const path = certificationOf(certified);
      const certify = async () => {
        const reply = await api.as('owner').put(path, { status: 'certified', certifiedBy: 'Finance', note: 'Checked' });
        expect(reply, JSON.stringify(reply.body)).toMatchObject({ status: 200, body: { isCertified: true } });
        return reply.body;
      };
      const isCertified = async () => (await api.as('editor').get(path)).body.isCertified;
      const events = async () => (await api.as('viewer').get(historyOf(certified))).body.items;
      const ended = async () => (await events()).filter(({ event }: { event: string }) => event === 'ended').length;

      expect((await api.as('viewer').get(path)).body).toMatchObject({ isCertified: false, status: 'none', by: null });
      const first = await certify();
      for (const [name, edit] of Object.entries(certified.same)) {
        await done(edit('editor'), name);
        expect([name, await isCertified(), await ended()]).toEqual([name, true, 0]);
      }
      for (const [name, edit] of Object.entries(certified.other)) {
        await done(edit('owner'), name);
        expect([name, 'owner', await isCertified(), await ended()]).toEqual([name, 'owner', true, 0]);
      }
      expect((await api.as('viewer').get(path)).body).toMatchObject({ at: first.at, certifiedBy: 'Finance' });
      let count = 0;
      for (const [name, edit] of Object.entries(certified.other)) {
        if (name === 'restore') await done(certified.other.api!('owner'), name);
        await certify();
        await done(edit('editor'), name);
        count += 1;
        if (name === 'removal') continue;
        expect([name, 'editor', await isCertified(), await ended()]).toEqual([name, 'editor', false, count]);
      }
      if (!certified.other.removal)
        expect((await events())[0]).toMatchObject({ event: 'ended', certifiedBy: 'Finance', note: 'Checked' });
    });
  }

  it('of a model end with each of its parts, those of other parts stay', async ({ api }) => {
    const { modelId, path, revenue, average } = await givenSalesModel(api);
    const of = (type: string, id: string) => certificationOf(type === 'model' ? { type, id } : { type, id, modelId });
    const all = [of('model', modelId), of('measure', revenue), of('measure', average)];
    for (const each of all) await done(api.as('owner').put(each, { status: 'certified' }), each);
    await done(api.as('editor').put(`${path}/measures/${revenue}`, { expression: 'MAX([sales.amount])' }), 'edit');
    const found = await Promise.all(all.map(async (each) => (await api.as('viewer').get(each)).body.isCertified));
    expect(found).toEqual([false, false, true]);
  });

  it('end at their time, and are shown by models, metrics and searches', async ({ api }) => {
    const { definition, modelId } = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...definition, name: 'Zephyr' });
    const ofMetric = certificationOf({ type: 'metric', id: metric.id });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await done(api.as('owner').put(ofMetric, { status: 'certified', certifiedBy: 'Finance', expiresAt }), 'metric');
    expect((await api.as('viewer').get(metric.path)).body).toMatchObject({ isCertified: true, certifiedBy: 'Finance' });
    const found = async () => (await api.as('viewer').get('/api/search?q=zephyr')).body.items[0];
    await expect.poll(found, { timeout: 8_000, interval: 500 }).toMatchObject({ isCertified: true });
    await api.table.db.send(
      new UpdateCommand({
        TableName: api.table.name,
        Key: recordKey({ workspaceId: api.workspaceId, type: 'metric', id: metric.id }),
        UpdateExpression: 'SET entries.#entry.expiresAt = :past',
        ExpressionAttributeNames: { '#entry': `metric#${metric.id}` },
        ExpressionAttributeValues: { ':past': new Date(Date.now() - 1000).toISOString() },
      }),
    );
    expect((await api.as('viewer').get(metric.path)).body).toMatchObject({ isCertified: false, certifiedBy: null });
    expect((await api.as('viewer').get('/api/metrics?isCertified=true')).body.items).toEqual([]);
    expect((await api.as('viewer').get(ofMetric)).body).toMatchObject({ isCertified: false, status: 'certified' });

    const replacedBy = { type: 'model', id: modelId };
    const deprecated = { status: 'deprecated', note: 'Counts returns', replacedBy, removeAfter: expiresAt };
    expect(await api.as('owner').put(ofMetric, deprecated)).toMatchObject({ status: 200, body: deprecated });
    expect((await api.as('viewer').get(metric.path)).body).toMatchObject({
      isCertified: false,
      deprecation: { reason: 'Counts returns', replacedBy, removeAfter: expiresAt },
    });
    await expect.poll(found, { timeout: 8_000, interval: 500 }).toMatchObject({ isDeprecated: true });
    // A change of meaning ends no deprecation.
    await done(api.as('editor').patch(metric.path, { grain: 'day' }), 'edit');
    expect((await api.as('viewer').get(ofMetric)).body).toMatchObject({ status: 'deprecated' });
    expect(await api.as('owner').put(ofMetric, { status: 'none' })).toMatchObject({
      body: { status: 'none', note: null },
    });
    expect((await api.as('viewer').get(metric.path)).body.deprecation).toBeNull();
    const events = (await api.as('viewer').get(`${CERTIFICATIONS}/metric/${metric.id}/history`)).body;
    expect(events.items.map(({ event }: { event: string }) => event)).toEqual(['withdrawn', 'deprecated', 'certified']);
    const audited = (await api.as('owner').get('/api/audit-log?action=certification.updated')).body.items;
    expect(audited.filter(({ object }: { object: { id: string } }) => object.id === metric.id)).toHaveLength(3);

    await done(api.as('editor').delete(metric.path), 'delete');
    for (const reply of [api.as('owner').get(ofMetric), api.as('owner').put(ofMetric, { status: 'certified' })])
      expect(await reply).toMatchObject(refused(404, 'CERTIFIED_OBJECT_NOT_FOUND'));
  });

  it('are set by those who may, on what they see, and only with what belongs together', async ({ api }) => {
    const { id } = await givenDashboard(api);
    const path = certificationOf({ type: 'dashboard', id });
    const { revenue, modelId } = await givenSalesModel(api);
    const owner = api.as('owner');
    const certified = { status: 'certified' };
    for (const actor of ['editor', 'viewer'] as const)
      expect(await api.as(actor).put(path, certified)).toMatchObject(refused(403, 'FORBIDDEN'));
    // An unpublished dashboard does not exist for viewers.
    expect(await api.as('viewer').get(path)).toMatchObject(refused(404, 'CERTIFIED_OBJECT_NOT_FOUND'));
    const missing = [
      certificationOf({ type: 'dashboard', id: UNKNOWN }),
      certificationOf({ type: 'measure', id: revenue }),
      certificationOf({ type: 'measure', id: UNKNOWN, modelId }),
    ];
    const calls = [
      ...[api.as('stranger').get(path), api.as('stranger').put(path, certified)],
      ...missing.flatMap((each) => [owner.get(each), owner.put(each, certified)]),
    ];
    for (const reply of calls) expect(await reply).toMatchObject(refused(404, 'CERTIFIED_OBJECT_NOT_FOUND'));
    expect(await api.as('stranger').get(`${CERTIFICATIONS}/dashboard/${id}/history`)).toMatchObject(
      refused(404, 'CERTIFIED_OBJECT_NOT_FOUND'),
    );
    const pointers = async (body: object) => {
      const { status, body: problem } = await owner.put(path, body);
      return [status, ...(problem.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
    };
    const future = new Date(Date.now() + 60_000).toISOString();
    const replacedBy = { type: 'dashboard', id: UNKNOWN };
    expect(await pointers({ ...certified, expiresAt: '2020-01-01T00:00:00.000Z', removeAfter: future })).toEqual([
      ...[400, '/expiresAt', '/removeAfter'],
    ]);
    expect(await pointers({ status: 'deprecated', expiresAt: future, replacedBy })).toEqual([
      ...[400, '/expiresAt', '/replacedBy'],
    ]);
    expect(await pointers({ status: 'deprecated', replacedBy: { type: 'dashboard', id } })).toEqual([
      400,
      '/replacedBy',
    ]);
    const { revision } = (await owner.get(path)).body;
    expect(await owner.put(path, { ...certified, reviewedRevision: revision + 1 })).toMatchObject(
      refused(409, 'CERTIFICATION_STALE'),
    );
    expect(await owner.put(path, { ...certified, reviewedRevision: revision })).toMatchObject({ status: 200 });
    // The repetition changes nothing but the time.
    expect(await owner.put(path, certified)).toMatchObject({ status: 200, body: { isCertified: true } });
  });

  it('of a model are at most 100, and of metrics of a model 200', async ({ api }) => {
    const { modelId, revenue, path, definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const measure = certificationOf({ type: 'measure', id: revenue, modelId });
    await done(api.as('owner').put(measure, { status: 'certified' }), 'first');
    const { entries } = await stored(api, modelId);
    const [entry] = Object.values(entries);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field#${index}`, entry]));
    const dependents = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`metric#${index}`, { type: 'metric', id: String(index), on: [] }]),
    );
    await api.table.db.send(
      new UpdateCommand({
        TableName: api.table.name,
        Key: recordKey({ workspaceId: api.workspaceId, type: 'model', id: modelId }),
        UpdateExpression: 'SET entries = :many, dependents = :dependents',
        ExpressionAttributeValues: { ':many': many, ':dependents': dependents },
      }),
    );
    const full = refused(409, 'CERTIFICATION_FULL');
    expect(await api.as('owner').put(measure, { status: 'certified' })).toMatchObject(full);
    expect(await api.as('owner').put(path, { isCertified: true })).toMatchObject(full);
    expect(await api.as('owner').patch(metric.path, { isCertified: true })).toMatchObject(full);
    expect((await api.as('owner').get(metric.path)).body.isCertified).toBe(false);
    expect((await api.as('editor').put(`${path}/measures/${revenue}`, { folder: 'Money' })).status).toBe(200);
  });

  it('of metrics end with the measures and fields that they are made from', async ({ api }) => {
    const { path, revenue, average, definition, fields, table, modelId } = await givenSalesModel(api);
    const ratio = (await posted(api, `${path}/measures`, { name: 'Ratio', expression: '{Revenue} / 2' })).id;
    const metrics = {
      revenue: await givenMetric(api, { ...definition, name: 'a' }),
      ratio: await givenMetric(api, { ...definition, name: 'b', measureId: ratio }),
      average: await givenMetric(api, { ...definition, name: 'c', measureId: average }),
      filtered: await givenMetric(api, {
        ...{ ...definition, name: 'd', measureId: average },
        filters: [{ fieldId: fields.region, op: 'eq', values: ['eu'] }],
      }),
    };
    const many = await Promise.all(
      Array.from({ length: 6 }, (_, index) => givenMetric(api, { ...definition, name: `many ${index}` })),
    );
    const all = [...Object.values(metrics), ...many];
    const certify = () =>
      Promise.all(all.map(({ path: each }) => done(api.as('owner').patch(each, { isCertified: true }), each)));
    const certified = async () => {
      const { items } = (await api.as('viewer').get('/api/metrics?isCertified=true&limit=50')).body;
      return items.map(({ name }: { name: string }) => name).sort();
    };
    const manyNames = many.map((_, index) => `many ${index}`);
    await certify();
    expect(await certified()).toEqual(['a', 'b', 'c', 'd', ...manyNames]);
    // The measure of the metrics, also of one that is computed from it, and of more than a transaction holds.
    await done(api.as('editor').put(`${path}/measures/${revenue}`, { expression: 'MAX([sales.amount])' }), 'measure');
    expect(await certified()).toEqual(['c', 'd']);
    const [event] = (await api.as('viewer').get(historyOf({ type: 'metric', id: metrics.ratio.id }))).body.items;
    expect(event).toMatchObject({ event: 'ended', because: { type: 'measure', id: ratio } });
    expect((await stored(api, modelId)).dependents).toEqual({
      [`metric#${metrics.average.id}`]: expect.anything(),
      [`metric#${metrics.filtered.id}`]: expect.anything(),
    });
    // The field of a filter.
    await certify();
    await done(api.as('editor').put(`${table.path}/fields/${fields.region}`, { dataType: 'integer' }), 'filter');
    expect(await certified()).toEqual(['a', 'b', 'c', ...manyNames]);
    // An admin who builds a metric from something else keeps its certification, which then rests on that.
    const owner = api.as('owner');
    await done(owner.patch(metrics.revenue.path, { measureId: average }), 'other measure');
    await done(api.as('editor').put(`${path}/measures/${revenue}`, { expression: 'MIN([sales.amount])' }), 'old');
    expect(await certified()).toEqual(['a', 'c']);
    await done(api.as('editor').put(`${path}/measures/${average}`, { expression: 'SUM([sales.amount])' }), 'new');
    expect(await certified()).toEqual([]);
    // Metrics that are not certified, or no longer exist, leave nothing.
    await certify();
    for (const each of all) await done(api.as('editor').delete(each.path), each.path);
    expect((await stored(api, modelId)).dependents).toEqual({});
  });

  it('that are set while the object changes never vouch for what was not read', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { id, path } = await givenMetric(api, definition);
    const certification = certificationOf({ type: 'metric', id });
    for (const grain of ['day', 'week', 'day', 'week', 'day']) {
      const { revision } = (await api.as('owner').get(path)).body;
      const [set, changed] = await Promise.all([
        api.as('owner').put(certification, { status: 'certified', reviewedRevision: revision }),
        api.as('editor').patch(path, { grain }),
      ]);
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      // A busy service may give up; what counts is what it vouches for.
      expect([200, 409, 503]).toContain(set.status);
      expect((await api.as('viewer').get(certification)).body.isCertified).toBe(false);
    }
  });
});

describe('deprecations', () => {
  it('are reported when what shows the object is published', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...definition, name: 'Secret turnover' });
    const value = { id: 'v', source: { metricId: metric.id }, written: '1' };
    const block = { ...paragraph('b', 'It is '), content: [{ type: 'value', attrs: value }] };
    const story = await givenStory(api, doc(paragraph('a', 'One'), block));
    const shown = card('a', chart({ source: { kind: 'metric', id: metric.id } }), { title: 'Turnover' });
    const board = await givenCards(api, [textCard('t'), shown]);
    const publish = async ({ path }: { path: string }) => {
      const { status, body } = await api.as('editor').post(`${path}/publish`, {});
      expect(status, JSON.stringify(body)).toBe(200);
      return body.warnings.filter(({ code }: { code: string }) => code === 'DEPRECATED_SOURCE');
    };
    expect([await publish(story), await publish(board)]).toEqual([[], []]);
    const removeAfter = new Date(Date.now() + 86_400_000).toISOString();
    const deprecated = { status: 'deprecated', note: 'Old', removeAfter };
    await done(api.as('owner').put(certificationOf({ type: 'metric', id: metric.id }), deprecated), 'deprecate');
    const message = `The metric should no longer be used, and will be removed after ${removeAfter.slice(0, 10)}.`;
    expect(await publish(story)).toEqual([{ code: 'DEPRECATED_SOURCE', sectionId: story.sections[0], message }]);
    expect(await publish(board)).toEqual([{ code: 'DEPRECATED_SOURCE', cardId: 'a', cardTitle: 'Turnover', message }]);
  });

  it('are noticed by readers of cards and live blocks, but not by readers of links', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...definition, name: 'Turnover' });
    const query = { source: { kind: 'metric', id: metric.id } };
    const board = await givenCards(api, [card('a', chart(query))]);
    const story = await givenStory(api, doc(chartBlock('b', query)));
    const viewer = api.as('viewer');
    await done(api.as('editor').post(`${board.path}/publish`, {}), 'publish');
    await done(api.as('editor').post(`${story.path}/publish`, {}), 'publish');
    const share = await api.as('owner').post('/api/shares', {
      ...{ contentType: 'dashboard', contentId: board.id, shareType: 'public' },
    });
    const notices = async () => {
      const [one, many, block, shared] = await Promise.all([
        viewer.post(`${board.path}/cards/a/data`, {}),
        viewer.post(`${board.path}/data`, {}),
        api.as('editor').post(`${story.path}/blocks/b/data`, {}),
        api.as('anonymous').post(`/api/shares/${share.body.token}/card-data`, { cardId: 'a' }),
      ]);
      for (const { status, body } of [one, many, block, shared]) expect(status, JSON.stringify(body)).toBe(200);
      return [one.body.notices, many.body.cards[0].data.notices, block.body.notices, shared.body.notices];
    };
    expect(await notices()).toEqual([undefined, undefined, undefined, undefined]);
    await done(
      api.as('owner').put(certificationOf({ type: 'metric', id: metric.id }), { status: 'deprecated', note: 'Old' }),
      'deprecate',
    );
    const notice = [{ code: 'DEPRECATED_SOURCE', message: 'The metric should no longer be used.' }];
    expect(await notices()).toEqual([notice, notice, notice, undefined]);
    await done(api.as('owner').put(certificationOf({ type: 'metric', id: metric.id }), { status: 'none' }), 'withdraw');
    expect(await notices()).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('reminders', () => {
  it('reach those who certified an object or answer for it 14 and 3 days before the end, while it lasts', async ({
    api,
  }) => {
    const { definition, modelId, revenue } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const day = 86_400_000;
    const set = (certified: Parameters<typeof certificationOf>[0], inDays: number) => {
      const expiresAt = new Date(Date.now() + inDays * day).toISOString();
      const body = { status: 'certified', certifiedBy: 'Finance', expiresAt };
      return done(api.as('owner').put(certificationOf(certified), body), 'certify').then(() => expiresAt.slice(0, 10));
    };
    const measured = await set({ type: 'measure', id: revenue, modelId }, 10);
    await set({ type: 'metric', id: metric.id }, 40);
    // Renewed: only the later end counts.
    const until = await set({ type: 'metric', id: metric.id }, 30);
    const clock = clockOf(api);
    const pass = async (days: number) => {
      clock.pass(days * 24 * 60 * 60);
      for await (const { pk, sk } of dueItems(clock.table, ANNOUNCEMENT_PARTITION, clock.now))
        if (pk.startsWith(`W#${api.workspaceId}#`)) await announceItemAt(clock.table, { pk, sk }, () => false);
    };
    const told = async (actor: Actor) => {
      const { items } = (await api.as(actor).get('/api/dashboard-alerts/feed?kinds=all')).body;
      return items.map(({ title, text }: { title: string; text: string }) => `${title}: ${text}`);
    };
    await pass(6);
    expect(await told('owner')).toEqual([]);
    await pass(2);
    const ofMeasure = `A certification ends in 3 days: Certified by Finance until ${measured}.`;
    expect(await told('owner')).toEqual([ofMeasure]);
    await pass(9);
    const first = `A certification ends in 14 days: Certified by Finance until ${until}.`;
    expect(await told('owner')).toEqual([first, ofMeasure]);
    expect(await told('editor')).toEqual([first, ofMeasure]);
    expect(await told('viewer')).toEqual([]);
    await pass(11);
    const second = `A certification ends in 3 days: Certified by Finance until ${until}.`;
    expect(await told('editor')).toEqual([second, first, ofMeasure]);
    // What has been withdrawn does not end.
    await done(api.as('owner').put(certificationOf({ type: 'metric', id: metric.id }), { status: 'none' }), 'withdraw');
    expect(await told('editor')).toEqual([ofMeasure]);
  });

  it('of pipelines and terms come too', async ({ api }) => {
    const clock = clockOf(api);
    const pipeline = await posted(api, '/api/pipelines', { name: 'Nightly', dag: dag('SELECT 1 AS a') });
    const term = await posted(api, '/api/catalog/terms', { name: 'Turnover', definition: 'What customers pay.' });
    const expiresAt = new Date(Date.now() + 10 * 86_400_000).toISOString();
    for (const [type, { id }] of [
      ['pipeline', pipeline],
      ['term', term],
    ] as const)
      await done(
        api.as('owner').put(certificationOf({ type, id }), { status: 'certified', certifiedBy: 'Finance', expiresAt }),
        'certify',
      );
    clock.pass(8 * 24 * 60 * 60);
    for await (const { pk, sk } of dueItems(clock.table, ANNOUNCEMENT_PARTITION, clock.now))
      if (pk.startsWith(`W#${api.workspaceId}#`)) await announceItemAt(clock.table, { pk, sk }, () => false);
    for (const actor of ['owner', 'editor'] as const) {
      const { items } = (await api.as(actor).get('/api/dashboard-alerts/feed?kinds=all')).body;
      expect(items.map(({ subject }: { subject: object }) => subject)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ type: 'pipeline', id: pipeline.id, name: 'Nightly' }),
          expect.objectContaining({ type: 'term', id: term.id, name: 'Turnover' }),
        ]),
      );
    }
  });
});

async function stored(
  api: Api,
  id: string,
): Promise<{ entries: Record<string, unknown>; dependents?: Record<string, unknown> }> {
  return (await certifications(api.table).read({ workspaceId: api.workspaceId, type: 'model', id }))!;
}
