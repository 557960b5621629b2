import { createBucket, deleteBucket, getBucketLocation, headBucket, listBuckets } from './buckets/bucket.ts';
import { deleteDocument, getDocument, putDocument } from './buckets/documents.ts';
import { deleteBucketPolicy, getBucketPolicy, putBucketPolicy } from './buckets/policy.ts';
import { getBucketVersioning, putBucketVersioning } from './buckets/versioning.ts';
import { preflight } from './configurations/cors.ts';
import { listObjects, listObjectsV2 } from './listing/list-objects.ts';
import { listMultipartUploads } from './listing/list-uploads.ts';
import { listObjectVersions } from './listing/list-versions.ts';
import { abortMultipartUpload } from './multipart/abort-upload.ts';
import { completeMultipartUpload } from './multipart/complete-upload.ts';
import { createMultipartUpload } from './multipart/create-upload.ts';
import { listParts } from './multipart/list-parts.ts';
import { uploadPart, uploadPartCopy } from './multipart/upload-part.ts';
import { attributeHeaders } from './objects/attributes.ts';
import { copyObject, copySourceHeaders } from './objects/copy-object.ts';
import { deleteObject } from './objects/delete-object.ts';
import { deleteObjects } from './objects/delete-objects.ts';
import { getObject, headObject } from './objects/get-object.ts';
import { responseOverrideParameters } from './objects/object-headers.ts';
import { deleteObjectTagging, getObjectTagging, putObjectTagging } from './objects/object-tagging.ts';
import { putObject } from './objects/put-object.ts';
import type { Operation } from './operation.ts';

export type Scope = 'service' | 'bucket' | 'object';

/** An operation and its requests. Parameters and `x-amz-` headers outside its lists are rejected. */
export interface OperationDeclaration {
  name: string;
  method: string;
  scope: Scope;
  /** Query parameter of the sub-resource; absent for the bucket or object itself. */
  subresource?: string;
  /** Header that selects the operation. */
  selectedBy?: string;
  parameters?: string[];
  headers?: string[];
  run: Operation;
}

const checksumUpload = [
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
  'x-amz-decoded-content-length',
  'x-amz-checksum-*',
];
const listing = ['prefix', 'delimiter', 'encoding-type'];
const reading = ['versionId', 'partNumber', ...responseOverrideParameters];

/** The first matching operation wins. */
export const operations: readonly OperationDeclaration[] = [
  {
    name: 'ListBuckets',
    method: 'GET',
    scope: 'service',
    parameters: ['prefix', 'continuation-token', 'max-buckets', 'bucket-region'],
    run: listBuckets,
  },

  ...configuration('BucketCors', 'cors', putDocument('cors'), getDocument('cors'), deleteDocument('cors')),
  {
    name: 'PutBucketLifecycleConfiguration',
    method: 'PUT',
    scope: 'bucket',
    subresource: 'lifecycle',
    headers: checksumUpload,
    run: putDocument('lifecycle'),
  },
  {
    name: 'GetBucketLifecycleConfiguration',
    method: 'GET',
    scope: 'bucket',
    subresource: 'lifecycle',
    run: getDocument('lifecycle'),
  },
  {
    name: 'DeleteBucketLifecycle',
    method: 'DELETE',
    scope: 'bucket',
    subresource: 'lifecycle',
    run: deleteDocument('lifecycle'),
  },
  ...configuration(
    'BucketEncryption',
    'encryption',
    putDocument('encryption'),
    getDocument('encryption'),
    deleteDocument('encryption'),
  ),
  ...configuration(
    'PublicAccessBlock',
    'publicAccessBlock',
    putDocument('publicAccessBlock'),
    getDocument('publicAccessBlock'),
    deleteDocument('publicAccessBlock'),
  ),
  ...configuration(
    'BucketTagging',
    'tagging',
    putDocument('tagging'),
    getDocument('tagging'),
    deleteDocument('tagging'),
  ),
  ...configuration(
    'BucketOwnershipControls',
    'ownershipControls',
    putDocument('ownershipControls'),
    getDocument('ownershipControls'),
    deleteDocument('ownershipControls'),
  ),
  ...configuration('BucketLogging', 'logging', putDocument('logging'), getDocument('logging')),
  ...configuration(
    'BucketNotificationConfiguration',
    'notification',
    putDocument('notification'),
    getDocument('notification'),
  ),
  ...configuration('BucketPolicy', 'policy', putBucketPolicy, getBucketPolicy, deleteBucketPolicy),
  ...configuration('BucketVersioning', 'versioning', putBucketVersioning, getBucketVersioning),
  { name: 'GetBucketLocation', method: 'GET', scope: 'bucket', subresource: 'location', run: getBucketLocation },
  {
    name: 'ListObjectVersions',
    method: 'GET',
    scope: 'bucket',
    subresource: 'versions',
    parameters: [...listing, 'key-marker', 'version-id-marker', 'max-keys'],
    run: listObjectVersions,
  },
  {
    name: 'ListMultipartUploads',
    method: 'GET',
    scope: 'bucket',
    subresource: 'uploads',
    parameters: [...listing, 'key-marker', 'upload-id-marker', 'max-uploads'],
    run: listMultipartUploads,
  },
  {
    name: 'ListObjectsV2',
    method: 'GET',
    scope: 'bucket',
    subresource: 'list-type',
    parameters: [...listing, 'continuation-token', 'start-after', 'max-keys', 'fetch-owner'],
    run: listObjectsV2,
  },
  {
    name: 'DeleteObjects',
    method: 'POST',
    scope: 'bucket',
    subresource: 'delete',
    headers: checksumUpload,
    run: deleteObjects,
  },
  {
    name: 'ListObjects',
    method: 'GET',
    scope: 'bucket',
    parameters: [...listing, 'marker', 'max-keys'],
    run: listObjects,
  },
  {
    name: 'CreateBucket',
    method: 'PUT',
    scope: 'bucket',
    headers: ['x-amz-acl', 'x-amz-object-ownership', ...checksumUpload],
    run: createBucket,
  },
  { name: 'HeadBucket', method: 'HEAD', scope: 'bucket', run: headBucket },
  { name: 'DeleteBucket', method: 'DELETE', scope: 'bucket', run: deleteBucket },

  {
    name: 'UploadPartCopy',
    method: 'PUT',
    scope: 'object',
    subresource: 'uploadId',
    selectedBy: 'x-amz-copy-source',
    parameters: ['partNumber'],
    headers: [...copySourceHeaders, 'x-amz-copy-source-range'],
    run: uploadPartCopy,
  },
  {
    name: 'UploadPart',
    method: 'PUT',
    scope: 'object',
    subresource: 'uploadId',
    parameters: ['partNumber'],
    headers: checksumUpload,
    run: uploadPart,
  },
  {
    name: 'CompleteMultipartUpload',
    method: 'POST',
    scope: 'object',
    subresource: 'uploadId',
    headers: ['x-amz-mp-object-size', ...checksumUpload],
    run: completeMultipartUpload,
  },
  {
    name: 'AbortMultipartUpload',
    method: 'DELETE',
    scope: 'object',
    subresource: 'uploadId',
    run: abortMultipartUpload,
  },
  {
    name: 'ListParts',
    method: 'GET',
    scope: 'object',
    subresource: 'uploadId',
    parameters: ['max-parts', 'part-number-marker'],
    run: listParts,
  },
  {
    name: 'CreateMultipartUpload',
    method: 'POST',
    scope: 'object',
    subresource: 'uploads',
    headers: [...attributeHeaders, 'x-amz-checksum-algorithm', 'x-amz-checksum-type'],
    run: createMultipartUpload,
  },
  {
    name: 'PutObjectTagging',
    method: 'PUT',
    scope: 'object',
    subresource: 'tagging',
    parameters: ['versionId'],
    headers: checksumUpload,
    run: putObjectTagging,
  },
  {
    name: 'GetObjectTagging',
    method: 'GET',
    scope: 'object',
    subresource: 'tagging',
    parameters: ['versionId'],
    run: getObjectTagging,
  },
  {
    name: 'DeleteObjectTagging',
    method: 'DELETE',
    scope: 'object',
    subresource: 'tagging',
    parameters: ['versionId'],
    run: deleteObjectTagging,
  },
  {
    name: 'CopyObject',
    method: 'PUT',
    scope: 'object',
    selectedBy: 'x-amz-copy-source',
    headers: [
      ...copySourceHeaders,
      ...attributeHeaders,
      'x-amz-metadata-directive',
      'x-amz-tagging-directive',
      'x-amz-checksum-algorithm',
    ],
    run: copyObject,
  },
  {
    name: 'PutObject',
    method: 'PUT',
    scope: 'object',
    headers: [...attributeHeaders, ...checksumUpload],
    run: putObject,
  },
  {
    name: 'GetObject',
    method: 'GET',
    scope: 'object',
    parameters: reading,
    headers: ['x-amz-checksum-mode'],
    run: getObject,
  },
  {
    name: 'HeadObject',
    method: 'HEAD',
    scope: 'object',
    parameters: reading,
    headers: ['x-amz-checksum-mode'],
    run: headObject,
  },
  { name: 'DeleteObject', method: 'DELETE', scope: 'object', parameters: ['versionId'], run: deleteObject },
];

/** A preflight describes another request, so it accepts all parameters. */
export const preflightOperation = { name: 'Preflight', run: preflight };

/** The operations on one bucket configuration. */
function configuration(
  thing: string,
  subresource: string,
  put: Operation,
  get: Operation,
  remove?: Operation,
): OperationDeclaration[] {
  const on = { scope: 'bucket', subresource } as const;
  return [
    { ...on, name: `Put${thing}`, method: 'PUT', headers: checksumUpload, run: put },
    { ...on, name: `Get${thing}`, method: 'GET', run: get },
    ...(remove ? [{ ...on, name: `Delete${thing}`, method: 'DELETE', run: remove }] : []),
  ];
}
