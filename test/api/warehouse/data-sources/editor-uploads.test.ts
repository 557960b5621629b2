import { describe, expect } from 'vitest';
import { type Api, it } from '../../../support/api.ts';
import { givenMember, tokenOf } from '../../../support/given/member.ts';
import { givenFileSource, putFile } from '../../../support/given/upload.ts';

const FORBIDDEN = { status: 403, body: { code: 'FORBIDDEN' } };
const CSV = Buffer.from('region,amount\neu,1\n');
const MIB = 1024 ** 2;

const postgres = {
  ...{ name: 'shop', type: 'postgres', secrets: { password: 'secret' } },
  config: { host: 'localhost', port: 5432, database: 'shop', user: 'reader' },
};

async function newKey(api: Api, scope: string): Promise<string> {
  const made = await api.as('owner').post('/api/api-keys', { name: scope, scope });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.key;
}

const uploadTo = (api: Api, token: string, id: string, size = CSV.length) =>
  api.as({ token }).post(`/api/data-sources/${id}/uploads`, { path: 'sales.csv', size });

const completing = { path: 'sales.csv', parts: [{ partNumber: 1, etag: '"0"' }] };

/** The statuses of everything that belongs to uploads. */
async function attempts(api: Api, token: string, id: string): Promise<number[]> {
  const caller = api.as({ token });
  const upload = `/api/data-sources/${id}/uploads/unknown`;
  const replies = await Promise.all([
    caller.post('/api/data-sources', { name: crypto.randomUUID(), type: 'file' }),
    uploadTo(api, token, id),
    caller.post(`${upload}/complete`, completing),
    caller.delete(`${upload}?path=sales.csv`),
  ]);
  return replies.map(({ status }) => status);
}

/** The upload that is completed and the one that is aborted do not exist. */
const [ALLOWED, REFUSED] = [
  [201, 201, 404, 404],
  [403, 403, 403, 403],
];

describe('uploads', () => {
  it('are open to editors, with sources of files of their own', async ({ api }) => {
    const editor = api.as('editor');
    const made = await editor.post('/api/data-sources', { name: 'Files', type: 'file' });
    expect(made).toMatchObject({ status: 201, body: { type: 'file' } });
    const path = `/api/data-sources/${made.body.id}`;
    const upload = await editor.post(`${path}/uploads`, { path: 'sales.csv', size: CSV.length });
    expect((await putFile(upload.body, CSV)).status).toBe(200);
    const columns = await editor.get(`${path}/columns?table=sales.csv`);
    expect(columns.body).toMatchObject({ items: [{ name: 'region' }, { name: 'amount' }] });

    const large = await editor.post(`${path}/uploads`, { path: 'large.csv', size: 70 * MIB });
    expect(large).toMatchObject({ status: 201, body: { kind: 'parts' } });
    expect((await editor.delete(`${path}/uploads/${large.body.uploadId}?path=large.csv`)).status).toBe(204);
  });

  it('open no other kind of source, and nothing else of a source', async ({ api }) => {
    const id = await givenFileSource(api);
    const writes = await newKey(api, 'read/write');
    for (const token of [await api.token('editor'), writes]) {
      const caller = api.as({ token });
      expect(await caller.post('/api/data-sources', postgres)).toMatchObject(FORBIDDEN);
      expect(await caller.post('/api/data-sources/test', postgres)).toMatchObject(FORBIDDEN);
      expect(await caller.patch(`/api/data-sources/${id}`, { name: 'renamed' })).toMatchObject(FORBIDDEN);
      expect(await caller.delete(`/api/data-sources/${id}`)).toMatchObject(FORBIDDEN);
      expect(await caller.post(`/api/data-sources/${id}/sync`)).toMatchObject(FORBIDDEN);
    }
    expect((await api.as('owner').get('/api/data-sources')).body.items).toMatchObject([{ id, name: 'files' }]);
  });

  it('are closed to viewers, to keys that read, and to strangers', async ({ api }) => {
    const id = await givenFileSource(api);
    for (const token of [await api.token('viewer'), await newKey(api, 'read')])
      expect(await attempts(api, token, id)).toEqual(REFUSED);
    expect(await attempts(api, await newKey(api, 'read/write'), id)).toEqual(ALLOWED);
    const notFound = { status: 404, body: { code: 'DATA_SOURCE_NOT_FOUND' } };
    const stranger = await api.token('stranger');
    expect(await uploadTo(api, stranger, id)).toMatchObject(notFound);
    const upload = `/api/data-sources/${id}/uploads/unknown`;
    expect(await api.as('stranger').post(`${upload}/complete`, completing)).toMatchObject(notFound);
    expect(await api.as('stranger').delete(`${upload}?path=sales.csv`)).toMatchObject(notFound);
  });

  it('are for admins alone once one of them says so', async ({ api }) => {
    const id = await givenFileSource(api);
    const person = await givenMember(api, 'editor');
    const set = (actor: 'owner' | 'editor', editorsMayUpload: boolean) =>
      api.as(actor).patch('/api/workspaces/current', { editorsMayUpload });
    expect((await api.as('viewer').get('/api/workspaces/current')).body.editorsMayUpload).toBe(true);
    expect(await set('editor', false)).toMatchObject(FORBIDDEN);
    expect(await set('owner', false)).toMatchObject({ status: 200, body: { editorsMayUpload: false } });

    // Another sign-in and new keys: functions trust for some seconds what they have seen.
    expect(await attempts(api, await tokenOf(api, person), id)).toEqual(REFUSED);
    expect(await attempts(api, await newKey(api, 'read/write'), id)).toEqual(REFUSED);
    expect(await attempts(api, await newKey(api, 'admin'), id)).toEqual(ALLOWED);
    expect(await attempts(api, await api.token('owner'), id)).toEqual(ALLOWED);

    await set('owner', true);
    expect(await attempts(api, await tokenOf(api, person), id)).toEqual(ALLOWED);
  });
});
