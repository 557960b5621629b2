import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  type LifecycleRule,
  ListMultipartUploadsCommand,
  ListObjectVersionsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'aging';
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

async function bucketWith(s3: RunningS3, rules: Partial<LifecycleRule>[], versioned = false) {
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  if (versioned) {
    await s3.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  }
  const Rules = rules.map((rule, index) => ({ ID: `r${index}`, Status: 'Enabled' as const, ...rule }));
  await s3.client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
}
const put = (s3: RunningS3, Key: string, more: object = {}) =>
  s3.client.send(new PutObjectCommand({ Bucket, Key, Body: Key, ...more }));
async function kept(s3: RunningS3): Promise<string[]> {
  const { Versions = [], DeleteMarkers = [] } = await s3.client.send(new ListObjectVersionsCommand({ Bucket }));
  return [...Versions.map(({ Key }) => Key!), ...DeleteMarkers.map(({ Key }) => `marker of ${Key}`)];
}

it('objects expire at the midnight after their days, by prefix, tag and size', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 12));
  await using s3 = await startS3({ clock });
  await bucketWith(s3, [
    { Filter: { Prefix: 'staging/' }, Expiration: { Days: 2 } },
    { Filter: { And: { Prefix: '', Tags: [{ Key: 'keep', Value: 'no' }] } }, Expiration: { Days: 1 } },
  ]);
  const { Expiration } = await put(s3, 'staging/a');
  expect(Expiration).toBe('expiry-date="Sun, 04 Jan 2026 00:00:00 GMT", rule-id="r0"');
  expect(await s3.client.send(new HeadObjectCommand({ Bucket, Key: 'staging/a' }))).toMatchObject({ Expiration });
  await put(s3, 'kept');
  await put(s3, 'tagged', { Tagging: 'keep=no' });

  await clock.advance(1 * DAY + 12 * HOUR);
  expect(await kept(s3)).toEqual(['kept', 'staging/a']);
  await clock.advance(DAY - 1);
  expect(await kept(s3)).toEqual(['kept', 'staging/a']);
  await clock.advance(1);
  expect(await kept(s3)).toEqual(['kept']);
});

it('an object in a versioned bucket expires behind a marker; old versions and the lone marker follow', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using s3 = await startS3({ clock });
  const rules = [
    { Filter: { Prefix: '' }, Expiration: { Days: 1 } },
    { Filter: { Prefix: '' }, NoncurrentVersionExpiration: { NoncurrentDays: 3 } },
  ];
  await bucketWith(s3, rules, true);
  await put(s3, 'a');
  await clock.advance(DAY);
  expect(await kept(s3)).toEqual(['a', 'marker of a']);
  await clock.advance(3 * DAY - 1);
  expect(await kept(s3)).toEqual(['a', 'marker of a']);
  await clock.advance(1);
  expect(await kept(s3)).toEqual([]);
});

it("the rule's number of noncurrent versions stays", async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using s3 = await startS3({ clock });
  const NoncurrentVersionExpiration = { NoncurrentDays: 1, NewerNoncurrentVersions: 1 };
  await bucketWith(s3, [{ Filter: { Prefix: '' }, NoncurrentVersionExpiration }], true);
  for (const Body of ['one', 'two', 'three', 'four']) await put(s3, 'a', { Body });
  await clock.advance(2 * DAY);
  expect(await kept(s3)).toEqual(['a', 'a']);
});

it('unfinished uploads are aborted, also those that fell due while the service was off', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1, 1));
  const first = await startS3({ clock });
  await bucketWith(first, [{ Filter: { Prefix: '' }, AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 } }]);
  await first.client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'early' }));
  await clock.advance(2 * DAY);
  await first.client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'late' }));
  const uploads = async (s3: RunningS3) =>
    ((await s3.client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).map(({ Key }) => Key);
  expect(await uploads(first)).toEqual(['early', 'late']);
  await clock.advance(23 * HOUR);
  expect(await uploads(first)).toEqual(['late']);
  await first.stop();
  await clock.advance(3 * DAY);
  await using second = await startS3({ clock, dataDir: first.dataDir });
  expect(await uploads(second)).toEqual([]);
});

it('a delete marker that hides nothing is removed if the rule says so', async () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 1));
  await using s3 = await startS3({ clock });
  await bucketWith(s3, [{ Filter: { Prefix: '' }, Expiration: { ExpiredObjectDeleteMarker: true } }], true);
  const { VersionId } = await put(s3, 'a');
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  await clock.advance(DAY);
  expect(await kept(s3)).toEqual(['a', 'marker of a']);
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId }));
  await clock.advance(DAY);
  expect(await kept(s3)).toEqual([]);
});
