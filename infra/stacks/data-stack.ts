import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, HttpMethods } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

const EXPIRES_FOR_GOOD = { noncurrentVersionExpiration: Duration.days(1) };

/** The table and the bucket, which survive the deletion of the stack. */
export class DataStack extends Stack {
  readonly table: TableV2;
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: true });

    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'expiresAt',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      globalSecondaryIndexes: [
        {
          indexName: 'byCollection',
          partitionKey: { name: 'collection', type: AttributeType.STRING },
          sortKey: { name: 'position', type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
        {
          indexName: 'byDue',
          partitionKey: { name: 'due', type: AttributeType.STRING },
          sortKey: { name: 'dueAt', type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
      ],
    });

    this.bucket = new Bucket(this, 'Data', {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: [
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(2) },
        {
          id: 'replaced-files',
          noncurrentVersionExpiration: Duration.days(30),
          // An expired object leaves a marker, which would stay when its versions are gone.
          expiredObjectDeleteMarker: true,
        },
        // Nothing restores an answer or the output of a step, so their expired versions are billed for one day only.
        { id: 'query-results', prefix: 'results/', expiration: Duration.days(2), ...EXPIRES_FOR_GOOD },
        { id: 'step-outputs', prefix: 'staging/', expiration: Duration.days(30), ...EXPIRES_FOR_GOOD },
      ],
      // Browsers upload directly to the bucket; presigned URLs are their only permission.
      cors: [
        {
          allowedMethods: [HttpMethods.PUT, HttpMethods.GET, HttpMethods.HEAD],
          allowedOrigins: ['*'],
          allowedHeaders: ['*'],
          exposedHeaders: ['ETag'],
          maxAge: 3600,
        },
      ],
    });
    // The construct's own option would add a custom resource with a function; the property has the same effect.
    (this.bucket.node.defaultChild as CfnBucket).addPropertyOverride(
      'NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled',
      true,
    );
  }
}
