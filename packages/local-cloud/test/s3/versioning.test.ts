import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningS3, startS3 } from './start-s3.ts';

let s3: RunningS3;
let client: S3Client;
let Bucket: string;
let count = 0;
beforeAll(async () => {
  s3 = await startS3();
  client = s3.client;
});
afterAll(() => s3[Symbol.asyncDispose]());
beforeEach(async () => {
  count += 1;
  Bucket = `versions-${count}`;
  await client.send(new CreateBucketCommand({ Bucket }));
});

const versioning = (Status: 'Enabled' | 'Suspended') =>
  client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
const put = async (Key: string, Body: string) =>
  (await client.send(new PutObjectCommand({ Bucket, Key, Body }))).VersionId;
const read = async (Key: string, VersionId?: string) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
  return Body!.transformToString();
};
const remove = (Key: string, VersionId?: string) => client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
async function history(more: object = {}) {
  const page = await client.send(new ListObjectVersionsCommand({ Bucket, ...more }));
  return {
    versions: (page.Versions ?? []).map(({ Key, VersionId, IsLatest }) => [Key, VersionId, IsLatest]),
    markers: (page.DeleteMarkers ?? []).map(({ Key, VersionId, IsLatest }) => [Key, VersionId, IsLatest]),
    page,
  };
}

describe('a versioned bucket', () => {
  it('keeps every version under its id', async () => {
    expect(await put('a', 'before')).toBeUndefined();
    await versioning('Enabled');
    expect(await client.send(new GetBucketVersioningCommand({ Bucket }))).toMatchObject({ Status: 'Enabled' });
    const one = await put('a', 'one');
    const two = await put('a', 'two');
    expect(await read('a')).toBe('two');
    expect(await read('a', one)).toBe('one');
    expect(await read('a', 'null')).toBe('before');
    expect((await history()).versions).toEqual([
      ['a', two, true],
      ['a', one, false],
      ['a', 'null', false],
    ]);
    await expect(read('a', 'x'.repeat(32))).rejects.toMatchObject({ name: 'NoSuchVersion' });
    await expect(read('a', 'malformed')).rejects.toMatchObject({ name: 'InvalidArgument' });
  });

  it('hides a deleted key behind a marker; deleting the marker brings it back', async () => {
    await versioning('Enabled');
    const one = await put('a', 'one');
    const { VersionId: marker, DeleteMarker } = await remove('a');
    expect(DeleteMarker).toBe(true);
    await expect(read('a')).rejects.toMatchObject({ name: 'NoSuchKey' });
    await expect(read('a', marker)).rejects.toMatchObject({ name: 'MethodNotAllowed' });
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'a' }))).rejects.toMatchObject({ name: 'NotFound' });
    expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0);
    expect(await history()).toMatchObject({ versions: [['a', one, false]], markers: [['a', marker, true]] });

    expect(await remove('a', marker)).toMatchObject({ DeleteMarker: true, VersionId: marker });
    expect(await read('a')).toBe('one');
    await expect(client.send(new DeleteBucketCommand({ Bucket }))).rejects.toMatchObject({ name: 'BucketNotEmpty' });
    await remove('a', one);
    await client.send(new DeleteBucketCommand({ Bucket }));
  });

  it('makes the next older version the latest when the latest is removed', async () => {
    await versioning('Enabled');
    const one = await put('a', 'one');
    const two = await put('a', 'two');
    await remove('a', two);
    expect(await read('a')).toBe('one');
    expect((await history()).versions).toEqual([['a', one, true]]);
  });

  it('suspended, writes and deletes the null version only', async () => {
    await versioning('Enabled');
    const one = await put('a', 'one');
    await versioning('Suspended');
    expect(await put('a', 'two')).toBe('null');
    expect(await put('a', 'three')).toBe('null');
    expect((await history()).versions).toEqual([
      ['a', 'null', true],
      ['a', one, false],
    ]);
    expect(await remove('a')).toMatchObject({ VersionId: 'null', DeleteMarker: true });
    expect(await history()).toMatchObject({ versions: [['a', one, false]], markers: [['a', 'null', true]] });
  });

  it('copies a version, and creates again over a delete marker', async () => {
    await versioning('Enabled');
    const one = await put('a', 'one');
    await put('a', 'two');
    const CopySource = `${Bucket}/a?versionId=${one}`;
    const copied = await client.send(new CopyObjectCommand({ Bucket, Key: 'a', CopySource }));
    expect(copied.CopySourceVersionId).toBe(one);
    expect(await read('a')).toBe('one');
    await remove('a');
    await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'new', IfNoneMatch: '*' }));
    expect(await read('a')).toBe('new');
  });

  it('deletes several versions at once', async () => {
    await versioning('Enabled');
    const one = await put('a', 'one');
    const { Deleted } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a', VersionId: one }, { Key: 'b' }] } }),
    );
    expect(Deleted).toMatchObject([
      { Key: 'a', VersionId: one },
      { Key: 'b', DeleteMarker: true, DeleteMarkerVersionId: expect.any(String) },
    ]);
  });
});

describe('ListObjectVersions', () => {
  it.each([1, 2, 3])('gives each version once in pages of %i', async (MaxKeys) => {
    await versioning('Enabled');
    const expected: unknown[] = [];
    for (const Key of ['a', 'b', 'c']) {
      const ids = [await put(Key, '1'), await put(Key, '2')];
      expected.push([Key, ids[1], true], [Key, ids[0], false]);
    }
    await put('folder/x', '1');
    const seen: unknown[] = [];
    const prefixes: unknown[] = [];
    let markers: object | undefined = {};
    while (markers) {
      const { versions, page } = await history({ MaxKeys, Delimiter: '/', ...markers });
      seen.push(...versions);
      prefixes.push(...(page.CommonPrefixes ?? []));
      markers = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
        : undefined;
    }
    expect(seen).toEqual(expected);
    expect(prefixes).toEqual([{ Prefix: 'folder/' }]);
  });
});
