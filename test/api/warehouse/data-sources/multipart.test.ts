import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { GetObjectCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { uploadKey } from '../../../../shared/domains/warehouse/sources/record.ts';
import { type Api, it } from '../../../support/api.ts';
import { dataBucket } from '../../../support/given/bucket.ts';
import { givenFileSource, uploadFile } from '../../../support/given/upload.ts';

const MIB = 1024 ** 2;
/** Nine parts: eight of 8 MiB and a rest. */
const SIZE = 64 * MIB + 12_345;

interface Part {
  partNumber: number;
  url: string;
  size: number;
}

async function begun(api: Api, id: string, path = 'large.csv', size = SIZE) {
  const reply = await api.as('owner').post(`/api/data-sources/${id}/uploads`, { path, size });
  expect(reply).toMatchObject({ status: 201, body: { kind: 'parts' } });
  return reply.body as { uploadId: string; partSize: number; parts: Part[]; expiresAt: string };
}

/** The bytes of a part: recognisable, and other ones in every part. */
const content = ({ partNumber, size }: Part) => Buffer.alloc(size, `part ${partNumber},line\n`);

async function sendPart(part: Part, bytes = content(part)) {
  const reply = await fetch(part.url, { method: 'PUT', body: new Uint8Array(bytes) });
  return { status: reply.status, partNumber: part.partNumber, etag: reply.headers.get('etag') ?? '' };
}

const named = ({ partNumber, etag }: { partNumber: number; etag: string }) => ({ partNumber, etag });
const complete = (api: Api, id: string, uploadId: string, body: object, actor: 'owner' | 'stranger' = 'owner') =>
  api.as(actor).post(`/api/data-sources/${id}/uploads/${encodeURIComponent(uploadId)}/complete`, body);
const abort = (api: Api, id: string, uploadId: string, path: string, actor: 'owner' | 'stranger' = 'owner') =>
  api.as(actor).delete(`/api/data-sources/${id}/uploads/${encodeURIComponent(uploadId)}?path=${path}`);

async function unfinished(api: Api, id: string): Promise<number> {
  const { name, s3 } = await dataBucket(api.endpoint);
  const Prefix = uploadKey(api.workspaceId, id, '');
  return (await s3.send(new ListMultipartUploadsCommand({ Bucket: name, Prefix }))).Uploads?.length ?? 0;
}

describe('an upload in parts', () => {
  it('stores a file of more than 64 MiB byte by byte, in place of the one before, and may be completed again', async ({
    api,
  }) => {
    const id = await givenFileSource(api, { 'large.csv': 'a\n1\n' });
    const { uploadId, partSize, parts, expiresAt } = await begun(api, id);
    expect(partSize).toBe(8 * MIB);
    expect(parts.map(({ size }) => size)).toEqual([...Array(8).fill(8 * MIB), 12_345]);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());

    const sent = [];
    const expected = createHash('sha256');
    for (const part of parts) {
      expected.update(content(part));
      sent.push(await sendPart(part));
    }
    expect(sent.map(({ status }) => status)).toEqual(Array(9).fill(200));
    const listed = async () => (await api.as('editor').get(`/api/data-sources/${id}/tables`)).body.items;
    expect(await listed()).toMatchObject([{ name: 'large.csv', sizeBytes: 4 }]);

    const body = { path: 'large.csv', parts: sent.map(named) };
    const done = await complete(api, id, uploadId, body);
    expect(done).toMatchObject({ status: 200, body: { name: 'large.csv', kind: 'file', sizeBytes: SIZE } });
    expect(await listed()).toEqual([done.body]);
    expect(await complete(api, id, uploadId, body)).toMatchObject({ status: 200, body: done.body });

    const { name, s3 } = await dataBucket(api.endpoint);
    const Key = uploadKey(api.workspaceId, id, 'large.csv');
    const stored = createHash('sha256');
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: name, Key }));
    for await (const chunk of Body as Readable) stored.update(chunk);
    expect(stored.digest('hex')).toBe(expected.digest('hex'));
    expect(await unfinished(api, id)).toBe(0);
  });

  it('has parts of exactly the signed size, number and place', async ({ api }) => {
    const id = await givenFileSource(api);
    const { parts } = await begun(api, id);
    const rest = parts.at(-1)!;
    expect((await sendPart(rest, Buffer.alloc(rest.size + 1))).status).toBe(403);
    const other = new URL(rest.url);
    other.searchParams.set('partNumber', '1');
    expect((await sendPart({ ...rest, url: other.href })).status).toBe(403);
    const elsewhere = rest.url.replace('large.csv', 'other.csv');
    expect((await sendPart({ ...rest, url: elsewhere })).status).toBe(403);
    expect((await sendPart(rest)).status).toBe(200);
  });

  it('is not completed with parts that are missing, too small, out of order or of other content', async ({ api }) => {
    const id = await givenFileSource(api, { 'large.csv': 'a\n1\n' });
    const { uploadId, parts } = await begun(api, id);
    const [rest, first] = [named(await sendPart(parts.at(-1)!)), named(await sendPart(parts[0]!))];
    for (const wrong of [
      [{ partNumber: 2, etag: first.etag }],
      [{ partNumber: 1, etag: '"00000000000000000000000000000000"' }],
      [rest, first],
    ]) {
      expect(await complete(api, id, uploadId, { path: 'large.csv', parts: wrong })).toMatchObject({
        status: 422,
        body: { code: 'UPLOAD_PARTS_INVALID', errors: [{ pointer: '/parts' }] },
      });
    }
    expect(await complete(api, id, uploadId, { path: 'large.csv', parts: [] })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/parts' }] },
    });
    const { items } = (await api.as('editor').get(`/api/data-sources/${id}/tables`)).body;
    expect(items).toMatchObject([{ sizeBytes: 4 }]);
  });

  it('belongs to its path, source and workspace', async ({ api }) => {
    const id = await givenFileSource(api);
    const other = await givenFileSource(api, {}, 'other');
    const { uploadId, parts } = await begun(api, id);
    const body = { path: 'large.csv', parts: [named(await sendPart(parts.at(-1)!))] };
    const unknown = { status: 404, body: { code: 'UPLOAD_NOT_FOUND' } };
    expect(await complete(api, id, uploadId, { ...body, path: 'other.csv' })).toMatchObject(unknown);
    expect(await complete(api, other, uploadId, body)).toMatchObject(unknown);
    expect(await complete(api, id, 'nonsense', body)).toMatchObject(unknown);
    expect(await abort(api, id, uploadId, 'other.csv')).toMatchObject(unknown);
    expect(await abort(api, other, uploadId, 'large.csv')).toMatchObject(unknown);
    const stranger = { status: 404, body: { code: 'DATA_SOURCE_NOT_FOUND' } };
    expect(await complete(api, id, uploadId, body, 'stranger')).toMatchObject(stranger);
    expect(await abort(api, id, uploadId, 'large.csv', 'stranger')).toMatchObject(stranger);
    expect(await api.as('viewer').delete(`/api/data-sources/${id}/uploads/x?path=a`)).toMatchObject({ status: 403 });
    expect(await unfinished(api, id)).toBe(1);
  });

  it('is given up with all its parts', async ({ api }) => {
    const id = await givenFileSource(api);
    const { uploadId, parts } = await begun(api, id);
    const part = named(await sendPart(parts.at(-1)!));
    expect((await abort(api, id, uploadId, 'large.csv')).status).toBe(204);
    expect(await unfinished(api, id)).toBe(0);
    expect(await abort(api, id, uploadId, 'large.csv')).toMatchObject({
      status: 404,
      body: { code: 'UPLOAD_NOT_FOUND' },
    });
    expect(await complete(api, id, uploadId, { path: 'large.csv', parts: [part] })).toMatchObject({
      status: 404,
      body: { code: 'UPLOAD_NOT_FOUND' },
    });
    expect((await sendPart(parts[0]!)).status).toBe(404);
  });

  it('is for files above 64 MiB and up to 100 GiB, in at most 1,000 parts, and of file sources alone', async ({
    api,
  }) => {
    const id = await givenFileSource(api);
    const small = await api.as('owner').post(`/api/data-sources/${id}/uploads`, { path: 'a.csv', size: 64 * MIB });
    expect(small.body.kind).toBe('single');
    const { parts, partSize } = await begun(api, id, 'vast.parquet', 100 * 1024 * MIB);
    expect(parts.length).toBeLessThanOrEqual(1000);
    expect(parts.reduce((sum, { size }) => sum + size, 0)).toBe(100 * 1024 * MIB);
    expect(partSize).toBeLessThanOrEqual(5 * 1024 * MIB);

    const config = { host: '127.0.0.1', database: 'd', user: 'u', ssl: false };
    const database = { name: 'database', type: 'postgres', config, secrets: { password: 'p' } };
    const { id: postgres } = (await api.as('owner').post('/api/data-sources', database)).body;
    const part = { partNumber: 1, etag: 'x' };
    for (const reply of [
      await complete(api, postgres, 'x', { path: 'a.csv', parts: [part] }),
      await abort(api, postgres, 'x', 'a.csv'),
    ]) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'UPLOAD_NOT_SUPPORTED' } });
    }
  });

  it('does not hinder small uploads to the same path', async ({ api }) => {
    const id = await givenFileSource(api);
    await begun(api, id);
    await uploadFile(api, id, 'large.csv', 'a\n1\n');
    const { items } = (await api.as('editor').get(`/api/data-sources/${id}/tables`)).body;
    expect(items).toMatchObject([{ name: 'large.csv', sizeBytes: 4 }]);
  });
});
