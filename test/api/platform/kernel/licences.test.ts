import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { PRODUCTS } from '../../../../shared/platform/entitlements/products.ts';
import { companyKey } from '../../../../shared/platform/storage/keys.ts';
import { itWithOwnCompany as it } from '../../../support/api.ts';
import { changeCompany } from '../../../support/operator.ts';
import { ROUTES, somePath } from '../../../support/samples.ts';

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

  it('refuses the routes of a product that the operator has turned off', async ({ api }) => {
    for (const product of PRODUCTS) await changeCompany(api, { change: 'switch', product, on: false });
    for (const route of ROUTES.filter((each) => each.product)) {
      const reply = await api.as('owner').send(route.method, somePath(route), route.body ? { text: '{}' } : {});
      expect(reply, route.operationId).toMatchObject({ status: 403, body: { code: 'PRODUCT_TURNED_OFF' } });
    }
  });

  it('guard every route of pipelines, datasets and queries', () => {
    const guarded = { pipelines: /^\/api\/pipelines/, warehouse: /^\/api\/(datasets|query|saved-queries)/ };
    for (const [product, paths] of Object.entries(guarded)) {
      const routes = ROUTES.filter(({ path, permission }) => paths.test(path) && permission !== 'public');
      expect(routes.length).toBeGreaterThan(10);
      expect(routes.filter((route) => route.product !== product).map(({ operationId }) => operationId)).toEqual([]);
    }
  });
});
