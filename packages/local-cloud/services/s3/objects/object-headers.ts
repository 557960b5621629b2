import type { Checksum } from '../model.ts';
import { checksumHeader } from '../payload/digests.ts';
import type { S3Request } from '../request.ts';
import type { Bucket } from '../store/buckets.ts';
import type { Version } from '../store/versions.ts';
import { encryptionHeaders } from './attributes.ts';

type Headers = Record<string, string | number | undefined>;

/** `x-amz-version-id`, once the bucket has been versioned. */
export function versionHeader(bucket: Bucket, version: Version): Headers {
  return { 'x-amz-version-id': bucket.versioning === null ? undefined : version.versionId };
}

export function checksumHeaders(checksum: Checksum | undefined): Headers {
  if (!checksum) return {};
  return { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type };
}

/** Headers of the reply to a request that created a version. */
export function writtenHeaders(bucket: Bucket, version: Version): Headers {
  return { ...versionHeader(bucket, version), ...encryptionHeaders(version.attributes.encryption) };
}

/** Headers of GetObject and HeadObject for a version, except length and range. */
export function objectHeaders(request: S3Request, bucket: Bucket, version: Version): Headers {
  const { attributes, tags } = version;
  const metadata = Object.entries(attributes.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  const tagCount = Object.keys(tags).length;
  return {
    'accept-ranges': 'bytes',
    etag: `"${version.etag}"`,
    'last-modified': new Date(version.modified).toUTCString(),
    ...attributes.headers,
    ...Object.fromEntries(metadata),
    ...responseOverrides(request.query),
    ...versionHeader(bucket, version),
    ...encryptionHeaders(attributes.encryption),
    'x-amz-storage-class': attributes.storageClass === 'STANDARD' ? undefined : attributes.storageClass,
    'x-amz-tagging-count': tagCount > 0 ? tagCount : undefined,
  };
}

/** Query parameters of GetObject and HeadObject that replace a header of the reply. */
export const responseOverrideParameters = [
  'response-content-type',
  'response-cache-control',
  'response-content-disposition',
  'response-content-encoding',
  'response-content-language',
  'response-expires',
];

function responseOverrides(query: URLSearchParams): Headers {
  const overrides: Headers = {};
  for (const parameter of responseOverrideParameters) {
    const value = query.get(parameter);
    if (value !== null) overrides[parameter.slice('response-'.length)] = value;
  }
  return overrides;
}
