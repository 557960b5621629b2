import { invalidArgument, notImplemented, S3Error } from '../errors.ts';
import type { Encryption, ObjectAttributes, Tags } from '../model.ts';
import type { S3Request } from '../request.ts';
import { checkTags } from '../tags.ts';

const contentHeaders = [
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
] as const;
const METADATA_PREFIX = 'x-amz-meta-';
const MAX_METADATA_BYTES = 2048;
const storageClasses = [
  'STANDARD',
  'STANDARD_IA',
  'ONEZONE_IA',
  'INTELLIGENT_TIERING',
  'GLACIER_IR',
  'REDUCED_REDUNDANCY',
];
const retrievalClasses = ['GLACIER', 'DEEP_ARCHIVE', 'OUTPOSTS', 'SNOW', 'EXPRESS_ONEZONE'];

/** Request headers of `readAttributes` and `readTagging`. */
export const attributeHeaders = [
  'x-amz-acl',
  'x-amz-meta-*',
  'x-amz-storage-class',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-server-side-encryption-bucket-key-enabled',
  'x-amz-tagging',
];

/** Reads the attributes of a new object from the request's headers; `fallback` is the bucket's encryption. */
export function readAttributes(request: S3Request, fallback: Encryption): ObjectAttributes {
  rejectAcl(request);
  return {
    headers: readContentHeaders(request),
    metadata: readMetadata(request),
    storageClass: readStorageClass(request),
    encryption: readEncryption(request) ?? fallback,
  };
}

/** "Bucket owner enforced", the default since 2023: ACLs are off, and only the two without effect are accepted. */
export function rejectAcl(request: S3Request): void {
  const acl = request.header('x-amz-acl');
  if (acl !== undefined && acl !== 'private' && acl !== 'bucket-owner-full-control') {
    throw new S3Error('AccessControlListNotSupported');
  }
}

export function readTagging(request: S3Request): Tags {
  const header = request.header('x-amz-tagging');
  if (header === undefined) return {};
  return checkTags([...new URLSearchParams(header)]);
}

export function readStorageClass(request: S3Request): string {
  const storageClass = request.header('x-amz-storage-class') ?? 'STANDARD';
  if (retrievalClasses.includes(storageClass)) throw notImplemented(`the storage class ${storageClass}`);
  if (!storageClasses.includes(storageClass))
    throw new S3Error('InvalidStorageClass', { fields: { StorageClassRequested: storageClass } });
  return storageClass;
}

export function readEncryption(request: S3Request): Encryption | undefined {
  const algorithm = request.header('x-amz-server-side-encryption');
  if (algorithm === undefined) return undefined;
  if (algorithm !== 'AES256' && algorithm !== 'aws:kms') {
    throw invalidArgument(
      'The encryption method specified is not supported',
      'x-amz-server-side-encryption',
      algorithm,
    );
  }
  const bucketKey = request.header('x-amz-server-side-encryption-bucket-key-enabled');
  return {
    algorithm,
    kmsKeyId: request.header('x-amz-server-side-encryption-aws-kms-key-id'),
    bucketKey: bucketKey === undefined ? undefined : bucketKey === 'true',
  };
}

export function encryptionHeaders(encryption: Encryption): Record<string, string | undefined> {
  return {
    'x-amz-server-side-encryption': encryption.algorithm,
    'x-amz-server-side-encryption-aws-kms-key-id': encryption.kmsKeyId,
    'x-amz-server-side-encryption-bucket-key-enabled': encryption.bucketKey ? 'true' : undefined,
  };
}

function readContentHeaders(request: S3Request): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of contentHeaders) {
    const value = request.header(name);
    if (value !== undefined) headers[name] = value;
  }
  // The framing of the transfer is not part of the content.
  const encodings = (headers['content-encoding'] ?? '').split(',').map((encoding) => encoding.trim());
  const kept = encodings.filter((encoding) => encoding !== '' && encoding !== 'aws-chunked').join(',');
  if (kept === '') delete headers['content-encoding'];
  else headers['content-encoding'] = kept;
  headers['content-type'] ??= 'binary/octet-stream';
  return headers;
}

function readMetadata(request: S3Request): Record<string, string> {
  const metadata: Record<string, string> = {};
  let size = 0;
  for (const [name, value] of Object.entries(request.headers)) {
    if (!name.startsWith(METADATA_PREFIX)) continue;
    // Node decodes headers as Latin-1; clients send UTF-8.
    const text = Buffer.from(value, 'latin1').toString('utf8');
    metadata[name.slice(METADATA_PREFIX.length)] = text;
    size += Buffer.byteLength(name) - METADATA_PREFIX.length + Buffer.byteLength(text);
  }
  if (size > MAX_METADATA_BYTES) {
    throw new S3Error('MetadataTooLarge', { fields: { Size: size, MaxSizeAllowed: MAX_METADATA_BYTES } });
  }
  return metadata;
}
