import { describe, expect } from 'vitest';
import { MasterSecret } from '../../../../shared/platform/crypto/master-secret.ts';
import { secretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { readMasterSecret } from '../../../support/master-secret.ts';

const path = (name: string) => `/api/secrets/${name}`;
const put = (api: Api, name: string, body: object, actor: Parameters<Api['as']>[0] = 'owner') =>
  api.as(actor).put(path(name), body);
const keyOf = (api: Api, name: string) => workspaceKey(api.workspaceId, 'SECRET', name);

/** What is kept under a name, opened as a step opens it. */
async function kept(api: Api, name: string): Promise<string> {
  const box = secretBox(new MasterSecret(() => readMasterSecret(api.endpoint)));
  return box.open(api.workspaceId, (await api.stored(keyOf(api, name)))!.sealedValue as string);
}

describe('the secrets of a workspace', () => {
  it('are kept under a name, replaced and deleted, and never shown', async ({ api }) => {
    const made = await put(api, 'CRM_TOKEN', { value: 'correct-horse', description: 'of the CRM' });
    const { id: userId } = (await api.as('owner').get('/api/auth/me')).body.user;
    expect(made).toMatchObject({
      status: 200,
      body: { name: 'CRM_TOKEN', description: 'of the CRM', createdBy: userId, updatedBy: userId, revision: 1 },
    });
    expect(made.headers.get('etag')).toBe('"1"');
    expect(await kept(api, 'CRM_TOKEN')).toBe('correct-horse');

    const next = await put(api, 'CRM_TOKEN', { value: 'battery-staple' });
    expect(next).toMatchObject({
      status: 200,
      body: { description: 'of the CRM', createdAt: made.body.createdAt, revision: 2 },
    });
    expect(next.body.updatedAt > made.body.updatedAt).toBe(true);
    expect((await put(api, 'CRM_TOKEN', { value: 'battery-staple', description: null })).body.description).toBeNull();
    await put(api, 'salt', { value: 'x' });

    const list = await api.as('editor').get('/api/secrets');
    expect(list).toMatchObject({ status: 200, body: { total: 2, items: [{ name: 'salt' }, { name: 'CRM_TOKEN' }] } });
    const one = await api.as('editor').get(path('CRM_TOKEN'));
    expect(one.body).toEqual(list.body.items[1]);
    expect(Object.keys(one.body).sort()).toEqual(
      ['name', 'description', 'createdBy', 'createdAt', 'updatedBy', 'updatedAt', 'revision'].sort(),
    );
    expect((await api.as('editor').get('/api/secrets?limit=1&offset=1')).body.items).toEqual([one.body]);
    const stored = JSON.stringify(await api.stored(keyOf(api, 'CRM_TOKEN')));
    for (const text of [JSON.stringify([made.body, next.body, list.body, one.body]), stored]) {
      expect(text).not.toMatch(/correct-horse|battery-staple/);
    }

    expect((await api.as('owner').delete(path('CRM_TOKEN'))).status).toBe(204);
    for (const reply of [
      await api.as('editor').get(path('CRM_TOKEN')),
      await api.as('owner').delete(path('CRM_TOKEN')),
    ])
      expect(reply).toMatchObject({ status: 404, body: { code: 'SECRET_NOT_FOUND' } });
    expect(await api.stored(keyOf(api, 'CRM_TOKEN'))).toBeUndefined();
    expect((await api.as('editor').get('/api/secrets')).body.total).toBe(1);
  });

  it('keep any text exactly: several lines, every script, control characters, 32 KiB', async ({ api }) => {
    const values = [
      ' ',
      '-----BEGIN KEY-----\r\nabc\n-----END KEY-----\n',
      'ключ 鍵 🔑',
      'a\u0000b',
      '{{ secrets.salt }} $& $1',
      '\u{1f511}'.repeat(8192),
    ];
    for (const value of values) {
      expect((await put(api, 'any', { value })).status).toBe(200);
      expect(await kept(api, 'any')).toBe(value);
    }
    const before = await api.stored(keyOf(api, 'any'));
    for (const [value, code] of [
      ['', 'MIN_LENGTH'],
      ['x'.repeat(32 * 1024 + 1), 'MAX_LENGTH'],
      ['é'.repeat(16 * 1024 + 1), 'MAX_LENGTH'],
      ['half \ud83d', 'PATTERN'],
      [5, 'TYPE'],
    ] as const) {
      const reply = await put(api, 'any', { value });
      expect(reply, String(value).slice(0, 20)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/value', code }] },
      });
    }
    expect(await api.stored(keyOf(api, 'any'))).toEqual(before);
  });

  it('have names that a template and an environment can say, and no others', async ({ api }) => {
    for (const name of ['_', 'a'.repeat(64), '__proto__', 'constructor', 'A']) {
      expect((await put(api, name, { value: 'x' })).body.name).toBe(name);
      expect((await api.as('editor').get(path(name))).body.name).toBe(name);
    }
    for (const name of ['1a', 'a-b', 'a.b', 'a%23b', 'a%00', '%C3%A9', 'a'.repeat(65), 'a%20', 'a%0A', '..%2Fa']) {
      const reply = await put(api, name, { value: 'x' });
      expect([400, 404], name).toContain(reply.status);
    }
    expect((await api.as('editor').get('/api/secrets')).body.total).toBe(5);
  });

  it('are of one workspace: a stranger meets their own alone', async ({ api }) => {
    await put(api, 'SHARED_NAME', { value: 'ours' });
    const stranger = api.as('stranger');
    for (const reply of [await stranger.get(path('SHARED_NAME')), await stranger.delete(path('SHARED_NAME'))]) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'SECRET_NOT_FOUND' } });
    }
    expect((await stranger.get('/api/secrets')).body.items).toEqual([]);
    expect((await put(api, 'SHARED_NAME', { value: 'theirs' }, 'stranger')).body.revision).toBe(1);
    expect(await kept(api, 'SHARED_NAME')).toBe('ours');
    expect((await stranger.delete(path('SHARED_NAME'))).status).toBe(204);
    expect(await kept(api, 'SHARED_NAME')).toBe('ours');
  });

  it('are written by admins, and their names read by editors', async ({ api }) => {
    await put(api, 'a', { value: 'x' });
    for (const actor of ['viewer', 'editor'] as const) {
      expect((await put(api, 'a', { value: 'y' }, actor)).status).toBe(403);
      expect((await api.as(actor).delete(path('a'))).status).toBe(403);
    }
    expect((await api.as('viewer').get('/api/secrets')).status).toBe(403);
    expect(await kept(api, 'a')).toBe('x');
  });

  it('hold the value of the last of many concurrent writes, and count each of them', async ({ api }) => {
    const values = ['a', 'b', 'c', 'd', 'e', 'f'];
    const replies = await Promise.all(values.map((value) => put(api, 'contested', { value })));
    expect(replies.map(({ body }) => body.revision).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const last = values[replies.findIndex(({ body }) => body.revision === 6)];
    expect(await kept(api, 'contested')).toBe(last);
    expect((await api.as('editor').get('/api/secrets')).body.total).toBe(1);
  });

  it('are not created by a request that expects them to exist', async ({ api }) => {
    for (const ifMatch of ['*', '"1"']) {
      const reply = await api.as('owner').put(path('none'), { value: 'x' }, { headers: { 'if-match': ifMatch } });
      expect(reply).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    }
    expect(await api.stored(keyOf(api, 'none'))).toBeUndefined();
  });
});
