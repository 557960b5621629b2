import { Aws, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  type IBucket,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** The attribute with the time, in epoch seconds, after which an item is deleted. */
export const EXPIRY_ATTRIBUTE = 'expiresAt';

const EXPIRES_FOR_GOOD = { noncurrentVersionExpiration: Duration.days(1) };

/** The table and the bucket that the deployment works on. */
export interface DataStore {
  table: ITableV2;
  bucket: IBucket;
}

/**
 * The table and the bucket, which survive the deletion of the stack. The deployment works on restored ones instead if
 * the operator names them; its own are kept beside them.
 */
export class DataStack extends Stack implements DataStore {
  readonly table: ITableV2;
  readonly bucket: IBucket;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & Pick<Settings, 'restoredBucket' | 'restoredTableStream'>,
  ) {
    super(scope, id, { ...props, terminationProtection: true });
    const { restoredBucket, restoredTableStream } = props;
    const ownTable = this.#createTable();
    const ownBucket = this.#createBucket();
    this.table = restoredTableStream ? restoredTable(this, restoredTableStream) : ownTable;
    this.bucket = restoredBucket
      ? Bucket.fromBucketAttributes(this, 'RestoredData', {
          bucketArn: `arn:${Aws.PARTITION}:s3:::${restoredBucket}`,
          bucketName: restoredBucket,
        })
      : ownBucket;
    // What `npm run restore` asks for.
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    new CfnOutput(this, 'BucketName', { value: this.bucket.bucketName });
  }

  #createTable(): TableV2 {
    return new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: EXPIRY_ATTRIBUTE,
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
  }

  #createBucket(): Bucket {
    const bucket = new Bucket(this, 'Data', {
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
    (bucket.node.defaultChild as CfnBucket).addPropertyOverride(
      'NotificationConfiguration.EventBridgeConfiguration.EventBridgeEnabled',
      true,
    );
    return bucket;
  }
}

function restoredTable(scope: Construct, tableStreamArn: string): ITableV2 {
  return TableV2.fromTableAttributes(scope, 'RestoredTable', {
    tableArn: tableStreamArn.slice(0, tableStreamArn.indexOf('/stream/')),
    tableStreamArn,
  });
}
