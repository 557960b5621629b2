import { describe, expect } from 'vitest';
import { type Caller, it } from '../../../support/api.ts';
import { givenAlert } from '../../../support/given/alerts.ts';
import { card, chart, givenCards } from '../../../support/given/cards.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';

const named = (found: { type: string; id: string }[]): string[] => found.map(({ type, id }) => `${type} ${id}`).sort();

/** What the reply to a deletion says that it would break. */
async function usersFor(caller: Caller, path: string): Promise<string[]> {
  const reply = await caller.delete(path);
  expect(reply, path).toMatchObject({ status: 409, body: { code: 'REFERENCED' } });
  const { referencedBy, impact } = reply.body;
  // What uses the object is among what its removal would affect.
  const { body } = await caller.get(impact);
  expect(named(body.affected), impact).toEqual(expect.arrayContaining(named(referencedBy)));
  return named(referencedBy);
}

describe('A deletion that is refused because something uses the object', () => {
  it('names every kind of object that uses it to those who may delete it', async ({ api }) => {
    const dataset = await givenDataset(api, { name: 'sales', sql: 'SELECT 1 AS amount, CURRENT_DATE AS day' });
    const model = await givenModel(api);
    const table = await givenTable(api, model.path, 'sales');
    const amount = await givenField(api, table.path, 'amount', { fieldType: 'measure', dataType: 'integer' });
    const timeFieldId = await givenField(api, table.path, 'day', { dataType: 'date' });
    const metric = await givenMetric(api, {
      ...{ name: 'Sales', modelId: model.id, fieldId: amount, aggregation: 'max', timeFieldId, grain: 'year' },
    });
    const query = await posted(api, '/api/saved-queries', { name: 'Sales', sql: 'SELECT amount FROM sales' });
    const measures = [{ fieldId: amount, aggregation: 'max', label: 'Largest' }];
    const board = await givenCards(api, [
      card('model', chart({ source: { kind: 'model', id: model.id }, measures })),
      card('query', chart({ source: { kind: 'savedQuery', id: query.id } })),
      card('metric', chart({ source: { kind: 'metric', id: metric.id } })),
      card('dataset', chart({ source: { kind: 'dataset', id: dataset.id }, dimensions: [{ column: 'amount' }] })),
    ]);
    const alert = async (source: object, column: string) =>
      givenAlert(api, { condition: { kind: 'field', source, column, reduce: 'max', operator: 'gt', threshold: 5 } });
    const alerts = {
      model: await alert({ kind: 'model', id: model.id }, amount),
      query: await alert({ kind: 'savedQuery', id: query.id }, 'amount'),
      dataset: await alert({ kind: 'dataset', id: dataset.id }, 'amount'),
    };
    const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
    const digest = await posted(api, '/api/metrics/digests', {
      ...{ name: 'Mondays', metricIds: [metric.id], cron: '@weekly', recipientIds: [me] },
    });
    const paths = { model: model.path, query: `/api/saved-queries/${query.id}`, metric: `/api/metrics/${metric.id}` };

    await api.as('editor').post(`${board.path}/publish`, {});
    expect((await api.as('viewer').delete(paths.model)).status).toBe(403);
    expect((await api.as('stranger').delete(paths.model)).status).toBe(404);
    const editor = api.as('editor');
    expect(await usersFor(editor, paths.model)).toEqual([
      `alert ${alerts.model.id}`,
      `dashboard ${board.id}`,
      `metric ${metric.id}`,
    ]);
    expect(await usersFor(editor, paths.query)).toEqual([`alert ${alerts.query.id}`, `dashboard ${board.id}`]);
    expect(await usersFor(editor, paths.metric)).toEqual([`dashboard ${board.id}`, `metric-digest ${digest.id}`]);
    expect(await usersFor(editor, `/api/datasets/${dataset.id}`)).toEqual([
      `alert ${alerts.dataset.id}`,
      `dashboard ${board.id}`,
      `model ${model.id}`,
      `saved-query ${query.id}`,
    ]);
  });
});
