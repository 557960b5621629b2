import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';

/** Rights as narrow as the code that uses them: named actions on named resources. */
const READ = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
const WRITE = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

export const TABLE_INDEXES = ['byCollection', 'byDue'];

/** Items by key and query; never a scan. */
export function grantTable(grantee: IGrantable, table: TableV2, rights: 'read' | 'readWrite'): void {
  allow(grantee, rights === 'read' ? READ : [...READ, ...WRITE], [
    table.tableArn,
    ...TABLE_INDEXES.map((index) => `${table.tableArn}/index/${index}`),
  ]);
}

export function grantInvoke(grantee: IGrantable, target: IFunction): void {
  allow(grantee, ['lambda:InvokeFunction'], [target.functionArn]);
}

/** Results of queries: what lies under `results/` is let go after two days. */
export function grantResults(grantee: IGrantable, bucket: Bucket): void {
  allow(grantee, ['s3:GetObject', 's3:PutObject'], [bucket.arnForObjects('results/*')]);
}

/** All objects of the bucket. */
export function grantObjects(grantee: IGrantable, bucket: Bucket, rights: 'read' | 'readWrite'): void {
  const actions = ['s3:GetObject'];
  if (rights === 'readWrite') actions.push('s3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload');
  allow(grantee, actions, [bucket.arnForObjects('*')]);
  allow(grantee, ['s3:ListBucket'], [bucket.bucketArn]);
}

export function allow(grantee: IGrantable, actions: string[], resources: string[]): void {
  grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement({ actions, resources }));
}
