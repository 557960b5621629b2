import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteBucketCorsCommand,
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  type LifecycleRule,
  PutBucketCorsCommand,
  PutBucketEncryptionCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketOwnershipControlsCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3';
import { resourceType, unless } from '../resource-type.ts';
import { choice, flag, type Infer, list, number, object, policyDocument, required, tags, text } from '../shapes.ts';

const corsRule = object({
  AllowedHeaders: list(text),
  AllowedMethods: required(list(choice('GET', 'PUT', 'POST', 'DELETE', 'HEAD'))),
  AllowedOrigins: required(list(text)),
  ExposedHeaders: list(text),
  Id: text,
  MaxAge: number,
});

const lifecycleRule = object({
  AbortIncompleteMultipartUpload: object({ DaysAfterInitiation: required(number) }),
  ExpirationInDays: number,
  ExpiredObjectDeleteMarker: flag,
  Id: text,
  NoncurrentVersionExpiration: object({ NewerNoncurrentVersions: number, NoncurrentDays: required(number) }),
  Prefix: text,
  Status: required(choice('Enabled', 'Disabled')),
});

export const bucket = resourceType('AWS::S3::Bucket', {
  properties: {
    BucketEncryption: object({
      ServerSideEncryptionConfiguration: required(
        list(
          object({
            BucketKeyEnabled: flag,
            ServerSideEncryptionByDefault: object({ SSEAlgorithm: required(choice('AES256')) }),
          }),
        ),
      ),
    }),
    BucketName: text,
    CorsConfiguration: object({ CorsRules: required(list(corsRule)) }),
    LifecycleConfiguration: object({ Rules: required(list(lifecycleRule)) }),
    NotificationConfiguration: object({
      EventBridgeConfiguration: object({ EventBridgeEnabled: required(flag) }),
    }),
    OwnershipControls: object({
      Rules: required(list(object({ ObjectOwnership: choice('BucketOwnerEnforced') }))),
    }),
    PublicAccessBlockConfiguration: object({
      BlockPublicAcls: flag,
      BlockPublicPolicy: flag,
      IgnorePublicAcls: flag,
      RestrictPublicBuckets: flag,
    }),
    Tags: tags,
    VersioningConfiguration: object({ Status: required(choice('Enabled', 'Suspended')) }),
  },
  attributes: ['Arn', 'DomainName', 'RegionalDomainName'],
  naming: { property: 'BucketName', maxLength: 63, lowerCase: true },
  keepsData: true,
  async provision({ name: Bucket, properties, previous, context }) {
    const { s3 } = context.clients;
    const was = previous?.properties;
    await unless(['BucketAlreadyOwnedByYou'], s3.send(new CreateBucketCommand({ Bucket })));

    const { BucketEncryption, OwnershipControls, PublicAccessBlockConfiguration } = properties;
    if (BucketEncryption) {
      const { ServerSideEncryptionConfiguration: rules } = BucketEncryption;
      const Rules = rules.map(({ ServerSideEncryptionByDefault, BucketKeyEnabled }) => ({
        ApplyServerSideEncryptionByDefault: ServerSideEncryptionByDefault,
        BucketKeyEnabled,
      }));
      await s3.send(new PutBucketEncryptionCommand({ Bucket, ServerSideEncryptionConfiguration: { Rules } }));
    }
    if (OwnershipControls) {
      const Rules = OwnershipControls.Rules.map(() => ({ ObjectOwnership: 'BucketOwnerEnforced' as const }));
      await s3.send(new PutBucketOwnershipControlsCommand({ Bucket, OwnershipControls: { Rules } }));
    }
    if (PublicAccessBlockConfiguration) {
      await s3.send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration }));
    }

    // Versioning can be suspended but not removed.
    const Status = properties.VersioningConfiguration?.Status ?? (was?.VersioningConfiguration && 'Suspended');
    if (Status) {
      await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
    }

    const cors = properties.CorsConfiguration?.CorsRules;
    if (cors) {
      const CORSRules = cors.map(({ ExposedHeaders, Id, MaxAge, ...rule }) => ({
        ...rule,
        ExposeHeaders: ExposedHeaders,
        ID: Id,
        MaxAgeSeconds: MaxAge,
      }));
      await s3.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    } else if (was?.CorsConfiguration) {
      await s3.send(new DeleteBucketCorsCommand({ Bucket }));
    }

    const rules = properties.LifecycleConfiguration?.Rules;
    if (rules) {
      const LifecycleConfiguration = { Rules: rules.map(lifecycle) };
      await s3.send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration }));
    } else if (was?.LifecycleConfiguration) {
      await s3.send(new DeleteBucketLifecycleCommand({ Bucket }));
    }

    const toEventBridge = properties.NotificationConfiguration?.EventBridgeConfiguration?.EventBridgeEnabled ?? false;
    if (toEventBridge || was?.NotificationConfiguration) {
      const NotificationConfiguration = toEventBridge ? { EventBridgeConfiguration: {} } : {};
      await s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration }));
    }
    return {
      ref: Bucket,
      attributes: {
        Arn: `arn:aws:s3:::${Bucket}`,
        DomainName: `${Bucket}.s3.amazonaws.com`,
        RegionalDomainName: `${Bucket}.s3.${context.region}.amazonaws.com`,
      },
    };
  },
  async remove({ name, context }) {
    await unless(['NoSuchBucket'], context.clients.s3.send(new DeleteBucketCommand({ Bucket: name })));
  },
});

function lifecycle(rule: Infer<typeof lifecycleRule>): LifecycleRule {
  const { ExpirationInDays, ExpiredObjectDeleteMarker, Id, Prefix, ...same } = rule;
  return {
    ...same,
    ID: Id,
    Filter: { Prefix: Prefix ?? '' },
    ...((ExpirationInDays ?? ExpiredObjectDeleteMarker) !== undefined && {
      Expiration: { Days: ExpirationInDays, ExpiredObjectDeleteMarker },
    }),
  };
}

export const bucketPolicy = resourceType('AWS::S3::BucketPolicy', {
  properties: { Bucket: required(text), PolicyDocument: required(policyDocument) },
  fixed: ['Bucket'],
  async provision({ name, properties: { Bucket, PolicyDocument }, context }) {
    await context.clients.s3.send(new PutBucketPolicyCommand({ Bucket, Policy: JSON.stringify(PolicyDocument) }));
    return { ref: name };
  },
  async remove({ properties: { Bucket }, context }) {
    await unless(['NoSuchBucket'], context.clients.s3.send(new DeleteBucketPolicyCommand({ Bucket })));
  },
});
