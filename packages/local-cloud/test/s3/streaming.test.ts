import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CreateBucketCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cases } from '../support/cases.ts';
import { type SpawnedS3, spawnS3 } from './spawn-s3.ts';

const Bucket = 'large';
const MB = 1024 ** 2;
const PARTS = cases(20, 38);
const PART_SIZE = 8 * MB;
const SIZE = PARTS * PART_SIZE;
const block = randomBytes(MB);

let dataDir: string;
let s3: SpawnedS3;
let idleBytes: number;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 's3-'));
  s3 = await spawnS3(dataDir);
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  idleBytes = await s3.peakBytes();
});
afterAll(async () => {
  await s3.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

function* content(): Generator<Buffer> {
  for (let sent = 0; sent < SIZE; sent += MB) yield block;
}
function contentDigest(): string {
  const sha256 = createHash('sha256');
  for (const chunk of content()) sha256.update(chunk);
  return sha256.digest('hex');
}
async function storedDigest(Key: string): Promise<string> {
  const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key }));
  const sha256 = createHash('sha256');
  for await (const chunk of Body as Readable) sha256.update(chunk);
  return sha256.digest('hex');
}

it('a large object goes in and out in one request, and in parts, with a fraction of its size in memory', async () => {
  const expected = contentDigest();
  const body = Readable.from(content(), { objectMode: false });
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'whole', Body: body, ContentLength: SIZE }));
  expect(await storedDigest('whole')).toBe(expected);

  const upload = new Upload({
    client: s3.client,
    params: { Bucket, Key: 'parts', Body: Readable.from(content(), { objectMode: false }) },
    partSize: PART_SIZE,
    queueSize: 4,
  });
  await upload.done();
  expect(await storedDigest('parts')).toBe(expected);
  expect(await s3.client.send(new HeadObjectCommand({ Bucket, Key: 'parts' }))).toMatchObject({
    ...{ ContentLength: SIZE, ETag: expect.stringMatching(new RegExp(`-${PARTS}"$`)) },
  });
  expect((await s3.peakBytes()) - idleBytes).toBeLessThan(80 * MB);
});
