import { createHash } from 'node:crypto';
import { expirationHeader } from '../configurations/expiration-header.ts';
import { invalidArgument, S3Error } from '../errors.ts';
import { journalCreated, requestCause } from '../events/object-events.ts';
import type { Checksum } from '../model.ts';
import { checkWriteConditions } from '../objects/conditions.ts';
import { writtenHeaders } from '../objects/object-headers.ts';
import { commit, requireBucket, requireKey, type S3Deps } from '../operation.ts';
import { combineCrcs } from '../payload/crc-combine.ts';
import { checksumElement, checksumHeader, createDigest } from '../payload/digests.ts';
import { badChecksum, readPayloadText } from '../payload/payload.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/buckets.ts';
import type { Part } from '../store/parts.ts';
import { type Upload, uploadAlgorithm } from '../store/uploads.ts';
import type { Version } from '../store/versions.ts';
import { type ListedPart, readPartList } from './part-list.ts';
import { MIN_PART_BYTES, readUploadId } from './upload-limits.ts';

/**
 * CompleteMultipartUpload: the uploaded parts become the object as they are. A repeated completion with the same list
 * gets the first answer, as on S3, so that a lost answer can be retried.
 */
export async function completeMultipartUpload(deps: S3Deps, request: S3Request): Promise<Reply> {
  const { store } = deps;
  const key = requireKey(request);
  const listed = readPartList(await readPayloadText(request, { checksumOf: 'object' }));
  const { bucket, version } = commit(deps, () => {
    const bucket = requireBucket(deps, request);
    const upload = store.uploads.find(readUploadId(request), bucket.name, key);
    if (!upload) return { bucket, version: completedBefore(deps, request, bucket, listed) };
    checkWriteConditions(request, store.versions.latest(bucket.name, key));
    return { bucket, version: complete(deps, request, bucket, upload, listed) };
  });
  const { checksum } = version.attributes;
  return xmlReply(
    'CompleteMultipartUploadResult',
    {
      Location: `${deps.context.endpoint()}/${bucket.name}/${encodeURI(key)}`,
      Bucket: bucket.name,
      Key: key,
      ETag: `"${version.etag}"`,
      ...(checksum ? { [checksumElement(checksum.algorithm)]: checksum.value, ChecksumType: checksum.type } : {}),
    },
    { ...writtenHeaders(bucket, version), ...expirationHeader(deps, version) },
  );
}

function complete(deps: S3Deps, request: S3Request, bucket: Bucket, upload: Upload, listed: ListedPart[]): Version {
  const { store } = deps;
  const uploaded = store.parts.of(upload.id);
  const parts = selectParts(upload, uploaded, listed);
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  const announced = request.header('x-amz-mp-object-size');
  if (announced !== undefined && Number(announced) !== size) {
    throw new S3Error('InvalidRequest', {
      message: `The provided 'x-amz-mp-object-size' header value ${announced} does not match what was computed: ${size}`,
    });
  }
  const checksum = wholeChecksum(upload, parts);
  verifyChecksum(request, checksum);

  const chosen = new Set(parts.map((part) => part.number));
  for (const part of uploaded) if (!chosen.has(part.number)) store.parts.remove(upload.id, part.number);
  const version = store.versions.create({
    bucket,
    key: upload.key,
    modified: upload.initiated,
    size,
    etag: compositeEtag(parts),
    partCount: parts.length,
    attributes: { ...upload.attributes, checksum },
    tags: upload.tags,
  });
  store.parts.moveAll(upload.id, String(version.id));
  store.uploads.remove(upload.id);
  store.uploads.recordCompleted(
    upload,
    { version: version.id, request: fingerprint(listed) },
    deps.context.clock.now(),
  );
  journalCreated(deps, bucket, version, requestCause(deps, request), 'CompleteMultipartUpload');
  return version;
}

/** The object that this upload already made. Throws `NoSuchUpload` if it made none, or from another list. */
function completedBefore(deps: S3Deps, request: S3Request, bucket: Bucket, listed: ListedPart[]): Version {
  const uploadId = readUploadId(request);
  const completed = deps.store.uploads.completed(uploadId, bucket.name, requireKey(request));
  const version = completed?.request === fingerprint(listed) ? deps.store.versions.byId(completed.version) : undefined;
  if (!version) throw new S3Error('NoSuchUpload', { fields: { UploadId: uploadId } });
  return version;
}

function fingerprint(listed: ListedPart[]): string {
  return createHash('sha256')
    .update(listed.map(({ number, etag }) => `${number}:${etag}`).join())
    .digest('hex');
}

/** The listed parts, in order. Throws `InvalidPart`, `EntityTooSmall`. */
function selectParts(upload: Upload, uploaded: Part[], listed: ListedPart[]): Part[] {
  const byNumber = new Map(uploaded.map((part) => [part.number, part]));
  const parts = listed.map((wanted) => {
    const part = byNumber.get(wanted.number);
    const agrees =
      part?.etag === wanted.etag &&
      (wanted.checksum === undefined ||
        (wanted.checksum.algorithm === (upload.checksumAlgorithm ?? wanted.checksum.algorithm) &&
          (upload.checksumAlgorithm === null || wanted.checksum.value === part.checksum)));
    if (!part || !agrees) {
      throw new S3Error('InvalidPart', {
        fields: { UploadId: upload.id, PartNumber: wanted.number, ETag: wanted.etag },
      });
    }
    return part;
  });
  for (const part of parts.slice(0, -1)) {
    if (part.size >= MIN_PART_BYTES) continue;
    throw new S3Error('EntityTooSmall', {
      fields: {
        ProposedSize: part.size,
        MinSizeAllowed: MIN_PART_BYTES,
        PartNumber: part.number,
        ETag: part.etag,
      },
    });
  }
  return parts;
}

function compositeEtag(parts: Part[]): string {
  const md5 = createHash('md5');
  for (const part of parts) md5.update(Buffer.from(part.etag, 'hex'));
  return `${md5.digest('hex')}-${parts.length}`;
}

/** The checksum of the object from those of its parts; of S3's default kind if the upload named none. */
function wholeChecksum(upload: Upload, parts: Part[]): Checksum {
  const algorithm = uploadAlgorithm(upload);
  const digests = parts.map((part) => ({ crc: Buffer.from(part.checksum ?? '', 'base64'), size: part.size }));
  if ((upload.checksumType ?? 'FULL_OBJECT') === 'FULL_OBJECT') {
    return { algorithm, type: 'FULL_OBJECT', value: combineCrcs(algorithm, digests).toString('base64') };
  }
  const digest = createDigest(algorithm);
  for (const { crc } of digests) digest.update(crc);
  return { algorithm, type: 'COMPOSITE', value: `${digest.digest().toString('base64')}-${parts.length}` };
}

/** Compares with the optional checksum of the whole object in the request. */
function verifyChecksum(request: S3Request, checksum: Checksum): void {
  const type = request.header('x-amz-checksum-type')?.toUpperCase();
  if (type !== undefined && type !== checksum.type) {
    throw invalidArgument(
      'The upload was created using another checksum type. The complete request must use the same checksum type.',
      'x-amz-checksum-type',
      type,
    );
  }
  const sent = request.header(checksumHeader(checksum.algorithm));
  if (sent !== undefined && sent !== checksum.value) throw badChecksum(checksum.algorithm);
}
