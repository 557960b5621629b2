import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { sessionKey } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { exchange, signInAt } from '../../../support/given/identity-provider.ts';
import { givenOpenId, madeMembers } from '../../../support/given/openid.ts';

const HOUR_MS = 60 * 60_000;
const INVALID = { status: 401, body: { code: 'INVALID_REFRESH_TOKEN' } };

async function givenSession(api: Api) {
  const { slug, path } = await givenOpenId(api, { ada: { email: 'ada' } }, madeMembers(api));
  const { body } = await exchange(api, await signInAt(api, slug, 'ada'));
  const caller = api.as({ token: body.accessToken });
  const { items } = (await caller.get('/api/auth/sessions')).body;
  return { path, slug, caller, userId: body.user.id, refreshToken: body.refreshToken, session: items[0] };
}

const refresh = (api: Api, refreshToken: string) => api.as('anonymous').post('/api/auth/refresh', { refreshToken });

/** Moves the sign-in into the past; DynamoDB's own expiry is as it was before sign-ins had an absolute end. */
const age = (api: Api, { userId, session }: Awaited<ReturnType<typeof givenSession>>, hours: number) => {
  const createdAt = new Date(Date.now() - hours * HOUR_MS).toISOString();
  const set = { createdAt, expiresAt: Math.floor(Date.now() / 1000) + 29 * 24 * 60 * 60 };
  return api.table.db.send(new UpdateCommand(updateOf(api.table, sessionKey(userId, session.id), { set })));
};

describe('a sign-in by an identity provider', () => {
  it('ends 24 hours after it was made, however often it is refreshed', async ({ api }) => {
    const given = await givenSession(api);
    const end = Date.parse(given.session.createdAt) + 24 * HOUR_MS;
    expect(Math.abs(Date.parse(given.session.expiresAt) - end)).toBeLessThan(1_000);
    await age(api, given, 23);
    const next = await refresh(api, given.refreshToken);
    expect(next.status).toBe(200);
    const [session] = (await given.caller.get('/api/auth/sessions')).body.items;
    expect(Date.parse(session.expiresAt)).toBeLessThan(Date.now() + HOUR_MS + 1_000);
    await age(api, given, 25);
    expect(await refresh(api, next.body.refreshToken)).toMatchObject(INVALID);
  });

  it('ends with the identity', async ({ api }) => {
    const { path, slug, userId, caller, refreshToken } = await givenSession(api);
    const pending = await signInAt(api, slug, 'ada');
    expect((await api.as('owner').delete(`${path}/users/${userId}`)).status).toBe(204);
    expect(await refresh(api, refreshToken)).toMatchObject(INVALID);
    expect((await exchange(api, pending)).status).toBe(401);
    await expect.poll(async () => (await caller.get('/api/auth/me')).status, { timeout: 60_000 }).toBe(401);
    // The next sign-on links the account again.
    const again = await exchange(api, await signInAt(api, slug, 'ada'));
    expect(again).toMatchObject({ status: 200, body: { user: { id: userId } } });
    expect((await refresh(api, again.body.refreshToken)).status).toBe(200);
  });

  it('ends with the provider', async ({ api }) => {
    const { path, refreshToken } = await givenSession(api);
    expect((await api.as('owner').delete(path)).status).toBe(204);
    expect(await refresh(api, refreshToken)).toMatchObject(INVALID);
  });
});
