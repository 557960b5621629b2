import { createHash } from 'node:crypto';
import { invalidArgument, S3Error } from '../errors.ts';
import type { Sink } from '../model.ts';
import { encryptionHeaders } from '../objects/attributes.ts';
import { copySourceVersionHeader, findCopySource } from '../objects/copy-object.ts';
import { MAX_BODY_BYTES } from '../objects/put-object.ts';
import { commit, requireBucket, requireKey, type S3Deps } from '../operation.ts';
import { checksumElement, checksumHeader, createDigest } from '../payload/digests.ts';
import { type ReceivedPayload, receivePayload } from '../payload/payload.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import { type Upload, uploadAlgorithm } from '../store/uploads.ts';
import { readPartNumber, readUploadId } from './upload-limits.ts';

/** UploadPart: a repeated part replaces the earlier one. */
export async function uploadPart(deps: S3Deps, request: S3Request): Promise<Reply> {
  const { upload, payload } = await storePart(deps, request, (upload, sink) =>
    receivePayload(
      request,
      {
        maxBytes: MAX_BODY_BYTES,
        algorithm: uploadAlgorithm(upload),
        onlyAlgorithm: upload.checksumAlgorithm ?? undefined,
      },
      sink,
    ),
  );
  return {
    status: 200,
    headers: {
      etag: `"${payload.md5}"`,
      [checksumHeader(payload.confirmed.algorithm)]: payload.confirmed.value,
      ...encryptionHeaders(upload.attributes.encryption),
    },
  };
}

/** UploadPartCopy: the part is a range of an object. */
export async function uploadPartCopy(deps: S3Deps, request: S3Request): Promise<Reply> {
  requireUpload(deps, request);
  const { store } = deps;
  const source = findCopySource(deps, request);
  const range = readSourceRange(request, source.version.size);
  if (range.end - range.start + 1 > MAX_BODY_BYTES) throw new S3Error('EntityTooLarge');
  const parts = store.parts.of(String(source.version.id));
  const contents = parts.map((part) => part.content);
  store.content.hold(contents);
  try {
    const { upload, payload, modified } = await storePart(deps, request, (upload, sink) =>
      copyContent(store.content.read(parts, range.start, range.end), upload, sink),
    );
    return xmlReply(
      'CopyPartResult',
      {
        ETag: `"${payload.md5}"`,
        LastModified: new Date(Math.floor(modified / 1000) * 1000).toISOString(),
        [checksumElement(payload.algorithm)]: upload.checksumAlgorithm ? payload.checksum : undefined,
      },
      { ...encryptionHeaders(upload.attributes.encryption), ...copySourceVersionHeader(source) },
    );
  } finally {
    store.content.release(contents);
  }
}

/** Stores the data that `fill` writes as the requested part; the upload must still be open at the end. */
async function storePart(
  deps: S3Deps,
  request: S3Request,
  fill: (upload: Upload, sink: Sink) => Promise<ReceivedPayload>,
): Promise<{ upload: Upload; payload: ReceivedPayload; modified: number }> {
  const number = readPartNumber(request);
  const upload = requireUpload(deps, request);
  const { content, result: payload } = await deps.store.content.receive((sink) => fill(upload, sink));
  try {
    const modified = deps.context.clock.now();
    commit(deps, () => {
      requireUpload(deps, request);
      const { size, md5: etag, checksum } = payload;
      deps.store.parts.put(upload.id, { number, content, size, etag, checksum, modified });
    });
    return { upload, payload, modified };
  } finally {
    deps.store.content.release([content]);
  }
}

export function requireUpload(deps: S3Deps, request: S3Request): Upload {
  const bucket = requireBucket(deps, request);
  return deps.store.uploads.require(readUploadId(request), bucket.name, requireKey(request));
}

async function copyContent(source: AsyncIterable<Buffer>, upload: Upload, sink: Sink): Promise<ReceivedPayload> {
  const algorithm = uploadAlgorithm(upload);
  const md5 = createHash('md5');
  const digest = createDigest(algorithm);
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    md5.update(chunk);
    digest.update(chunk);
    await sink(chunk);
  }
  const checksum = digest.digest().toString('base64');
  return { size, md5: md5.digest('hex'), algorithm, checksum, confirmed: { algorithm, value: checksum } };
}

/** Unlike a read, a copy must name both ends, within the source. */
function readSourceRange(request: S3Request, size: number): { start: number; end: number } {
  const header = request.header('x-amz-copy-source-range');
  if (header === undefined) return { start: 0, end: size - 1 };
  const match = /^bytes=(\d+)-(\d+)$/.exec(header);
  if (!match) {
    throw invalidArgument(
      'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
      'x-amz-copy-source-range',
      header,
    );
  }
  const [start, end] = [Number(match[1]), Number(match[2])];
  if (start > end || end >= size) {
    throw invalidArgument(
      `Range specified is not valid for source object of size: ${size}`,
      'x-amz-copy-source-range',
      header,
    );
  }
  return { start, end };
}
