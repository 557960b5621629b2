import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect } from 'vitest';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { type Api, it } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';
import { issuesOf } from '../../../support/given/model.ts';
import { givenPolicy, SECRET_COLUMN, SECRET_ROW } from '../../../support/given/protected.ts';
import { givenEmbedToken, givenProtectedDashboard, givenShare } from '../../../support/given/shares.ts';

const EU = [['Ann'], ['Bob'], ['Cid']];
const US = [[SECRET_ROW]];
const rls = (attributes: object) => ({ shareType: 'rls', rlsContext: { attributes } });
const UNKNOWN = '00000000-0000-7000-8000-000000000000';

/** The answer of an admin is cached before, so that no reader gets it by mistake. */
async function given(api: Api) {
  const dashboard = await givenProtectedDashboard(api);
  await dashboard.read('names');
  return dashboard;
}

describe('the readers of a link', () => {
  it('see the rows and columns of its attributes, even if others have read the card before', async ({ api }) => {
    const { id, staff } = await given(api);
    const eu = await givenShare(api, id, { ...rls({ region: 'eu' }), allowExport: true });
    const us = await givenEmbedToken(api, id, { attributes: { region: ['us'] } });
    const none = await givenShare(api, id, rls({}));
    for (const _round of ['cold', 'warm']) {
      expect(await eu.reader.rows('names')).toEqual(EU);
      expect(await us.reader.rows('names')).toEqual(US);
      expect(await none.reader.rows('names')).toEqual([]);
      expect(await eu.reader.rows('names', { distinctColumn: 'Name' })).toEqual(EU);
    }
    const picture = async ({ reader }: typeof eu | typeof us) =>
      (await reader.post('card-image', { cardId: 'names' })).body as string;
    for (const [name] of EU as [string][]) {
      expect(await picture(eu)).toContain(name);
      expect(await picture(us)).not.toContain(name);
    }
    // Pictures that come with the rows are of the same rows, whatever others have read before.
    const beside = async ({ reader }: { reader: typeof eu.reader }) => {
      const reply = await reader.post('card-data', { cardId: 'names', image: { width: 300, height: 200 } });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body.image as string | undefined;
    };
    for (const _round of ['drawn', 'stored']) {
      const [ofEu, ofUs] = [await beside(eu), await beside(us)];
      for (const [name] of EU as [string][]) {
        expect(ofEu).toContain(name);
        expect(ofUs).not.toContain(name);
      }
      expect(ofUs).toContain(SECRET_ROW);
      expect(ofEu).not.toContain(SECRET_ROW);
      expect(await beside(none)).toBeUndefined();
    }
    const model = { cardId: 'names', image: { width: 300, height: 200 }, distinctColumn: 'Name' };
    expect((await eu.reader.post('card-data', model)).body).not.toHaveProperty('image');

    const distinct = { cardId: 'names', distinctFieldId: staff.field.name };
    expect((await us.reader.post('model-card-data', distinct)).body.rows).toEqual(US);
    expect((await us.reader.post('model-card-data', { cardId: 'names' })).body.rows).toEqual(US);

    // A column with a sensitivity label, and the reason that readers of a link do not see.
    const denied = await eu.reader.post('card-data', { cardId: 'salaries' });
    expect(denied).toMatchObject({ status: 422, body: { code: 'CARD_UNREADABLE' } });
    expect((await eu.reader.post('model-card-data', { cardId: 'salaries' })).body.code).toBe('CARD_UNREADABLE');
    expect((await eu.reader.post('card-file', { cardId: 'salaries' })).body.code).toBe('CARD_UNREADABLE');
    expect(JSON.stringify(denied.body)).not.toMatch(/salary|Private|Policy/);
    const labelled = await givenEmbedToken(api, id, { attributes: { region: ['eu'], sensitivityLabels: ['private'] } });
    expect(await labelled.reader.rows('salaries')).toContainEqual([SECRET_COLUMN]);
    expect(
      issuesOf(await eu.reader.post('card-data', { cardId: 'names', distinctColumn: staff.field.salary })),
    ).toEqual(['/distinctColumn UNKNOWN']);
  });

  it('are subjects of policies: all links, or one of them', async ({ api }) => {
    const { id, staff } = await given(api);
    const [one, other] = [await givenShare(api, id, rls({})), await givenShare(api, id, rls({}))];
    const embedded = await givenEmbedToken(api, id);
    const policy = (filterExpression: string, subject: object) =>
      givenPolicy(api, staff.model.path, { tableId: staff.table.id, filterExpression, appliesTo: [subject] });
    await policy("[name] = 'Ann'", { type: 'share' });
    await policy("[name] = 'Bob'", { type: 'share', id: one.id });
    await policy("[name] = 'Cid'", { type: 'embed' });
    await policy("user.role = 'viewer'", { type: 'everyone' });
    expect(await one.reader.rows('names')).toEqual([['Ann'], ['Bob']]);
    expect(await other.reader.rows('names')).toEqual([['Ann']]);
    expect(await embedded.reader.rows('names')).toEqual([['Cid']]);
    const wrong = {
      name: 'No',
      tableId: staff.table.id,
      filterExpression: 'TRUE',
      appliesTo: [{ type: 'embed', id: one.id }],
    };
    expect(issuesOf(await api.as('owner').post(`${staff.model.path}/rls`, wrong))).toEqual([
      '/appliesTo/0/id CONFLICT',
    ]);
  });
});

describe('an embed token', () => {
  it('locks filters that its reader can neither see, widen nor bypass', async ({ api }) => {
    const { id, staff } = await given(api);
    const attributes = { region: ['eu'] };
    const lock = (fieldId: string) => ({ attributes, lockedFilters: [{ fieldId, op: 'in', values: ['Ann', 'Bob'] }] });
    const { reader } = await givenEmbedToken(api, id, { ...lock(staff.field.name), allowExport: true });
    expect((await reader.link()).body).toMatchObject({
      kind: 'embed',
      allowExport: true,
      expiresAt: expect.any(String),
    });
    const by = (op: string, values: string[]) => ({ filters: [{ fieldId: staff.field.name, op, values }] });
    expect(await reader.rows('names')).toEqual([['Ann'], ['Bob']]);
    expect(await reader.rows('names', { distinctColumn: 'Name' })).toEqual([['Ann'], ['Bob']]);
    expect(await reader.rows('names', by('in', ['Ann', 'Cid']))).toEqual([['Ann']]);
    expect(await reader.rows('names', by('ne', ['Ann']))).toEqual([['Bob']]);
    const tampered = { cardId: 'names', filters: [], lockedFilters: [] };
    expect(issuesOf(await reader.post('card-data', tampered))).toHaveLength(1);
    // A card that has no such field is not shown unfiltered.
    const elsewhere = await givenEmbedToken(api, id, lock(UNKNOWN));
    expect(await elsewhere.reader.post('card-data', { cardId: 'names' })).toMatchObject({
      status: 422,
      body: { code: 'CARD_UNREADABLE' },
    });
  });

  it('ends when it is revoked and when its creator loses the right', async ({ api }) => {
    const { id } = await given(api);
    const { jti, reader } = await givenEmbedToken(api, id, { attributes: { region: 'eu' } });
    expect(await reader.rows('names')).toEqual(EU);
    const revoke = () => api.as('owner').delete(`/api/embed/tokens/${jti}`);
    expect((await api.as('stranger').delete(`/api/embed/tokens/${jti}`)).body.code).toBe('EMBED_TOKEN_NOT_FOUND');
    expect((await revoke()).status).toBe(204);
    expect(await revoke()).toMatchObject({ status: 404, body: { code: 'EMBED_TOKEN_NOT_FOUND' } });
    expect(await reader.post('content', {})).toMatchObject({ status: 404, body: { code: 'SHARE_NOT_FOUND' } });

    const admin = await givenMember(api, 'admin');
    const create = { contentType: 'dashboard', contentId: id };
    const made = await api.as(admin).post('/api/embed/tokens', create);
    const key = await api.as(admin).post('/api/api-keys', { name: 'site', scope: 'admin' });
    const byKey = await api.as({ token: key.body.key }).post('/api/embed/tokens', create);
    const share = await api.as(admin).post('/api/shares', { ...create, ...rls({ region: 'eu' }) });
    const open = (token: string) => api.as('anonymous').get(`/api/shares/${token}`);
    for (const { body } of [made, byKey, share]) expect((await open(body.token)).status).toBe(200);
    // A key that could not create the token any more: limited to objects, or expired.
    const limited = (resources: object[] | null) =>
      api.as('owner').patch(`/api/api-keys/${key.body.id}`, { resources });
    expect((await limited([{ type: 'dashboard', id }])).status).toBe(200);
    expect((await open(byKey.body.token)).status).toBe(404);
    expect((await limited(null)).status).toBe(200);
    expect((await open(byKey.body.token)).status).toBe(200);
    const expire = { set: { validUntil: '2020-01-01T00:00:00.000Z' } };
    const stored = workspaceKey(api.workspaceId, 'API-KEY', key.body.id);
    await api.table.db.send(new UpdateCommand(updateOf(api.table, stored, expire)));
    expect((await open(byKey.body.token)).status).toBe(404);
    expect((await api.as('owner').delete(`/api/workspaces/members/${admin.userId}`)).status).toBe(204);
    for (const { body } of [made, byKey])
      expect(await open(body.token)).toMatchObject({ status: 404, body: { code: 'SHARE_NOT_FOUND' } });
    // A share link belongs to the workspace.
    expect((await open(share.body.token)).status).toBe(200);
  });

  it('is created by admins for published dashboards', async ({ api }) => {
    const { id, path } = await given(api);
    const create = (body: object, caller: 'owner' | 'editor' | 'stranger' = 'owner') =>
      api.as(caller).post('/api/embed/tokens', { contentType: 'dashboard', contentId: id, ...body });
    expect((await create({}, 'editor')).status).toBe(403);
    expect(await create({}, 'stranger')).toMatchObject({ status: 404, body: { code: 'DASHBOARD_NOT_FOUND' } });
    expect(issuesOf(await create({ attributes: { '1': 'a' } }))).toEqual(['/attributes/1 ATTRIBUTE_NAME']);
    expect((await create({ expiresIn: 59 })).status).toBe(400);
    await api.as('editor').put(path, { isPublished: false });
    expect(await create({})).toMatchObject({ status: 409, body: { code: 'DASHBOARD_NOT_PUBLISHED' } });
  });

  it('may be framed only by the listed domains', async ({ api }) => {
    const add = (origin: string, caller: 'owner' | 'editor' = 'owner') =>
      api.as(caller).post('/api/embed/domains', { origin });
    expect((await add('https://app.example.com', 'editor')).status).toBe(403);
    const added = await add('HTTPS://App.Example.com:443/');
    expect(added).toMatchObject({ status: 201, body: { origin: 'https://app.example.com' } });
    expect(await add('https://app.example.com')).toMatchObject({ status: 409, body: { code: 'EMBED_DOMAIN_TAKEN' } });
    for (const origin of ['https://*.example.com', 'http://localhost:3000'])
      expect((await add(origin)).status).toBe(201);
    expect(await add('https://bücher.example')).toMatchObject({ body: { origin: 'https://xn--bcher-kva.example' } });
    const refused = [
      'https://app.example.com:99999',
      'https://u@app.example.com',
      'http://app.example.com',
      '*',
      'https://*',
      'https://a.example.com/x',
      "'self'",
    ];
    for (const origin of [...refused, 'https://a.example.com; script-src *'])
      expect(issuesOf(await add(origin)), origin).toEqual(['/origin FORMAT']);
    expect(issuesOf(await add('https://*.co.uk'))).toEqual(['/origin PUBLIC_SUFFIX']);
    expect((await api.as('owner').get('/api/embed/domains')).body.total).toBe(4);
    const path = `/api/embed/domains/${added.body.id}`;
    expect((await api.as('stranger').delete(path)).body.code).toBe('EMBED_DOMAIN_NOT_FOUND');
    expect((await api.as('owner').delete(path)).status).toBe(204);
    expect((await api.as('owner').delete(path)).body.code).toBe('EMBED_DOMAIN_NOT_FOUND');
    const origins = Array.from({ length: 97 }, (_, index) => `https://site-${index}.example.com`);
    for (const origin of origins) expect((await add(origin)).status).toBe(201);
    expect(await add('https://last.example.com')).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_EMBED_DOMAINS' },
    });
  });
});
