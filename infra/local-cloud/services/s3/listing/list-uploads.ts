import { requireBucket, type S3Deps } from '../operation.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import type { Upload } from '../store/uploads.ts';
import { commonPrefix, isoSeconds, readCount, readEncoding } from './page.ts';

const MAX_UPLOADS = 1000;

/** ListMultipartUploads: unfinished uploads by key, oldest first within a key. */
export function listMultipartUploads(deps: S3Deps, request: S3Request): Reply {
  const { query } = request;
  const bucket = requireBucket(deps, request);
  const { encodingType, encode } = readEncoding(query);
  const most = readCount(query, 'max-uploads', { fallback: MAX_UPLOADS, most: MAX_UPLOADS });
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const keyMarker = query.get('key-marker') ?? '';
  const uploadIdMarker = keyMarker === '' ? '' : (query.get('upload-id-marker') ?? '');

  const uploads: Upload[] = [];
  const prefixes = new Set<string>();
  let truncated = false;
  let last: { key: string; uploadId: string } | undefined;
  const candidates = afterMarker(deps.store.uploads.of(bucket.name), keyMarker, uploadIdMarker);
  for (const upload of candidates) {
    if (!upload.key.startsWith(prefix)) continue;
    const folder = commonPrefix(upload.key, prefix, delimiter);
    if (folder !== undefined && (prefixes.has(folder) || folder === keyMarker)) continue;
    truncated = uploads.length + prefixes.size === most;
    if (truncated) break;
    if (folder === undefined) uploads.push(upload);
    else prefixes.add(folder);
    last = { key: folder ?? upload.key, uploadId: folder === undefined ? upload.id : '' };
  }
  const owner = { ID: deps.context.accountId, DisplayName: deps.context.accountId };
  return xmlReply('ListMultipartUploadsResult', {
    Bucket: bucket.name,
    KeyMarker: encode(keyMarker),
    UploadIdMarker: uploadIdMarker,
    NextKeyMarker: truncated && last ? encode(last.key) : undefined,
    NextUploadIdMarker: truncated ? last?.uploadId : undefined,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxUploads: most,
    EncodingType: encodingType,
    IsTruncated: truncated,
    Upload: uploads.map((upload) => ({
      Key: encode(upload.key),
      UploadId: upload.id,
      Initiator: owner,
      Owner: owner,
      StorageClass: upload.attributes.storageClass,
      Initiated: isoSeconds(upload.initiated),
      ChecksumAlgorithm: upload.checksumAlgorithm ?? undefined,
      ChecksumType: upload.checksumType ?? undefined,
    })),
    CommonPrefixes: [...prefixes].map((folder) => ({ Prefix: encode(folder) })),
  });
}

/** The uploads behind the marker: of later keys, and of the marker's key those after the marked upload. */
function afterMarker(uploads: Upload[], keyMarker: string, uploadIdMarker: string): Upload[] {
  const marker = Buffer.from(keyMarker);
  const marked = uploads.findIndex((upload) => upload.key === keyMarker && upload.id === uploadIdMarker);
  return uploads.filter((upload, index) => {
    const order = Buffer.compare(Buffer.from(upload.key), marker);
    return order > 0 || (order === 0 && marked >= 0 && index > marked);
  });
}
