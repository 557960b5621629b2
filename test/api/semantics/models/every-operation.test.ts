import { describe, expect } from 'vitest';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenField, givenModel, givenTable, posted } from '../../../support/given/model.ts';
import { ROUTES } from '../../../support/samples.ts';

const PARTS = ROUTES.filter(({ path }) => path.startsWith('/api/models/{'));
const WRITES = PARTS.filter(({ permission }) => permission !== 'models:read');

/** The errors of parts of the path that belong to nothing. */
const PART_CODES: Record<string, string> = {
  tableId: 'MODEL_TABLE_NOT_FOUND',
  fieldId: 'MODEL_FIELD_NOT_FOUND',
  relId: 'MODEL_RELATIONSHIP_NOT_FOUND',
  hierId: 'MODEL_HIERARCHY_NOT_FOUND',
  policyId: 'MODEL_POLICY_NOT_FOUND',
  mid: 'MODEL_MEASURE_NOT_FOUND',
  rollupId: 'MODEL_ROLLUP_NOT_FOUND',
  transformId: 'MODEL_TRANSFORM_NOT_FOUND',
  version: 'MODEL_VERSION_NOT_FOUND',
};

const NOTHING = '00000000-0000-7000-8000-000000000000';

interface Given {
  params: Record<string, string>;
  bodies: Record<string, object>;
}

/** A model with a part of each kind, and a body for each operation that has one. */
async function given(api: Api): Promise<Given> {
  const { id, path } = await givenModel(api);
  const orders = await givenTable(api, path, 'orders');
  const customers = await givenTable(api, path, 'customers');
  const key = await givenField(api, customers.path, 'id');
  const amount = await givenField(api, orders.path, 'amount', { fieldType: 'measure', dataType: 'decimal' });
  const customer = await givenField(api, orders.path, 'customer');
  const ends = { fromTableId: customers.id, fromFieldId: key, toTableId: orders.id, toFieldId: customer };
  const levels = [{ fieldId: customer }, { fieldId: amount }];
  const policy = {
    name: 'Mine',
    tableId: customers.id,
    filterExpression: '[id] = user.id',
    appliesTo: [{ type: 'everyone' }],
  };
  const config = { conditions: [{ column: 'amount', op: 'not_null' }] };
  const step = await api.as('editor').post(`${orders.path}/transforms`, { type: 'filter_rows', config });
  const measure = await posted(api, `${path}/measures`, { name: 'Revenue', expression: 'SUM([orders.amount])' });
  const rule = await api.as('owner').post(`${path}/rls`, policy);
  expect([step.status, rule.status], JSON.stringify([step.body, rule.body])).toEqual([200, 201]);
  const rollup = { name: 'By customer', dimensions: [{ fieldId: customer }], measures: [{ measureId: measure.id }] };
  const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
  return {
    params: {
      id,
      modelId: id,
      tableId: orders.id,
      fieldId: amount,
      relId: (await posted(api, `${path}/relationships`, ends)).id,
      hierId: (await posted(api, `${path}/hierarchies`, { name: 'Drill', levels })).id,
      policyId: rule.body.id,
      mid: measure.id,
      rollupId: (await posted(api, `${path}/rollups`, rollup)).id,
      transformId: step.body.id,
      granteeType: 'user',
      granteeId: me,
      version: '7',
      kind: 'dataset',
      copyId: NOTHING,
    },
    bodies: {
      updateModel: { description: 'x' },
      publishModel: {},
      setModelAccess: { level: 'viewer' },
      addModelTable: { sourceSchema: '', sourceTable: 'x', alias: 'x' },
      updateModelTable: { description: 'x' },
      createModelField: { name: 'x', fieldType: 'dimension', dataType: 'string' },
      updateModelField: { description: 'x' },
      importModelTables: {},
      importModelFile: { yaml: 'version: 1' },
      validateModel: {},
      createRelationship: ends,
      updateRelationship: { isActive: false },
      createHierarchy: { name: 'x', levels },
      updateHierarchy: { name: 'x' },
      createRlsPolicy: { ...policy, name: 'x' },
      updateRlsPolicy: { name: 'x' },
      decideProtectedCopy: { allowed: true },
      createRollup: { ...rollup, name: 'x' },
      updateRollup: { name: 'x' },
      createMeasure: { name: 'x', expression: 'COUNT(*)' },
      updateMeasure: { description: 'x' },
      validateMeasure: { expression: '1' },
      previewMeasure: {},
      askModel: { measures: [{ measureId: measure.id }] },
      compileQuestion: { measures: [{ measureId: measure.id }] },
      previewModelTable: {},
      listFieldValues: { fieldId: customer },
      drillModel: { measure: { measureId: measure.id } },
      previewAccess: { userId: me },
      suggestMeasure: { prompt: 'x', measureId: measure.id },
      validateExpression: { expression: '1', tableId: orders.id },
      createTransform: { type: 'filter_rows', config },
      updateTransform: { label: 'x' },
      reorderTransforms: { orderedIds: [step.body.id] },
    },
  };
}

function request({ params, bodies }: Given, { operationId, path, body }: Route, changed: Record<string, string> = {}) {
  const values = { ...params, ...changed };
  const text = body && JSON.stringify(bodies[operationId]);
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name]!),
    ...(text === undefined ? {} : { text }),
  };
}

describe('every operation on a model', () => {
  it('finds nothing of another workspace, and nothing that does not exist', async ({ api }) => {
    const all = await given(api);
    for (const route of PARTS) {
      const { path, ...options } = request(all, route);
      const reply = await api.as('stranger').send(route.method, path, options);
      expect(reply, route.operationId).toMatchObject({ status: 404, body: { code: 'MODEL_NOT_FOUND' } });
      const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      for (const name of names.filter((each) => PART_CODES[each] && each !== 'version')) {
        const { path: other, ...rest } = request(all, route, { [name]: NOTHING });
        const missing = await api.as('owner').send(route.method, other, rest);
        expect(missing, `${route.operationId} ${name}`).toMatchObject({
          status: 404,
          body: { code: PART_CODES[name] },
        });
      }
    }
    const restored = await api.as('editor').post(`/api/models/${all.params.id}/versions/7/restore`);
    expect(restored).toMatchObject({ status: 404, body: { code: 'MODEL_VERSION_NOT_FOUND' } });
  });

  it('that writes is forbidden to viewers, and row-level security to editors', async ({ api }) => {
    const all = await given(api);
    for (const route of WRITES) {
      const { path, ...options } = request(all, route);
      const actors =
        route.permission === 'model-policies:manage' ? (['viewer', 'editor'] as const) : (['viewer'] as const);
      for (const actor of actors) {
        const reply = await api.as(actor).send(route.method, path, options);
        expect(reply, `${route.operationId} ${actor}`).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      }
    }
    for (const route of PARTS.filter(({ permission, method }) => permission === 'models:read' && method === 'GET')) {
      const { path } = request(all, route);
      expect((await api.as('viewer').get(path)).status, route.operationId).toBe(200);
    }
  });

  it('that changes a part checks its revision, and no other', async ({ api }) => {
    const all = await given(api);
    const versioned = WRITES.filter(
      ({ method, success }) => ['PUT', 'DELETE'].includes(method) && 'versioned' in success && success.versioned,
    );
    expect(versioned.length).toBeGreaterThan(10);
    for (const route of versioned) {
      const { path, ...options } = request(all, route);
      const headers = { 'if-match': '"99"' };
      const reply = await api.as('owner').send(route.method, path, { ...options, headers });
      expect(reply, route.operationId).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    }
    // The revision of a file counts the changes of all parts.
    const ofOnePart = versioned.filter(({ operationId }) => operationId !== 'importModelFile');
    for (const route of ofOnePart.filter(({ method }) => method === 'PUT')) {
      const { path, ...options } = request(all, route);
      const first = await api.as('owner').send('PUT', path, { ...options, headers: { 'if-match': '"1"' } });
      expect(first, route.operationId).toMatchObject({ status: 200, body: { revision: 2 } });
    }
  });
});
