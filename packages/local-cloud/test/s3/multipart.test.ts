import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'multipart';
const FIVE_MB = 5 * 1024 ** 2;
const first = randomBytes(FIVE_MB);
const second = randomBytes(FIVE_MB + 7);
const last = randomBytes(1000);

let s3: RunningS3;
let client: S3Client;
beforeAll(async () => {
  s3 = await startS3();
  client = s3.client;
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(() => s3[Symbol.asyncDispose]());

async function begin(Key: string, more: Partial<CreateMultipartUploadCommandInput> = {}): Promise<string> {
  return (await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }))).UploadId!;
}
async function part(Key: string, UploadId: string, PartNumber: number, Body: Buffer): Promise<CompletedPart> {
  const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
  return { PartNumber, ETag, ChecksumCRC32 };
}
function complete(Key: string, UploadId: string, Parts: CompletedPart[], more: object = {}) {
  return client.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...more }),
  );
}
async function bytes(Key: string, more: object = {}): Promise<Buffer> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from(await Body!.transformToByteArray());
}
function contentFiles(): string[] {
  const content = join(s3.dataDir, 'content');
  return readdirSync(content).flatMap((shard) => readdirSync(join(content, shard)));
}
const md5 = (content: Buffer) => createHash('md5').update(content).digest();
const crcBase64 = (content: Buffer) => {
  const digest = Buffer.alloc(4);
  digest.writeUInt32BE(crc32(content));
  return digest.toString('base64');
};

describe('a multipart upload', () => {
  it('becomes one object with the etag of its parts, its metadata and a composite checksum', async () => {
    const Key = 'whole';
    const UploadId = await begin(Key, {
      ...{ ContentType: 'application/x-parquet', Metadata: { a: 'b' }, ChecksumAlgorithm: 'CRC32' },
    });
    const parts = [
      await part(Key, UploadId, 1, first),
      await part(Key, UploadId, 5, second),
      await part(Key, UploadId, 9, last),
    ];
    await expect(bytes(Key)).rejects.toMatchObject({ name: 'NoSuchKey' });
    const done = await complete(Key, UploadId, parts);

    const etag = createHash('md5')
      .update(Buffer.concat([first, second, last].map(md5)))
      .digest('hex');
    expect(done).toMatchObject({ ETag: `"${etag}-3"`, ChecksumType: 'COMPOSITE' });
    expect(done.ChecksumCRC32).toMatch(/-3$/);
    const whole = Buffer.concat([first, second, last]);
    expect((await bytes(Key)).equals(whole)).toBe(true);
    const range = `bytes=${FIVE_MB - 3}-${FIVE_MB + second.length + 2}`;
    expect((await bytes(Key, { Range: range })).equals(whole.subarray(FIVE_MB - 3, FIVE_MB + second.length + 3))).toBe(
      true,
    );
    expect(await client.send(new HeadObjectCommand({ Bucket, Key, PartNumber: 2 }))).toMatchObject({
      ...{ ContentLength: second.length, PartsCount: 3, ContentType: 'application/x-parquet', Metadata: { a: 'b' } },
    });
    expect((await bytes(Key, { PartNumber: 3 })).equals(last)).toBe(true);
  });

  it('checks the checksum of the full object, combined from those of the parts', async () => {
    const Key = 'full-object-checksum';
    const upload = { ChecksumAlgorithm: 'CRC32', ChecksumType: 'FULL_OBJECT' } as const;
    const UploadId = await begin(Key, upload);
    const parts = [await part(Key, UploadId, 1, first), await part(Key, UploadId, 2, last)];
    const ChecksumCRC32 = crcBase64(Buffer.concat([first, last]));
    const claim = { ChecksumType: 'FULL_OBJECT' } as const;
    await expect(complete(Key, UploadId, parts, { ...claim, ChecksumCRC32: 'AAAAAA==' })).rejects.toMatchObject({
      name: 'BadDigest',
    });
    expect(await complete(Key, UploadId, parts, { ...claim, ChecksumCRC32 })).toMatchObject({
      ...{ ChecksumCRC32, ChecksumType: 'FULL_OBJECT' },
    });
  });

  it('completed a second time gives the same answer, or NoSuchUpload with other parts', async () => {
    const Key = 'completed-twice';
    const UploadId = await begin(Key);
    const parts = [await part(Key, UploadId, 1, last)];
    const { ETag } = await complete(Key, UploadId, parts);
    expect(await complete(Key, UploadId, parts)).toMatchObject({ ETag });
    await expect(complete(Key, UploadId, [{ ...parts[0], PartNumber: 2 }])).rejects.toMatchObject({
      name: 'NoSuchUpload',
    });
  });

  it('rejects small, missing, changed and disordered parts, and stays open', async () => {
    const Key = 'rejected';
    const UploadId = await begin(Key);
    const one = await part(Key, UploadId, 1, last);
    const two = await part(Key, UploadId, 2, last);
    await expect(complete(Key, UploadId, [one, two])).rejects.toMatchObject({
      ...{ name: 'EntityTooSmall', MinSizeAllowed: String(FIVE_MB), PartNumber: '1' },
    });
    await expect(complete(Key, UploadId, [two, one])).rejects.toMatchObject({ name: 'InvalidPartOrder' });
    await expect(complete(Key, UploadId, [{ ...one, PartNumber: 3 }])).rejects.toMatchObject({ name: 'InvalidPart' });
    await part(Key, UploadId, 1, first);
    await expect(complete(Key, UploadId, [one])).rejects.toMatchObject({ name: 'InvalidPart' });
    await expect(complete(Key, UploadId, [])).rejects.toMatchObject({ name: 'MalformedXML' });
    await expect(part(Key, UploadId, 10_001, last)).rejects.toMatchObject({ name: 'InvalidArgument' });
    await complete(Key, UploadId, [two]);
    expect((await bytes(Key)).equals(last)).toBe(true);
  });

  it('obeys If-None-Match on completion', async () => {
    const Key = 'conditional';
    const UploadId = await begin(Key);
    const parts = [await part(Key, UploadId, 1, last)];
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'earlier' }));
    await expect(complete(Key, UploadId, parts, { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    const { ETag } = await client.send(new HeadObjectCommand({ Bucket, Key }));
    await complete(Key, UploadId, parts, { IfMatch: ETag });
    expect((await bytes(Key)).equals(last)).toBe(true);
  });

  it('aborted leaves nothing, and rejects later parts', async () => {
    const Key = 'aborted';
    const before = contentFiles().length;
    const UploadId = await begin(Key);
    await part(Key, UploadId, 1, last);
    expect(contentFiles()).toHaveLength(before + 1);
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    expect(contentFiles()).toHaveLength(before);
    await expect(part(Key, UploadId, 1, last)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect(contentFiles()).toHaveLength(before);
  });
});

describe('UploadPartCopy', () => {
  it('copies ranges across the parts of its source; a copy of the result has a plain etag', async () => {
    const source = await begin('copy-source');
    await complete('copy-source', source, [
      await part('copy-source', source, 1, first),
      await part('copy-source', source, 2, second),
    ]);
    const content = Buffer.concat([first, second]);
    const Key = 'assembled';
    const UploadId = await begin(Key);
    const copyPart = (PartNumber: number, CopySourceRange?: string) =>
      client.send(
        new UploadPartCopyCommand({
          ...{ Bucket, Key, UploadId, PartNumber, CopySource: `${Bucket}/copy-source`, CopySourceRange },
        }),
      );
    const one = (await copyPart(1, `bytes=1000-${FIVE_MB + 1000}`)).CopyPartResult!;
    const two = (await copyPart(2, 'bytes=0-9')).CopyPartResult!;
    await expect(copyPart(3, `bytes=0-${content.length}`)).rejects.toMatchObject({ name: 'InvalidArgument' });
    await complete(Key, UploadId, [
      { PartNumber: 1, ETag: one.ETag, ChecksumCRC32: one.ChecksumCRC32 },
      { PartNumber: 2, ETag: two.ETag, ChecksumCRC32: two.ChecksumCRC32 },
    ]);
    const expected = Buffer.concat([content.subarray(1000, FIVE_MB + 1001), content.subarray(0, 10)]);
    expect((await bytes(Key)).equals(expected)).toBe(true);

    const copied = await client.send(new CopyObjectCommand({ Bucket, Key: 'plain', CopySource: `${Bucket}/${Key}` }));
    expect(copied.CopyObjectResult).toMatchObject({
      ...{ ETag: `"${md5(expected).toString('hex')}"`, ChecksumType: 'FULL_OBJECT' },
    });
    expect((await bytes('plain')).equals(expected)).toBe(true);
  });
});

describe('listings of uploads', () => {
  it('page through uploads by key and through parts by number', async () => {
    const keys = ['list/a', 'list/b', 'list/folder/c', 'list/folder/d'];
    const ids = await Promise.all(keys.map((Key) => begin(Key, { ChecksumAlgorithm: 'CRC32' })));
    const firstPage = await client.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: 'list/', Delimiter: '/', MaxUploads: 2 }),
    );
    expect(firstPage).toMatchObject({ IsTruncated: true, NextKeyMarker: 'list/b', NextUploadIdMarker: ids[1] });
    expect(firstPage.Uploads?.map(({ Key }) => Key)).toEqual(['list/a', 'list/b']);
    const secondPage = await client.send(
      new ListMultipartUploadsCommand({
        ...{ Bucket, Prefix: 'list/', Delimiter: '/' },
        ...{ KeyMarker: firstPage.NextKeyMarker, UploadIdMarker: firstPage.NextUploadIdMarker },
      }),
    );
    expect(secondPage).toMatchObject({ IsTruncated: false, CommonPrefixes: [{ Prefix: 'list/folder/' }] });
    expect(secondPage.Uploads).toBeUndefined();

    for (const number of [3, 1, 2]) await part('list/a', ids[0]!, number, last);
    const parts = await client.send(new ListPartsCommand({ Bucket, Key: 'list/a', UploadId: ids[0], MaxParts: 2 }));
    expect(parts).toMatchObject({ IsTruncated: true, NextPartNumberMarker: '2' });
    expect(parts.Parts).toMatchObject([
      { PartNumber: 1, Size: last.length, ETag: `"${md5(last).toString('hex')}"`, ChecksumCRC32: crcBase64(last) },
      { PartNumber: 2 },
    ]);
    const rest = await client.send(
      new ListPartsCommand({ Bucket, Key: 'list/a', UploadId: ids[0], PartNumberMarker: '2' }),
    );
    expect(rest.Parts?.map(({ PartNumber }) => PartNumber)).toEqual([3]);
  });
});
