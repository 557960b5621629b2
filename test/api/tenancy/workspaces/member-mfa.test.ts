import { TOTP } from 'otpauth';
import { describe, expect, vi } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { type GivenMember, givenMember } from '../../../support/given/member.ts';

const pathOf = (userId: string) => `/api/workspaces/members/${userId}/mfa/reset`;

async function withSecondFactor(api: Api): Promise<GivenMember> {
  const person = await givenMember(api);
  const caller = api.as({ token: person.token });
  const { secret } = (await caller.post('/api/auth/mfa/enroll', { password: person.password })).body;
  expect((await caller.post('/api/auth/mfa/activate', { code: new TOTP({ secret }).generate() })).status).toBe(200);
  return person;
}

const signIn = async (api: Api, { email, password }: GivenMember) =>
  (await api.as('anonymous').post('/api/auth/login', { email, password })).body;

describe("a member's second factor", () => {
  it('is turned off by a company admin, which ends every sign-in of the member', async ({ api }) => {
    const person = await withSecondFactor(api);
    expect(await signIn(api, person)).toMatchObject({ mfaRequired: true });
    expect((await api.as('owner').post(pathOf(person.userId))).status).toBe(204);
    await vi.waitFor(async () => expect((await api.as({ token: person.token }).get('/api/auth/me')).status).toBe(401), {
      timeout: 60_000,
      interval: 250,
    });
    const { accessToken } = await signIn(api, person);
    const { body } = await api.as({ token: accessToken }).get('/api/auth/me');
    expect(body.mfa).toEqual({ enabled: false, recoveryCodesLeft: 0 });
    expect(await api.as('owner').post(pathOf(person.userId))).toMatchObject({
      status: 409,
      body: { code: 'MFA_NOT_ON' },
    });
  });

  it('is not turned off by others, nor one’s own', async ({ api }) => {
    const person = await withSecondFactor(api);
    const key = (await api.as('owner').post('/api/api-keys', { name: 'x', scope: 'admin' })).body.key;
    for (const actor of ['admin', 'editor', 'viewer', { token: key }] as const) {
      expect(await api.as(actor).post(pathOf(person.userId))).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    }
    for (const [actor, userId] of [
      ['stranger', person.userId],
      ['owner', crypto.randomUUID()],
    ] as const) {
      expect(await api.as(actor).post(pathOf(userId))).toMatchObject({
        status: 404,
        body: { code: 'MEMBER_NOT_FOUND' },
      });
    }
    const own = (await api.as('owner').get('/api/auth/me')).body.user.id;
    expect(await api.as('owner').post(pathOf(own))).toMatchObject({ status: 409, body: { code: 'OWN_SECOND_FACTOR' } });
    expect(await signIn(api, person)).toMatchObject({ mfaRequired: true });
  });
});
