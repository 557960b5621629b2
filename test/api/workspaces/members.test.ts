import { describe, expect, vi } from 'vitest';
import { memberKey } from '../../../shared/domains/workspaces/keys.ts';
import { it } from '../../support/api.ts';

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
    expect((await api.as('nobody').post('/api/auth/login', { email, password })).body.workspaceId).toBe(
      api.workspaceId,
    );

    const again = await api.as('owner').post('/api/workspaces/members', { email, role: 'editor' });
    expect(again).toMatchObject({ status: 409, body: { code: 'MEMBER_EXISTS' } });
    expect(await api.stored(memberKey(api.workspaceId, added.body.userId))).toMatchObject({ role: 'viewer' });
  });

  it('asks for a password where one is needed, and takes nobody from another company', async ({ api }) => {
    await api.joinAll();
    const { email } = someone();
    expect(await api.as('owner').post('/api/workspaces/members', { email, role: 'viewer' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/password', code: 'REQUIRED' }] },
    });
    const stranger = (await api.as('stranger').get('/api/auth/me')).body.user.email;
    const taken = await api
      .as('owner')
      .post('/api/workspaces/members', { ...someone(), email: stranger, role: 'admin' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect((await api.as('owner').get('/api/workspaces/members')).body.total).toBe(3);
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
      timeout: 10_000,
      interval: 250,
    });
    expect(await api.as('owner').delete(`/api/workspaces/members/${me}`)).toMatchObject({
      status: 404,
      body: { code: 'MEMBER_NOT_FOUND' },
    });
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
    const { body } = await api.as('nobody').post('/api/auth/login', { email, password });
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
