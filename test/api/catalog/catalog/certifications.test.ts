import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { certifications } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { recordKey } from '../../../../shared/domains/tenancy/certifications/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenDashboard } from '../../../support/given/dashboard.ts';
import { givenMetric, givenSalesModel } from '../../../support/given/metric.ts';
import { posted } from '../../../support/given/model.ts';
import { CERTIFICATIONS, certificationOf, done, historyOf } from './certified-kinds.ts';

const UNKNOWN = '019b2c4e-0a10-7c3e-9d55-1f7a2b3c4d01';
const refused = (status: number, code: string) => ({ status, body: { code } });

describe('certifications', () => {
  it('end at their time, and are shown by models, metrics and searches', async ({ api }) => {
    const { definition, modelId } = await givenSalesModel(api);
    const metric = await givenMetric(api, { ...definition, name: 'Zephyr' });
    const ofMetric = certificationOf({ type: 'metric', id: metric.id });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await done(api.as('owner').put(ofMetric, { status: 'certified', certifiedBy: 'Finance', expiresAt }), 'metric');
    expect((await api.as('viewer').get(metric.path)).body).toMatchObject({ isCertified: true, certifiedBy: 'Finance' });
    const found = async () => (await api.as('viewer').get('/api/search?q=zephyr')).body.items[0];
    await expect.poll(found, { timeout: 60_000, interval: 500 }).toMatchObject({ isCertified: true });
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
    await expect.poll(found, { timeout: 60_000, interval: 500 }).toMatchObject({ isDeprecated: true });
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

async function stored(
  api: Api,
  id: string,
): Promise<{ entries: Record<string, unknown>; dependents?: Record<string, unknown> }> {
  return (await certifications(api.table).read({ workspaceId: api.workspaceId, type: 'model', id }))!;
}
