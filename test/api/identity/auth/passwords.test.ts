import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { userRecordKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { passwords } from '../../../../shared/platform/auth/password.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, itWithOwnCompany as it } from '../../../support/api.ts';

/** The hash of a deployment with another `PASSWORD_COST`. */
const otherHash = (password: string) => passwords(11).hash(password);

async function editorWithOtherHash(api: Api) {
  const { body } = await api.as('editor').get('/api/auth/me');
  const key = userRecordKey(body.user.id);
  const credentials = await api.password('editor');
  const passwordHash = await otherHash(credentials.password);
  await api.table.db.send(new UpdateCommand(updateOf(api.table, key, { set: { passwordHash } })));
  const stored = async () => (await api.stored(key))?.passwordHash as string;
  return { credentials, passwordHash, stored };
}

const signIn = (api: Api, credentials: object) => api.as('anonymous').post('/api/auth/login', credentials);

describe('a password that was hashed at another cost', () => {
  it('is hashed again at the next sign-in, which ends no other', async ({ api }) => {
    const { credentials, passwordHash, stored } = await editorWithOtherHash(api);
    expect((await signIn(api, { ...credentials, password: 'a wrong password' })).status).toBe(401);
    expect(await stored()).toBe(passwordHash);

    const before = await api.as('editor').get('/api/auth/sessions');
    const replies = await Promise.all(Array.from({ length: 5 }, () => signIn(api, credentials)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const moved = await stored();
    expect(moved).toMatch(/^\$argon2id\$v=19\$m=\d+,t=2,p=1\$/);
    expect(moved).not.toContain('m=2048,');
    expect((await api.as('editor').get('/api/auth/sessions')).body.total).toBe(before.body.total + 5);

    expect((await signIn(api, credentials)).status).toBe(200);
    expect(await stored()).toBe(moved);
  });

  it('can be changed before that', async ({ api }) => {
    const { credentials, stored } = await editorWithOtherHash(api);
    const change = { currentPassword: credentials.password, newPassword: 'another long password' };
    expect((await api.as('editor').post('/api/auth/password', change)).status).toBe(204);
    expect(await stored()).not.toContain('m=2048,');
    expect((await signIn(api, { ...credentials, password: change.newPassword })).status).toBe(200);
  });
});
