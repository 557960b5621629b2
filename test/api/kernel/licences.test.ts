import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { companyKey } from '../../../shared/platform/storage/keys.ts';
import { itWithOwnCompany as it } from '../../support/api.ts';
import { ROUTES, somePath } from '../../support/samples.ts';

describe('licences', () => {
  it('refuses the routes of a product that the company has no licence for', async ({ api }) => {
    const licensed = ROUTES.filter((route) => route.product);
    for (const product of ['pipelines', 'warehouse']) {
      const Key = companyKey(api.companyId, `ENTITLEMENT#PLAN#${product}`);
      await api.table.db.send(new DeleteCommand({ TableName: api.table.name, Key }));
    }
    for (const route of licensed) {
      const reply = await api.as('owner').send(route.method, somePath(route), route.body ? { text: '{}' } : {});
      expect(reply, route.operationId).toMatchObject({ status: 403, body: { code: 'PRODUCT_NOT_LICENSED' } });
    }
  });
});
