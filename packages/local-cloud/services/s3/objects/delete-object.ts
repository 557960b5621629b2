import { bucketEncryption } from '../configurations/encryption.ts';
import { journalDeleted, requestCause } from '../events/object-events.ts';
import { commit, requireBucket, requireKey, type S3Deps } from '../operation.ts';
import type { Reply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/buckets.ts';
import type { Deletion } from '../store/versions.ts';
import { checkDeleteCondition } from './conditions.ts';
import { requestedVersionId } from './find-version.ts';

/** DeleteObject: deleting a missing object succeeds. */
export function deleteObject(deps: S3Deps, request: S3Request): Reply {
  const versionId = requestedVersionId(request);
  const { bucket, deletion } = commit(deps, () => {
    const bucket = requireBucket(deps, request);
    const deletion = deleteOne(deps, request, bucket, {
      key: requireKey(request),
      versionId,
      etag: request.header('if-match'),
    });
    return { bucket, deletion };
  });
  return {
    status: 204,
    headers: {
      'x-amz-version-id': bucket.versioning === null ? undefined : (versionId ?? deletion.marker?.versionId),
      'x-amz-delete-marker': deletion.marker || deletion.removed?.deleteMarker ? 'true' : undefined,
    },
  };
}

/**
 * Deletes one object, or one version of it, and journals the event, inside a transaction. The condition applies to the
 * latest version. Throws `PreconditionFailed`.
 */
export function deleteOne(
  deps: S3Deps,
  request: S3Request,
  bucket: Bucket,
  target: { key: string; versionId: string | undefined; etag: string | undefined },
): Deletion {
  const { versions } = deps.store;
  checkDeleteCondition(target.etag, versions.latest(bucket.name, target.key));
  let deletion: Deletion;
  if (target.versionId === undefined) {
    deletion = versions.deleteLatest(
      bucket,
      target.key,
      deps.context.clock.now(),
      deleteMarkerAttributes(deps, bucket),
    );
  } else {
    const removed = versions.find(bucket.name, target.key, target.versionId);
    if (removed) versions.remove(removed);
    deletion = { removed };
  }
  journalDeleted(deps, bucket, deletion, requestCause(deps, request), 'DeleteObject');
  return deletion;
}

/** A delete marker has no content; its attributes are those of an empty object. */
export function deleteMarkerAttributes(deps: S3Deps, bucket: Bucket) {
  return { headers: {}, metadata: {}, storageClass: 'STANDARD', encryption: bucketEncryption(deps, bucket) };
}
