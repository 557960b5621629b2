import { bucketEncryption } from '../configurations/encryption.ts';
import { S3Error } from '../errors.ts';
import type { ChecksumType } from '../model.ts';
import { encryptionHeaders, readAttributes, readTagging } from '../objects/attributes.ts';
import { commit, requireBucket, requireKey, type S3Deps } from '../operation.ts';
import { checksumAlgorithm } from '../payload/claims.ts';
import { isCombinable } from '../payload/crc-combine.ts';
import type { ChecksumAlgorithm } from '../payload/digests.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';

/** CreateMultipartUpload. */
export function createMultipartUpload(deps: S3Deps, request: S3Request): Reply {
  const bucket = requireBucket(deps, request);
  const key = requireKey(request);
  const attributes = readAttributes(request, bucketEncryption(deps, bucket));
  const asked = request.header('x-amz-checksum-algorithm');
  const algorithm = asked === undefined ? null : checksumAlgorithm(asked);
  const checksumType = algorithm && readChecksumType(request, algorithm);
  const upload = commit(deps, () =>
    deps.store.uploads.create({
      bucket: bucket.name,
      key,
      initiated: deps.context.clock.now(),
      attributes,
      tags: readTagging(request),
      checksumAlgorithm: algorithm,
      checksumType,
    }),
  );
  return xmlReply(
    'InitiateMultipartUploadResult',
    { Bucket: bucket.name, Key: key, UploadId: upload.id },
    {
      ...encryptionHeaders(attributes.encryption),
      'x-amz-checksum-algorithm': algorithm ?? undefined,
      'x-amz-checksum-type': checksumType ?? undefined,
    },
  );
}

/** Full-object for CRC64NVME, otherwise composite unless requested differently. */
function readChecksumType(request: S3Request, algorithm: ChecksumAlgorithm): ChecksumType {
  const asked = request.header('x-amz-checksum-type')?.toUpperCase();
  const type = asked ?? (algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE');
  const possible = type === 'COMPOSITE' ? algorithm !== 'CRC64NVME' : type === 'FULL_OBJECT' && isCombinable(algorithm);
  if (!possible) {
    throw new S3Error('InvalidRequest', {
      message: `The ${type} checksum type cannot be used with the ${algorithm.toLowerCase()} checksum algorithm.`,
    });
  }
  return type as ChecksumType;
}
