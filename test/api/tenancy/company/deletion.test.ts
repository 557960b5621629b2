import { describe, expect, vi } from 'vitest';
import { identities } from '../../../../shared/domains/identity/identity-providers/index.ts';
import { passkeys } from '../../../../shared/domains/identity/passkeys/index.ts';
import { type UserRecord, userRecordKey } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { secretDigest } from '../../../../shared/platform/auth/credentials.ts';
import { companyKey, type Key, uniqueKey } from '../../../../shared/platform/storage/keys.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { endGrace, eraseNow } from '../../../support/deletions.ts';
import { givenProvisioner, givenUser, SCIM } from '../../../support/given/provisioner.ts';

const SOON = { timeout: 60_000, interval: 250 };
const remove = (api: Api) => api.as('owner').delete('/api/company?confirm=owner');
const workspaces = async (api: Api) => (await api.as('owner').get('/api/company/workspaces')).body.items;

/**
 * People of an identity provider: one who stays, and one who was removed, whose address is of another company by now.
 */
async function givenPeople(api: Api) {
  const [ours, theirs] = [await givenProvisioner(api), await givenProvisioner(api, 'stranger')];
  const [present, removed] = [await givenUser(ours.caller), await givenUser(ours.caller)];
  const { items } = (await api.as('owner').get('/api/company/members?limit=100')).body;
  expect(items.map(({ userId }: { userId: string }) => userId)).toEqual(
    expect.arrayContaining([present.id, removed.id]),
  );
  const user = (await api.stored(userRecordKey(present.id))) as unknown as UserRecord;
  const credentialId = crypto.randomUUID();
  await passkeys(api.table).add(user, {
    ...{ id: crypto.randomUUID(), userId: user.id, name: 'Laptop', credentialId, publicKey: '', counter: 0 },
    ...{ transports: [], isSynced: false, createdAt: new Date().toISOString(), lastUsedAt: null },
  });
  const provider = { id: crypto.randomUUID(), type: 'oidc', oidc: { issuer: 'https://issuer.example' } } as never;
  const identity = { subject: 's1', userId: user.id, at: new Date().toISOString() };
  const linked = identities(api.table).linkItems(provider, identity);
  await transact(api.table, linked);
  expect((await ours.caller.delete(`${SCIM}/Users/${removed.id}`)).status).toBe(204);
  const moved = await givenUser(theirs.caller, { userName: removed.userName });
  const userName = (name: string) => uniqueKey(`C#${api.companyId}#USER-NAME`, name);
  const keyOf = ({ pk, sk }: Record<string, unknown>) => ({ pk, sk }) as Key;
  return {
    erased: [
      ...[userRecordKey(present.id), userRecordKey(removed.id), uniqueKey('EMAIL', present.userName)],
      ...[userName(present.userName), userName(removed.userName)],
      uniqueKey('PASSKEY', secretDigest(credentialId)),
      ...linked.map(({ Put }) => keyOf(Put!.Item!)),
    ],
    kept: { key: uniqueKey('EMAIL', removed.userName), owner: moved.id },
  };
}

describe('DELETE /api/company', () => {
  it('deletes all workspaces, until the company is restored', async ({ api }) => {
    await api.joinAll();
    expect(await api.as('owner').delete('/api/company?confirm=Owner')).toMatchObject({
      status: 422,
      body: { code: 'NAME_NOT_CONFIRMED' },
    });
    expect((await api.as('viewer').delete('/api/company?confirm=owner')).status).toBe(403);
    const deleted = await remove(api);
    expect(deleted).toMatchObject({ status: 200, body: { id: api.companyId, deletesAt: expect.any(String) } });
    expect((await remove(api)).body).toEqual(deleted.body);
    const { deletesAt } = deleted.body;
    expect(await workspaces(api)).toMatchObject([{ deletesAt }, { deletesAt }]);
    await vi.waitFor(
      async () => expect((await api.as('viewer').get('/api/webhooks')).body.code).toBe('WORKSPACE_DELETED'),
      SOON,
    );
    expect((await api.as('viewer').get('/api/company')).body).toEqual(deleted.body);
    expect((await api.as('stranger').get('/api/webhooks')).status).toBe(200);

    expect((await api.as('viewer').post('/api/company/restore')).status).toBe(403);
    const restored = await api.as('owner').post('/api/company/restore');
    expect(restored).toMatchObject({ status: 200, body: { deletesAt: null } });
    expect((await api.as('owner').post('/api/company/restore')).body).toEqual(restored.body);
    expect(await workspaces(api)).toMatchObject([{ deletesAt: null }, { deletesAt: null }]);
    await vi.waitFor(async () => expect((await api.as('viewer').get('/api/webhooks')).status).toBe(200), SOON);
  });

  it('creates and restores no workspace until the company is restored', async ({ api }) => {
    const { deletesAt } = (await remove(api)).body;
    const deleted = { status: 409, body: { code: 'COMPANY_DELETED' } };
    const before = await workspaces(api);
    expect(await api.as('owner').post('/api/workspaces', { name: 'Late' })).toMatchObject(deleted);
    expect(await api.as('owner').post(`/api/workspaces/${api.workspaceId}/restore`)).toMatchObject(deleted);
    expect(await workspaces(api)).toEqual(before);
    expect(before.map((each: { deletesAt: string }) => each.deletesAt)).toEqual([deletesAt, deletesAt]);
    await api.as('owner').post('/api/company/restore');
    expect((await api.as('owner').post('/api/workspaces', { name: 'Late' })).status).toBe(201);
  });

  it('erases the company with its people after the grace period', async ({ api }) => {
    const { email } = await api.password('owner');
    const ids = (await workspaces(api)).map(({ id }: { id: string }) => id);
    const people = await givenPeople(api);
    await remove(api);
    for (const id of [...ids, null]) await endGrace(api, id);
    expect(await api.as('owner').post('/api/company/restore')).toMatchObject({
      status: 409,
      body: { code: 'COMPANY_ERASED' },
    });
    await vi.waitFor(
      async () => {
        await eraseNow(api);
        for (const id of ids) {
          expect(await api.stored(companyKey(api.companyId, `DELETION#${id}`))).toBeUndefined();
        }
      },
      { timeout: 60_000, interval: 500 },
    );
    // The company has checked its workspaces too early, and would check again in a minute.
    await vi.waitFor(
      async () => {
        if (await api.stored(companyKey(api.companyId, 'DELETION#COMPANY'))) await endGrace(api, null);
        await eraseNow(api);
        expect(await api.stored(companyKey(api.companyId, 'DELETION#COMPANY'))).toBeUndefined();
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(await api.stored(companyKey(api.companyId, 'META'))).toBeUndefined();
    expect(await api.stored(uniqueKey('EMAIL', email))).toBeUndefined();
    for (const key of people.erased) expect(await api.stored(key), JSON.stringify(key)).toBeUndefined();
    expect(await api.stored(people.kept.key)).toMatchObject({ owner: people.kept.owner });
    await vi.waitFor(async () => expect((await api.as('owner').get('/api/company')).status).toBe(401), SOON);
  });
});
