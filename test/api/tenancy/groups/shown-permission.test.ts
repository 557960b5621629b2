import { describe, expect } from 'vitest';
import { type Actor, type Api, it } from '../../../support/api.ts';
import { givenDataset } from '../../../support/given/dataset.ts';
import { givenMetric } from '../../../support/given/metric.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { givenPipeline, simpleDag } from '../../pipelines/pipelines/given.ts';

/** A model, a metric and a report, whose access can be granted, by the path of their lists. */
async function givenObjects(api: Api): Promise<{ list: string; path: string }[]> {
  await givenDataset(api, { name: 'sales', sql: "SELECT DATE '2024-01-01' AS day, 5 AS amount" });
  const model = await givenModel(api, { name: 'Sales' });
  const sales = await givenTable(api, model.path, 'sales');
  const timeFieldId = await givenField(api, sales.path, 'day', { dataType: 'date' });
  const fieldId = await givenField(api, sales.path, 'amount', { dataType: 'integer' });
  const metric = { name: 'Amount', modelId: model.id, fieldId, aggregation: 'sum', timeFieldId };
  const { path } = await givenMetric(api, metric);
  const report = await posted(api, '/api/reports', { name: 'Sales', isPublished: true });
  return [
    { list: '/api/models', path: model.path },
    { list: '/api/metrics', path },
    { list: '/api/reports', path: `/api/reports/${report.id}` },
  ];
}

/** The permission in the list and in the object itself. */
async function permissionsFor(
  api: Api,
  actor: Actor | { token: string },
  { list, path }: Record<'list' | 'path', string>,
) {
  const [listed, shown] = await Promise.all([api.as(actor).get(list), api.as(actor).get(path)]);
  return [listed.body.items[0].permission, shown.body.permission];
}

describe('the permission of callers in replies', () => {
  it('is that of their role, limited by the scope of a key', async ({ api }) => {
    const objects = await givenObjects(api);
    const { id } = await givenPipeline(api, simpleDag());
    const key = async (scope: string) => ({
      token: (await api.as('owner').post('/api/api-keys', { name: scope, scope })).body.key as string,
    });
    const [reads, writes] = [await key('read'), await key('read/write')];
    for (const each of [...objects, { list: '/api/pipelines', path: `/api/pipelines/${id}` }]) {
      for (const actor of ['owner', 'editor', writes] as const)
        expect(await permissionsFor(api, actor, each), each.path).toEqual(['editor', 'editor']);
      for (const actor of ['viewer', reads] as const)
        expect(await permissionsFor(api, actor, each), each.path).toEqual(['viewer', 'viewer']);
      expect((await api.as('stranger').get(each.path)).status).toBe(404);
    }
  });

  it('is that of a grant to a viewer or to a group of theirs, while it lasts', async ({ api }) => {
    const objects = await givenObjects(api);
    const userId = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    const { body: group } = await api.as('owner').post('/api/groups', { name: 'Analysts' });
    const added = await api.as('owner').put(`/api/groups/${group.id}/members/${userId}`);
    expect(added.status, JSON.stringify(added.body)).toBeLessThan(300);
    for (const object of objects) {
      for (const grantee of [`user/${userId}`, `group/${group.id}`]) {
        const access = `${object.path}/access/${grantee}`;
        const expected = async (level: string) =>
          expect(await permissionsFor(api, 'viewer', object), access).toEqual([level, level]);
        await api.as('owner').put(access, { level: 'viewer' });
        await expected('viewer');
        await api.as('owner').put(access, { level: 'editor' });
        await expected('editor');
        await api.as('owner').delete(access);
        await expected('viewer');
      }
    }
  });

  it('is `editor` in the replies to changes', async ({ api }) => {
    const [model, metric, report] = await givenObjects(api);
    const { id } = await givenPipeline(api, simpleDag());
    const userId = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    for (const { path } of [model!, metric!, report!])
      await api.as('owner').put(`${path}/access/user/${userId}`, { level: 'editor' });
    const replies = [
      await api.as('viewer').put(model!.path, { description: 'of a viewer' }),
      await api.as('viewer').patch(metric!.path, { description: 'of a viewer' }),
      await api.as('viewer').put(report!.path, { description: 'of a viewer' }),
      await api.as('editor').patch(`/api/pipelines/${id}`, { name: 'renamed' }),
    ];
    for (const reply of replies) expect(reply).toMatchObject({ status: 200, body: { permission: 'editor' } });
  });
});
