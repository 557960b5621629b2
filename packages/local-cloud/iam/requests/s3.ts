import type { AccessRequest } from '../../core/access/authorizer.ts';
import { ANY } from './place.ts';

/** The parts of a request to S3 that matter to access. */
export interface S3Input {
  bucket?: string | undefined;
  key?: string | undefined;
  query: URLSearchParams;
  header(name: string): string | undefined;
}

/** Actions that are not named like their operation. */
const ACTIONS: Readonly<Record<string, string>> = {
  ListBuckets: 'ListAllMyBuckets',
  HeadBucket: 'ListBucket',
  ListObjects: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  ListObjectVersions: 'ListBucketVersions',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  ListParts: 'ListMultipartUploadParts',
  HeadObject: 'GetObject',
  CopyObject: 'PutObject',
  CreateMultipartUpload: 'PutObject',
  UploadPart: 'PutObject',
  UploadPartCopy: 'PutObject',
  CompleteMultipartUpload: 'PutObject',
  GetBucketCors: 'GetBucketCORS',
  PutBucketCors: 'PutBucketCORS',
  DeleteBucketCors: 'PutBucketCORS',
  GetBucketLifecycleConfiguration: 'GetLifecycleConfiguration',
  PutBucketLifecycleConfiguration: 'PutLifecycleConfiguration',
  DeleteBucketLifecycle: 'PutLifecycleConfiguration',
  GetBucketEncryption: 'GetEncryptionConfiguration',
  PutBucketEncryption: 'PutEncryptionConfiguration',
  DeleteBucketEncryption: 'PutEncryptionConfiguration',
  GetPublicAccessBlock: 'GetBucketPublicAccessBlock',
  PutPublicAccessBlock: 'PutBucketPublicAccessBlock',
  DeletePublicAccessBlock: 'PutBucketPublicAccessBlock',
  DeleteBucketTagging: 'PutBucketTagging',
  DeleteBucketOwnershipControls: 'PutBucketOwnershipControls',
  GetBucketNotificationConfiguration: 'GetBucketNotification',
  PutBucketNotificationConfiguration: 'PutBucketNotification',
};

/** Operations on a version have actions of their own. */
const VERSIONED: Readonly<Record<string, string>> = {
  GetObject: 'GetObjectVersion',
  DeleteObject: 'DeleteObjectVersion',
  GetObjectTagging: 'GetObjectVersionTagging',
  PutObjectTagging: 'PutObjectVersionTagging',
  DeleteObjectTagging: 'DeleteObjectVersionTagging',
};

const CONDITIONAL_CHANGES = ['PutObject', 'CompleteMultipartUpload', 'DeleteObject'];
const WRITES_ATTRIBUTES = ['PutObject', 'CopyObject', 'CreateMultipartUpload'];

export function s3Requests(operation: string, request: S3Input): AccessRequest[] {
  const { bucket, key, query } = request;
  const named = ACTIONS[operation] ?? operation;
  const action = `s3:${query.has('versionId') ? (VERSIONED[named] ?? named) : named}`;
  if (bucket === undefined) return [{ action, resource: ANY }];
  if (key === undefined) {
    // Each deleted object is authorized on its own.
    return operation === 'DeleteObjects'
      ? []
      : [{ action, resource: bucketArn(bucket), context: listingContext(query) }];
  }
  const resource = objectArn(bucket, key);
  const tags = WRITES_ATTRIBUTES.includes(operation) && request.header('x-amz-tagging') !== undefined;
  return [
    { action, resource },
    ...(tags ? [{ action: 's3:PutObjectTagging', resource }] : []),
    ...copySource(request.header('x-amz-copy-source')),
    ...conditionOnContent(operation, request),
  ];
}

/** One object of DeleteObjects. */
export function deleteRequest(bucket: string, key: string, versionId: string | undefined): AccessRequest {
  const action = versionId === undefined ? 's3:DeleteObject' : 's3:DeleteObjectVersion';
  return { action, resource: objectArn(bucket, key) };
}

/** Without this, S3 does not tell whether an object exists: it answers 403 instead of 404. */
export function existenceRequest(bucket: string): AccessRequest {
  return { action: 's3:ListBucket', resource: bucketArn(bucket) };
}

/** Comparing an ETag with the stored object's reveals its content, so it needs the right to read it. */
function conditionOnContent(operation: string, { bucket, key, header }: S3Input): AccessRequest[] {
  const condition = CONDITIONAL_CHANGES.includes(operation) ? header('if-match') : undefined;
  if (condition === undefined || condition === '*') return [];
  return [{ action: 's3:GetObject', resource: objectArn(bucket ?? '', key ?? '') }];
}

function copySource(source: string | undefined): AccessRequest[] {
  if (source === undefined) return [];
  const [path = '', query] = source.split('?versionId=');
  const [bucket = '', ...key] = decodeURIComponent(path.replace(/^\//, '')).split('/');
  const action = query === undefined ? 's3:GetObject' : 's3:GetObjectVersion';
  return [{ action, resource: objectArn(bucket, key.join('/')) }];
}

function listingContext(query: URLSearchParams): Record<string, string> {
  const keys = ['prefix', 'delimiter', 'max-keys'];
  return Object.fromEntries(keys.flatMap((key) => (query.has(key) ? [[`s3:${key}`, query.get(key) as string]] : [])));
}

function bucketArn(bucket: string): string {
  return `arn:aws:s3:::${bucket}`;
}

function objectArn(bucket: string, key: string): string {
  return `${bucketArn(bucket)}/${key}`;
}
