import { createHash } from 'node:crypto';
import { parseCopySource } from '../addressing.ts';
import { bucketEncryption } from '../configurations/encryption.ts';
import { invalidArgument, S3Error } from '../errors.ts';
import { journalCreated, requestCause } from '../events/object-events.ts';
import type { Checksum } from '../model.ts';
import { commit, requireBucket, requireKey, type S3Deps } from '../operation.ts';
import { checksumAlgorithm } from '../payload/claims.ts';
import { checksumElement, createDigest, DEFAULT_ALGORITHM } from '../payload/digests.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/buckets.ts';
import type { Version } from '../store/versions.ts';
import { readAttributes, readEncryption, readTagging } from './attributes.ts';
import { checkCopyConditions, checkWriteConditions } from './conditions.ts';
import { checkedVersionId, findReadable } from './find-version.ts';
import { writtenHeaders } from './object-headers.ts';
import { MAX_BODY_BYTES } from './put-object.ts';

/** Headers of a copy's source and its conditions. */
export const copySourceHeaders = [
  'x-amz-copy-source',
  'x-amz-copy-source-if-match',
  'x-amz-copy-source-if-none-match',
  'x-amz-copy-source-if-modified-since',
  'x-amz-copy-source-if-unmodified-since',
  'x-amz-source-expected-bucket-owner',
];

/** Finds the version of `x-amz-copy-source` and checks its conditions. */
export function findCopySource(deps: S3Deps, request: S3Request): { bucket: Bucket; version: Version } {
  const { bucket: name, key, versionId } = parseCopySource(request.header('x-amz-copy-source') ?? '');
  const bucket = deps.store.buckets.require(name);
  const wanted = versionId === undefined ? undefined : checkedVersionId(versionId);
  const version = findReadable(deps, { bucket, key, versionId: wanted });
  checkCopyConditions(request, version);
  return { bucket, version };
}

export function copySourceVersionHeader(source: { bucket: Bucket; version: Version }) {
  return { 'x-amz-copy-source-version-id': source.bucket.versioning === null ? undefined : source.version.versionId };
}

/**
 * CopyObject. Content files are immutable, so a copy refers to the source's files; a source with parts is read once, to
 * compute the copy's plain etag.
 */
export async function copyObject(deps: S3Deps, request: S3Request): Promise<Reply> {
  const { store, context } = deps;
  const key = requireKey(request);
  const asked = requireBucket(deps, request);
  const source = findCopySource(deps, request);
  const replacesMetadata = directive(request, 'x-amz-metadata-directive') === 'REPLACE';
  const replacesTags = directive(request, 'x-amz-tagging-directive') === 'REPLACE';
  rejectPointlessCopy(request, source.version, asked.name, key, replacesMetadata);
  if (source.version.size > MAX_BODY_BYTES) {
    throw new S3Error('InvalidRequest', {
      message: `The specified copy source is larger than the maximum allowable size for a copy source: ${MAX_BODY_BYTES}`,
    });
  }
  checkWriteConditions(request, store.versions.latest(asked.name, key));

  const given = readAttributes(request, bucketEncryption(deps, asked));
  const described = replacesMetadata ? given : source.version.attributes;
  const tags = replacesTags ? readTagging(request) : source.version.tags;
  const parts = store.parts.of(String(source.version.id));
  const contents = parts.map((part) => part.content);
  store.content.hold(contents);
  try {
    const { etag, checksum } = await describeContent(deps, request, source.version, parts);
    const modified = context.clock.now();
    const { bucket, version } = commit(deps, () => {
      const bucket = requireBucket(deps, request);
      checkWriteConditions(request, store.versions.latest(bucket.name, key));
      const version = store.versions.create({
        ...{ bucket, key, modified, size: source.version.size, etag, partCount: null, tags },
        attributes: {
          headers: described.headers,
          metadata: described.metadata,
          storageClass: given.storageClass,
          encryption: given.encryption,
          checksum,
        },
      });
      for (const part of parts) store.parts.put(String(version.id), part);
      journalCreated(deps, bucket, version, requestCause(deps, request), 'CopyObject');
      return { bucket, version };
    });
    return xmlReply(
      'CopyObjectResult',
      {
        ETag: `"${etag}"`,
        LastModified: new Date(Math.floor(modified / 1000) * 1000).toISOString(),
        ChecksumType: checksum.type,
        [checksumElement(checksum.algorithm)]: checksum.value,
      },
      { ...writtenHeaders(bucket, version), ...copySourceVersionHeader(source) },
    );
  } finally {
    store.content.release(contents);
  }
}

function directive(request: S3Request, header: string): 'COPY' | 'REPLACE' {
  const value = request.header(header) ?? 'COPY';
  if (value !== 'COPY' && value !== 'REPLACE') {
    throw invalidArgument(
      `Unknown ${header === 'x-amz-metadata-directive' ? 'metadata' : 'tagging'} directive.`,
      header,
      value,
    );
  }
  return value;
}

function rejectPointlessCopy(
  request: S3Request,
  source: Version,
  bucket: string,
  key: string,
  replacesMetadata: boolean,
): void {
  const changesNothing =
    source.bucket === bucket &&
    source.key === key &&
    source.latest &&
    !replacesMetadata &&
    readEncryption(request) === undefined &&
    request.header('x-amz-storage-class') === undefined;
  if (!changesNothing) return;
  throw new S3Error('InvalidRequest', {
    message:
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  });
}

/** Etag and checksum of the copy: the source's if they describe the whole content, otherwise computed. */
async function describeContent(
  deps: S3Deps,
  request: S3Request,
  source: Version,
  parts: { content: string; size: number }[],
): Promise<{ etag: string; checksum: Checksum }> {
  const known = source.attributes.checksum;
  const wanted = request.header('x-amz-checksum-algorithm');
  const algorithm = wanted === undefined ? (known?.algorithm ?? DEFAULT_ALGORITHM) : checksumAlgorithm(wanted);
  if (source.partCount === null && known?.algorithm === algorithm) return { etag: source.etag, checksum: known };

  const md5 = createHash('md5');
  const digest = createDigest(algorithm);
  for await (const chunk of deps.store.content.read(parts, 0, source.size - 1)) {
    md5.update(chunk);
    digest.update(chunk);
  }
  return {
    etag: md5.digest('hex'),
    checksum: { algorithm, value: digest.digest().toString('base64'), type: 'FULL_OBJECT' },
  };
}
