import { createHash } from 'node:crypto';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  DeleteObjectTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'objects';
let s3: RunningS3;
let client: S3Client;

beforeAll(async () => {
  s3 = await startS3();
  client = s3.client;
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(() => s3[Symbol.asyncDispose]());

async function put(Key: string, Body: string | Buffer = Key) {
  return client.send(new PutObjectCommand({ Bucket, Key, Body }));
}
async function text(Key: string, more: object = {}): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Body!.transformToString();
}

describe('PutObject and GetObject', () => {
  it('give back the content with its headers, metadata, etag and checksum', async () => {
    const Body = 'región,total\nnord,1\n';
    const written = await client.send(
      new PutObjectCommand({
        ...{ Bucket, Key: 'report.csv', Body, ContentType: 'text/csv', CacheControl: 'no-store' },
        ...{ ContentDisposition: 'attachment', ContentEncoding: 'identity', ContentLanguage: 'es' },
        Metadata: { origin: 'test', title: 'plain' },
        Tagging: 'team=data&stage=raw',
      }),
    );
    const md5 = createHash('md5').update(Body).digest('hex');
    expect(written).toMatchObject({ ETag: `"${md5}"`, ChecksumType: 'FULL_OBJECT', ServerSideEncryption: 'AES256' });

    const read = await client.send(new GetObjectCommand({ Bucket, Key: 'report.csv', ChecksumMode: 'ENABLED' }));
    expect(read).toMatchObject({
      ...{ ETag: `"${md5}"`, ContentType: 'text/csv', CacheControl: 'no-store', ContentDisposition: 'attachment' },
      ...{ ContentEncoding: 'identity', ContentLanguage: 'es', ContentLength: Buffer.byteLength(Body), TagCount: 2 },
      ...{ Metadata: { origin: 'test', title: 'plain' }, ChecksumCRC32: written.ChecksumCRC32, AcceptRanges: 'bytes' },
    });
    expect(await read.Body!.transformToString()).toBe(Body);

    const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'report.csv' }));
    expect(head).toMatchObject({ ETag: `"${md5}"`, ContentLength: Buffer.byteLength(Body), ContentType: 'text/csv' });
    expect(head.ChecksumCRC32).toBeUndefined();
  });

  it('keep an empty object', async () => {
    await put('empty', Buffer.alloc(0));
    expect(await text('empty')).toBe('');
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'empty' }))).toMatchObject({ ContentLength: 0 });
  });

  it('replace the object of the same key', async () => {
    await put('twice', 'one');
    await put('twice', 'two!');
    expect(await text('twice')).toBe('two!');
  });

  it.each([
    'a b+c',
    'ä/ö/ü',
    '日本/語',
    'per%20cent',
    'quote\'"<&>',
    'a//b/./../c',
    '/leading',
    'trailing/',
    'emoji😀',
    'tab\tline\n',
    '~!*()$@=;:,?#[]',
  ])('keep the key %j unchanged', async (Key) => {
    await put(Key);
    expect(await text(Key)).toBe(Key);
  });

  it('reject a key of more than 1,024 bytes', async () => {
    await put('k'.repeat(1024));
    await expect(put('k'.repeat(1025))).rejects.toMatchObject({ name: 'KeyTooLongError' });
  });

  it('answer NoSuchKey, NoSuchBucket, and a bare 404 to HEAD', async () => {
    await expect(text('missing')).rejects.toMatchObject({ name: 'NoSuchKey', Key: 'missing' });
    await expect(client.send(new GetObjectCommand({ Bucket: 'no-such-bucket', Key: 'a' }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
      $metadata: { httpStatusCode: 404 },
    });
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'missing' }))).rejects.toMatchObject({
      name: 'NotFound',
    });
  });
});

describe('ranges', () => {
  it.each([
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-30', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
  ])('%s gives %s', async (Range, expected, ContentRange) => {
    await put('digits', '0123456789');
    const reply = await client.send(new GetObjectCommand({ Bucket, Key: 'digits', Range }));
    expect(reply).toMatchObject({ ContentRange, ContentLength: expected.length, $metadata: { httpStatusCode: 206 } });
    expect(await reply.Body!.transformToString()).toBe(expected);
  });

  it('outside the content is InvalidRange, of another unit is ignored', async () => {
    await put('digits', '0123456789');
    await expect(text('digits', { Range: 'bytes=10-' })).rejects.toMatchObject({
      name: 'InvalidRange',
      ActualObjectSize: '10',
    });
    expect(await text('digits', { Range: 'lines=1-2' })).toBe('0123456789');
    await expect(text('digits', { Range: 'bytes=0-1,3-4' })).rejects.toMatchObject({ name: 'NotImplemented' });
  });
});

describe('conditions on reads', () => {
  it('answer 304 to a client that has the object, and 412 to one that expects another', async () => {
    const { ETag } = await put('conditional');
    const { LastModified } = await client.send(new HeadObjectCommand({ Bucket, Key: 'conditional' }));
    const before = new Date(LastModified!.getTime() - 1000);
    const status = async (conditions: object) => {
      try {
        return (await client.send(new GetObjectCommand({ Bucket, Key: 'conditional', ...conditions }))).$metadata
          .httpStatusCode;
      } catch (error) {
        return (error as { $metadata: { httpStatusCode: number } }).$metadata.httpStatusCode;
      }
    };
    expect(await status({ IfNoneMatch: ETag })).toBe(304);
    expect(await status({ IfNoneMatch: '"other"' })).toBe(200);
    expect(await status({ IfMatch: ETag })).toBe(200);
    expect(await status({ IfMatch: '"other"' })).toBe(412);
    expect(await status({ IfModifiedSince: LastModified })).toBe(304);
    expect(await status({ IfModifiedSince: before })).toBe(200);
    expect(await status({ IfUnmodifiedSince: LastModified })).toBe(200);
    expect(await status({ IfUnmodifiedSince: before })).toBe(412);
    expect(await status({ IfMatch: ETag, IfUnmodifiedSince: before })).toBe(200);
    expect(await status({ IfNoneMatch: ETag, IfModifiedSince: before })).toBe(304);
  });

  it('replace reply headers by response-* parameters', async () => {
    await put('override');
    expect(
      await client.send(
        new GetObjectCommand({
          ...{ Bucket, Key: 'override', ResponseContentType: 'text/x-test' },
          ResponseContentDisposition: 'attachment; filename="a.csv"',
        }),
      ),
    ).toMatchObject({ ContentType: 'text/x-test', ContentDisposition: 'attachment; filename="a.csv"' });
  });
});

describe('conditions on writes', () => {
  it('If-None-Match: * creates once', async () => {
    const create = (Body: string) =>
      client.send(new PutObjectCommand({ Bucket, Key: 'create-once', Body, IfNoneMatch: '*' }));
    await create('first');
    await expect(create('second')).rejects.toMatchObject({ name: 'PreconditionFailed', Condition: 'If-None-Match' });
    expect(await text('create-once')).toBe('first');
  });

  it('If-Match replaces only what the writer saw', async () => {
    const { ETag } = await put('guarded', 'one');
    const replace = (IfMatch: string | undefined, Body: string) =>
      client.send(new PutObjectCommand({ Bucket, Key: 'guarded', Body, IfMatch }));
    await replace(ETag, 'two');
    await expect(replace(ETag, 'three')).rejects.toMatchObject({ name: 'PreconditionFailed' });
    expect(await text('guarded')).toBe('two');
    await expect(
      client.send(new PutObjectCommand({ Bucket, Key: 'absent', Body: 'x', IfMatch: ETag })),
    ).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('of twenty concurrent creates exactly one wins', async () => {
    const writers = Array.from({ length: 20 }, (_, index) => `writer ${index}`);
    const outcomes = await Promise.allSettled(
      writers.map((Body) =>
        client.send(new PutObjectCommand({ Bucket, Key: 'race', Body: Body.repeat(5000), IfNoneMatch: '*' })),
      ),
    );
    const winners = writers.filter((_, index) => outcomes[index]!.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await text('race')).toBe(winners[0]!.repeat(5000));
  });

  it('If-Match on a delete removes only what the caller saw', async () => {
    const { ETag } = await put('delete-guarded', 'one');
    await expect(
      client.send(new DeleteObjectCommand({ Bucket, Key: 'delete-guarded', IfMatch: '"other"' })),
    ).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'delete-guarded', IfMatch: ETag }));
    await expect(text('delete-guarded')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});

describe('deleting', () => {
  it('succeeds for a missing object', async () => {
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'never-was' }));
  });

  it('DeleteObjects reports each key separately', async () => {
    await put('batch/a');
    await put('batch/b\u0001&');
    const reply = await client.send(
      new DeleteObjectsCommand({
        Bucket,
        Delete: { Objects: [{ Key: 'batch/a', ETag: '"other"' }, { Key: 'batch/b\u0001&' }, { Key: 'batch/none' }] },
      }),
    );
    expect(reply.Errors).toMatchObject([{ Key: 'batch/a', Code: 'PreconditionFailed' }]);
    expect(reply.Deleted?.map(({ Key }) => Key)).toEqual(['batch/b\u0001&', 'batch/none']);
    expect(await text('batch/a')).toBe('batch/a');
    const quiet = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'batch/a' }], Quiet: true } }),
    );
    expect(quiet.Deleted).toBeUndefined();
  });
});

describe('CopyObject', () => {
  it('copies content, headers, metadata and tags, or replaces them as requested', async () => {
    const source = await client.send(
      new PutObjectCommand({
        ...{ Bucket, Key: 'copy/sou+rce ä', Body: 'content', ContentType: 'text/plain' },
        ...{ Metadata: { a: '1' }, Tagging: 'x=y' },
      }),
    );
    const CopySource = `${Bucket}/${encodeURIComponent('copy/sou+rce ä')}`;
    const copied = await client.send(new CopyObjectCommand({ Bucket, Key: 'copy/same', CopySource }));
    expect(copied.CopyObjectResult).toMatchObject({ ETag: source.ETag, ChecksumCRC32: source.ChecksumCRC32 });
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'copy/same' }))).toMatchObject({
      ContentType: 'text/plain',
      Metadata: { a: '1' },
    });
    expect((await client.send(new GetObjectTaggingCommand({ Bucket, Key: 'copy/same' }))).TagSet).toEqual([
      { Key: 'x', Value: 'y' },
    ]);

    await client.send(
      new CopyObjectCommand({
        ...{ Bucket, Key: 'copy/replaced', CopySource, MetadataDirective: 'REPLACE', Metadata: { b: '2' } },
        ...{ ContentType: 'text/html', TaggingDirective: 'REPLACE', Tagging: 'p=q', ChecksumAlgorithm: 'SHA256' },
      }),
    );
    expect(
      await client.send(new HeadObjectCommand({ Bucket, Key: 'copy/replaced', ChecksumMode: 'ENABLED' })),
    ).toMatchObject({
      ...{ ContentType: 'text/html', Metadata: { b: '2' } },
      ChecksumSHA256: createHash('sha256').update('content').digest('base64'),
    });

    await client.send(new DeleteObjectCommand({ Bucket, Key: 'copy/sou+rce ä' }));
    expect(await text('copy/same')).toBe('content');
  });

  it('obeys conditions on the source, and rejects a copy that changes nothing', async () => {
    const { ETag } = await put('copy/guarded');
    const copy = (more: object) =>
      client.send(new CopyObjectCommand({ Bucket, Key: 'copy/to', CopySource: `${Bucket}/copy/guarded`, ...more }));
    await expect(copy({ CopySourceIfMatch: '"other"' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(copy({ CopySourceIfNoneMatch: ETag })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(copy({ Key: 'copy/guarded' })).rejects.toMatchObject({ name: 'InvalidRequest' });
    await copy({ CopySourceIfMatch: ETag, IfNoneMatch: '*' });
    await expect(copy({ IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await copy({ Key: 'copy/guarded', MetadataDirective: 'REPLACE', Metadata: { now: 'other' } });
    expect(await text('copy/guarded')).toBe('copy/guarded');
  });
});

describe('object tagging', () => {
  it('sets, reads and removes tags, and rejects invalid ones', async () => {
    await put('tagged');
    const TagSet = [{ Key: 'project', Value: 'blue sky' }];
    await client.send(new PutObjectTaggingCommand({ Bucket, Key: 'tagged', Tagging: { TagSet } }));
    expect((await client.send(new GetObjectTaggingCommand({ Bucket, Key: 'tagged' }))).TagSet).toEqual(TagSet);
    const eleven = Array.from({ length: 11 }, (_, index) => ({ Key: `k${index}`, Value: '' }));
    await expect(
      client.send(new PutObjectTaggingCommand({ Bucket, Key: 'tagged', Tagging: { TagSet: eleven } })),
    ).rejects.toMatchObject({ message: 'Object tags cannot be greater than 10' });
    await client.send(new DeleteObjectTaggingCommand({ Bucket, Key: 'tagged' }));
    expect((await client.send(new GetObjectTaggingCommand({ Bucket, Key: 'tagged' }))).TagSet).toEqual([]);
  });
});
