import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketEncryptionCommand,
  DeleteBucketLifecycleCommand,
  DeleteBucketOwnershipControlsCommand,
  DeleteBucketPolicyCommand,
  DeleteBucketTaggingCommand,
  DeleteObjectCommand,
  DeletePublicAccessBlockCommand,
  GetBucketAclCommand,
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketLocationCommand,
  GetBucketLoggingCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketOwnershipControlsCommand,
  GetBucketPolicyCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  GetObjectAttributesCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketLoggingCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketTaggingCommand,
  PutBucketWebsiteCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'configured';
let s3: RunningS3;
let client: S3Client;
beforeAll(async () => {
  s3 = await startS3();
  client = s3.client;
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(() => s3[Symbol.asyncDispose]());

describe('buckets', () => {
  it('are created, listed by name, found and deleted when empty', async () => {
    await client.send(new CreateBucketCommand({ Bucket: 'another' }));
    const { Buckets } = await client.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual(['another', Bucket]);
    expect(await client.send(new HeadBucketCommand({ Bucket }))).toMatchObject({ BucketRegion: 'us-east-1' });
    await expect(client.send(new HeadBucketCommand({ Bucket: 'missing' }))).rejects.toMatchObject({ name: 'NotFound' });

    await client.send(new PutObjectCommand({ Bucket: 'another', Key: 'a', Body: 'a' }));
    await expect(client.send(new DeleteBucketCommand({ Bucket: 'another' }))).rejects.toMatchObject({
      name: 'BucketNotEmpty',
    });
    await client.send(new DeleteObjectCommand({ Bucket: 'another', Key: 'a' }));
    await client.send(new DeleteBucketCommand({ Bucket: 'another' }));
    await expect(client.send(new DeleteBucketCommand({ Bucket: 'another' }))).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
  });

  it.each(['ab', 'Upper', 'a..b', '192.168.0.1', '-a-', 'a'.repeat(64)])('reject the name %s', async (name) => {
    const creating = client.send(new CreateBucketCommand({ Bucket: name }));
    await expect(creating).rejects.toMatchObject({ name: 'InvalidBucketName' });
  });

  it('belong to the region they are created in', async () => {
    const { LocationConstraint } = await client.send(new GetBucketLocationCommand({ Bucket }));
    expect(LocationConstraint).toBeUndefined();
    await using elsewhere = await startS3({ region: 'eu-west-1' });
    await elsewhere.client.send(new CreateBucketCommand({ Bucket }));
    expect(await elsewhere.client.send(new GetBucketLocationCommand({ Bucket }))).toMatchObject({
      LocationConstraint: 'eu-west-1',
    });
    await expect(elsewhere.client.send(new CreateBucketCommand({ Bucket }))).rejects.toMatchObject({
      name: 'BucketAlreadyOwnedByYou',
    });
    await expect(
      elsewhere.client.send(
        new CreateBucketCommand({ Bucket: 'far', CreateBucketConfiguration: { LocationConstraint: 'eu-west-2' } }),
      ),
    ).rejects.toMatchObject({ name: 'IllegalLocationConstraintException' });
  });
});

describe('bucket configurations are kept and given back', () => {
  it('encryption, which objects then report', async () => {
    const read = async () =>
      (await client.send(new GetBucketEncryptionCommand({ Bucket }))).ServerSideEncryptionConfiguration?.Rules;
    expect(await read()).toMatchObject([{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }]);
    const kms = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: 'arn:aws:kms:us-east-1:000000000000:key/k' } as const;
    const Rules = [{ ApplyServerSideEncryptionByDefault: kms, BucketKeyEnabled: true }];
    await client.send(new PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration: { Rules } }));
    expect(await read()).toEqual(Rules);
    await client.send(new PutObjectCommand({ Bucket, Key: 'encrypted', Body: 'x' }));
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: 'encrypted' }))).toMatchObject({
      ...{ ServerSideEncryption: 'aws:kms', SSEKMSKeyId: kms.KMSMasterKeyID, BucketKeyEnabled: true },
    });
    await client.send(new DeleteBucketEncryptionCommand({ Bucket }));
    expect(await read()).toMatchObject([{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }]);
  });

  it('public access block, which a new bucket has', async () => {
    const read = async () =>
      (await client.send(new GetPublicAccessBlockCommand({ Bucket }))).PublicAccessBlockConfiguration;
    const blocked = {
      ...{ BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true },
    };
    expect(await read()).toEqual(blocked);
    const PublicAccessBlockConfiguration = { ...blocked, BlockPublicPolicy: false };
    await client.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration }));
    expect(await read()).toEqual(PublicAccessBlockConfiguration);
    await client.send(new DeletePublicAccessBlockCommand({ Bucket }));
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchPublicAccessBlockConfiguration' });
  });

  it('policy', async () => {
    const read = async () => (await client.send(new GetBucketPolicyCommand({ Bucket }))).Policy;
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchBucketPolicy' });
    const Policy = '{"Version": "2012-10-17",  "Statement": []}';
    await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
    expect(await read()).toBe(Policy);
    await expect(client.send(new PutBucketPolicyCommand({ Bucket, Policy: 'no' }))).rejects.toMatchObject({
      name: 'MalformedPolicy',
    });
    await client.send(new DeleteBucketPolicyCommand({ Bucket }));
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchBucketPolicy' });
  });

  it('tags', async () => {
    const read = async () => (await client.send(new GetBucketTaggingCommand({ Bucket }))).TagSet;
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchTagSet' });
    const TagSet = [{ Key: 'stack', Value: 'Data: 1+1' }];
    await client.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
    expect(await read()).toEqual(TagSet);
    await client.send(new DeleteBucketTaggingCommand({ Bucket }));
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchTagSet' });
  });

  it('ownership controls', async () => {
    const read = async () =>
      (await client.send(new GetBucketOwnershipControlsCommand({ Bucket }))).OwnershipControls?.Rules;
    expect(await read()).toEqual([{ ObjectOwnership: 'BucketOwnerEnforced' }]);
    const Rules = [{ ObjectOwnership: 'BucketOwnerPreferred' } as const];
    await client.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls: { Rules } }));
    expect(await read()).toEqual(Rules);
    await client.send(new DeleteBucketOwnershipControlsCommand({ Bucket }));
    await expect(read()).rejects.toMatchObject({ name: 'OwnershipControlsNotFoundError' });
  });

  it('logging', async () => {
    const read = async () => (await client.send(new GetBucketLoggingCommand({ Bucket }))).LoggingEnabled;
    expect(await read()).toBeUndefined();
    const LoggingEnabled = { TargetBucket: 'logs', TargetPrefix: 'access/' };
    await client.send(new PutBucketLoggingCommand({ Bucket, BucketLoggingStatus: { LoggingEnabled } }));
    expect(await read()).toEqual(LoggingEnabled);
    await client.send(new PutBucketLoggingCommand({ Bucket, BucketLoggingStatus: {} }));
    expect(await read()).toBeUndefined();
  });

  it('lifecycle', async () => {
    const read = async () => (await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules;
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' });
    const Rules = [
      {
        ...{ ID: 'all', Status: 'Enabled' as const, Filter: { And: { Prefix: 'a/', ObjectSizeGreaterThan: 10 } } },
        ...{ Expiration: { Days: 3 }, NoncurrentVersionExpiration: { NoncurrentDays: 2, NewerNoncurrentVersions: 1 } },
      },
      {
        ...{ ID: 'uploads', Status: 'Disabled' as const, Filter: { Prefix: '' } },
        ...{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } },
      },
    ];
    await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
    expect(await read()).toEqual(Rules);
    const Transitions = [{ Days: 1, StorageClass: 'GLACIER' as const }];
    const moving = { ...Rules[0]!, Transitions };
    await expect(
      client.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: [moving] } })),
    ).rejects.toMatchObject({ name: 'NotImplemented', message: expect.stringContaining('Transition') });
    expect(await read()).toEqual(Rules);
    await client.send(new DeleteBucketLifecycleCommand({ Bucket }));
    await expect(read()).rejects.toMatchObject({ name: 'NoSuchLifecycleConfiguration' });
  });

  it('notifications to EventBridge, and to nothing else', async () => {
    const read = async () => {
      const { EventBridgeConfiguration, QueueConfigurations } = await client.send(
        new GetBucketNotificationConfigurationCommand({ Bucket }),
      );
      return { EventBridgeConfiguration, QueueConfigurations };
    };
    expect(await read()).toEqual({});
    const put = (NotificationConfiguration: object) =>
      client.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
    await put({ EventBridgeConfiguration: {} });
    expect(await read()).toMatchObject({ EventBridgeConfiguration: expect.anything() });
    const QueueArn = 'arn:aws:sqs:us-east-1:000000000000:q';
    await expect(put({ QueueConfigurations: [{ QueueArn, Events: ['s3:ObjectCreated:*'] }] })).rejects.toMatchObject({
      name: 'NotImplemented',
      message: expect.stringContaining('QueueConfiguration'),
    });
    await put({});
    expect(await read()).toEqual({});
  });

  it('versioning is off until it is enabled', async () => {
    expect((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBeUndefined();
  });
});

describe('what is not supported', () => {
  it('is rejected by its name', async () => {
    await expect(client.send(new GetBucketAclCommand({ Bucket }))).rejects.toMatchObject({
      ...{ name: 'NotImplemented', message: expect.stringContaining('"acl"'), $metadata: { httpStatusCode: 501 } },
    });
    await expect(
      client.send(new PutBucketWebsiteCommand({ Bucket, WebsiteConfiguration: { IndexDocument: { Suffix: 'i' } } })),
    ).rejects.toMatchObject({ name: 'NotImplemented', message: expect.stringContaining('"website"') });
    await expect(
      client.send(new GetObjectAttributesCommand({ Bucket, Key: 'a', ObjectAttributes: ['ETag'] })),
    ).rejects.toMatchObject({ name: 'NotImplemented', message: expect.stringContaining('"attributes"') });
    await expect(
      client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a', ObjectLockLegalHoldStatus: 'ON' })),
    ).rejects.toMatchObject({ name: 'NotImplemented', Header: 'x-amz-object-lock-legal-hold' });
    await expect(
      client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a', ACL: 'public-read' })),
    ).rejects.toMatchObject({ name: 'AccessControlListNotSupported' });
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: 'a' }))).rejects.toMatchObject({ name: 'NotFound' });
  });
});
