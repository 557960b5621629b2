import { bucketEncryption } from '../configurations/encryption.ts';
import { expirationHeader } from '../configurations/expiration-header.ts';
import { journalCreated, requestCause } from '../events/object-events.ts';
import type { Checksum } from '../model.ts';
import { commit, requireBucket, requireKey, type S3Deps } from '../operation.ts';
import { receivePayload } from '../payload/payload.ts';
import type { Reply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { readAttributes, readTagging } from './attributes.ts';
import { checkWriteConditions } from './conditions.ts';
import { checksumHeaders, writtenHeaders } from './object-headers.ts';

/** Maximum body of one request. */
export const MAX_BODY_BYTES = 5 * 1024 ** 3;

/** PutObject: the content is on disk before the object exists; conditions are checked in the same commit. */
export async function putObject(deps: S3Deps, request: S3Request): Promise<Reply> {
  const { store } = deps;
  const key = requireKey(request);
  const asked = requireBucket(deps, request);
  const attributes = readAttributes(request, bucketEncryption(deps, asked));
  const tags = readTagging(request);
  // Reject before the transfer if the request is already known to fail.
  checkWriteConditions(request, store.versions.latest(asked.name, key));

  const { content, result: payload } = await store.content.receive((sink) =>
    receivePayload(request, { maxBytes: MAX_BODY_BYTES }, sink),
  );
  try {
    const checksum: Checksum = { algorithm: payload.algorithm, value: payload.checksum, type: 'FULL_OBJECT' };
    const modified = deps.context.clock.now();
    const { bucket, version } = commit(deps, () => {
      const bucket = requireBucket(deps, request);
      checkWriteConditions(request, store.versions.latest(bucket.name, key));
      const version = store.versions.create({
        ...{ bucket, key, modified, size: payload.size, etag: payload.md5, partCount: null, tags },
        attributes: { ...attributes, checksum },
      });
      const part = { number: 1, content, size: payload.size, etag: payload.md5, checksum: checksum.value, modified };
      store.parts.put(String(version.id), part);
      journalCreated(deps, bucket, version, requestCause(deps, request), 'PutObject');
      return { bucket, version };
    });
    return {
      status: 200,
      headers: {
        etag: `"${version.etag}"`,
        ...checksumHeaders(checksum),
        ...writtenHeaders(bucket, version),
        ...expirationHeader(deps, version),
      },
    };
  } finally {
    store.content.release([content]);
  }
}
