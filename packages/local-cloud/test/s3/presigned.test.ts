import { randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCorsCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'presigned';
const clock = new ManualClock(Math.floor(Date.now() / 1000) * 1000);
let s3: RunningS3;
let client: S3Client;
beforeAll(async () => {
  s3 = await startS3({ clock });
  client = s3.client;
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(() => s3[Symbol.asyncDispose]());

const lifetime = () => ({ expiresIn: 60, signingDate: new Date(clock.now()) });
const sign = (command: GetObjectCommand | PutObjectCommand, more: object = {}) =>
  getSignedUrl(client, command, { ...lifetime(), ...more });

describe('a presigned URL', () => {
  it('uploads with the metadata that it signed, and downloads with its overrides', async () => {
    const upload = await sign(new PutObjectCommand({ Bucket, Key: 'a b+c', Metadata: { from: 'url' } }));
    expect((await fetch(upload, { method: 'PUT', body: 'content' })).status).toBe(200);
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'a b+c' }))).toMatchObject({
      Metadata: { from: 'url' },
    });
    const download = await sign(new GetObjectCommand({ Bucket, Key: 'a b+c', ResponseContentType: 'text/csv' }));
    const reply = await fetch(download);
    expect(reply.headers.get('content-type')).toBe('text/csv');
    expect(await reply.text()).toBe('content');
  });

  it('expires by the clock', async () => {
    const url = await sign(new GetObjectCommand({ Bucket, Key: 'a b+c' }));
    await clock.advance(59_999);
    expect((await fetch(url)).status).toBe(200);
    await clock.advance(1);
    const expired = await fetch(url);
    expect(expired.status).toBe(403);
    expect(await expired.text()).toContain('<Code>AccessDenied</Code><Message>Request has expired</Message>');
  });

  it('must come with the headers that it signed, and no other x-amz ones', async () => {
    const url = await sign(new PutObjectCommand({ Bucket, Key: 'typed', ContentType: 'text/csv' }), {
      signableHeaders: new Set(['content-type']),
    });
    const put = (headers: Record<string, string>) => fetch(url, { method: 'PUT', body: new Uint8Array(3), headers });
    expect(await (await put({})).text()).toContain('SignatureDoesNotMatch');
    expect(await (await put({ 'content-type': 'text/csv', 'x-amz-meta-a': 'b' })).text()).toContain(
      '<HeadersNotSigned>x-amz-meta-a</HeadersNotSigned>',
    );
    expect((await put({ 'content-type': 'text/csv' })).status).toBe(200);
  });

  it('accepts only a body of the signed length and type', async () => {
    const Key = 'exact';
    const signableHeaders = new Set(['content-type', 'content-length']);
    const url = await sign(new PutObjectCommand({ Bucket, Key, ContentType: 'text/csv', ContentLength: 3 }), {
      signableHeaders,
    });
    const put = (body: string, type: string) => fetch(url, { method: 'PUT', body, headers: { 'content-type': type } });
    for (const [body, type] of [
      ['abcd', 'text/csv'],
      ['ab', 'text/csv'],
      ['abc', 'text/html'],
    ] as const) {
      const rejected = await put(body, type);
      expect(rejected.status).toBe(403);
      expect(await rejected.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
    }
    await expect(client.send(new HeadObjectCommand({ Bucket, Key }))).rejects.toMatchObject({ name: 'NotFound' });
    expect((await put('abc', 'text/csv')).status).toBe(200);
  });

  it('is valid only for the signed request', async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: 'mine', Body: 'x' }));
    await client.send(new PutObjectCommand({ Bucket, Key: 'other', Body: 'secret' }));
    const signed = await sign(new GetObjectCommand({ Bucket, Key: 'mine', ResponseContentType: 'text/csv' }));
    const changed = (change: (url: URL) => void) => {
      const url = new URL(signed);
      change(url);
      return url;
    };
    const forgeries: [URL, string?][] = [
      [changed((url) => (url.pathname = `/${Bucket}/other`))],
      [changed((url) => url.searchParams.set('response-content-type', 'text/html'))],
      [changed((url) => url.searchParams.delete('response-content-type'))],
      [changed((url) => url.searchParams.set('X-Amz-Expires', '3600'))],
      [changed((url) => url.searchParams.set('X-Amz-Signature', '00'.repeat(32)))],
      [new URL(signed), 'DELETE'],
    ];
    for (const [url, method = 'GET'] of forgeries) {
      const rejected = await fetch(url, { method });
      expect(rejected.status, url.search).toBe(403);
      expect(await rejected.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
    }
    expect((await fetch(signed)).status).toBe(200);
  });

  it('must be signed with the credentials of the local cloud', async () => {
    const foreign = s3.newClient({ credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' } });
    const options = { signingDate: new Date(clock.now()) };
    const url = await getSignedUrl(foreign, new GetObjectCommand({ Bucket, Key: 'mine' }), options);
    expect(await (await fetch(url)).text()).toContain('<Code>InvalidAccessKeyId</Code>');
    const guessed = s3.newClient({ credentials: { accessKeyId: 'local', secretAccessKey: 'guess' } });
    const other = await getSignedUrl(guessed, new GetObjectCommand({ Bucket, Key: 'mine' }), options);
    expect(await (await fetch(other)).text()).toContain('<Code>SignatureDoesNotMatch</Code>');
    for (const client of [foreign, guessed]) client.destroy();
  });

  it('uploads the parts of a large object, each of its signed length', async () => {
    const Key = 'in-parts';
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'text/csv' }));
    const bodies = [randomBytes(5 * 1024 ** 2), randomBytes(10)];
    const signPart = (PartNumber: number, ContentLength: number) =>
      getSignedUrl(client, new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, ContentLength }), {
        ...lifetime(),
        signableHeaders: new Set(['content-length']),
      });
    const tooLong = await fetch(await signPart(1, 10), { method: 'PUT', body: bodies[0]! });
    expect(await tooLong.text()).toContain('<Code>SignatureDoesNotMatch</Code>');
    const Parts = await Promise.all(
      bodies.map(async (body, index) => {
        const reply = await fetch(await signPart(index + 1, body.length), { method: 'PUT', body });
        expect(reply.status).toBe(200);
        return { PartNumber: index + 1, ETag: reply.headers.get('etag')! };
      }),
    );
    await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
    const stored = await client.send(new GetObjectCommand({ Bucket, Key }));
    expect(stored.ContentType).toBe('text/csv');
    expect(Buffer.from(await stored.Body!.transformToByteArray()).equals(Buffer.concat(bodies))).toBe(true);
  });
});

describe('CORS', () => {
  const origin = 'https://app.example.com';
  const preflight = async (headers: Record<string, string>) => {
    const url = await sign(new PutObjectCommand({ Bucket, Key: 'from-browser' }));
    return fetch(url, { method: 'OPTIONS', headers });
  };

  it('without rules rejects a preflight and puts no headers on replies', async () => {
    const rejected = await preflight({ origin, 'access-control-request-method': 'PUT' });
    expect(rejected.status).toBe(403);
    expect(await rejected.text()).toContain('CORS is not enabled for this bucket');
    await expect(client.send(new GetBucketCorsCommand({ Bucket }))).rejects.toMatchObject({
      name: 'NoSuchCORSConfiguration',
    });
  });

  it('lets a browser upload and read according to the rules', async () => {
    const CORSRules = [
      {
        ...{ AllowedMethods: ['PUT', 'GET'], AllowedOrigins: ['https://*.example.com'], AllowedHeaders: ['content-*'] },
        ...{ ExposeHeaders: ['ETag'], MaxAgeSeconds: 600 },
      },
    ];
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    expect((await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules).toEqual(CORSRules);

    const asked = { origin, 'access-control-request-method': 'PUT' };
    const allowed = await preflight({ ...asked, 'access-control-request-headers': 'Content-Type' });
    expect(allowed.status).toBe(200);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'PUT, GET',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '600',
    });
    expect((await preflight({ ...asked, 'access-control-request-headers': 'x-other' })).status).toBe(403);
    expect((await preflight({ ...asked, origin: 'https://example.org' })).status).toBe(403);
    expect((await preflight({ origin, 'access-control-request-method': 'DELETE' })).status).toBe(403);

    const app = s3.newClient({ credentials: s3.roleCredentials() });
    const signByApp = (command: GetObjectCommand | PutObjectCommand) => getSignedUrl(app, command, lifetime());
    const upload = await signByApp(new PutObjectCommand({ Bucket, Key: 'from-browser' }));
    const uploaded = await fetch(upload, { method: 'PUT', body: 'x', headers: { origin } });
    expect(Object.fromEntries(uploaded.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'ETag',
    });
    for (const [url, status] of [
      [await signByApp(new GetObjectCommand({ Bucket, Key: 'none' })), 404],
      [upload.replace(/Signature=\w/, 'Signature=x'), 403],
    ] as const) {
      const rejected = await fetch(url, { method: status === 404 ? 'GET' : 'PUT', headers: { origin } });
      expect(rejected.status).toBe(status);
      expect(rejected.headers.get('access-control-allow-origin')).toBe(origin);
    }
    app.destroy();

    // Any page knows the developer's credentials.
    const byPage = await sign(new PutObjectCommand({ Bucket, Key: 'by-page' }));
    for (const [from, status] of [
      [origin, 403],
      ['null', 403],
      ['http://localhost:5173', 200],
    ] as const) {
      expect((await fetch(byPage, { method: 'PUT', body: 'x', headers: { origin: from } })).status).toBe(status);
    }

    await client.send(new DeleteBucketCorsCommand({ Bucket }));
    expect((await preflight(asked)).status).toBe(403);
  });
});
