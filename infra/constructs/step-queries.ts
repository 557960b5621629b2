import { Stack } from 'aws-cdk-lib';
import { CfnWorkGroup } from 'aws-cdk-lib/aws-athena';
import { CfnDatabase } from 'aws-cdk-lib/aws-glue';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { AthenaQueries } from '../../functions/pipelines/workers/run-step/query-states.ts';
import { allow } from './grants.ts';
import { placeholder } from './pipeline-machine.ts';

/** A statement reads at most one tebibyte, which costs five dollars. */
const MAX_BYTES_PER_QUERY = 1024 ** 4;

export interface StepQueriesProps {
  bucket: IBucket;
  /** Steps whose input exceeds this many megabytes move to Athena. */
  fromMb: number;
}

/**
 * Athena for steps that are too large for functions and containers: a work group with a limit, and a database for the
 * tables of attempts. Both are free of charge while idle.
 */
export class StepQueries extends Construct {
  /** The part for the step machine's definition, and the values of its placeholders. */
  readonly definition: AthenaQueries = { workGroup: placeholder('WorkGroup') };
  readonly values: Record<string, string>;
  /** Settings for the functions that run steps. */
  readonly settings: { ATHENA_DATABASE: string; ATHENA_FROM_MB: string };
  readonly #props: StepQueriesProps;
  readonly #database: string;
  readonly #workGroup: string;

  constructor(scope: Construct, id: string, props: StepQueriesProps) {
    super(scope, id);
    this.#props = props;
    const stack = Stack.of(this);
    this.#workGroup = `${stack.stackName}-steps`;
    this.#database = `${stack.stackName.toLowerCase()}_steps`;
    new CfnWorkGroup(this, 'WorkGroup', {
      name: this.#workGroup,
      description: 'Steps of pipelines that are too large for functions and containers.',
      recursiveDeleteOption: true,
      workGroupConfiguration: {
        engineVersion: { selectedEngineVersion: 'Athena engine version 3' },
        bytesScannedCutoffPerQuery: MAX_BYTES_PER_QUERY,
        enforceWorkGroupConfiguration: true,
        publishCloudWatchMetricsEnabled: true,
        resultConfiguration: {
          outputLocation: `s3://${props.bucket.bucketName}/results/athena/`,
          encryptionConfiguration: { encryptionOption: 'SSE_S3' },
        },
      },
    });
    new CfnDatabase(this, 'Database', {
      catalogId: stack.account,
      databaseInput: { name: this.#database, description: 'Tables of the attempts of steps on Athena.' },
    });
    this.values = { WorkGroup: this.#workGroup };
    this.settings = { ATHENA_DATABASE: this.#database, ATHENA_FROM_MB: String(props.fromMb) };
  }

  /** Grants what a query accesses: the work group, the tables of this database, and the objects of attempts. */
  grantRun(grantee: IGrantable): void {
    const { bucket } = this.#props;
    const stack = Stack.of(this);
    const athena = (resource: string) =>
      stack.formatArn({ service: 'athena', resource, resourceName: this.#workGroup });
    const glue = (resource: string) => stack.formatArn({ service: 'glue', resource });
    allow(
      grantee,
      ['athena:StartQueryExecution', 'athena:GetQueryExecution', 'athena:StopQueryExecution', 'athena:GetWorkGroup'],
      [athena('workgroup')],
    );
    allow(
      grantee,
      ['athena:GetDataCatalog'],
      [stack.formatArn({ service: 'athena', resource: 'datacatalog', resourceName: 'AwsDataCatalog' })],
    );
    allow(
      grantee,
      ['glue:GetDatabase', 'glue:GetTable', 'glue:CreateTable', 'glue:DeleteTable', 'glue:GetPartitions'],
      [glue('catalog'), glue(`database/${this.#database}`), glue(`table/${this.#database}/rows_*`)],
    );
    allow(grantee, ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'], [bucket.bucketArn]);
    allow(
      grantee,
      ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
      [bucket.arnForObjects('staging/*'), bucket.arnForObjects('results/*')],
    );
  }
}
