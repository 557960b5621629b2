import { describe, expect } from 'vitest';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { givenProvider, newDomain } from '../../../support/given/identity-provider.ts';
import { givenMember } from '../../../support/given/member.ts';
import { givenSecondFactor } from '../../../support/given/second-factor.ts';

const PATH = '/api/identity-providers/enforcement';
const OIDC = { issuer: 'https://idp.example.com', clientId: 'analytics' };

async function ownerOf(api: Api) {
  const { email, password } = await api.password('owner');
  const token = await api.token('owner');
  const userId = (await api.as('owner').get('/api/auth/me')).body.user.id as string;
  return { email, password, token, userId };
}

/** A company with a provider, whose owner has a second factor. */
async function given(api: Api) {
  const owner = await ownerOf(api);
  const { recoveryCodes } = await givenSecondFactor(api, owner);
  const domain = newDomain();
  await givenProvider(api, { type: 'oidc', oidc: OIDC }, domain);
  return { owner, recoveryCodes, domain };
}

const enforce = (api: Api, userId: string) =>
  api.as('owner').put(PATH, { enforced: true, breakGlassUserIds: [userId] });

describe('the enforcement of single sign-on', () => {
  it('ends sign-ins by password except for the break-glass admin, without revealing that', async ({ api }) => {
    const { owner, recoveryCodes, domain } = await given(api);
    const member = await givenMember(api, 'editor');
    const { body: key } = await api.as('owner').post('/api/api-keys', { name: 'x', scope: 'read' });
    const login = (email: string, password: string) => api.as('anonymous').post('/api/auth/login', { email, password });
    const before = (await login(member.email, member.password)).body;
    expect(await enforce(api, owner.userId)).toMatchObject({
      status: 200,
      body: { enforced: true, breakGlassUserIds: [owner.userId], updatedBy: owner.userId },
    });
    const right = await login(member.email, member.password);
    const unknown = await login('unknown@example.com', member.password);
    expect(right).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    const plain = ({ requestId: _, ...body }: Record<string, unknown>) => body;
    expect(plain(right.body)).toEqual(plain(unknown.body));
    const { refreshToken } = before;
    expect(await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).toMatchObject({ status: 401 });
    const change = { currentPassword: member.password, newPassword: 'another long password' };
    const required = { status: 403, body: { code: 'SSO_REQUIRED' } };
    expect(await api.as({ token: member.token }).post('/api/auth/password', change)).toMatchObject(required);
    const passkey = await api
      .as({ token: member.token })
      .post('/api/auth/passkeys/options', { password: member.password });
    expect(passkey).toMatchObject(required);
    const way = await api.as('anonymous').post('/api/auth/sso/discover', { email: `x@${domain}` });
    expect(way.body).toMatchObject({ method: 'sso', required: true });
    // API keys go on, and so does the break-glass admin, with the second factor.
    expect((await api.as({ token: key.key }).get('/api/auth/me')).status).toBe(200);
    const { mfaToken } = (await login(owner.email, owner.password)).body;
    const second = await api.as('anonymous').post('/api/auth/mfa/verify', { mfaToken, code: recoveryCodes[0] });
    expect(second.status).toBe(200);

    const off = await api.as({ token: second.body.accessToken }).put(PATH, { enforced: false, breakGlassUserIds: [] });
    expect(off).toMatchObject({ status: 200, body: { enforced: false, revision: 3 } });
    expect((await login(member.email, member.password)).status).toBe(200);
  });

  it('needs a provider with a verified domain', async ({ api }) => {
    const owner = await ownerOf(api);
    await givenSecondFactor(api, owner);
    expect(await enforce(api, owner.userId)).toMatchObject({ status: 422, body: { code: 'SSO_NOT_READY' } });
    const domains = [newDomain()];
    await api
      .as('owner')
      .post('/api/identity-providers', { name: 'x', slug: 'no-domain-yet', type: 'oidc', oidc: OIDC, domains });
    expect((await enforce(api, owner.userId)).status).toBe(422);
    expect((await api.as('owner').get(PATH)).body).toMatchObject({ enforced: false, revision: 1 });
  });

  it('needs a company admin with password and second factor for the day when the provider fails', async ({ api }) => {
    const owner = await ownerOf(api);
    await givenProvider(api, { type: 'oidc', oidc: OIDC });
    const member = await givenMember(api, 'admin');
    const stranger = (await api.as('stranger').get('/api/auth/me')).body.user.id;
    const invalid = { status: 400, body: { errors: [{ code: 'BREAK_GLASS' }] } };
    for (const userId of [owner.userId, member.userId, stranger, crypto.randomUUID()]) {
      expect(await enforce(api, userId), userId).toMatchObject(invalid);
    }
    expect(await api.as('owner').put(PATH, { enforced: true, breakGlassUserIds: [] })).toMatchObject(invalid);
    const stale = { headers: { 'if-match': '"7"' } };
    expect(await api.as('owner').put(PATH, { enforced: false, breakGlassUserIds: [] }, stale)).toMatchObject({
      status: 412,
    });
    expect(await api.as('admin').put(PATH, { enforced: false, breakGlassUserIds: [] })).toMatchObject({ status: 403 });
  });
});
