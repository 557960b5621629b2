import { NOTIFICATION } from '../configurations/kinds.ts';
import type { S3Deps } from '../operation.ts';
import type { Bucket } from '../store/buckets.ts';
import type { Deletion, Version } from '../store/versions.ts';

/** Who caused a change: a request, or S3 itself. */
export interface Cause {
  requestId: string;
  requester: string;
  sourceIp?: string;
}

export const lifecycleCause = (requestId: string): Cause => ({ requestId, requester: 's3.amazonaws.com' });

export function requestCause(deps: S3Deps, request: { id: string; sourceIp: string }): Cause {
  return { requestId: request.id, requester: deps.context.accountId, sourceIp: request.sourceIp };
}

/** Journals `Object Created`, in the transaction that creates the version. */
export function journalCreated(
  deps: S3Deps,
  bucket: Bucket,
  version: Version,
  cause: Cause,
  reason: 'PutObject' | 'CopyObject' | 'CompleteMultipartUpload',
): void {
  const object = { key: version.key, size: version.size, etag: version.etag, ...versionId(bucket, version) };
  journal(deps, bucket, 'Object Created', { object, ...causeDetail(cause), reason });
}

/** Journals `Object Deleted` in the transaction that deletes; nothing if nothing was deleted. */
export function journalDeleted(
  deps: S3Deps,
  bucket: Bucket,
  deletion: Deletion,
  cause: Cause,
  reason: 'DeleteObject' | 'Lifecycle Expiration',
): void {
  const version = deletion.marker ?? deletion.removed;
  if (!version) return;
  const object = {
    key: version.key,
    ...(version.etag === '' ? {} : { etag: version.etag }),
    ...versionId(bucket, version),
  };
  journal(deps, bucket, 'Object Deleted', {
    object,
    ...causeDetail(cause),
    reason,
    'deletion-type': deletion.marker ? 'Delete Marker Created' : 'Permanently Deleted',
  });
}

/** The sequencer orders the events of one key: the later change has the greater one. */
function journal(
  deps: S3Deps,
  bucket: Bucket,
  detailType: string,
  detail: { object: object; [name: string]: unknown },
): void {
  const configuration = deps.store.buckets.document(bucket.name, NOTIFICATION);
  if (!configuration?.includes('<EventBridgeConfiguration>')) return;
  deps.store.journal.append((sequence) => {
    const sequencer = sequence.toString(16).toUpperCase().padStart(18, '0');
    const object = { ...detail.object, sequencer };
    return {
      source: 'aws.s3',
      detailType,
      resources: [`arn:aws:s3:::${bucket.name}`],
      time: new Date(deps.context.clock.now()),
      detail: { version: '0', bucket: { name: bucket.name }, ...detail, object },
    };
  });
}

function versionId(bucket: Bucket, version: Version): Record<string, string> {
  return bucket.versioning === null ? {} : { 'version-id': version.versionId };
}

function causeDetail(cause: Cause): Record<string, string> {
  return {
    'request-id': cause.requestId,
    requester: cause.requester,
    ...(cause.sourceIp === undefined ? {} : { 'source-ip-address': cause.sourceIp }),
  };
}
