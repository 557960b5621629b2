import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import {
  type ChecksumAlgorithm,
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedFetch, signedHeaders } from '../../testing/signed-request.ts';
import { type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'payloads';
let s3: RunningS3;
let client: S3Client;
beforeAll(async () => {
  s3 = await startS3();
  client = s3.client;
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(() => s3[Symbol.asyncDispose]());

/** A PUT as raw bytes, in the given pieces. */
async function putRaw(
  key: string,
  headers: Record<string, string | number>,
  body: string[] | ((signed: Record<string, string>) => string[]),
): Promise<{ status: number; body: string }> {
  const path = `/${Bucket}/${key}`;
  const signed = await signedHeaders(s3.endpoint, {
    ...{ service: 's3', method: 'PUT', path },
    headers: {
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    },
  });
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${s3.endpoint}${path}`, { method: 'PUT', headers: signed }, async (response) => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
    });
    request.on('error', reject);
    for (const piece of typeof body === 'function' ? body(signed) : body) request.write(piece);
    request.end();
  });
}
async function stored(key: string): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }));
  return Body!.transformToString();
}
const crcOf = (text: string) => {
  const digest = Buffer.alloc(4);
  digest.writeUInt32BE(crc32(text));
  return digest.toString('base64');
};
const md5Of = (text: string) => createHash('md5').update(text).digest('base64');

describe('aws-chunked bodies', () => {
  const trailer = {
    'content-encoding': 'gzip, aws-chunked',
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': 11,
    'x-amz-trailer': 'x-amz-checksum-crc32',
    'transfer-encoding': 'chunked',
  };

  it('are stored without their framing, however they are split', async () => {
    const framed = `5\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:${crcOf('hello world')}\r\n\r\n`;
    for (const size of [1, 3, 7, framed.length]) {
      const pieces = Array.from({ length: Math.ceil(framed.length / size) }, (_, index) =>
        framed.slice(index * size, (index + 1) * size),
      );
      expect(await putRaw(`cut-${size}`, trailer, pieces)).toMatchObject({ status: 200 });
      expect(await stored(`cut-${size}`)).toBe('hello world');
    }
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'cut-1' }))).toMatchObject({
      ...{ ContentEncoding: 'gzip', ContentLength: 11 },
    });
  });

  it('may be signed chunk by chunk, with a signed trailer', async () => {
    const headers = { ...trailer, 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER' };
    const checksum = `x-amz-checksum-crc32:${crcOf('hello world')}`;
    const chunks = ['hello ', 'world', ''];
    /** The body as a client signs it, by AWS's documentation; `change` may forge it. */
    const framed = (seed: string, signedAt: string, change: (body: string) => string) => {
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
      const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
      const scope = [signedAt.slice(0, 8), 'us-east-1', 's3', 'aws4_request'];
      const key = scope.reduce<string | Buffer>(hmac, 'AWS4local') as Buffer;
      let previous = seed;
      const next = (kind: string, ...hashes: string[]) => {
        previous = hmac(key, [kind, signedAt, scope.join('/'), previous, ...hashes].join('\n')).toString('hex');
        return previous;
      };
      const signedChunks = chunks.map((chunk) => {
        const signature = next('AWS4-HMAC-SHA256-PAYLOAD', sha256(''), sha256(chunk));
        return `${chunk.length.toString(16)};chunk-signature=${signature}\r\n${chunk}${chunk && '\r\n'}`;
      });
      const end = `${checksum}\r\nx-amz-trailer-signature:${next('AWS4-HMAC-SHA256-TRAILER', sha256(`${checksum}\n`))}\r\n\r\n`;
      return change(signedChunks.join('') + end);
    };
    const put = (key: string, change = (body: string) => body) =>
      putRaw(key, headers, ({ authorization = '', 'x-amz-date': date = '' }) => [
        framed(/Signature=(\w+)/.exec(authorization)?.[1] ?? '', date, change),
      ]);
    expect(await put('signed')).toMatchObject({ status: 200 });
    expect(await stored('signed')).toBe('hello world');
    for (const change of [
      (body: string) => body.replace('hello', 'HELLO'),
      (body: string) => body.replace(/chunk-signature=\w/, 'chunk-signature=x'),
      (body: string) => body.replace(/;chunk-signature=\w+/, ''),
      (body: string) => body.replace(/trailer-signature:\w/, 'trailer-signature:x'),
      (body: string) => body.replace(/x-amz-trailer-signature:\w+\r\n/, ''),
    ]) {
      expect(await put('forged', change)).toMatchObject({
        ...{ status: 403, body: expect.stringContaining('<Code>SignatureDoesNotMatch</Code>') },
      });
    }
    await expect(stored('forged')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('with a wrong trailing checksum or an early end leave nothing', async () => {
    const wrong = `b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:${crcOf('other')}\r\n\r\n`;
    expect(await putRaw('wrong', trailer, [wrong])).toMatchObject({
      ...{ status: 400, body: expect.stringContaining('<Code>BadDigest</Code>') },
    });
    expect(await putRaw('early', trailer, ['b\r\nhello'])).toMatchObject({
      ...{ status: 400, body: expect.stringContaining('<Code>IncompleteBody</Code>') },
    });
    await expect(stored('wrong')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(stored('early')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('checksums', () => {
  /** The published check value of CRC-64/NVME, for the text 123456789. */
  const checkValue = Buffer.from('ae8b14860a799888', 'hex').toString('base64');

  it.each(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as ChecksumAlgorithm[])(
    'of kind %s are verified and given back',
    async (ChecksumAlgorithm) => {
      await client.send(new PutObjectCommand({ Bucket, Key: ChecksumAlgorithm, Body: '123456789', ChecksumAlgorithm }));
      const head = await client.send(
        new HeadObjectCommand({ Bucket, Key: ChecksumAlgorithm, ChecksumMode: 'ENABLED' }),
      );
      expect(head[`Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32']).toEqual(expect.any(String));
      const name = `x-amz-checksum-${ChecksumAlgorithm.toLowerCase()}`;
      const value = head[`Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32']!;
      const raw = (text: string) => putRaw('checked', { [name]: value, 'content-length': text.length }, [text]);
      expect(await raw('123456789')).toMatchObject({ status: 200 });
      expect(await raw('123456780')).toMatchObject({
        ...{ status: 400, body: expect.stringContaining(`The ${ChecksumAlgorithm} you specified did not match`) },
      });
      expect(await stored('checked')).toBe('123456789');
    },
  );

  it('are computed by S3 itself when the client sends none', async () => {
    await putRaw('none-sent', { 'content-length': 9 }, ['123456789']);
    expect(
      await client.send(new HeadObjectCommand({ Bucket, Key: 'none-sent', ChecksumMode: 'ENABLED' })),
    ).toMatchObject({ ChecksumCRC64NVME: checkValue, ChecksumType: 'FULL_OBJECT' });
  });

  it('by Content-MD5 and x-amz-content-sha256 are verified', async () => {
    const put = (headers: Record<string, string>) => putRaw('md5', { 'content-length': 5, ...headers }, ['hello']);
    expect(await put({ 'content-md5': md5Of('hello') })).toMatchObject({ status: 200 });
    expect((await put({ 'content-md5': md5Of('other') })).body).toContain('<Code>BadDigest</Code>');
    expect((await put({ 'content-md5': 'short' })).body).toContain('<Code>InvalidDigest</Code>');
    const sha256 = createHash('sha256').update('other').digest('hex');
    expect((await put({ 'x-amz-content-sha256': sha256 })).body).toContain('XAmzContentSHA256Mismatch');
  });
});

describe('lengths', () => {
  it('must be announced, and not exceed 5 GB', async () => {
    expect(await putRaw('unannounced', { 'transfer-encoding': 'chunked' }, ['x'])).toMatchObject({ status: 411 });
    const announced = 5 * 1024 ** 3 + 1;
    const reply = await putRaw(
      'huge',
      {
        ...{ 'transfer-encoding': 'chunked', 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' },
        'x-amz-decoded-content-length': announced,
      },
      ['1\r\nx\r\n0\r\n\r\n'],
    );
    expect(reply.body).toContain(`<Code>EntityTooLarge</Code>`);
    expect(reply.body).toContain(`<ProposedSize>${announced}</ProposedSize>`);
  });

  it('of a stream come from ContentLength', async () => {
    const Body = Readable.from([Buffer.from('streamed '), Buffer.from('content')]);
    await client.send(new PutObjectCommand({ Bucket, Key: 'stream', Body, ContentLength: 16 }));
    expect(await stored('stream')).toBe('streamed content');
  });
});

describe('error documents', () => {
  it('name code, message, resource and request id', async () => {
    const reply = await signedFetch(s3.endpoint, { service: 's3', method: 'GET', path: `/${Bucket}/no%20key` });
    expect(reply.headers.get('content-type')).toBe('application/xml');
    const id = reply.headers.get('x-amz-request-id');
    expect(await reply.text()).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code>' +
        '<Message>The specified key does not exist.</Message><Key>no key</Key>' +
        `<Resource>/${Bucket}/no%20key</Resource><RequestId>${id}</RequestId></Error>`,
    );
    const path = await signedFetch(s3.endpoint, { service: 's3', method: 'GET', path: `/${Bucket}/%zz` });
    expect(await path.text()).toContain('<Code>InvalidURI</Code>');
  });
});
