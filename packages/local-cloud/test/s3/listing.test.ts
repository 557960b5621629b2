import {
  CreateBucketCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'listing';
const keys = [
  'a.txt',
  'folder/1',
  'folder/2',
  'folder/sub/3',
  'folder2/4',
  'z space+plus.txt',
  'ä.txt',
  '\uffee.txt',
  '😀.txt',
];

let s3: RunningS3;
let client: S3Client;
beforeAll(async () => {
  s3 = await startS3();
  client = s3.client;
  await client.send(new CreateBucketCommand({ Bucket }));
  for (const Key of keys.toReversed()) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
});
afterAll(() => s3[Symbol.asyncDispose]());

async function list(more: object = {}) {
  const reply = await client.send(new ListObjectsV2Command({ Bucket, ...more }));
  return {
    keys: (reply.Contents ?? []).map(({ Key }) => Key),
    prefixes: (reply.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
    reply,
  };
}

describe('ListObjectsV2', () => {
  it('lists keys in the byte order of UTF-8, with size, etag and date', async () => {
    const { keys: listed, reply } = await list();
    expect(listed).toEqual(keys);
    expect(reply).toMatchObject({ KeyCount: 9, IsTruncated: false, Name: Bucket, MaxKeys: 1000 });
    expect(reply.Contents?.[0]).toMatchObject({ Key: 'a.txt', Size: 5, StorageClass: 'STANDARD' });
    expect(reply.Contents?.[0]?.ETag).toMatch(/^"[0-9a-f]{32}"$/);
    expect(reply.Contents?.[0]?.LastModified).toBeInstanceOf(Date);
  });

  it('rolls keys up to common prefixes', async () => {
    expect(await list({ Delimiter: '/' })).toMatchObject({
      keys: keys.filter((key) => !key.includes('/')),
      prefixes: ['folder/', 'folder2/'],
    });
    expect(await list({ Delimiter: '/', Prefix: 'folder/' })).toMatchObject({
      keys: ['folder/1', 'folder/2'],
      prefixes: ['folder/sub/'],
    });
    expect(await list({ Prefix: 'folder' })).toMatchObject({ keys: keys.slice(1, 5), prefixes: [] });
    expect(await list({ Delimiter: 'er', Prefix: 'f' })).toMatchObject({ keys: [], prefixes: ['folder'] });
  });

  it.each([1, 2, 3, 1000])('pages of %i give each key and prefix once', async (pageSize) => {
    const seen: (string | undefined)[] = [];
    for await (const page of paginateListObjectsV2({ client, pageSize }, { Bucket, Delimiter: '/' })) {
      const found = [...(page.Contents ?? []), ...(page.CommonPrefixes ?? [])];
      expect(found.length).toBe(page.KeyCount);
      expect(found.length).toBeLessThanOrEqual(pageSize);
      seen.push(...(page.Contents ?? []).map(({ Key }) => Key));
      seen.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix));
    }
    expect(seen.toSorted()).toEqual([...keys.filter((key) => !key.includes('/')), 'folder/', 'folder2/'].toSorted());
  });

  it('starts after a key, and answers an empty page for MaxKeys 0', async () => {
    expect((await list({ StartAfter: 'folder/2' })).keys).toEqual(keys.slice(3));
    expect((await list({ StartAfter: 'folder', Prefix: 'folder/' })).keys).toEqual(keys.slice(1, 4));
    expect((await list({ MaxKeys: 0 })).reply).toMatchObject({ KeyCount: 0, IsTruncated: false });
  });

  it('writes names percent-encoded on request', async () => {
    const { keys: listed, reply } = await list({ EncodingType: 'url', Prefix: 'z' });
    expect(listed).toEqual(['z+space%2Bplus.txt']);
    expect(reply.EncodingType).toBe('url');
  });

  it('rejects a continuation token that it did not issue', async () => {
    await expect(list({ ContinuationToken: '?' })).rejects.toMatchObject({ name: 'InvalidArgument' });
  });
});

describe('ListObjects', () => {
  it('pages by key', async () => {
    const page = await client.send(new ListObjectsCommand({ Bucket, Delimiter: '/', MaxKeys: 2 }));
    expect(page).toMatchObject({ IsTruncated: true, NextMarker: 'folder/' });
    const rest = await client.send(new ListObjectsCommand({ Bucket, Delimiter: '/', Marker: page.NextMarker }));
    expect(rest.CommonPrefixes).toEqual([{ Prefix: 'folder2/' }]);
    expect(rest.Contents?.map(({ Key }) => Key)).toEqual(keys.slice(5));
  });
});
