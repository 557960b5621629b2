import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, vi } from 'vitest';
import { companyRepository } from '../../../../functions/tenancy/company/repository.ts';
import { memberKey, readUser } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { companyKey, userKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, type Caller, itWithOwnCompany as it } from '../../../support/api.ts';

const SOON = { timeout: 60_000, interval: 250 };
const me = async (api: Api, actor: 'owner' | 'admin' | 'editor' | 'viewer') =>
  (await api.as(actor).get('/api/auth/me')).body.user;
const roleOf = async (api: Api, id: string) => (await api.stored(userKey(id, 'META')))?.companyRole;
const unknownId = '00000000-0000-7000-8000-000000000000';

/** An admin of the workspace of the caller. */
async function givenPerson(caller: Caller) {
  const person = { email: `new-${crypto.randomUUID()}@example.com`, password: 'a long enough password' };
  const added = await caller.post('/api/workspaces/members', { ...person, name: 'New', role: 'admin' });
  expect(added.status).toBe(201);
  return person;
}

async function tokenIn(api: Api, person: { email: string; password: string }, workspaceId: string): Promise<string> {
  return (await api.as('anonymous').post('/api/auth/login', { ...person, workspaceId })).body.accessToken;
}

describe('the company', () => {
  it('shows its name to every member, and company admins change it', async ({ api }) => {
    const { body, headers } = await api.as('viewer').get('/api/company');
    expect(body).toMatchObject({ id: api.companyId, name: 'owner', revision: 1, deletesAt: null });
    expect((await api.as('admin').patch('/api/company', { name: 'Acme' })).status).toBe(403);
    const etag = headers.get('etag')!;
    const changed = await api.as('owner').patch('/api/company', { name: 'Acme' }, { headers: { 'if-match': etag } });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Acme', revision: 2 } });
    const late = await api.as('owner').patch('/api/company', { name: 'Late' }, { headers: { 'if-match': etag } });
    expect(late).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    expect((await api.as('viewer').get('/api/company')).body.name).toBe('Acme');
    expect((await api.as('stranger').get('/api/company')).body.name).toBe('stranger');
  });

  it('lists its workspaces and people, page by page, for company admins alone', async ({ api }) => {
    await api.joinAll();
    const { body: workspaces } = await api.as('owner').get('/api/company/workspaces');
    expect(workspaces.items.map(({ name }: { name: string }) => name)).toEqual(['First', 'Test']);
    expect(workspaces.items[1]).toMatchObject({ id: api.workspaceId, companyId: api.companyId, deletesAt: null });
    const { body: people } = await api.as('owner').get('/api/company/members');
    const names = people.items.map(({ name, companyRole }: Record<string, string>) => [name, companyRole]);
    expect(names.sort()).toEqual([
      ['editor', 'member'],
      ['owner', 'company_admin'],
      ['viewer', 'member'],
    ]);
    const page = await api.as('owner').get('/api/company/members?limit=1&offset=1');
    expect(page.body).toMatchObject({ items: [people.items[1]], total: 3, limit: 1, offset: 1 });
    for (const list of ['workspaces', 'members']) {
      expect((await api.as('admin').get(`/api/company/${list}`)).status).toBe(403);
      const theirs = (await api.as('stranger').get(`/api/company/${list}`)).body;
      expect(theirs.items).not.toContainEqual(expect.objectContaining({ companyId: api.companyId }));
    }
  });
});

describe('the workspaces of a company', () => {
  it('are at most a thousand, also of two that are created at once', async ({ api }) => {
    const create = (name: string) => api.as('owner').post('/api/workspaces', { name });
    const company = companyKey(api.companyId, 'META');
    const change = (set: Record<string, unknown>) =>
      api.table.db.send(new UpdateCommand(updateOf(api.table, company, { set })));
    const count = async () => (await api.stored(company))?.workspaceCount;
    expect(await count()).toBe(2);
    await change({ workspaceCount: 999 });
    const replies = await Promise.all([create('One'), create('Two')]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('TOO_MANY_WORKSPACES');
    expect((await api.as('owner').get('/api/company/workspaces')).body.total).toBe(3);
    expect(await count()).toBe(1000);
  });
});

describe('PATCH /api/company/members/{userId}', () => {
  it('makes a member a company admin and back, within seconds', async ({ api }) => {
    const { id } = await me(api, 'editor');
    expect((await api.as('editor').get('/api/company/members')).status).toBe(403);
    const made = await api.as('owner').patch(`/api/company/members/${id}`, { companyRole: 'company_admin' });
    expect(made).toMatchObject({ status: 200, body: { userId: id, companyRole: 'company_admin' } });
    await vi.waitFor(async () => expect((await api.as('editor').get('/api/company/members')).status).toBe(200), SOON);
    const back = await api.as('owner').patch(`/api/company/members/${id}`, { companyRole: 'member' });
    expect(back.body.companyRole).toBe('member');
    await vi.waitFor(async () => expect((await api.as('editor').get('/api/company/members')).status).toBe(403), SOON);
  });

  it('keeps the last active company admin', async ({ api }) => {
    const owner = await me(api, 'owner');
    const editor = await me(api, 'editor');
    const demote = (id: string) => api.as('owner').patch(`/api/company/members/${id}`, { companyRole: 'member' });
    expect(await demote(owner.id)).toMatchObject({ status: 409, body: { code: 'LAST_COMPANY_ADMIN' } });
    await api.as('owner').patch(`/api/company/members/${editor.id}`, { companyRole: 'company_admin' });
    const deactivate = updateOf(api.table, userKey(editor.id, 'META'), { set: { active: false } });
    await api.table.db.send(new UpdateCommand(deactivate));
    expect(await demote(owner.id)).toMatchObject({ status: 409, body: { code: 'LAST_COMPANY_ADMIN' } });
    expect(await roleOf(api, owner.id)).toBe('company_admin');
    expect((await demote(editor.id)).status).toBe(200);
    const again = await api.as('owner').patch(`/api/company/members/${editor.id}`, { companyRole: 'company_admin' });
    expect(again).toMatchObject({ status: 409, body: { code: 'COMPANY_MEMBER_INACTIVE' } });
  });

  it('counts only admins who can sign in: not those who never did, nor those without a workspace', async ({ api }) => {
    const owner = await me(api, 'owner');
    const members = '/api/workspaces/members';
    const demote = (id: string) => api.as('owner').patch(`/api/company/members/${id}`, { companyRole: 'member' });
    const last = { status: 409, body: { code: 'LAST_COMPANY_ADMIN' } };
    const person = { email: `new-${crypto.randomUUID()}@example.com`, password: 'a long enough password' };
    const { userId } = (await api.as('owner').post(members, { ...person, name: 'New', role: 'admin' })).body;
    await api.as('owner').patch(`/api/company/members/${userId}`, { companyRole: 'company_admin' });
    expect(await demote(owner.id)).toMatchObject(last);
    expect(await api.as('owner').post('/api/company/transfer', { userId })).toMatchObject(last);
    expect(await roleOf(api, owner.id)).toBe('company_admin');

    // The founder has two workspaces. The last one stays while the other admin cannot sign in.
    const first = (await api.as('owner').get('/api/company/workspaces')).body.items;
    expect(first).toHaveLength(2);
    const other = await tokenIn(api, person, api.workspaceId);
    expect((await api.as({ token: other }).delete(`${members}/${owner.id}`)).status).toBe(204);
    const login = { ...(await api.password('owner')), workspaceId: first[0].id };
    const founder = api.as({ token: (await api.as('anonymous').post('/api/auth/login', login)).body.accessToken });
    const second = await givenPerson(founder);
    expect((await founder.patch(`/api/company/members/${userId}`, { companyRole: 'member' })).status).toBe(200);
    const byAdmin = api.as({ token: await tokenIn(api, second, first[0].id) });
    expect(await byAdmin.delete(`${members}/${owner.id}`)).toMatchObject(last);
    expect(await api.stored(memberKey(first[0].id, owner.id))).toBeDefined();
    expect((await founder.patch(`/api/company/members/${userId}`, { companyRole: 'company_admin' })).status).toBe(200);
    expect((await byAdmin.delete(`${members}/${owner.id}`)).status).toBe(204);
  });

  it('is not given to an account whose password an admin of a workspace has chosen', async ({ api }) => {
    const person = await givenPerson(api.as('admin'));
    const { items } = (await api.as('owner').get(`/api/company/members?search=${person.email}`)).body;
    const { userId } = items[0];
    const refused = { status: 409, body: { code: 'PASSWORD_OF_ANOTHER' } };
    const role = { companyRole: 'company_admin' };
    expect(await api.as('owner').patch(`/api/company/members/${userId}`, role)).toMatchObject(refused);
    // Not even after the admin has changed it in the name of the person.
    const asPerson = api.as({ token: await tokenIn(api, person, api.workspaceId) });
    const newPassword = 'another long enough password';
    const change = { currentPassword: person.password, newPassword };
    expect((await asPerson.post('/api/auth/password', change)).status).toBeLessThan(300);
    expect(await api.as('owner').post('/api/company/transfer', { userId })).toMatchObject(refused);
    expect(await roleOf(api, userId)).toBe('member');
  });

  it('is not written if others have changed the account, or the rights of the admin who typed its password, since', async ({
    api,
  }) => {
    const { id: userId } = await me(api, 'editor');
    const owner = (await readUser(api.table, (await me(api, 'owner')).id))!;
    const admin = (await readUser(api.table, (await me(api, 'admin')).id))!;
    const seen = (await readUser(api.table, userId))!;
    const { changeRole, transfer } = companyRepository(api.table);
    const others = { remaining: undefined, setter: undefined };
    const promotion = { by: owner, user: seen, role: 'company_admin', ...others } as const;
    const item = await api.stored(userKey(userId, 'META'));
    const store = (change: object) =>
      api.table.db.send(new PutCommand({ TableName: api.table.name, Item: { ...item, ...change } }));
    const stale = { code: 'STALE_WRITE' };
    const addressChange = { from: seen.email, isFromProven: true, isConfirmed: false };
    for (const change of [{ addressChange }, { passwordSetBy: admin.id }, { passwordHash: 'x' }, { email: 'x@y.zz' }]) {
      await store(change);
      await expect(changeRole(promotion)).rejects.toMatchObject(stale);
      await expect(transfer(owner, seen, others)).rejects.toMatchObject(stale);
      expect(await roleOf(api, userId)).toBe('member');
    }
    await store({ passwordSetBy: admin.id });
    const typed = { ...seen, passwordSetBy: admin.id };
    await expect(changeRole({ ...promotion, user: typed, setter: admin })).rejects.toMatchObject(stale);
    await store({});
    await changeRole(promotion);
    expect(await roleOf(api, userId)).toBe('company_admin');
  });

  it('is not for an admin who was demoted a moment ago', async ({ api }) => {
    const owner = await me(api, 'owner');
    const editor = await me(api, 'editor');
    const viewer = await me(api, 'viewer');
    const promote = (actor: 'owner' | 'editor', id: string) =>
      api.as(actor).patch(`/api/company/members/${id}`, { companyRole: 'company_admin' });
    await promote('owner', editor.id);
    await api.as('editor').patch(`/api/company/members/${owner.id}`, { companyRole: 'company_admin' });
    await api.as('owner').patch(`/api/company/members/${editor.id}`, { companyRole: 'member' });
    expect(await promote('editor', viewer.id)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(await roleOf(api, viewer.id)).toBe('member');
  });

  it('keeps one of two admins who demote each other at once', async ({ api }) => {
    const owner = await me(api, 'owner');
    const editor = await me(api, 'editor');
    await api.as('owner').patch(`/api/company/members/${editor.id}`, { companyRole: 'company_admin' });
    const demote = (actor: 'owner' | 'editor', id: string) =>
      api.as(actor).patch(`/api/company/members/${id}`, { companyRole: 'member' });
    await vi.waitFor(async () => expect((await api.as('editor').get('/api/company/members')).status).toBe(200), SOON);
    await Promise.all([demote('owner', editor.id), demote('editor', owner.id)]);
    const roles = [await roleOf(api, owner.id), await roleOf(api, editor.id)];
    expect(roles.filter((role) => role === 'company_admin')).toHaveLength(1);
  });

  it('knows no person of another company', async ({ api }) => {
    const stranger = (await api.as('stranger').get('/api/auth/me')).body.user;
    for (const id of [stranger.id, unknownId]) {
      const reply = await api.as('owner').patch(`/api/company/members/${id}`, { companyRole: 'member' });
      expect(reply).toMatchObject({ status: 404, body: { code: 'COMPANY_MEMBER_NOT_FOUND' } });
    }
    expect(await roleOf(api, stranger.id)).toBe('company_admin');
  });
});

describe('POST /api/company/transfer', () => {
  it('makes another person the company admin in place of the caller', async ({ api }) => {
    const owner = await me(api, 'owner');
    const editor = await me(api, 'editor');
    expect(await api.as('owner').post('/api/company/transfer', { userId: unknownId })).toMatchObject({
      status: 404,
      body: { code: 'COMPANY_MEMBER_NOT_FOUND' },
    });
    const inactive = (active: boolean) =>
      api.table.db.send(new UpdateCommand(updateOf(api.table, userKey(editor.id, 'META'), { set: { active } })));
    await inactive(false);
    expect(await api.as('owner').post('/api/company/transfer', { userId: editor.id })).toMatchObject({
      status: 409,
      body: { code: 'COMPANY_MEMBER_INACTIVE' },
    });
    await inactive(true);
    expect((await api.as('editor').post('/api/company/transfer', { userId: editor.id })).status).toBe(403);
    expect((await api.as('owner').post('/api/company/transfer', { userId: owner.id })).status).toBe(200);
    expect(await roleOf(api, owner.id)).toBe('company_admin');
    expect(await api.as('owner').post('/api/company/transfer', { userId: editor.id })).toMatchObject({
      status: 200,
      body: { userId: editor.id, companyRole: 'company_admin' },
    });
    expect([await roleOf(api, owner.id), await roleOf(api, editor.id)]).toEqual(['member', 'company_admin']);
    await vi.waitFor(async () => expect((await api.as('owner').get('/api/company/members')).status).toBe(403), SOON);
  });
});
