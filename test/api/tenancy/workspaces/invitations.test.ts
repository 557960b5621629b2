import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { userRecordKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { mailsTo, mailTo, tokenIn } from '../../../support/given/mails.ts';
import { givenMember, tokenOf } from '../../../support/given/member.ts';
import { givenProvisioner, SCIM } from '../../../support/given/provisioner.ts';

const PATH = '/api/workspaces/invitations';
const ACCEPT = '/api/auth/invitations/accept';
const PASSWORD = 'a password of my own';
const someone = () => `invited-${crypto.randomUUID()}@example.com`;

const invite = (api: Api, email: string, more: object = {}) =>
  api.as('owner').post(PATH, { email, role: 'editor', ...more });
const accept = (api: Api, token: string, more: object = { name: 'Grace Hopper', password: PASSWORD }) =>
  api.as('anonymous').post(ACCEPT, { token, ...more });

async function invited(api: Api, more: object = {}) {
  const email = someone();
  const { status, body } = await invite(api, email, more);
  expect(status, JSON.stringify(body)).toBe(201);
  return { email, invitation: body, token: tokenIn(await mailTo(api, email)) };
}

const memberOf = async (api: Api, email: string) =>
  (await api.as('owner').get('/api/workspaces/members')).body.items.find(
    (member: { email: string }) => member.email === email,
  );

const INVALID = { status: 401, body: { code: 'INVALID_INVITATION' } };

describe('an invitation', () => {
  it('is a mail with which a new person gets an account and joins', async ({ api }) => {
    const group = (await api.as('owner').post('/api/groups', { name: 'Finance' })).body;
    const gone = (await api.as('owner').post('/api/groups', { name: 'Gone' })).body;
    const { email, invitation, token } = await invited(api, { groupIds: [group.id, gone.id] });
    const inviter = (await api.as('owner').get('/api/auth/me')).body.user;
    expect(invitation).toMatchObject({
      ...{ workspaceId: api.workspaceId, email, role: 'editor', groupIds: [group.id, gone.id], token: null },
      ...{ invitedBy: inviter.id, sentAt: null, revision: 1 },
    });
    expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).toBe(7 * 24 * 60 * 60 * 1000);
    const mail = (await mailsTo(api, email))[0]!;
    expect(mail.subject).toBe('You are invited to a workspace');
    expect(mail.text).toContain(`${inviter.name} (${inviter.email}) invites you to the workspace “Test” as an editor.`);
    expect(mail.text).toContain(`https://app.example.com/accept-invitation#token=${token}`);
    const stored = await api.stored(workspaceKey(api.workspaceId, 'INVITATION', invitation.id));
    expect(JSON.stringify(stored)).not.toContain(token.slice(-40));

    await api.as('owner').delete(`/api/groups/${gone.id}`);
    const accepted = await accept(api, token);
    expect(accepted).toMatchObject({
      status: 200,
      body: { workspaceId: api.workspaceId, workspaceName: 'Test', email },
    });
    const { body: me } = await api.as({ token: await tokenOf(api, { email, password: PASSWORD }) }).get('/api/auth/me');
    expect(me).toMatchObject({
      ...{ role: 'editor', workspaceId: api.workspaceId, groups: [{ id: group.id, name: 'Finance' }] },
      user: { name: 'Grace Hopper', email, companyId: api.companyId, companyRole: 'member' },
    });
    expect((await api.as('owner').get(`/api/groups/${group.id}/members`)).body.total).toBe(1);
    expect(await accept(api, token)).toMatchObject(INVALID);
    expect((await api.as('owner').get(PATH)).body.total).toBe(0);
  });

  it('lets a person with an account in the company join with it', async ({ api }) => {
    const first = await invited(api);
    const person = { email: first.email, password: PASSWORD };
    expect((await accept(api, first.token, { name: 'New', password: PASSWORD })).status).toBe(200);
    const { id: workspaceId } = (await api.as('owner').post('/api/workspaces', { name: 'Another' })).body;
    const { body: owner } = await api.as('owner').get('/api/auth/me');
    const login = { ...(await api.password('owner')), workspaceId };
    const there = api.as({ token: (await api.as('anonymous').post('/api/auth/login', login)).body.accessToken });
    expect(owner.workspaceId).not.toBe(workspaceId);
    expect((await there.post(PATH, { email: person.email.toUpperCase(), role: 'viewer' })).status).toBe(201);
    const token = tokenIn(await mailTo(api, person.email, 2));
    expect((await accept(api, token, { name: 'Other', password: 'not taken over' })).status).toBe(200);
    const { body: me } = await api.as({ token: await tokenOf(api, person) }).get('/api/auth/me');
    expect(me.user.name).toBe('New');
    expect(me.workspaces.map(({ id }: { id: string }) => id)).toContain(workspaceId);
  });

  it('is accepted by one of twenty parallel requests', async ({ api }) => {
    const { email, token } = await invited(api);
    const passwords = Array.from({ length: 20 }, (_, index) => `my own password ${index}`);
    const replies = await Promise.all(passwords.map((password) => accept(api, token, { password })));
    const done = passwords.filter((_, index) => replies[index]!.status === 200);
    expect(done).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expect(reply).toMatchObject(INVALID);
    const login = { email, password: done[0] };
    expect((await api.as('anonymous').post('/api/auth/login', login)).status).toBe(200);
    expect((await api.as('owner').get('/api/workspaces/members')).body.total).toBe(2);
  });

  it('asks a new person for a password, and stays valid then', async ({ api }) => {
    const { email, token } = await invited(api);
    expect(await accept(api, token, {})).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/password', code: 'REQUIRED' }] },
    });
    expect((await accept(api, token, { password: 'short' })).status).toBe(400);
    expect((await accept(api, token, { password: PASSWORD })).status).toBe(200);
    expect(await memberOf(api, email)).toMatchObject({ name: email });
  });

  it('is void when it has expired, until it is sent again, which voids the earlier mail', async ({ api }) => {
    const { email, invitation, token } = await invited(api);
    const key = workspaceKey(api.workspaceId, 'INVITATION', invitation.id);
    const expired = updateOf(api.table, key, { set: { validUntil: new Date().toISOString() } });
    await api.table.db.send(new UpdateCommand(expired));
    expect(await accept(api, token)).toMatchObject(INVALID);

    const resent = await api.as('owner').post(`${PATH}/${invitation.id}/resend`);
    expect(resent).toMatchObject({ status: 200, body: { sentAt: null, revision: 2 } });
    expect(Date.parse(resent.body.expiresAt)).toBeGreaterThan(Date.now() + 6 * 24 * 60 * 60 * 1000);
    const next = tokenIn(await mailTo(api, email, 2));
    expect(await accept(api, token)).toMatchObject(INVALID);
    expect((await api.as('owner').get(`${PATH}/${invitation.id}`)).body.token).toBeNull();
    expect((await accept(api, next)).status).toBe(200);
  });

  it('is void when it was deleted, or made up', async ({ api }) => {
    const { invitation, token } = await invited(api);
    const other = await invited(api);
    for (const forged of [
      'x',
      token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'),
      token.replace(invitation.id, other.invitation.id),
      token.replace(api.workspaceId, crypto.randomUUID()),
    ]) {
      expect(await accept(api, forged), forged).toMatchObject(INVALID);
    }
    expect((await api.as('owner').delete(`${PATH}/${invitation.id}`)).status).toBe(204);
    expect(await accept(api, token)).toMatchObject(INVALID);
    expect((await accept(api, other.token)).status).toBe(200);
  });

  it('is void for an account that was deactivated, and done when its person was added meanwhile', async ({ api }) => {
    const deactivated = await invited(api);
    const added = await invited(api);
    for (const { email } of [deactivated, added]) {
      const person = { email, name: 'New', password: 'a long enough password', role: 'viewer' };
      expect((await api.as('owner').post('/api/workspaces/members', person)).status).toBe(201);
    }
    const { userId } = await memberOf(api, deactivated.email);
    await api.table.db.send(new UpdateCommand(updateOf(api.table, userRecordKey(userId), { set: { active: false } })));
    expect(await accept(api, deactivated.token)).toMatchObject(INVALID);
    expect((await accept(api, added.token)).status).toBe(200);
    expect(await memberOf(api, added.email)).toMatchObject({ role: 'viewer' });
    expect((await api.as('owner').get(PATH)).body.total).toBe(1);
  });

  it('ends with the rights of the admin who made it, unless another admin sends it again', async ({ api }) => {
    const admin = await givenMember(api, 'admin');
    const { userId, token } = admin;
    const email = someone();
    const made = await api.as({ token }).post(PATH, { email, role: 'admin' });
    expect(made.status).toBe(201);
    const first = tokenIn(await mailTo(api, email));
    const member = `/api/workspaces/members/${userId}`;
    expect((await api.as('owner').patch(member, { role: 'editor' })).status).toBe(200);
    expect(await accept(api, first)).toMatchObject(INVALID);
    expect((await api.as('owner').patch(member, { role: 'admin' })).status).toBe(200);
    const off = updateOf(api.table, userRecordKey(userId), { set: { active: false } });
    await api.table.db.send(new UpdateCommand(off));
    expect(await accept(api, first)).toMatchObject(INVALID);
    expect((await api.as('owner').delete(member)).status).toBe(204);
    expect(await accept(api, first)).toMatchObject(INVALID);
    const again = await api.as('owner').post(`${PATH}/${made.body.id}/resend`);
    const owner = (await api.as('owner').get('/api/auth/me')).body.user;
    expect(again).toMatchObject({ status: 200, body: { invitedBy: owner.id } });
    expect((await accept(api, tokenIn(await mailTo(api, email, 2)))).status).toBe(200);
  });

  it('does not bring back a person whom an identity provider has removed since', async ({ api }) => {
    const { caller } = await givenProvisioner(api);
    const another = (await api.as('owner').post('/api/workspaces', { name: 'Another' })).body.id;
    const login = { ...(await api.password('owner')), workspaceId: another };
    const there = api.as({ token: (await api.as('anonymous').post('/api/auth/login', login)).body.accessToken });
    const person = await givenMember(api);
    const made = await there.post(PATH, { email: person.email, role: 'admin' });
    expect(made.status).toBe(201);
    const token = tokenIn(await mailTo(api, person.email));
    expect((await caller.delete(`${SCIM}/Users/${person.userId}`)).status).toBe(204);
    expect(await accept(api, token)).toMatchObject(INVALID);
    expect((await caller.post(`${SCIM}/Users`, { userName: person.email })).body.id).toBe(person.userId);
    expect(await accept(api, token)).toMatchObject(INVALID);
    expect((await there.post(`${PATH}/${made.body.id}/resend`)).status).toBe(200);
    expect((await accept(api, tokenIn(await mailTo(api, person.email, 2)))).status).toBe(200);
  });

  it('is void while the workspace is deleted', async ({ api }) => {
    const { token } = await invited(api);
    expect((await api.as('owner').delete(`/api/workspaces/${api.workspaceId}?confirm=Test`)).status).toBe(200);
    expect(await accept(api, token)).toMatchObject(INVALID);
  });

  it('to an address of another company looks like any other, and only its owner learns of it', async ({ api }) => {
    const { email } = (await api.as('stranger').get('/api/auth/me')).body.user;
    const { status, body } = await invite(api, email);
    const plain = await invite(api, someone());
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(Object.keys(plain.body));
    const token = tokenIn(await mailTo(api, email));
    expect(await accept(api, token)).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } });
    expect(await memberOf(api, email)).toBeUndefined();
  });
});

describe('the invitations of a workspace', () => {
  it('are one for each address, and none for members', async ({ api }) => {
    const { email, invitation } = await invited(api);
    expect(await invite(api, email.toUpperCase())).toMatchObject({ status: 409, body: { code: 'INVITATION_EXISTS' } });
    const person = await givenMember(api);
    expect(await invite(api, person.email)).toMatchObject({ status: 409, body: { code: 'MEMBER_EXISTS' } });
    const { items, total } = (await api.as('owner').get(PATH)).body;
    expect({ total, ids: items.map(({ id }: { id: string }) => id) }).toEqual({ total: 1, ids: [invitation.id] });
    await expect.poll(async () => (await api.as('owner').get(`${PATH}/${invitation.id}`)).body.sentAt).not.toBeNull();
    await api.as('owner').delete(`${PATH}/${invitation.id}`);
    expect((await invite(api, email)).status).toBe(201);
    expect((await api.as('owner').get(`${PATH}?offset=10001`)).body.code).toBe('OFFSET_TOO_LARGE');
  });

  it('have groups of the workspace', async ({ api }) => {
    const groupIds = [crypto.randomUUID()];
    expect(await invite(api, someone(), { groupIds })).toMatchObject({
      status: 404,
      body: { code: 'GROUP_NOT_FOUND' },
    });
    const foreign = (await api.as('stranger').post('/api/groups', { name: 'Foreign' })).body.id;
    expect((await invite(api, someone(), { groupIds: [foreign] })).body.code).toBe('GROUP_NOT_FOUND');
    expect((await api.as('owner').get(PATH)).body.total).toBe(0);
  });

  it('are sent once for a repeated request', async ({ api }) => {
    const email = someone();
    const send = () =>
      api.as('owner').post(PATH, { email, role: 'viewer' }, { headers: { 'idempotency-key': `invite-${email}` } });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    await mailTo(api, email);
    await invited(api);
    expect(await mailsTo(api, email)).toHaveLength(1);
  });

  it('are sent five times a day to one address', async ({ api }) => {
    const { email, invitation } = await invited(api);
    const resend = () => api.as('owner').post(`${PATH}/${invitation.id}/resend`);
    for (let times = 0; times < 4; times += 1) expect((await resend()).status).toBe(200);
    const refused = await resend();
    expect(refused).toMatchObject({ status: 429, body: { code: 'TOO_MANY_INVITATIONS' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await api.as('owner').delete(`${PATH}/${invitation.id}`);
    expect(await invite(api, email)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_INVITATIONS' } });
    expect((await invite(api, someone())).status).toBe(201);
  });

  it('are for its admins alone', async ({ api }) => {
    const { invitation } = await invited(api);
    const path = `${PATH}/${invitation.id}`;
    const key = (await api.as('owner').post('/api/api-keys', { name: 'x', scope: 'admin' })).body.key;
    const callsOf = (actor: 'editor' | 'stranger' | { token: string }) => [
      api.as(actor).get(path),
      api.as(actor).post(`${path}/resend`),
      api.as(actor).delete(path),
    ];
    for (const actor of ['editor', { token: key }] as const) {
      const all = [
        ...callsOf(actor),
        api.as(actor).get(PATH),
        api.as(actor).post(PATH, { email: someone(), role: 'viewer' }),
      ];
      for (const reply of await Promise.all(all)) {
        expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      }
    }
    for (const reply of await Promise.all(callsOf('stranger'))) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'INVITATION_NOT_FOUND' } });
    }
    expect((await api.as('stranger').get(PATH)).body.total).toBe(0);
    const stale = { headers: { 'if-match': '"7"' } };
    expect(await api.as('owner').delete(path, stale)).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    expect((await api.as('owner').get(path)).status).toBe(200);
  });
});
