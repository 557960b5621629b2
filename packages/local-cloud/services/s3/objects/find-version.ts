import { invalidArgument, S3Error } from '../errors.ts';
import { requireBucket, requireKey, type S3Deps } from '../operation.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/buckets.ts';
import type { Version } from '../store/versions.ts';

const VERSION_ID_LENGTH = 32;

/** The requested version id, if any. Throws `InvalidArgument` for an id that S3 cannot have issued. */
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
 * The object version to read. Throws `NoSuchKey`, `NoSuchVersion`, and for a delete marker `NoSuchKey` if it is the
 * latest version or `MethodNotAllowed` if requested by its id.
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

/** The version that the request's path and `versionId` refer to. */
export function findRequested(deps: S3Deps, request: S3Request): { bucket: Bucket; version: Version } {
  const bucket = requireBucket(deps, request);
  const version = findReadable(deps, {
    bucket,
    key: requireKey(request),
    versionId: requestedVersionId(request),
  });
  return { bucket, version };
}
