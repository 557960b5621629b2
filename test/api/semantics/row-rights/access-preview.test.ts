import { describe, expect } from 'vitest';
import { it } from '../../../support/api.ts';
import { givenTable } from '../../../support/given/model.ts';
import { givenPolicy, givenProtected, givenReader } from '../../../support/given/protected.ts';

describe('POST /api/models/{modelId}/access-preview', () => {
  it('shows admins what a member sees: policies, condition, rows and hidden columns', async ({ api }) => {
    const { model, table, field, policy } = await givenProtected(api);
    await givenTable(api, model.path, 'open');
    const reader = await givenReader(api, { role: 'viewer', attributes: { region: ['us', 'eu'] } });
    const other = await givenPolicy(api, model.path, {
      tableId: table.id,
      name: 'Admins',
      filterExpression: '[id] = 1',
      appliesTo: [{ type: 'role', id: 'admin' }],
    });
    const preview = (userId: string) => api.as('owner').post(`${model.path}/access-preview`, { userId });
    const { status, body } = await preview(reader.userId);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({
      userId: reader.userId,
      role: 'viewer',
      groups: [],
      attributes: { region: ['eu', 'us'] },
      deniedFieldIds: [field.salary],
      tables: [
        {
          tableId: table.id,
          alias: 'people',
          rows: 'some',
          policies: expect.arrayContaining([
            expect.objectContaining({ policyId: policy.id, applies: true, isUsable: true }),
            {
              modelId: model.id,
              policyId: other.id,
              name: 'Admins',
              filterExpression: '[id] = 1',
              applies: false,
              isUsable: true,
            },
          ]),
          condition: '("region" IN (SELECT unnest(CAST($1 AS VARCHAR[]))))',
          params: [['eu', 'us']],
          hiddenColumns: ['salary'],
          visibleRows: 5,
        },
      ],
    });

    const none = await givenReader(api);
    const { tables } = (await preview(none.userId)).body;
    expect(tables).toMatchObject([{ rows: 'none', condition: 'FALSE', params: [], visibleRows: 0 }]);
    expect(tables[0].policies).toContainEqual(expect.objectContaining({ policyId: policy.id, isUsable: false }));

    const refused = { status: 403, body: { code: 'FORBIDDEN' } };
    for (const actor of ['editor', 'viewer'] as const)
      expect(await api.as(actor).post(`${model.path}/access-preview`, { userId: none.userId })).toMatchObject(refused);
    const missing = { status: 404, body: { code: 'MODEL_NOT_FOUND' } };
    expect(await api.as('stranger').post(`${model.path}/access-preview`, { userId: none.userId })).toMatchObject(
      missing,
    );
    expect(await preview(crypto.randomUUID())).toMatchObject({ status: 404, body: { code: 'MEMBER_NOT_FOUND' } });

    await givenPolicy(api, model.path, {
      tableId: table.id,
      filterExpression: '[id] + 9223372036854775807 + [id] > 0',
      appliesTo: [{ type: 'user', id: none.userId }],
    });
    expect(await preview(none.userId)).toMatchObject({ status: 403, body: { code: 'RLS_ERROR' } });
  });
});
