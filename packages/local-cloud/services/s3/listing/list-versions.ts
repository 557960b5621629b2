import { invalidArgument } from '../errors.ts';
import { requireBucket, type S3Deps } from '../operation.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import type { Version } from '../store/versions.ts';
import type { XmlContent } from '../xml.ts';
import { afterPrefix, commonPrefix, isoSeconds, readCount, readEncoding } from './page.ts';

const MAX_KEYS = 1000;

interface Page {
  versions: Version[];
  prefixes: string[];
  truncated: boolean;
  nextKey?: string;
  nextVersionId?: string;
}

/** ListObjectVersions: versions and delete markers by key, newest first within a key. */
export function listObjectVersions(deps: S3Deps, request: S3Request): Reply {
  const { query } = request;
  const bucket = requireBucket(deps, request);
  const { encodingType, encode } = readEncoding(query);
  const maxKeys = readCount(query, 'max-keys', { fallback: MAX_KEYS, max: MAX_KEYS });
  const delimiter = query.get('delimiter') ?? '';
  const prefix = query.get('prefix') ?? '';
  const keyMarker = query.get('key-marker') ?? '';
  const versionIdMarker = query.get('version-id-marker') ?? '';
  const page = readPage(deps, bucket.name, { prefix, delimiter, maxKeys, keyMarker, versionIdMarker });
  const owner = { ID: deps.context.accountId, DisplayName: deps.context.accountId };
  return xmlReply('ListVersionsResult', {
    Name: bucket.name,
    Prefix: encode(prefix),
    KeyMarker: encode(keyMarker),
    VersionIdMarker: versionIdMarker,
    NextKeyMarker: page.truncated ? encode(page.nextKey ?? '') : undefined,
    NextVersionIdMarker: page.truncated ? page.nextVersionId : undefined,
    MaxKeys: maxKeys,
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    EncodingType: encodingType,
    IsTruncated: page.truncated,
    Version: page.versions
      .filter((version) => !version.deleteMarker)
      .map((version) => versionEntry(version, encode, owner)),
    DeleteMarker: page.versions
      .filter((version) => version.deleteMarker)
      .map((version) => entry(version, encode, owner)),
    CommonPrefixes: page.prefixes.map((folder) => ({ Prefix: encode(folder) })),
  });
}

function readPage(
  deps: S3Deps,
  bucket: string,
  asked: { prefix: string; delimiter: string; maxKeys: number; keyMarker: string; versionIdMarker: string },
): Page {
  const { prefix, delimiter, maxKeys } = asked;
  const page: Page = { versions: [], prefixes: [], truncated: false };
  if (maxKeys === 0) return page;
  let next: Iterable<Version> | undefined = deps.store.versions.history(bucket, startOf(deps, bucket, asked));
  while (next) {
    const reading: Iterable<Version> = next;
    next = undefined;
    for (const version of reading) {
      if (!version.key.startsWith(prefix)) return page;
      if (page.versions.length + page.prefixes.length === maxKeys) return { ...page, truncated: true };
      const folder = commonPrefix(version.key, prefix, delimiter);
      page.nextKey = folder ?? version.key;
      page.nextVersionId = folder === undefined ? version.versionId : undefined;
      if (folder === undefined) {
        page.versions.push(version);
        continue;
      }
      page.prefixes.push(folder);
      next = deps.store.versions.history(bucket, { after: afterPrefix(folder) });
      break;
    }
  }
  return page;
}

function startOf(
  deps: S3Deps,
  bucket: string,
  asked: { prefix: string; delimiter: string; keyMarker: string; versionIdMarker: string },
) {
  const { prefix, delimiter, keyMarker, versionIdMarker } = asked;
  if (versionIdMarker !== '') {
    if (keyMarker === '') {
      throw invalidArgument(
        'A version-id marker cannot be specified without a key marker.',
        'version-id-marker',
        versionIdMarker,
      );
    }
    const version = deps.store.versions.find(bucket, keyMarker, versionIdMarker);
    if (!version) throw invalidArgument('Invalid version id specified', 'version-id-marker', versionIdMarker);
    return { key: keyMarker, below: version.id };
  }
  if (keyMarker !== '' && keyMarker.startsWith(prefix) && commonPrefix(keyMarker, prefix, delimiter) === keyMarker) {
    return { after: afterPrefix(keyMarker) };
  }
  return Buffer.compare(Buffer.from(keyMarker), Buffer.from(prefix)) < 0 ? { from: prefix } : { after: keyMarker };
}

function entry(version: Version, encode: (key: string) => string, owner: XmlContent) {
  return {
    Key: encode(version.key),
    VersionId: version.versionId,
    IsLatest: version.latest,
    LastModified: isoSeconds(version.modified),
    Owner: owner,
  };
}

function versionEntry(version: Version, encode: (key: string) => string, owner: XmlContent): XmlContent {
  const { checksum, storageClass } = version.attributes;
  return {
    ...entry(version, encode, owner),
    ETag: `"${version.etag}"`,
    ChecksumAlgorithm: checksum?.algorithm,
    ChecksumType: checksum?.type,
    Size: version.size,
    StorageClass: storageClass,
  };
}
