import { describe, expect, vi } from 'vitest';
import { type Api, it, itWithOwnCompany } from '../../../support/api.ts';
import { givenMember } from '../../../support/given/member.ts';

type Entry = Record<string, unknown> & { id: string; action: string; at: string };

/** The workspace's log is read from an index, which follows the table. */
async function logOf(api: Api, query = '', actor: Parameters<Api['as']>[0] = 'admin'): Promise<Entry[]> {
  const reply = await api.as(actor).get(`/api/audit-log?limit=200${query}`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.items;
}

/** Sign-ins of further people, which the first read may need, take long on a busy machine. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 100 });

const actions = (entries: Entry[]) => entries.map(({ action }) => action);

async function givenGroup(api: Api, name = 'Finance'): Promise<string> {
  return (await api.as('owner').post('/api/groups', { name })).body.id;
}

describe('the audit log', () => {
  it('says who did what to which object, from where, with the members that changed', async ({ api }) => {
    const id = await givenGroup(api);
    const headers = { 'user-agent': 'audit-test/1' };
    const reply = await api
      .as('owner')
      .send('PATCH', `/api/groups/${id}`, { text: '{"name":"Accounting"}', headers, from: '127.0.9.1' });
    await api.as('owner').delete(`/api/groups/${id}`);
    const me = (await api.as('owner').get('/api/auth/me')).body.user;
    await eventually(async () =>
      expect(actions(await logOf(api, `&objectId=${id}`))).toEqual(['group.deleted', 'group.updated', 'group.created']),
    );
    const [deleted, updated, created] = await logOf(api, `&objectId=${id}`);
    expect(updated).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      workspaceId: api.workspaceId,
      action: 'group.updated',
      actor: { type: 'user', id: me.id, name: me.name, email: me.email },
      object: { type: 'group', id, name: 'Accounting' },
      before: { name: 'Finance' },
      after: { name: 'Accounting' },
      address: '127.0.9.1',
      userAgent: 'audit-test/1',
      requestId: reply.headers.get('x-request-id'),
    });
    expect(created).toMatchObject({ before: null, after: { name: 'Finance', description: '', externalId: null } });
    expect(deleted).toMatchObject({ before: { name: 'Accounting' }, after: null });
  });

  it('has no entry for what was rejected, changed nothing or was repeated', async ({ api }) => {
    const id = await givenGroup(api);
    const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
    await api.as('owner').post('/api/groups', { name: 'Once' }, key);
    await api.as('owner').post('/api/groups', { name: 'Once' }, key);
    expect((await api.as('owner').post('/api/groups', { name: 'Once' })).status).toBe(409);
    expect((await api.as('viewer').post('/api/groups', { name: 'Mine' })).status).toBe(403);
    const stale = { headers: { 'if-match': '"9"' } };
    expect((await api.as('owner').patch(`/api/groups/${id}`, { name: 'Late' }, stale)).status).toBe(412);
    const { userId } = await givenMember(api);
    await api.as('owner').put(`/api/groups/${id}/members/${userId}`);
    await api.as('owner').put(`/api/groups/${id}/members/${userId}`);
    await api.as('owner').delete(`/api/groups/${id}/members/${userId}`);
    await api.as('owner').delete(`/api/groups/${id}/members/${userId}`);
    await eventually(async () =>
      expect(actions(await logOf(api)).filter((action) => action.startsWith('group.'))).toEqual([
        'group.member_removed',
        'group.member_added',
        'group.created',
        'group.created',
      ]),
    );
  });

  it('names people as they were when they acted, also after they have left', async ({ api }) => {
    const admin = await givenMember(api, 'admin');
    const { body } = await api.as({ token: admin.token }).post('/api/groups', { name: 'Theirs' });
    await api.as({ token: admin.token }).patch('/api/auth/me', { name: 'Renamed' });
    await api.as('owner').delete(`/api/workspaces/members/${admin.userId}`);
    await eventually(async () => expect(actions(await logOf(api))).toContain('member.removed'));
    const entries = await logOf(api);
    expect(entries.find(({ action }) => action === 'member.removed')).toMatchObject({
      object: { type: 'member', id: admin.userId, name: `Renamed <${admin.email}>` },
      before: { role: 'admin' },
      after: null,
    });
    expect(entries.find(({ object }) => (object as { id: string }).id === body.id)).toMatchObject({
      actor: { id: admin.userId, name: 'New', email: admin.email },
    });
  });

  it('names the API key that acted, and whose it is', async ({ api }) => {
    const owner = (await api.as('owner').get('/api/auth/me')).body.user;
    const key = (await api.as('owner').post('/api/api-keys', { name: 'Importer', scope: 'admin' })).body;
    await api.as({ token: key.key }).post('/api/groups', { name: 'By key' });
    await eventually(async () =>
      expect(await logOf(api, `&actorId=${key.id}`)).toMatchObject([
        { action: 'group.created', actor: { type: 'apiKey', id: key.id, name: 'Importer', email: owner.email } },
      ]),
    );
    expect(await logOf(api, '', { token: key.key })).toEqual(await logOf(api));
  });

  it('is read in parts without a repeated or missing entry, and by its filters', async ({ api }) => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await givenGroup(api, name);
    const wanted = '&action=group.created';
    await eventually(async () => expect(await logOf(api, wanted)).toHaveLength(5));
    const all = await logOf(api, wanted);
    const seen: Entry[] = [];
    let cursor = '';
    do {
      const { body } = await api.as('admin').get(`/api/audit-log?limit=2${wanted}${cursor}`);
      seen.push(...body.items);
      cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
    } while (cursor);
    expect(seen).toEqual(all);
    const [newest, , middle] = all as [Entry, Entry, Entry];
    expect(await logOf(api, `${wanted}&from=${middle.at}&to=${newest.at}`)).toEqual(all.slice(1, 3));
    expect(await logOf(api, '&objectType=webhook')).toEqual([]);
    expect(await logOf(api, '&from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00%2B02:00')).toEqual([]);
    const first = await api.as('admin').get('/api/audit-log?limit=1');
    const next = `/api/audit-log?limit=1&cursor=${first.body.nextCursor}`;
    expect(await api.as('admin').get(`${next}&action=group.created`)).toMatchObject({
      status: 400,
      body: { code: 'CURSOR_MISMATCH' },
    });
    for (const path of ['/api/audit-log', '/api/audit-log/export']) {
      expect(await api.as('admin').get(`${path}?cursor=nonsense`)).toMatchObject({
        status: 400,
        body: { code: 'CURSOR_INVALID' },
      });
    }
  });

  it('of a workspace is for its admins, that of the company for company admins, and nothing for strangers', async ({
    api,
  }) => {
    const id = await givenGroup(api);
    await eventually(async () => expect(await logOf(api, `&objectId=${id}`)).toHaveLength(1));
    expect(await logOf(api, `&objectId=${id}`, 'owner')).toEqual(await logOf(api, `&objectId=${id}`));
    expect(actions(await logOf(api, '&action=user.signed_in', 'owner'))).not.toEqual([]);
    for (const entry of await logOf(api)) expect(entry.workspaceId).toBe(api.workspaceId);
    expect(await logOf(api, `&objectId=${id}`, 'stranger')).toEqual([]);
    expect(await logOf(api, `&workspaceId=${api.workspaceId}`, 'stranger')).toEqual([]);
    expect(await logOf(api, `&workspaceId=${api.workspaceId}&objectId=${id}`, 'owner')).toHaveLength(1);

    const forbidden = { status: 403, body: { code: 'FORBIDDEN' } };
    const elsewhere = `?workspaceId=${crypto.randomUUID()}`;
    for (const path of ['/api/audit-log', '/api/audit-log/export']) {
      expect(await api.as('viewer').get(path)).toMatchObject(forbidden);
      expect(await api.as('editor').get(path)).toMatchObject(forbidden);
      expect(await api.as('admin').get(`${path}${elsewhere}`)).toMatchObject(forbidden);
    }
    for (const actor of ['viewer', 'admin'] as const) {
      expect(await api.as(actor).get('/api/audit-log/settings')).toMatchObject(forbidden);
      expect(await api.as(actor).put('/api/audit-log/settings', { retentionDays: 100 })).toMatchObject(forbidden);
    }
  });

  it('is exported as a file with an entry on each line, which the log shows', async ({ api }) => {
    const id = await givenGroup(api);
    await eventually(async () => expect(await logOf(api, `&objectId=${id}`)).toHaveLength(1));
    const { status, body } = await api.as('admin').get(`/api/audit-log/export?objectId=${id}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { entries: 1, nextCursor: null } });
    const file = await fetch(body.downloadUrl);
    const text = await file.text();
    expect(file.headers.get('content-type')).toBe('application/x-ndjson');
    expect(Buffer.byteLength(text)).toBe(body.bytes);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(await logOf(api, `&objectId=${id}`));
    await eventually(async () =>
      expect(await logOf(api, '&action=audit_log.exported')).toMatchObject([
        { object: { type: 'audit-log' }, after: { entries: 1, objectId: id } },
      ]),
    );
  });

  itWithOwnCompany('is kept as long as the company says', async ({ api }) => {
    const settings = api.as('owner');
    const read = await settings.get('/api/audit-log/settings');
    expect(read.body).toEqual({ retentionDays: 365, updatedBy: null, updatedAt: null, revision: 1 });
    for (const retentionDays of [89, 3651, 100.5]) {
      expect((await settings.put('/api/audit-log/settings', { retentionDays })).status).toBe(400);
    }
    const changed = await settings.put('/api/audit-log/settings', { retentionDays: 90 });
    expect(changed.body).toMatchObject({ retentionDays: 90, revision: 2 });
    const stale = { headers: { 'if-match': '"1"' } };
    expect(await settings.put('/api/audit-log/settings', { retentionDays: 91 }, stale)).toMatchObject({
      status: 412,
      body: { code: 'PRECONDITION_FAILED' },
    });
    expect((await settings.get('/api/audit-log/settings')).body).toEqual(changed.body);
    expect(await logOf(api, '&action=audit_settings.updated', 'owner')).toMatchObject([
      { workspaceId: null, before: { retentionDays: 365 }, after: { retentionDays: 90 } },
    ]);

    const id = await givenGroup(api);
    const [entry] = (await logOf(api, `&objectId=${id}`, 'owner')) as [Entry];
    const stored = await api.stored({
      pk: `C#${api.companyId}#AUDIT#${entry.at.slice(0, 7)}`,
      sk: `${entry.at}#${entry.id}`,
    });
    expect(stored!.expiresAt).toBe(Math.floor(Date.parse(entry.at) / 1000) + 90 * 24 * 60 * 60);
  });
});
