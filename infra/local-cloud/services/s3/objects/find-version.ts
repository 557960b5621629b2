import { invalidArgument, S3Error } from '../errors.ts';
import { requireBucket, requireKey, type S3Deps } from '../operation.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/buckets.ts';
import type { Version } from '../store/versions.ts';

const VERSION_ID_LENGTH = 32;

/** The version id asked for, if any. Throws `InvalidArgument` for one that S3 could not have given. */
export function requestedVersionId(request: S3Request): string | undefined {
  const versionId = request.query.get('versionId');
  if (versionId === null) return undefined;
  return checkedVersionId(versionId);
}

export function checkedVersionId(versionId: string): string {
  if (versionId !== 'null' && versionId.length !== VERSION_ID_LENGTH) {
    throw invalidArgument('Invalid version id specified', 'versionId', versionId);
  }
  return versionId;
}

/**
 * The object version that a request reads. Throws `NoSuchKey`, `NoSuchVersion`, and for a delete marker what S3 says:
 * `NoSuchKey` when it is the latest, `MethodNotAllowed` when it is asked for by its id.
 */
export function findReadable(
  deps: S3Deps,
  place: { bucket: Bucket; key: string; versionId: string | undefined },
): Version {
  const { bucket, key, versionId } = place;
  const { versions } = deps.store;
  const version =
    versionId === undefined ? versions.latest(bucket.name, key) : versions.find(bucket.name, key, versionId);
  if (!version) {
    if (versionId === undefined) throw new S3Error('NoSuchKey', { fields: { Key: key } });
    throw new S3Error('NoSuchVersion', { fields: { Key: key, VersionId: versionId } });
  }
  if (!version.deleteMarker) return version;

  const headers = { 'x-amz-delete-marker': 'true', 'x-amz-version-id': version.versionId };
  if (versionId === undefined) throw new S3Error('NoSuchKey', { fields: { Key: key }, headers });
  throw new S3Error('MethodNotAllowed', {
    fields: { Method: 'GET', ResourceType: 'DeleteMarker' },
    headers: { ...headers, allow: 'DELETE' },
  });
}

/** The version that a request addresses by its path and `versionId`. */
export function findRequested(deps: S3Deps, request: S3Request): { bucket: Bucket; version: Version } {
  const bucket = requireBucket(deps, request);
  const version = findReadable(deps, {
    bucket,
    key: requireKey(request),
    versionId: requestedVersionId(request),
  });
  return { bucket, version };
}
