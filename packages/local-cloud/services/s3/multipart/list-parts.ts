import { readCount } from '../listing/page.ts';
import type { S3Deps } from '../operation.ts';
import { checksumElement } from '../payload/digests.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { requireUpload } from './upload-part.ts';

/** ListParts, in order of part numbers. */
export function listParts(deps: S3Deps, request: S3Request): Reply {
  const upload = requireUpload(deps, request);
  const marker = readCount(request.query, 'part-number-marker', { fallback: 0 });
  const max = readCount(request.query, 'max-parts', { fallback: 1000, max: 1000 });
  const after = deps.store.parts.of(upload.id).filter((part) => part.number > marker);
  const page = after.slice(0, max);
  const owner = { ID: deps.context.accountId, DisplayName: deps.context.accountId };
  return xmlReply('ListPartsResult', {
    Bucket: upload.bucket,
    Key: upload.key,
    UploadId: upload.id,
    Initiator: owner,
    Owner: owner,
    StorageClass: upload.attributes.storageClass,
    PartNumberMarker: marker,
    NextPartNumberMarker: page.at(-1)?.number ?? marker,
    MaxParts: max,
    IsTruncated: after.length > page.length,
    ChecksumAlgorithm: upload.checksumAlgorithm ?? undefined,
    ChecksumType: upload.checksumType ?? undefined,
    Part: page.map((part) => ({
      PartNumber: part.number,
      LastModified: new Date(Math.floor(part.modified / 1000) * 1000).toISOString(),
      ETag: `"${part.etag}"`,
      Size: part.size,
      ...(upload.checksumAlgorithm ? { [checksumElement(upload.checksumAlgorithm)]: part.checksum ?? undefined } : {}),
    })),
  });
}
