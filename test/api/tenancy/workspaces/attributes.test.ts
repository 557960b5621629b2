import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { memberAttributesKey } from '../../../../shared/domains/tenancy/workspaces/keys.ts';
import { type Api, it } from '../../../support/api.ts';
import { type GivenMember, givenMember, tokenOf } from '../../../support/given/member.ts';

const pathOf = ({ userId }: Pick<GivenMember, 'userId'>) => `/api/workspaces/members/${userId}/attributes`;
const own = async (api: Api, token: string) => (await api.as({ token }).get('/api/auth/me')).body.attributes;

describe('attributes of a member', () => {
  it('are set by admins, and seen by the member', async ({ api }) => {
    const person = await givenMember(api);
    expect((await api.as('owner').get(pathOf(person))).body).toMatchObject({
      userId: person.userId,
      attributes: {},
      updatedBy: null,
      revision: 1,
    });
    expect(await own(api, person.token)).toEqual({});
    const attributes = { region: ['eu', 'us'], department: 'finance' };
    const set = await api.as('owner').put(pathOf(person), { attributes });
    expect(set).toMatchObject({ status: 200, body: { attributes, revision: 2 } });
    expect((await api.as('owner').get(pathOf(person))).body).toEqual(set.body);
    expect(await own(api, person.token)).toEqual(attributes);
    expect((await api.as('owner').put(pathOf(person), { attributes: { level: '' } })).body.revision).toBe(3);
    expect(await own(api, person.token)).toEqual({ level: '' });

    for (const actor of ['viewer', 'editor', { token: person.token }] as const) {
      for (const reply of [
        await api.as(actor).get(pathOf(person)),
        await api.as(actor).put(pathOf(person), { attributes: {} }),
      ]) {
        expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      }
    }
    const key = (await api.as('owner').post('/api/api-keys', { name: 'x', scope: 'admin' })).body.key;
    expect((await api.as({ token: key }).put(pathOf(person), { attributes: {} })).status).toBe(403);
  });

  it('of people elsewhere are those of unknown people', async ({ api }) => {
    const person = await givenMember(api);
    for (const [actor, path] of [
      ['stranger', pathOf(person)],
      ['owner', pathOf({ userId: crypto.randomUUID() })],
    ] as const) {
      for (const reply of [await api.as(actor).get(path), await api.as(actor).put(path, { attributes: {} })]) {
        expect(reply).toMatchObject({ status: 404, body: { code: 'MEMBER_NOT_FOUND' } });
      }
    }
  });

  it('are replaced by those who have read them, if they ask for that', async ({ api }) => {
    const person = await givenMember(api);
    const put = (n: string, ifMatch?: string) =>
      api.as('owner').put(pathOf(person), { attributes: { n } }, ifMatch ? { headers: { 'if-match': ifMatch } } : {});
    expect((await put('a', '"1"')).headers.get('etag')).toBe('"2"');
    expect(await put('b', '"1"')).toMatchObject({ status: 412, body: { code: 'PRECONDITION_FAILED' } });
    const twins = await Promise.all(['c', 'd', 'e'].map((n) => put(n, '"2"')));
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const all = await Promise.all(['f', 'g', 'h'].map((n) => put(n)));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    const last = all.find(({ body }) => body.revision === 6)!;
    expect(await own(api, person.token)).toEqual(last.body.attributes);
  });

  it('end with the membership', async ({ api }) => {
    const person = await givenMember(api);
    const attributes = { region: 'eu' };
    await api.as('owner').put(pathOf(person), { attributes });
    const before = (await api.stored(memberAttributesKey(api.workspaceId, person.userId)))!;
    await api.as('owner').delete(`/api/workspaces/members/${person.userId}`);
    expect(await api.stored(memberAttributesKey(api.workspaceId, person.userId))).toBeUndefined();
    await api.as('owner').post('/api/workspaces/members', { email: person.email, role: 'viewer' });
    // Those of an earlier membership do not count, however they got there.
    await api.table.db.send(new PutCommand({ TableName: api.table.name, Item: before }));
    expect(await own(api, await tokenOf(api, person))).toEqual({});
    expect((await api.as('owner').get(pathOf(person))).body.attributes).toEqual({});
    expect((await api.as('owner').put(pathOf(person), { attributes })).body.attributes).toEqual(attributes);
  });

  it('have names that rules can write, and bounds', async ({ api }) => {
    const person = await givenMember(api);
    const issues = async (attributes: unknown) => {
      const { status, body } = await api.as('owner').put(pathOf(person), { attributes });
      expect(status).toBe(400);
      return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    };
    expect(await issues({ 'two words': 'x', '1st': 'x', ok: 'x' })).toEqual([
      '/attributes/two words ATTRIBUTE_NAME',
      '/attributes/1st ATTRIBUTE_NAME',
    ]);
    expect(await issues({ a: 'x'.repeat(257) })).toEqual(['/attributes/a MAX_LENGTH']);
    const large = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [
        `a${n}`,
        Array.from({ length: 30 }, (_each, at) => `${at}`.padEnd(256, 'x')),
      ]),
    );
    expect(await issues(large)).toEqual(['/attributes TOO_LARGE']);
    for (const wrong of [
      { a: 1 },
      { a: null },
      { a: ['x', 'x'] },
      { a: [['x']] },
      { a: Array.from({ length: 10_001 }, (_, n) => `${n}`) },
      Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`a${n}`, ''])),
      null,
      [],
    ]) {
      expect(await issues(wrong), JSON.stringify(wrong)).not.toEqual([]);
    }
    expect(await own(api, person.token)).toEqual({});
  });
});

describe('attributes of an API key', () => {
  it('are its own, and empty unless it is created with some', async ({ api }) => {
    const me = (await api.as('owner').get('/api/auth/me')).body.user.id;
    await api.as('owner').put(pathOf({ userId: me }), { attributes: { region: 'eu' } });
    const create = (body: object) => api.as('owner').post('/api/api-keys', { name: 'x', scope: 'read', ...body });
    const plain = await create({});
    expect(plain.body.attributes).toEqual({});
    expect(await own(api, plain.body.key)).toEqual({});
    const attributes = { region: ['us'] };
    const { body } = await create({ attributes });
    expect(body.attributes).toEqual(attributes);
    expect(await own(api, body.key)).toEqual(attributes);
    expect((await api.as('owner').get('/api/api-keys')).body.items[0].attributes).toEqual(attributes);
    expect((await create({ attributes: { 'a b': 'x' } })).body.errors).toMatchObject([{ code: 'ATTRIBUTE_NAME' }]);
  });
});
