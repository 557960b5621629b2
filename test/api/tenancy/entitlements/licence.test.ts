import { describe, expect, vi } from 'vitest';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { licenceFile } from '../../../support/licences.ts';
import { changeCompany } from '../../../support/operator.ts';

/** Entitlements are cached for five seconds. */
const SOON = { timeout: 60_000, interval: 250 };
const DAY_MS = 24 * 60 * 60 * 1000;
const upload = (api: Api, licence: string) => api.as('owner').put('/api/entitlements/licence', { licence });
const snapshot = async (api: Api) => (await api.as('viewer').get('/api/entitlements')).body;

/** Then the licence alone grants products. */
async function withoutPlan(api: Api): Promise<void> {
  for (const product of ['pipelines', 'warehouse'] as const) {
    await changeCompany(api, { change: 'no-plan', product });
  }
}

describe('PUT /api/entitlements/licence', () => {
  it('grants tier and products, and the snapshot has no availability then', async ({ api }) => {
    await withoutPlan(api);
    const licence = await licenceFile(api.companyId, { products: ['pipelines'] });
    expect(await upload(api, licence)).toMatchObject({
      status: 200,
      body: { companyId: api.companyId, tier: 'enterprise', products: ['pipelines'], status: 'active' },
    });
    expect(await snapshot(api)).toEqual({
      bi: { tier: 'enterprise' },
      pipelines: { licensed: true },
      warehouse: { licensed: false },
      trialGrants: {},
    });
    expect((await api.as('owner').get('/api/entitlements/licence')).body).toMatchObject({ tier: 'enterprise' });
    await vi.waitFor(async () => expect((await api.as('viewer').get('/api/pipelines')).status).toBe(200), SOON);
    expect((await api.as('viewer').get('/api/datasets')).status).toBe(403);
    const card = (await api.as('owner').get('/api/usage/products')).body.products.pipelines;
    expect(card).toMatchObject({ licensed: true, planKey: null, overageOptIn: null, draft: null, allowance: null });
  });

  it('rejects every other file, and the present licence stays', async ({ api }) => {
    const good = await licenceFile(api.companyId, { tier: 'business' });
    await upload(api, good);
    const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
    const last = good.at(-2) === 'A' ? 'B' : 'A';
    const theirs = await licenceFile((await api.as('stranger').get('/api/workspaces/current')).body.companyId);
    const rejected = {
      LICENCE_INVALID: good.slice(0, -2) + last + good.at(-1),
      LICENCE_OTHER_COMPANY: theirs,
      LICENCE_NOT_YET_VALID: await licenceFile(api.companyId, { notBefore: at(1), validUntil: at(2) }),
      LICENCE_EXPIRED: await licenceFile(api.companyId, { notBefore: at(-2), validUntil: at(-1) }),
    };
    for (const [code, licence] of Object.entries(rejected)) {
      expect(await upload(api, licence)).toMatchObject({ status: 422, body: { code } });
    }
    expect(await upload(api, 'no licence')).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect((await snapshot(api)).bi).toEqual({ tier: 'business' });
  });

  it('is for company admins alone, like reading and removing it', async ({ api }) => {
    const licence = await licenceFile(api.companyId);
    const key = (await api.as('owner').post('/api/api-keys', { name: 'all', scope: 'admin' })).body.key;
    for (const caller of [api.as('admin'), api.as('editor'), api.as({ token: key })]) {
      expect((await caller.put('/api/entitlements/licence', { licence })).status).toBe(403);
      expect((await caller.get('/api/entitlements/licence')).status).toBe(403);
      expect((await caller.delete('/api/entitlements/licence')).status).toBe(403);
    }
    await upload(api, licence);
    expect((await api.as('stranger').get('/api/entitlements/licence')).status).toBe(404);
    expect((await api.as('stranger').delete('/api/entitlements/licence')).status).toBe(404);
    expect((await snapshot(api)).bi).toEqual({ tier: 'enterprise' });
  });
});

describe('DELETE /api/entitlements/licence', () => {
  it('ends what the licence granted within seconds', async ({ api }) => {
    await withoutPlan(api);
    expect(await api.as('owner').delete('/api/entitlements/licence')).toMatchObject({
      status: 404,
      body: { code: 'LICENCE_NOT_FOUND' },
    });
    await upload(api, await licenceFile(api.companyId));
    await vi.waitFor(async () => expect((await api.as('viewer').get('/api/pipelines')).status).toBe(200), SOON);
    expect((await api.as('owner').delete('/api/entitlements/licence')).status).toBe(204);
    expect(await snapshot(api)).toMatchObject({ bi: { tier: 'team' }, pipelines: { licensed: false } });
    await vi.waitFor(
      async () =>
        expect(await api.as('viewer').get('/api/pipelines')).toMatchObject({
          status: 403,
          body: { code: 'PRODUCT_NOT_LICENSED' },
        }),
      SOON,
    );
    expect(await api.as('owner').get('/api/entitlements/licence')).toMatchObject({
      status: 404,
      body: { code: 'LICENCE_NOT_FOUND' },
    });
  });
});
