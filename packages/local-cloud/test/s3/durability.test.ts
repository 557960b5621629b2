import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { cases } from '../support/cases.ts';
import { type SpawnedS3, spawnS3 } from './spawn-s3.ts';
import { startS3 } from './start-s3.ts';

const Bucket = 'durable';
const WRITERS = 12;
const ROUNDS = cases(2, 6);
const ACKNOWLEDGED_PER_ROUND = 150;

let dataDir: string;
let running: SpawnedS3 | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 's3-'));
});
afterEach(async () => {
  await running?.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * The possible content of a key: the last acknowledged content, or that of an unfinished write; `null` means no object.
 */
interface Expectation {
  acknowledged: string | null;
  attempted: string | null | undefined;
}
const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

it('SIGKILL under load loses no acknowledged write, shows no half object and forgets no event', async () => {
  const keys = new Map<string, Expectation>();
  const published = new Set<string>();
  const acknowledgedEtags = new Set<string>();
  const onEvent = (event: { detail: unknown }) => {
    const { object } = event.detail as { object: { key: string; etag?: string } };
    published.add(`${object.key} ${object.etag}`);
  };

  running = await spawnS3(dataDir, onEvent);
  await running.client.send(new CreateBucketCommand({ Bucket }));
  const NotificationConfiguration = { EventBridgeConfiguration: {} };
  await running.client.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));

  for (let round = 0; round < ROUNDS; round++) {
    const { client } = running;
    const killed = Promise.withResolvers<void>();
    let acknowledged = 0;
    const onAcknowledged = (key: string, etag: string | undefined) => {
      if (etag) acknowledgedEtags.add(`${key} ${etag}`);
      acknowledged += 1;
      if (acknowledged === ACKNOWLEDGED_PER_ROUND) killed.resolve();
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilKilled(client, `writer-${writer}`, keys, onAcknowledged),
    );
    await killed.promise;
    await running.kill();
    await Promise.all(writers);

    running = await spawnS3(dataDir, onEvent);
    for (const [key, expectation] of keys) {
      const found = await read(running.client, key);
      const possible = [expectation.acknowledged, expectation.attempted].filter((content) => content !== undefined);
      expect(possible, `${key} in round ${round}`).toContain(found);
      expectation.acknowledged = found;
      expectation.attempted = undefined;
    }
  }
  // The journal is published in order, so this event comes after all others.
  await running.client.send(new PutObjectCommand({ Bucket, Key: 'last', Body: 'last' }));
  await expect.poll(() => [...published].some((event) => event.startsWith('last ')), { timeout: 90_000 }).toBe(true);
  const missing = [...acknowledgedEtags].filter((event) => !published.has(event));
  expect(missing).toEqual([]);

  expect(readdirSync(join(dataDir, 'incoming'))).toEqual([]);
  const present = await Promise.all([...keys.keys()].map((key) => read(running!.client, key)));
  const shards = readdirSync(join(dataDir, 'content'));
  const files = shards.flatMap((shard) => readdirSync(join(dataDir, 'content', shard)));
  const unfinishedParts = files.length - present.filter((content) => content !== null).length - 1;
  // A part whose completion was interrupted stays with its upload; nothing else may.
  expect(unfinishedParts).toBeGreaterThanOrEqual(0);
  expect(unfinishedParts).toBeLessThanOrEqual(ROUNDS * WRITERS);
});

it('a restart gives back objects, uploads under way and configurations', async () => {
  const first = await startS3({ dataDir });
  await first.client.send(new CreateBucketCommand({ Bucket }));
  await first.client.send(new PutObjectCommand({ Bucket, Key: 'kept', Body: 'kept', Metadata: { a: 'b' } }));
  const { UploadId } = await first.client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'parts' }));
  const part = { Bucket, Key: 'parts', UploadId, PartNumber: 1, Body: 'part' };
  const { ETag } = await first.client.send(new UploadPartCommand(part));
  await first.stop();

  await using second = await startS3({ dataDir });
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await second.client.send(new CompleteMultipartUploadCommand({ Bucket, Key: 'parts', UploadId, MultipartUpload }));
  expect(await read(second.client, 'parts')).toBe(digest(Buffer.from('part')));
  expect(await second.client.send(new GetObjectCommand({ Bucket, Key: 'kept' }))).toMatchObject({
    Metadata: { a: 'b' },
  });
});

/** Writes to five keys in turn until the server no longer answers. */
async function writeUntilKilled(
  client: S3Client,
  folder: string,
  keys: Map<string, Expectation>,
  onAcknowledged: (key: string, etag: string | undefined) => void,
): Promise<void> {
  for (let turn = 0; ; turn++) {
    const key = `${folder}/${turn % 5}`;
    const expectation = keys.get(key) ?? { acknowledged: null, attempted: undefined };
    keys.set(key, expectation);
    const content = turn % 7 === 6 ? null : randomBytes(1 + Math.floor(Math.random() * 300_000));
    expectation.attempted = content && digest(content);
    let etag: string | undefined;
    try {
      etag = await write(client, key, content, turn);
    } catch {
      return;
    }
    expectation.acknowledged = expectation.attempted;
    expectation.attempted = undefined;
    onAcknowledged(key, etag);
  }
}

/** Puts, uploads in one part, or deletes (`null`); returns the etag. */
async function write(client: S3Client, Key: string, Body: Buffer | null, turn: number): Promise<string | undefined> {
  if (Body === null) {
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    return undefined;
  }
  if (turn % 3 !== 2) return unquoted((await client.send(new PutObjectCommand({ Bucket, Key, Body }))).ETag);
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  return unquoted(
    (await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }))).ETag,
  );
}

/** The digest of a key's content, whose etag is checked against it; `null` when there is no object. */
async function read(client: S3Client, Key: string): Promise<string | null> {
  try {
    const { Body, ETag } = await client.send(new GetObjectCommand({ Bucket, Key }));
    const content = await Body!.transformToByteArray();
    const md5 = createHash('md5').update(content).digest();
    const ofOnePart = `${createHash('md5').update(md5).digest('hex')}-1`;
    expect([md5.toString('hex'), ofOnePart]).toContain(unquoted(ETag));
    return digest(content);
  } catch (error) {
    if (error instanceof NoSuchKey) return null;
    throw error;
  }
}

function unquoted(etag: string | undefined): string | undefined {
  return etag?.replaceAll('"', '');
}
