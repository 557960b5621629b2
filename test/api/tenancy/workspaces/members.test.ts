import { describe, expect, vi } from 'vitest';
import { memberKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { type Api, it } from '../../../support/api.ts';

const someone = () => ({
  email: `new-${crypto.randomUUID()}@example.com`,
  name: 'New',
  password: 'a long enough password',
});

describe('members', () => {
  it('adds someone new, who can sign in at once', async ({ api }) => {
    const person = someone();
    const added = await api.as('owner').post('/api/workspaces/members', { ...person, role: 'viewer' });
    expect(added).toMatchObject({
      status: 201,
      body: { email: person.email, role: 'viewer', workspaceId: api.workspaceId },
    });
    expect(JSON.stringify(added.body)).not.toContain(person.password);
    const { email, password } = person;
    expect((await api.as('anonymous').post('/api/auth/login', { email, password })).body.workspaceId).toBe(
      api.workspaceId,
    );

    const again = await api.as('owner').post('/api/workspaces/members', { email, role: 'editor' });
    expect(again).toMatchObject({ status: 409, body: { code: 'MEMBER_EXISTS' } });
    expect(await api.stored(memberKey(api.workspaceId, added.body.userId))).toMatchObject({ role: 'viewer' });
  });

  it('asks for a password where one is needed, and rejects people of another company', async ({ api }) => {
    await api.joinAll();
    const { email } = someone();
    expect(await api.as('owner').post('/api/workspaces/members', { email, role: 'viewer' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/password', code: 'REQUIRED' }] },
    });
    const stranger = (await api.as('stranger').get('/api/auth/me')).body.user.email;
    // A request that would add nobody replies the same for an address that another company knows.
    const silent = { status: 400, body: { errors: [{ pointer: '/password', code: 'REQUIRED' }] } };
    const asked = { email: stranger, role: 'admin' };
    expect(await api.as('owner').post('/api/workspaces/members', asked)).toMatchObject(silent);
    const taken = await api
      .as('owner')
      .post('/api/workspaces/members', { ...someone(), email: stranger, role: 'admin' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect(JSON.stringify(taken.body)).not.toMatch(/company|already|exists/);
    expect((await api.as('owner').get('/api/workspaces/members')).body.total).toBe(3);
  });

  it('shows one member to members, and to no stranger', async ({ api }) => {
    await api.joinAll();
    const { email } = (await api.as('editor').get('/api/auth/me')).body.user;
    const { items } = (await api.as('viewer').get('/api/workspaces/members')).body;
    const member = items.find((each: { email: string }) => each.email === email);
    const path = `/api/workspaces/members/${member.userId}`;
    const reply = await api.as('viewer').get(path);
    expect(reply).toMatchObject({ status: 200, body: { ...member, role: 'editor' } });
    expect(reply.headers.get('etag')).toBe(`"${member.revision}"`);
    const missing = { status: 404, body: { code: 'MEMBER_NOT_FOUND' } };
    expect(await api.as('stranger').get(path)).toMatchObject(missing);
    expect(await api.as('owner').get(`/api/workspaces/members/${crypto.randomUUID()}`)).toMatchObject(missing);
  });

  it('changes a role, which a stranger cannot', async ({ api }) => {
    const members = (await api.as('viewer').get('/api/workspaces/members')).body.items;
    const viewer = members.find((member: { role: string }) => member.role === 'viewer');
    expect(await api.as('stranger').patch(`/api/workspaces/members/${viewer.userId}`, { role: 'admin' })).toMatchObject(
      {
        status: 404,
        body: { code: 'MEMBER_NOT_FOUND' },
      },
    );
    expect(await api.stored(memberKey(api.workspaceId, viewer.userId))).toMatchObject({ role: 'viewer' });
    const changed = await api.as('owner').patch(`/api/workspaces/members/${viewer.userId}`, { role: 'editor' });
    expect(changed).toMatchObject({ status: 200, body: { role: 'editor' } });
    expect(await api.stored(memberKey(api.workspaceId, viewer.userId))).toMatchObject({ role: 'editor' });
  });

  it('keeps the last admin', async ({ api }) => {
    const owner = (await api.as('owner').get('/api/auth/me')).body.user.id;
    expect(await api.as('owner').patch(`/api/workspaces/members/${owner}`, { role: 'viewer' })).toMatchObject({
      status: 409,
      body: { code: 'LAST_ADMIN' },
    });
    expect(await api.as('owner').delete(`/api/workspaces/members/${owner}`)).toMatchObject({
      status: 409,
      body: { code: 'LAST_ADMIN' },
    });
    expect(await api.stored(memberKey(api.workspaceId, owner))).toMatchObject({ role: 'admin' });
  });

  it('removes a member, whose sign-in then opens this workspace no more', async ({ api }) => {
    const me = (await api.as('viewer').get('/api/auth/me')).body.user.id;
    expect(await api.as('stranger').delete(`/api/workspaces/members/${me}`)).toMatchObject({ status: 404 });
    expect((await api.as('owner').delete(`/api/workspaces/members/${me}`)).status).toBe(204);
    await vi.waitFor(async () => expect((await api.as('viewer').get('/api/auth/me')).status).toBe(401), {
      timeout: 60_000,
      interval: 250,
    });
    expect(await api.as('owner').delete(`/api/workspaces/members/${me}`)).toMatchObject({
      status: 404,
      body: { code: 'MEMBER_NOT_FOUND' },
    });
  });
});

describe('a person who was removed and is added again', () => {
  const SOON = { timeout: 60_000, interval: 250 };

  async function joined(api: Api) {
    const person = someone();
    const { userId } = (await api.as('owner').post('/api/workspaces/members', { ...person, role: 'admin' })).body;
    const { email, password } = person;
    const session = (await api.as('anonymous').post('/api/auth/login', { email, password })).body;
    const key = (await api.as({ token: session.accessToken }).post('/api/api-keys', { name: 'key', scope: 'admin' }))
      .body;
    return { userId, email, password, session, key };
  }

  it('has none of the credentials of the earlier membership, and may make new ones', async ({ api }) => {
    const { userId, email, password, session, key } = await joined(api);
    const refresh = (body: object) => api.as('anonymous').post('/api/auth/refresh', body);
    const status = async (token: string) => (await api.as({ token }).get('/api/auth/me')).status;
    expect([await status(session.accessToken), await status(key.key)]).toEqual([200, 200]);

    expect((await api.as('owner').delete(`/api/workspaces/members/${userId}`)).status).toBe(204);
    expect((await api.as('owner').post('/api/workspaces/members', { email, role: 'admin' })).status).toBe(201);
    await vi.waitFor(async () => expect(await status(session.accessToken)).toBe(401), SOON);
    await vi.waitFor(async () => expect(await status(key.key)).toBe(401), SOON);
    expect(await refresh({ refreshToken: session.refreshToken })).toMatchObject({
      status: 401,
      body: { code: 'INVALID_REFRESH_TOKEN' },
    });

    const again = (await api.as('anonymous').post('/api/auth/login', { email, password })).body;
    expect(await status(again.accessToken)).toBe(200);
    const other = await api.as({ token: again.accessToken }).post('/api/api-keys', { name: 'new', scope: 'admin' });
    expect(await status(other.body.key)).toBe(200);
    expect((await refresh({ refreshToken: again.refreshToken })).status).toBe(200);
  });

  it('cannot take a detour through another workspace with the earlier refresh token', async ({ api }) => {
    const { userId, email, session } = await joined(api);
    const { body: workspace } = await api.as('owner').post('/api/workspaces', { name: 'Second' });
    const { email: ownerEmail, password } = await api.password('owner');
    const credentials = { email: ownerEmail, password, workspaceId: workspace.id };
    const { accessToken } = (await api.as('anonymous').post('/api/auth/login', credentials)).body;
    await api.as({ token: accessToken }).post('/api/workspaces/members', { email, role: 'viewer' });

    await api.as('owner').delete(`/api/workspaces/members/${userId}`);
    await api.as('owner').post('/api/workspaces/members', { email, role: 'admin' });
    const { refreshToken } = session;
    const detour = await api.as('anonymous').post('/api/auth/refresh', { refreshToken, workspaceId: workspace.id });
    expect(detour).toMatchObject({ status: 401, body: { code: 'INVALID_REFRESH_TOKEN' } });
  });
});

describe('workspaces', () => {
  it('creates one only for a company admin, and once per idempotency key', async ({ api }) => {
    const create = (name: string, key?: string) =>
      api.as('owner').post('/api/workspaces', { name }, key ? { headers: { 'idempotency-key': key } } : {});
    const key = crypto.randomUUID();
    const first = await create('Second', key);
    expect(first.status).toBe(201);
    const replayed = await create('Second', key);
    expect(replayed.body).toEqual(first.body);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(await create('Other', key)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });

    const person = someone();
    await api.as('owner').post('/api/workspaces/members', { ...person, role: 'admin' });
    const { email, password } = person;
    const { body } = await api.as('anonymous').post('/api/auth/login', { email, password });
    expect(await api.as({ token: body.accessToken }).post('/api/workspaces', { name: 'Mine' })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });

  it('answers one of many simultaneous requests with one key, and the others that it is in progress or done', async ({
    api,
  }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => api.as('owner').post('/api/workspaces', { name: 'Once' }, { headers })),
    );
    const made = replies.filter((reply) => reply.status === 201);
    expect(new Set(made.map((reply) => reply.body.id)).size).toBe(1);
    for (const reply of replies) expect([201, 409]).toContain(reply.status);
  });

  it('describes the workspace of the caller', async ({ api }) => {
    expect((await api.as('viewer').get('/api/workspaces/current')).body).toMatchObject({
      id: api.workspaceId,
      companyId: api.companyId,
    });
    expect((await api.as('stranger').get('/api/workspaces/current')).body.id).not.toBe(api.workspaceId);
  });
});
