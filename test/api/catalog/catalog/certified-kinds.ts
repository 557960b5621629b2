import { expect } from 'vitest';
import { datasetRepository } from '../../../../shared/domains/warehouse/datasets/index.ts';
import type { Actor, Api } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';
import { givenDashboard, textCard } from '../../../support/given/dashboard.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { importCsv } from '../../../support/given/glossary-files.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { givenStory, texts } from '../../../support/given/stories.ts';

export const CERTIFICATIONS = '/api/catalog/certifications';
export const dag = (sql: string) => ({ version: 1, steps: [{ id: 'a', type: 'transform_sql', config: { sql } }] });

export type Edit = (actor: Actor) => Promise<Reply>;

/** Something to certify, and edits of it by path: those that keep what it means, and those that change it. */
export interface Certified {
  type: string;
  id: string;
  modelId?: string;
  same: Record<string, Edit>;
  other: Record<string, Edit>;
}

const YAML = { 'content-type': 'application/yaml' };

export const certificationOf = ({ type, id, modelId }: Pick<Certified, 'type' | 'id' | 'modelId'>) =>
  `${CERTIFICATIONS}/${type}/${id}${modelId ? `?modelId=${modelId}` : ''}`;
export const historyOf = (certified: Parameters<typeof certificationOf>[0]) =>
  certificationOf(certified).replace(certified.id, `${certified.id}/history`);

export const done = async (reply: Promise<Reply>, what: string) => {
  const { status, body, headers } = await reply;
  expect(status, `${what} ${JSON.stringify(body)}`).toBeLessThan(300);
  return headers;
};

/** Deletes something and brings it back. */
async function binned(api: Api, actor: Actor, path: string): Promise<Reply> {
  await done(api.as(actor).delete(path), 'delete');
  return api.as(actor).post(`${path}/restore`);
}

/** Imports the file of a model with a change. */
async function changeFile(api: Api, actor: Actor, model: string, change: (text: string) => string): Promise<Reply> {
  const file = (await api.as('owner').get(`${model}/file`)).body as string;
  const text = change(file);
  expect(text).not.toBe(file);
  return api.as(actor).send('PUT', `${model}/file`, { text, headers: YAML });
}

/** The aggregations of fields and measures are different afterwards, each time. */
const otherAggregations = (text: string) =>
  text.replace(/aggregation: (\w+)/g, (_, now) => `aggregation: ${now === 'avg' ? 'sum' : 'avg'}`);

/** A step that computes the column of the amounts in another way. */
const changeAmounts = (api: Api, actor: Actor, table: string) =>
  api.as(actor).post(`${table}/transforms`, { type: 'change_type', config: { column: 'amount', type: 'number' } });

/** Brings the model up to date with a source that has got one more column. */
async function addColumn(api: Api, actor: Actor, model: string): Promise<Reply> {
  const { version } = (await datasetRepository(api.table).find(api.workspaceId, 'sales'))!;
  const sold = "TIMESTAMPTZ '2024-01-10 10:00:00+00' AS sold, DATE '2024-01-10' AS day";
  const sql = `SELECT ${sold}, 'eu' AS region, 1::DECIMAL(9,2) AS amount, 1 AS more_${version}`;
  await givenDataset(api, { name: 'sales', sql });
  return api.as(actor).post(`${model}/resync`, {});
}

const addOne = (text: string) => text.replace(/(SUM|AVG|MAX)\(\[sales\.amount\]\)/g, (found) => `${found} + 1`);

export const KINDS: Record<string, (api: Api) => Promise<Certified>> = {
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
        file: (actor) => changeFile(api, actor, model, addOne),
        restore: (actor) => api.as(actor).post(`${model}/versions/1/restore`),
        steps: (actor) => changeAmounts(api, actor, table.path),
        // Last, because the measures declare the type. An admin brings it back.
        column: async (actor) => {
          const retype = (dataType: string) => api.as(actor).put(`${table.path}/fields/${fields.amount}`, { dataType });
          const reply = await retype('number');
          return actor === 'owner' ? retype('decimal') : reply;
        },
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
        file: (actor) => changeFile(api, actor, path, addOne),
        restore: (actor) => api.as(actor).post(`${path}/versions/1/restore`),
        steps: (actor) => changeAmounts(api, actor, table.path),
        resync: (actor) => addColumn(api, actor, path),
      },
    };
  },
  table: async (api) => {
    const { modelId, fields, table, path, revenue } = await givenSalesModel(api);
    await api.as('owner').post(`${path}/publish`, {});
    return {
      ...{ type: 'table', id: table.id, modelId },
      same: {
        api: (actor) => api.as(actor).put(table.path, { description: 'Sales of the shop', alias: 'sold' }),
        measure: (actor) => api.as(actor).put(`${path}/measures/${revenue}`, { expression: 'MIN([sold.amount])' }),
      },
      other: {
        api: (actor) =>
          api
            .as(actor)
            .put(`${table.path}/fields/${fields.amount}`, { aggregation: actor === 'owner' ? 'max' : 'min' }),
        file: (actor) => changeFile(api, actor, path, otherAggregations),
        restore: (actor) => api.as(actor).post(`${path}/versions/1/restore`),
        steps: (actor) => changeAmounts(api, actor, table.path),
        resync: (actor) => addColumn(api, actor, path),
      },
    };
  },
  field: async (api) => {
    const { modelId, fields, table, path: model } = await givenSalesModel(api);
    await api.as('owner').post(`${model}/publish`, {});
    const path = `${table.path}/fields/${fields.amount}`;
    return {
      ...{ type: 'field', id: fields.amount, modelId },
      same: {
        api: (actor) => api.as(actor).put(path, { name: 'gross', format: '0.00', isHidden: true }),
        'other field': (actor) => api.as(actor).put(`${table.path}/fields/${fields.region}`, { dataType: 'integer' }),
        resync: (actor) => addColumn(api, actor, model),
      },
      other: {
        api: (actor) => api.as(actor).put(path, { aggregation: actor === 'owner' ? 'max' : 'min' }),
        file: (actor) => changeFile(api, actor, model, otherAggregations),
        restore: (actor) => api.as(actor).post(`${model}/versions/1/restore`),
        steps: (actor) => changeAmounts(api, actor, table.path),
      },
    };
  },
  measure: async (api) => {
    const { modelId, path, revenue, average, table } = await givenSalesModel(api);
    const { id } = await posted(api, `${path}/measures`, { name: 'Ratio', expression: '{Revenue} / 2' });
    await api.as('owner').post(`${path}/publish`, {});
    const measure = `${path}/measures/${id}`;
    return {
      ...{ type: 'measure', id, modelId },
      same: {
        api: (actor) => api.as(actor).put(measure, { name: 'Half', folder: 'Money' }),
        'other measure': (actor) =>
          api.as(actor).put(`${path}/measures/${average}`, { expression: 'MAX([sales.amount])' }),
      },
      other: {
        api: (actor) => api.as(actor).put(measure, { expression: `{Revenue} / ${actor.length}` }),
        'measure in it': (actor) =>
          api.as(actor).put(`${path}/measures/${revenue}`, { expression: `SUM([sales.amount]) + ${actor.length}` }),
        file: (actor) => changeFile(api, actor, path, addOne),
        restore: (actor) => api.as(actor).post(`${path}/versions/1/restore`),
        steps: (actor) => changeAmounts(api, actor, table.path),
        removal: (actor) => api.as(actor).delete(measure),
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
        bin: (actor) => binned(api, actor, path),
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
      same: {
        api: (actor) => api.as(actor).put(path, { name: 'All orders', layout: layout('One', 'B') }),
        bin: (actor) => binned(api, actor, path),
      },
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
        bin: (actor) => binned(api, actor, path),
        file: (actor) => importCsv(api.as(actor), `id,name\n${id},Churned\n`),
      },
      other: {
        api: (actor) => api.as(actor).patch(path, { definition: `As ${actor} sees it` }),
        file: (actor) => importCsv(api.as(actor), `id,definition\n${id},As the file of ${actor} has it\n`),
      },
    };
  },
};
