import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { it } from '../../../support/api.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';

import { givenField, givenTable, issuesOf, posted } from '../../../support/given/model.ts';

describe('metrics', () => {
  it('are created, read, changed, listed and deleted', async ({ api }) => {
    const { definition, modelId, revenue, fields } = await givenSalesModel(api);
    const made = await api.as('editor').post('/api/metrics', definition);
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Revenue',
        description: '',
        modelId,
        measureId: revenue,
        fieldId: null,
        aggregation: null,
        timeFieldId: fields.sold,
        grain: 'month',
        timezone: 'UTC',
        filters: [],
        direction: 'up_good',
        target: null,
        isCertified: false,
        revision: 1,
      },
    });
    expect(made.body.ownerId).toBe(made.body.createdBy);
    const path = `/api/metrics/${made.body.id}`;
    expect((await api.as('viewer').get(path)).body).toMatchObject({ stale: false, diagnostics: [] });
    const target = { value: 500, by: '2024-12-31', from: '2024-01-01' };
    const changed = await api.as('editor').patch(path, { grain: 'week', timezone: 'europe/berlin', target });
    expect(changed).toMatchObject({
      status: 200,
      body: { grain: 'week', timezone: 'Europe/Berlin', target, name: 'Revenue', revision: 2 },
    });
    const stale = await api.as('editor').patch(path, { grain: 'day' }, { headers: { 'if-match': '"1"' } });
    expect(stale).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const old = { headers: { 'if-match': '"1"' } };
    expect((await api.as('editor').delete(path, old)).status).toBe(412);
    expect((await api.as('editor').delete(path)).status).toBe(204);
    for (const reply of [
      await api.as('viewer').get(path),
      await api.as('editor').patch(path, {}),
      await api.as('editor').delete(path),
      await api.as('viewer').get(`${path}/value`),
      await api.as('viewer').get(`${path}/series`),
      await api.as('viewer').get(`${path}/drivers?by=${fields.region}`),
      await api.as('viewer').get(`${path}/anomalies`),
      await api.as('editor').get(`${path}/access`),
      await api.as('owner').put(`${path}/access/user/${modelId}`, { level: 'editor' }),
      await api.as('owner').delete(`${path}/access/user/${modelId}`),
    ]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'METRIC_NOT_FOUND' } });
    }
  });

  it('are searched, filtered and sorted in lists', async ({ api }) => {
    const { definition, average } = await givenSalesModel(api);
    const first = await givenMetric(api, { ...definition, description: 'Money of customers' });
    await givenMetric(api, { ...definition, name: 'average', measureId: average });
    await api.as('owner').patch(first.path, { isCertified: true });
    const names = async (query: string) => {
      const reply = await api.as('viewer').get(`/api/metrics?${query}`);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body.items.map(({ name }: { name: string }) => name);
    };
    // A certification is no change of the metric.
    expect(await names('')).toEqual(['average', 'Revenue']);
    expect(await names('sort=name')).toEqual(['average', 'Revenue']);
    expect(await names('search=MONEY')).toEqual(['Revenue']);
    expect(await names('isCertified=false')).toEqual(['average']);
    expect(await names(`modelId=${definition.modelId}&limit=1&offset=1`)).toEqual(['Revenue']);
    expect(await names(`modelId=${average}`)).toEqual([]);
    expect((await api.as('stranger').get('/api/metrics')).body.total).toBe(0);
    expect(await api.as('viewer').get('/api/metrics?offset=20000')).toMatchObject({
      status: 400,
      body: { code: 'OFFSET_TOO_LARGE' },
    });
    const total = { pk: `W#${api.workspaceId}#METRIC`, sk: '#TOTAL' };
    await api.table.db.send(new UpdateCommand(updateOf(api.table, total, { set: { count: 5001 } })));
    expect(await api.as('viewer').get('/api/metrics')).toMatchObject({
      status: 400,
      body: { code: 'LIST_TOO_LARGE' },
    });
  });

  it('have a name of their own, whatever its case', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    await givenMetric(api, definition);
    const other = await givenMetric(api, { ...definition, name: 'Turnover' });
    const taken = { status: 409, body: { code: 'METRIC_NAME_TAKEN' } };
    expect(await api.as('editor').post('/api/metrics', { ...definition, name: 'REVENUE' })).toMatchObject(taken);
    expect(await api.as('editor').patch(other.path, { name: 'revenue' })).toMatchObject(taken);
  });

  it('ask for what their model can answer', async ({ api }) => {
    const { definition, fields, modelId, path } = await givenSalesModel(api);
    const create = (body: object) => api.as('editor').post('/api/metrics', { ...definition, ...body });
    const issues = async (body: object) => issuesOf(await create(body));
    const field = { measureId: null, fieldId: fields.amount, aggregation: 'sum' };
    expect(await issues({ measureId: null })).toEqual(['/measureId REQUIRED']);
    expect(await issues({ fieldId: fields.amount })).toEqual(['/measureId REQUIRED']);
    expect(await issues({ aggregation: 'sum' })).toEqual(['/aggregation CONFLICT']);
    expect(await issues({ ...field, aggregation: null })).toEqual(['/aggregation REQUIRED']);
    expect(await issues({ ...field, fieldId: fields.region })).toEqual(['/aggregation NOT_A_NUMBER']);
    expect(await issues({ measureId: modelId })).toEqual(['/measureId UNKNOWN_MEASURE']);
    expect(await issues({ ...field, fieldId: modelId })).toEqual(['/fieldId UNKNOWN_FIELD']);
    expect(await issues({ timeFieldId: modelId })).toEqual(['/timeFieldId UNKNOWN_FIELD']);
    expect(await issues({ timeFieldId: fields.region })).toEqual(['/timeFieldId NOT_A_TIME']);
    expect(await issues({ timezone: 'Mars/Base' })).toEqual(['/timezone UNKNOWN_TIMEZONE']);
    const nepal = await create({ name: 'nepal', timezone: 'Asia/Kathmandu' });
    expect(nepal).toMatchObject({ status: 201, body: { timezone: 'Asia/Kathmandu' } });
    for (const zone of ['Europe/Kyiv', 'Asia/Ho_Chi_Minh', 'Asia/Kolkata']) {
      const value = await api
        .as('viewer')
        .get(`/api/metrics/${nepal.body.id}/value?asOf=2024-02-15T12:00:00Z&timezone=${zone}`);
      expect(value, JSON.stringify(value.body)).toMatchObject({ status: 200, body: { timezone: zone } });
    }
    expect(await issues({ target: { value: 1, by: '2024-01-01', from: '2024-02-01' } })).toEqual([
      '/target/from ORDER',
    ]);
    const made = await givenMetric(api, { ...definition, name: 'another' });
    expect(await api.as('editor').patch(made.path, { ownerId: modelId })).toMatchObject({
      status: 404,
      body: { code: 'MEMBER_NOT_FOUND' },
    });
    const filters = [{ fieldId: modelId, op: 'eq', values: ['eu'] }];
    expect((await issues({ filters }))[0]).toMatch('/filters/0');
    expect(await create({ modelId: fields.sold })).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
    expect(await create({ ownerId: modelId })).toMatchObject({ status: 404, body: { code: 'MEMBER_NOT_FOUND' } });
    const others = await givenTable(api, path, 'sales', 'others');
    const lone = await givenField(api, others.path, 'day', { dataType: 'date' });
    expect(await issues({ timeFieldId: lone }), 'no join leads there').toEqual([' 5001']);
    expect(await create({ ...field, name: 'of a field' })).toMatchObject({ status: 201, body: { measureId: null } });
    expect(await create({ ...field, name: 'count', fieldId: fields.region, aggregation: 'count' })).toMatchObject({
      status: 201,
    });
  });

  it('keep their measure and their model from being deleted', async ({ api }) => {
    const { definition, path, revenue, average } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const referencedBy = [{ type: 'metric', id: metric.id, name: 'Revenue' }];
    const removeMeasure = (id: string) => api.as('editor').delete(`${path}/measures/${id}`);
    expect(await removeMeasure(revenue)).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy },
    });
    expect(await api.as('editor').delete(path)).toMatchObject({
      status: 409,
      body: { code: 'REFERENCED', referencedBy },
    });
    await api.as('editor').patch(metric.path, { measureId: average });
    expect((await removeMeasure(average)).status).toBe(409);
    expect((await removeMeasure(revenue)).status).toBe(204);
    await api.as('editor').delete(metric.path);
    expect((await removeMeasure(average)).status).toBe(204);
    expect((await api.as('editor').delete(path)).status).toBe(204);
  });

  it('are stale once their model cannot answer, and say why', async ({ api }) => {
    const { definition, path, table, fields } = await givenSalesModel(api);
    const metric = await givenMetric(api, definition);
    const retype = (dataType: string) => api.as('editor').put(`${table.path}/fields/${fields.sold}`, { dataType });
    expect((await retype('string')).status).toBe(200);
    expect((await api.as('viewer').get(metric.path)).body).toMatchObject({
      stale: true,
      diagnostics: [{ pointer: '/timeFieldId', code: 'NOT_A_TIME' }],
    });
    for (const part of ['value', 'series', `drivers?by=${fields.region}`, 'anomalies']) {
      expect(await api.as('viewer').get(`${metric.path}/${part}`), part).toMatchObject({
        status: 409,
        body: { code: 'METRIC_STALE', errors: [{ pointer: '/timeFieldId', code: 'NOT_A_TIME' }] },
      });
    }
    expect((await api.as('editor').patch(metric.path, { description: 'still editable' })).status).toBe(200);
    await retype('datetime');
    expect((await api.as('viewer').get(`${metric.path}/value`)).status).toBe(200);

    expect((await api.as('owner').post(`${path}/publish`, { override: true, overrideReason: 'test' })).status).toBe(
      200,
    );
    const later = await posted(api, `${path}/measures`, { name: 'Later', expression: 'MAX([sales.amount])' });
    const ofLater = await givenMetric(api, { ...definition, name: 'Later', measureId: later.id });
    expect((await api.as('owner').post(`${path}/versions/1/restore?force=true`)).status).toBe(200);
    expect((await api.as('viewer').get(ofLater.path)).body).toMatchObject({
      stale: true,
      diagnostics: [{ pointer: '/measureId', code: 'UNKNOWN_MEASURE' }],
    });
    expect((await api.as('editor').delete(ofLater.path)).status).toBe(204);
  });

  it('are certified by admins, until others change what they measure', async ({ api }) => {
    const { definition, average } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const forbidden = await api.as('editor').patch(path, { isCertified: true });
    expect(forbidden).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const certified = await api.as('owner').patch(path, { isCertified: true });
    expect(certified.body).toMatchObject({ isCertified: true, certifiedAt: expect.any(String) });
    expect(certified.body.certifiedBy).toBeTruthy();
    const named = await api.as('owner').patch(path, { isCertified: true, certifiedBy: 'Finance' });
    expect(named.body).toMatchObject({ certifiedBy: 'Finance' });
    const described = await api.as('editor').patch(path, { description: 'as agreed' });
    expect(described.body).toMatchObject({ isCertified: true, certifiedAt: named.body.certifiedAt });
    const ofAdmin = await api.as('owner').patch(path, { grain: 'week' });
    expect(ofAdmin.body).toMatchObject({ isCertified: true, certifiedAt: named.body.certifiedAt });
    const changed = await api.as('editor').patch(path, { measureId: average });
    expect(changed.body).toMatchObject({ isCertified: false, certifiedBy: null, certifiedAt: null });
    await api.as('owner').patch(path, { isCertified: true });
    expect((await api.as('owner').patch(path, { isCertified: false })).body).toMatchObject({ certifiedBy: null });
  });

  it('belong to one workspace, and viewers only read them unless one was granted to them', async ({ api }) => {
    const { definition, fields } = await givenSalesModel(api);
    const { path } = await givenMetric(api, definition);
    const parts = ['', '/value', '/series', `/drivers?by=${fields.region}`, '/anomalies'];
    for (const part of parts) {
      expect((await api.as('stranger').get(`${path}${part}`)).status, part).toBe(404);
      expect((await api.as('viewer').get(`${path}${part}`)).status, part).toBe(200);
    }
    expect((await api.as('stranger').patch(path, { name: 'x' })).status).toBe(404);
    expect((await api.as('stranger').delete(path)).status).toBe(404);
    expect(
      (await api.as('stranger').put(`${path}/access/user/${definition.modelId}`, { level: 'editor' })).status,
    ).toBe(404);
    const rename = () => api.as('viewer').patch(path, { name: 'x' });
    expect((await rename()).status).toBe(403);
    const viewer = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    const access = `${path}/access/user/${viewer}`;
    expect((await api.as('owner').put(access, { level: 'editor' })).body).toMatchObject({ level: 'editor' });
    expect((await rename()).status).toBe(200);
    expect((await api.as('viewer').get(`${path}/access`)).body).toMatchObject({ total: 1 });
    expect((await api.as('viewer').delete(path)).status).toBe(403);
    expect((await api.as('owner').delete(access)).status).toBe(204);
    expect((await rename()).status).toBe(403);
    const unknownId = definition.modelId;
    const unknown = await api.as('owner').put(`${path}/access/user/${unknownId}`, { level: 'editor' });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'MEMBER_NOT_FOUND' } });
    const group = await api.as('owner').put(`${path}/access/group/${unknownId}`, { level: 'editor' });
    expect(group).toMatchObject({ status: 404, body: { code: 'GROUP_NOT_FOUND' } });
    for (const [cursor, code] of [['tampered', 'CURSOR_INVALID']]) {
      expect(await api.as('owner').get(`${path}/access?cursor=${cursor}`)).toMatchObject({ body: { code } });
    }
  });

  it('are reached by API keys that are limited to them', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const listed = await givenMetric(api, definition);
    const other = await givenMetric(api, { ...definition, name: 'other' });
    const made = await api
      .as('owner')
      .post('/api/api-keys', { name: 'k', scope: 'read', resources: [{ type: 'metric', id: listed.id }] });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const key = api.as({ token: made.body.key });
    expect((await key.get(`${listed.path}/value`)).status).toBe(200);
    expect((await key.get(listed.path)).status).toBe(200);
    expect((await key.get(other.path)).status).toBe(403);
    expect((await key.get('/api/metrics')).status).toBe(403);
  });

  it('leave entries in the audit log', async ({ api }) => {
    const { definition } = await givenSalesModel(api);
    const { id, path } = await givenMetric(api, definition);
    await api.as('owner').patch(path, { isCertified: true });
    await api.as('editor').delete(path);
    const reply = await api.as('owner').get(`/api/audit-log?limit=50`);
    const entries = reply.body.items.filter(({ object }: { object?: { id: string } }) => object?.id === id);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'metric.deleted',
      'certification.updated',
      'metric.created',
    ]);
    expect(entries[1]).toMatchObject({ object: { type: 'metric', name: 'Revenue' }, after: { status: 'certified' } });
  });
});
