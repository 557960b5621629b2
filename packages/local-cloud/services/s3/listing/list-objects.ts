import { invalidArgument } from '../errors.ts';
import { requireBucket, type S3Deps } from '../operation.ts';
import { type Reply, xmlReply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import type { Version } from '../store/versions.ts';
import type { XmlContent } from '../xml.ts';
import { afterPrefix, commonPrefix, isoSeconds, readCount, readEncoding } from './page.ts';

const MAX_KEYS = 1000;

interface Page {
  objects: Version[];
  prefixes: string[];
  truncated: boolean;
  /** The last key or common prefix of the page. */
  last?: string;
}

/** ListObjectsV2. */
export function listObjectsV2(deps: S3Deps, request: S3Request): Reply {
  const { query } = request;
  const bucket = requireBucket(deps, request);
  const { encodingType, encode } = readEncoding(query);
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after') ?? '';
  const asked = readQuery(query);
  const page = readPage(deps, bucket.name, { ...asked, after: token === null ? startAfter : decodeToken(token) });
  const withOwner = query.get('fetch-owner') === 'true';
  return xmlReply('ListBucketResult', {
    Name: bucket.name,
    Prefix: encode(asked.prefix),
    Delimiter: asked.delimiter === '' ? undefined : encode(asked.delimiter),
    MaxKeys: asked.maxKeys,
    EncodingType: encodingType,
    KeyCount: page.objects.length + page.prefixes.length,
    IsTruncated: page.truncated,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: page.truncated ? encodeToken(page.last ?? '') : undefined,
    StartAfter: startAfter === '' ? undefined : encode(startAfter),
    Contents: page.objects.map((version) => objectEntry(version, encode, withOwner ? owner(deps) : undefined)),
    CommonPrefixes: page.prefixes.map((prefix) => ({ Prefix: encode(prefix) })),
  });
}

/** ListObjects, the first version of the API: pages by key instead of by token. */
export function listObjects(deps: S3Deps, request: S3Request): Reply {
  const { query } = request;
  const bucket = requireBucket(deps, request);
  const { encodingType, encode } = readEncoding(query);
  const marker = query.get('marker') ?? '';
  const asked = readQuery(query);
  const page = readPage(deps, bucket.name, { ...asked, after: marker });
  return xmlReply('ListBucketResult', {
    Name: bucket.name,
    Prefix: encode(asked.prefix),
    Marker: encode(marker),
    NextMarker: page.truncated && asked.delimiter !== '' ? encode(page.last ?? '') : undefined,
    Delimiter: asked.delimiter === '' ? undefined : encode(asked.delimiter),
    MaxKeys: asked.maxKeys,
    EncodingType: encodingType,
    IsTruncated: page.truncated,
    Contents: page.objects.map((version) => objectEntry(version, encode, owner(deps))),
    CommonPrefixes: page.prefixes.map((prefix) => ({ Prefix: encode(prefix) })),
  });
}

function readQuery(query: URLSearchParams): { prefix: string; delimiter: string; maxKeys: number } {
  return {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    maxKeys: readCount(query, 'max-keys', { fallback: MAX_KEYS, max: MAX_KEYS }),
  };
}

/**
 * Collects up to `maxKeys` keys and common prefixes after `after`. After a common prefix, reading jumps to its end, so
 * the cost of a page does not depend on the size of the folders in it.
 */
function readPage(
  deps: S3Deps,
  bucket: string,
  asked: { prefix: string; delimiter: string; maxKeys: number; after: string },
): Page {
  const { prefix, delimiter, maxKeys, after } = asked;
  const page: Page = { objects: [], prefixes: [], truncated: false };
  if (maxKeys === 0) return page;

  const { versions } = deps.store;
  const skipped = after.startsWith(prefix) ? commonPrefix(after, prefix, delimiter) : undefined;
  // A marker that is a common prefix stands for everything below it.
  let next: Iterable<Version> | undefined =
    skipped === after && after !== ''
      ? versions.objects(bucket, { after: afterPrefix(after) })
      : versions.objects(
          bucket,
          Buffer.compare(Buffer.from(after), Buffer.from(prefix)) < 0 ? { from: prefix } : { after },
        );
  while (next) {
    const reading: Iterable<Version> = next;
    next = undefined;
    for (const version of reading) {
      if (!version.key.startsWith(prefix)) return page;
      if (page.objects.length + page.prefixes.length === maxKeys) return { ...page, truncated: true };
      const folder = commonPrefix(version.key, prefix, delimiter);
      page.last = folder ?? version.key;
      if (folder === undefined) {
        page.objects.push(version);
        continue;
      }
      page.prefixes.push(folder);
      next = versions.objects(bucket, { after: afterPrefix(folder) });
      break;
    }
  }
  return page;
}

function objectEntry(version: Version, encode: (key: string) => string, ownerEntry: XmlContent): XmlContent {
  const { checksum, storageClass } = version.attributes;
  return {
    Key: encode(version.key),
    LastModified: isoSeconds(version.modified),
    ETag: `"${version.etag}"`,
    ChecksumAlgorithm: checksum?.algorithm,
    ChecksumType: checksum?.type,
    Size: version.size,
    Owner: ownerEntry,
    StorageClass: storageClass,
  };
}

function owner(deps: S3Deps): XmlContent {
  return { ID: deps.context.accountId, DisplayName: deps.context.accountId };
}

function encodeToken(last: string): string {
  return Buffer.from(last, 'utf8').toString('base64url');
}

function decodeToken(token: string): string {
  const last = Buffer.from(token, 'base64url').toString('utf8');
  if (last === '' || encodeToken(last) !== token) {
    throw invalidArgument('The continuation token provided is incorrect', 'continuation-token', token);
  }
  return last;
}
