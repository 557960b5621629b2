import { TOTP } from 'otpauth';
import { describe, expect } from 'vitest';
import { isListed } from '../../../../shared/domains/identity/sessions/index.ts';
import { companyLogKey } from '../../../../shared/platform/audit/entry.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';

type Entry = { action: string; actor: object; after: Record<string, unknown>; workspaceId: string | null };

/** The log of the company is read from the table itself, and so has every entry at once. */
async function actsOf(api: Api, userId: string): Promise<Entry[]> {
  const { body } = await api.as('owner').get(`/api/audit-log?limit=200&objectType=user&objectId=${userId}`);
  return body.items;
}

const actions = (entries: Entry[]) => entries.map(({ action }) => action).reverse();

describe('sign-ins in the audit log', () => {
  it('are listed with their ends, changes of the password and of the second factor', async ({ api }) => {
    const person = await givenMember(api);
    const { email, userId, password } = person;
    const login = { email, password, workspaceId: api.workspaceId };
    const second = (await api.as('anonymous').post('/api/auth/login', login)).body;
    const third = (await api.as('anonymous').post('/api/auth/login', login)).body;
    const asPerson = api.as({ token: second.accessToken });
    await asPerson.patch('/api/auth/me', { timeZone: 'Europe/Zurich' });
    const sessions = (await asPerson.get('/api/auth/sessions')).body.items as { id: string; isCurrent: boolean }[];
    const other = sessions.find(({ isCurrent }) => !isCurrent)!.id;
    await asPerson.delete(`/api/auth/sessions/${other}`);
    expect((await asPerson.delete(`/api/auth/sessions/${other}`)).status).toBe(404);
    await asPerson.delete('/api/auth/sessions');
    const newPassword = 'another long enough password';
    await asPerson.post('/api/auth/password', { currentPassword: password, newPassword });
    const { secret } = (await asPerson.post('/api/auth/mfa/enroll', { password: newPassword })).body;
    const codeAt = (step: number) => new TOTP({ secret }).generate({ timestamp: Date.now() + step * 30_000 });
    const on = (await asPerson.post('/api/auth/mfa/activate', { code: codeAt(0) })).body;
    const renewed = (await asPerson.post('/api/auth/mfa/recovery-codes', { code: on.recoveryCodes[0] })).body;
    const half = (await api.as('anonymous').post('/api/auth/login', { ...login, password: newPassword })).body;
    const verify = { mfaToken: half.mfaToken, code: renewed.recoveryCodes[0] };
    expect(
      (await api.as('anonymous').post('/api/auth/mfa/verify', { ...verify, code: on.recoveryCodes[1] })).status,
    ).toBe(401);
    expect((await api.as('anonymous').post('/api/auth/mfa/verify', verify)).status).toBe(200);
    const code = renewed.recoveryCodes[1];
    await asPerson.post('/api/auth/mfa/disable', { password: newPassword, code });
    const { refreshToken } = second;
    const rotated = (await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).body;
    expect((await api.as('anonymous').post('/api/auth/refresh', { refreshToken })).status).toBe(401);
    const last = (await api.as('anonymous').post('/api/auth/login', { ...login, password: newPassword })).body;
    await api.as({ token: last.accessToken }).post('/api/auth/logout');

    const entries = await actsOf(api, userId);
    expect(actions(entries)).toEqual([
      'user.signed_in',
      'user.signed_in',
      'user.signed_in',
      'user.updated',
      'session.ended',
      'session.others_ended',
      'user.password_changed',
      'user.mfa_setup_started',
      'user.mfa_enabled',
      'user.recovery_codes_replaced',
      'user.sign_in_failed',
      'user.signed_in',
      'user.mfa_disabled',
      'session.token_reused',
      'user.signed_in',
      'user.signed_out',
    ]);
    const [, , reused] = entries as [Entry, Entry, Entry];
    expect(reused).toMatchObject({ actor: { type: 'system', id: null }, workspaceId: api.workspaceId });
    expect(entries.find(({ action }) => action === 'user.sign_in_failed')).toMatchObject({
      actor: { type: 'user', id: userId, email },
      after: { proof: 'secondFactor', failuresThisHour: 1 },
      workspaceId: null,
    });

    const used = entries.filter(({ action }) => action === 'user.signed_in').map(({ after }) => after.secondFactor);
    expect(used).toEqual([null, 'recoveryCode', null, null, null]);

    // None of it holds what would let its reader in.
    const { pk } = companyLogKey(api.companyId, new Date().toISOString().slice(0, 7), '');
    const stored = JSON.stringify(await Array.fromAsync(itemsBelow(api.table, { pk, sk: '' })));
    const secrets = [
      password,
      newPassword,
      secret,
      ...on.recoveryCodes,
      ...renewed.recoveryCodes,
      ...[second, third, rotated, last].flatMap((session) => [session.refreshToken, session.accessToken]),
    ];
    for (const each of secrets) expect(stored).not.toContain(each);
  });

  it('that fail are listed for known accounts, and never more than a few in an hour', async ({ api }) => {
    const { email, userId } = await givenMember(api);
    const wrong = (address: string) =>
      api.as('anonymous').post('/api/auth/login', { email, password: 'wrong' }, { from: address });
    for (let count = 1; count <= 12; count += 1) expect((await wrong(`127.0.91.${count}`)).status).toBe(401);
    const unknown = { email: `none-${email}`, password: 'wrong' };
    expect((await api.as('anonymous').post('/api/auth/login', unknown, { from: '127.0.92.1' })).status).toBe(401);
    const failures = (await actsOf(api, userId)).filter(({ action }) => action === 'user.sign_in_failed');
    expect(failures.map(({ after }) => after.failuresThisHour)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const all = (await api.as('owner').get('/api/audit-log?action=user.sign_in_failed')).body.items;
    expect(all).toHaveLength(10);
    expect([10, 11, 99, 100, 101, 1000].map(isListed)).toEqual([true, false, false, true, false, true]);
  });
});
