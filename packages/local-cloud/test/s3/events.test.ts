import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { RecordingBus, type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'telling';

async function notifyingBucket(s3: RunningS3): Promise<void> {
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await s3.client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: { EventBridgeConfiguration: {} },
    }),
  );
}

it("a write and a delete publish events in AWS's form", async () => {
  const clock = new ManualClock();
  await using s3 = await startS3({ clock });
  await notifyingBucket(s3);
  const { ETag } = await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a b/ä', Body: 'content' }));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a b/ä' }));
  const [created, deleted] = await s3.bus.received(2);
  const etag = ETag!.replaceAll('"', '');
  const cause = {
    ...{ 'request-id': expect.stringMatching(/^[0-9A-F]{16}$/), requester: '000000000000' },
    'source-ip-address': expect.stringContaining('127.0.0.1'),
  };
  const sequencer = expect.stringMatching(/^[0-9A-F]{18}$/);
  expect(created).toEqual({
    ...{ source: 'aws.s3', detailType: 'Object Created', resources: [`arn:aws:s3:::${Bucket}`] },
    time: new Date(clock.now()),
    detail: {
      ...{ version: '0', bucket: { name: Bucket }, object: { key: 'a b/ä', size: 7, etag, sequencer } },
      ...{ ...cause, reason: 'PutObject' },
    },
  });
  expect(deleted).toMatchObject({
    detailType: 'Object Deleted',
    detail: {
      ...{ bucket: { name: Bucket }, object: { key: 'a b/ä', sequencer } },
      ...{ ...cause, reason: 'DeleteObject', 'deletion-type': 'Permanently Deleted' },
    },
  });
  const sequencerOf = (event: unknown) =>
    (event as { detail: { object: { sequencer: string } } }).detail.object.sequencer;
  expect(sequencerOf(deleted) > sequencerOf(created)).toBe(true);
});

it('copies, multipart uploads and delete markers publish events with reason and version', async () => {
  await using s3 = await startS3();
  const { client } = s3;
  await notifyingBucket(s3);
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  await client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }));
  const copied = await client.send(new CopyObjectCommand({ Bucket, Key: 'b', CopySource: `${Bucket}/a` }));
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'c' }));
  const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key: 'c', UploadId, PartNumber: 1, Body: 'c' }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await client.send(new CompleteMultipartUploadCommand({ Bucket, Key: 'c', UploadId, MultipartUpload }));
  const marker = await client.send(new DeleteObjectCommand({ Bucket, Key: 'b' }));

  const events = await s3.bus.received(4);
  expect(events.map(({ detail }) => detail)).toMatchObject([
    { reason: 'PutObject', object: { key: 'a' } },
    { reason: 'CopyObject', object: { key: 'b', 'version-id': copied.VersionId } },
    { reason: 'CompleteMultipartUpload', object: { key: 'c', size: 1, etag: expect.stringMatching(/-1$/) } },
    { 'deletion-type': 'Delete Marker Created', object: { key: 'b', 'version-id': marker.VersionId } },
  ]);
  const sequencers = events.map(({ detail }) => (detail as { object: { sequencer: string } }).object.sequencer);
  expect(sequencers).toEqual(sequencers.toSorted());
});

it('a bucket without the configuration publishes nothing, nor does deleting a missing object', async () => {
  await using s3 = await startS3();
  await s3.client.send(new CreateBucketCommand({ Bucket: 'silent' }));
  await s3.client.send(new PutObjectCommand({ Bucket: 'silent', Key: 'a', Body: 'a' }));
  await notifyingBucket(s3);
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'never-was' }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'last', Body: 'a' }));
  expect(await s3.bus.received(1)).toMatchObject([{ detail: { object: { key: 'last' } } }]);
});

it('events that the bus rejected are published later, in order, also after a restart', async () => {
  const clock = new ManualClock();
  const bus = new RecordingBus();
  const first = await startS3({ clock, bus });
  await notifyingBucket(first);
  bus.failing = true;
  for (const Key of ['a', 'b']) await first.client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
  await clock.advance(5000);
  expect(bus.published).toEqual([]);
  await first.stop();

  bus.failing = false;
  await using second = await startS3({ clock, bus, dataDir: first.dataDir });
  await bus.received(2);
  await second.client.send(new PutObjectCommand({ Bucket, Key: 'c', Body: 'c' }));
  const events = await bus.received(3);
  expect(events.map(({ detail }) => (detail as { object: { key: string } }).object.key)).toEqual(['a', 'b', 'c']);
});

it('a bus that recovers gets its events without a further write', async () => {
  const clock = new ManualClock();
  await using s3 = await startS3({ clock });
  await notifyingBucket(s3);
  s3.bus.failing = true;
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }));
  await clock.advance(0);
  s3.bus.failing = false;
  await clock.advance(1000);
  expect(await s3.bus.received(1)).toHaveLength(1);
});
