import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { type Access, OBJECT_AREAS, type ObjectArea, type ObjectRight } from '../../functions/resources.ts';

/** Grants are as narrow as possible: named actions on named resources. */
const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const WRITE = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'];

/** Access to items by key and query, and to all of them only for what erases. */
export function grantTable(
  grantee: IGrantable,
  table: ITableV2,
  { table: rights, scansTable, indexes = [] }: Pick<Access, 'table' | 'scansTable' | 'indexes'>,
): void {
  if (rights === undefined) return;
  if (rights !== 'write') allow(grantee, READ, [table.tableArn]);
  if (scansTable) allow(grantee, ['dynamodb:Scan'], [table.tableArn]);
  if (indexes.length > 0) {
    allow(
      grantee,
      ['dynamodb:Query'],
      indexes.map((index) => `${table.tableArn}/index/${index}`),
    );
  }
  if (rights !== 'read') allow(grantee, WRITE, [table.tableArn]);
}

export function grantInvoke(grantee: IGrantable, target: IFunction): void {
  allow(grantee, ['lambda:InvokeFunction'], [target.functionArn]);
}

const OBJECT_ACTIONS: Readonly<Record<ObjectRight, string>> = {
  read: 's3:GetObject',
  readVersions: 's3:GetObjectVersion',
  write: 's3:PutObject',
  abortUploads: 's3:AbortMultipartUpload',
  remove: 's3:DeleteObject',
};

/**
 * Access to objects in the given areas. Without permission to list the bucket, S3 answers 403 instead of 404 for a
 * missing object.
 */
export function grantObjects(grantee: IGrantable, bucket: IBucket, rights: NonNullable<Access['objects']>): void {
  for (const [right, areas] of Object.entries(rights) as [ObjectRight, readonly ObjectArea[]][]) {
    allow(
      grantee,
      [OBJECT_ACTIONS[right]],
      areas.map((area) => bucket.arnForObjects(OBJECT_AREAS[area])),
    );
  }
  allow(grantee, ['s3:ListBucket'], [bucket.bucketArn]);
}

export function allow(grantee: IGrantable, actions: string[], resources: string[]): void {
  grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }));
}
