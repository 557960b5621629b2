import { requireBucket, type S3Deps } from '../operation.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import type { Upload } from '../store/uploads.ts';
import { commonPrefix, isoSeconds, readCount, readEncoding } from './page.ts';

const MAX_UPLOADS = 1000;

/** ListMultipartUploads: unfinished uploads by key, oldest first within a key. */
export function listMultipartUploads(deps: S3Deps, request: S3Request): Reply {
  const bucket = requireBucket(deps, request);
  const { encodingType, encode } = readEncoding(request.query);
  const query = readQuery(request.query);
  const { prefix, delimiter, keyMarker, uploadIdMarker, maxUploads } = query;
  const { uploads, prefixes, last, truncated } = readPage(deps.store.uploads.of(bucket.name), query);
  const owner = { ID: deps.context.accountId, DisplayName: deps.context.accountId };
  return xmlReply('ListMultipartUploadsResult', {
    Bucket: bucket.name,
    KeyMarker: encode(keyMarker),
    UploadIdMarker: uploadIdMarker,
    NextKeyMarker: truncated && last ? encode(last.key) : undefined,
    NextUploadIdMarker: truncated ? last?.uploadId : undefined,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxUploads: maxUploads,
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
    CommonPrefixes: prefixes.map((folder) => ({ Prefix: encode(folder) })),
  });
}

interface UploadQuery {
  prefix: string;
  delimiter: string;
  keyMarker: string;
  uploadIdMarker: string;
  maxUploads: number;
}

function readQuery(query: URLSearchParams): UploadQuery {
  const keyMarker = query.get('key-marker') ?? '';
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    keyMarker,
    uploadIdMarker: keyMarker === '' ? '' : (query.get('upload-id-marker') ?? ''),
    maxUploads: readCount(query, 'max-uploads', { fallback: MAX_UPLOADS, max: MAX_UPLOADS }),
  };
}

interface UploadPage {
  uploads: Upload[];
  prefixes: string[];
  truncated: boolean;
  /** The last key or common prefix of the page. */
  last?: { key: string; uploadId: string };
}

/** Collects up to `maxUploads` uploads and common prefixes after the marker. */
function readPage(
  all: Upload[],
  { prefix, delimiter, keyMarker, uploadIdMarker, maxUploads }: UploadQuery,
): UploadPage {
  const page: UploadPage = { uploads: [], prefixes: [], truncated: false };
  for (const upload of afterMarker(all, keyMarker, uploadIdMarker)) {
    if (!upload.key.startsWith(prefix)) continue;
    const folder = commonPrefix(upload.key, prefix, delimiter);
    if (folder !== undefined && (page.prefixes.includes(folder) || folder === keyMarker)) continue;
    if (page.uploads.length + page.prefixes.length === maxUploads) return { ...page, truncated: true };
    if (folder === undefined) {
      page.uploads.push(upload);
      page.last = { key: upload.key, uploadId: upload.id };
    } else {
      page.prefixes.push(folder);
      page.last = { key: folder, uploadId: '' };
    }
  }
  return page;
}

/** The uploads after the marker: those of later keys, and those of its key after the marked upload. */
function afterMarker(uploads: Upload[], keyMarker: string, uploadIdMarker: string): Upload[] {
  const marker = Buffer.from(keyMarker);
  const marked = uploads.findIndex((upload) => upload.key === keyMarker && upload.id === uploadIdMarker);
  return uploads.filter((upload, index) => {
    const order = Buffer.compare(Buffer.from(upload.key), marker);
    return order > 0 || (order === 0 && marked >= 0 && index > marked);
  });
}
