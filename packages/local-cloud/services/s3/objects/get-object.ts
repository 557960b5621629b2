import { expirationHeader } from '../configurations/expiration-header.ts';
import { invalidArgument, S3Error } from '../errors.ts';
import type { S3Deps } from '../operation.ts';
import type { Reply } from '../reply.ts';
import type { S3Request } from '../request.ts';
import type { Part } from '../store/parts.ts';
import type { Version } from '../store/versions.ts';
import { parseRange } from './byte-range.ts';
import { checkReadConditions, matches } from './conditions.ts';
import { findRequested } from './find-version.ts';
import { checksumHeaders, objectHeaders } from './object-headers.ts';

/** GetObject: streams the content or a range of it. */
export function getObject(deps: S3Deps, request: S3Request): Reply {
  const { reply, parts, start, end } = describe(deps, request);
  if (start > end) return { ...reply, body: '' };
  const contents = parts.map((part) => part.content);
  deps.store.content.hold(contents);
  return {
    ...reply,
    body: deps.store.content.read(parts, start, end),
    finished: () => deps.store.content.release(contents),
  };
}

/** HeadObject: the headers without the content. */
export function headObject(deps: S3Deps, request: S3Request): Reply {
  return describe(deps, request).reply;
}

function describe(deps: S3Deps, request: S3Request): { reply: Reply; parts: Part[]; start: number; end: number } {
  const { bucket, version } = findRequested(deps, request);
  checkReadConditions(request, version);
  const parts = deps.store.parts.of(String(version.id));
  const slice = requestedSlice(request, version, parts);
  const start = slice?.start ?? 0;
  const end = slice?.end ?? version.size - 1;
  // The checksum is of the whole object, so a client could not verify a range with it.
  const wantsChecksum = request.header('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED' && !slice;
  return {
    ...{ parts, start, end },
    reply: {
      status: slice ? 206 : 200,
      headers: {
        ...objectHeaders(request, bucket, version),
        ...expirationHeader(deps, version),
        ...(wantsChecksum ? checksumHeaders(version.attributes.checksum) : {}),
        'content-length': end - start + 1,
        'content-range': slice && version.size > 0 ? `bytes ${start}-${end}/${version.size}` : undefined,
        'x-amz-mp-parts-count': request.query.has('partNumber') ? (version.partCount ?? undefined) : undefined,
      },
    },
  };
}

/** The bytes selected by `partNumber` or `Range`; `undefined` for all. */
function requestedSlice(
  request: S3Request,
  version: Version,
  parts: Part[],
): { start: number; end: number } | undefined {
  const partNumber = request.query.get('partNumber');
  const range = request.header('range');
  if (partNumber === null) {
    const ifRange = request.header('if-range');
    return ifRange === undefined || rangeStillValid(ifRange, version) ? parseRange(range, version.size) : undefined;
  }
  if (range !== undefined) {
    throw new S3Error('InvalidRequest', { message: 'Cannot specify both Range header and partNumber query parameter' });
  }
  if (!/^\d{1,5}$/.test(partNumber) || Number(partNumber) < 1 || Number(partNumber) > 10_000) {
    throw invalidArgument('Part number must be an integer between 1 and 10000, inclusive', 'partNumber', partNumber);
  }
  // A copy has the files of its source but is one object without parts.
  if (version.partCount === null && partNumber === '1') return { start: 0, end: version.size - 1 };
  const part = version.partCount === null ? undefined : parts[Number(partNumber) - 1];
  if (!part) {
    throw new S3Error('InvalidPartNumber', {
      fields: { PartNumberRequested: partNumber, ActualPartCount: version.partCount ?? 1 },
    });
  }
  const start = parts.slice(0, Number(partNumber) - 1).reduce((sum, earlier) => sum + earlier.size, 0);
  return { start, end: start + part.size - 1 };
}

function rangeStillValid(ifRange: string, version: Version): boolean {
  const date = Date.parse(ifRange);
  return Number.isNaN(date) ? matches(ifRange, version.etag) : Math.floor(version.modified / 1000) * 1000 <= date;
}
