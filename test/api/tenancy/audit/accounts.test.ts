import { TOTP } from 'otpauth';
import { describe, expect } from 'vitest';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { mailTo, tokenIn } from '../../../support/given/mails.ts';
import { givenMember } from '../../../support/given/member.ts';

const PATH = '/api/workspaces/invitations';
const PASSWORD = 'a password of my own';

/** The log of the company, which has every entry at once, oldest first. */
const logOf = async (api: Api, filter: string) =>
  (await api.as('owner').get(`/api/audit-log?limit=200&${filter}`)).body.items.reverse();

describe('accounts in the audit log', () => {
  it('come by invitations, which are listed with what became of them', async ({ api }) => {
    const email = `invited-${crypto.randomUUID()}@example.com`;
    const { id } = (await api.as('owner').post(PATH, { email, role: 'editor' })).body;
    await mailTo(api, email);
    await api.as('owner').post(`${PATH}/${id}/resend`);
    const token = tokenIn(await mailTo(api, email, 2));
    const accept = { token, name: 'Grace', password: PASSWORD };
    expect((await api.as('anonymous').post('/api/auth/invitations/accept', accept)).status).toBe(200);
    expect((await api.as('anonymous').post('/api/auth/invitations/accept', accept)).status).toBe(401);
    const other = (await api.as('owner').post(PATH, { email: `other-${email}`, role: 'viewer' })).body.id;
    await api.as('owner').delete(`${PATH}/${other}`);

    const { user: owner } = (await api.as('owner').get('/api/auth/me')).body;
    const entries = await logOf(api, `objectType=invitation&objectId=${id}`);
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'invitation.created',
      'invitation.sent_again',
      'invitation.accepted',
    ]);
    expect(entries[0]).toMatchObject({
      actor: { id: owner.id },
      object: { id, name: email },
      workspaceId: api.workspaceId,
      after: { role: 'editor' },
    });
    expect(entries[2]).toMatchObject({ actor: { type: 'user', name: 'Grace', email }, workspaceId: api.workspaceId });
    const [joined] = await logOf(api, `objectType=member&objectId=${entries[2].actor.id}`);
    expect(joined).toMatchObject({
      action: 'member.added',
      actor: { email },
      after: { role: 'editor', isNewAccount: true },
    });
    const gone = await logOf(api, `objectType=invitation&objectId=${other}`);
    expect(gone.at(-1)).toMatchObject({ action: 'invitation.deleted', actor: { id: owner.id } });
    expect(JSON.stringify([entries, joined, gone])).not.toContain(token.slice(-40));
  });

  it('have resets of the password by their owner, and of the second factor by a company admin', async ({ api }) => {
    const person = await givenMember(api);
    const { email, userId } = person;
    const caller = api.as({ token: person.token });
    const { secret } = (await caller.post('/api/auth/mfa/enroll', { password: person.password })).body;
    await caller.post('/api/auth/mfa/activate', { code: new TOTP({ secret }).generate() });
    await api.as('anonymous').post('/api/auth/password/forgot', { email });
    const token = tokenIn(await mailTo(api, email));
    await api.as('anonymous').post('/api/auth/password/reset', { token, newPassword: PASSWORD });
    await api.as('owner').post(`/api/workspaces/members/${userId}/mfa/reset`);

    const { user: owner } = (await api.as('owner').get('/api/auth/me')).body;
    expect((await logOf(api, `objectType=user&objectId=${userId}`)).at(-1)).toMatchObject({
      action: 'user.password_reset',
      actor: { type: 'user', id: userId, email },
      workspaceId: null,
    });
    expect((await logOf(api, `objectType=member&objectId=${userId}`)).at(-1)).toMatchObject({
      action: 'user.mfa_reset',
      actor: { type: 'user', id: owner.id },
    });
  });
});
