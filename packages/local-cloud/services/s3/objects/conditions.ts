import { notImplemented, S3Error } from '../errors.ts';
import type { S3Request } from '../request.ts';
import type { Version } from '../store/versions.ts';

/** The four read conditions, by header. */
interface ReadConditions {
  match?: string;
  noneMatch?: string;
  modifiedSince?: string;
  unmodifiedSince?: string;
}

/**
 * Checks the conditions of a read; an etag takes precedence over a date, as in RFC 9110. Throws `PreconditionFailed` or
 * S3's 304.
 */
export function checkReadConditions(request: S3Request, version: Version): void {
  const failed = failedCondition(
    {
      match: request.header('if-match'),
      noneMatch: request.header('if-none-match'),
      modifiedSince: request.header('if-modified-since'),
      unmodifiedSince: request.header('if-unmodified-since'),
    },
    version,
  );
  if (failed === 'If-None-Match' || failed === 'If-Modified-Since') throw new NotModified(version);
  if (failed) throw preconditionFailed(failed);
}

/** Checks the `x-amz-copy-source-if-*` conditions. Throws `PreconditionFailed`. */
export function checkCopyConditions(request: S3Request, source: Version): void {
  const failed = failedCondition(
    {
      match: request.header('x-amz-copy-source-if-match'),
      noneMatch: request.header('x-amz-copy-source-if-none-match'),
      modifiedSince: request.header('x-amz-copy-source-if-modified-since'),
      unmodifiedSince: request.header('x-amz-copy-source-if-unmodified-since'),
    },
    source,
  );
  if (failed) throw preconditionFailed(`x-amz-copy-source-${failed}`);
}

/**
 * Checks the conditions of a write against the version it would replace. Throws `PreconditionFailed`, or `NoSuchKey`
 * for an `If-Match` on nothing.
 */
export function checkWriteConditions(request: S3Request, current: Version | undefined): void {
  const existing = current?.deleteMarker ? undefined : current;
  const noneMatch = request.header('if-none-match');
  if (noneMatch !== undefined) {
    if (noneMatch !== '*') throw notImplemented('If-None-Match with an etag on a write');
    if (existing) throw preconditionFailed('If-None-Match');
  }
  const match = request.header('if-match');
  if (match !== undefined) {
    if (!existing) throw new S3Error('NoSuchKey', { fields: { Key: request.key ?? '' } });
    if (!matches(match, existing.etag)) throw preconditionFailed('If-Match');
  }
}

/** Checks the condition of a delete: an etag, or `*` for "exists". Throws `PreconditionFailed`. */
export function checkDeleteCondition(condition: string | undefined, current: Version | undefined): void {
  if (condition === undefined) return;
  const existing = current?.deleteMarker ? undefined : current;
  if (!existing || !matches(condition, existing.etag)) throw preconditionFailed('If-Match');
}

/** The reply 304, which carries the validators but no error document. */
export class NotModified extends S3Error {
  override readonly status = 304;

  constructor(version: Version) {
    super('PreconditionFailed', {
      headers: { etag: `"${version.etag}"`, 'last-modified': new Date(version.modified).toUTCString() },
    });
  }
}

function failedCondition(conditions: ReadConditions, version: Version): string | undefined {
  const { match, noneMatch } = conditions;
  // Dates in headers have no milliseconds.
  const modified = Math.floor(version.modified / 1000) * 1000;
  const modifiedSince = parseDate(conditions.modifiedSince);
  const unmodifiedSince = parseDate(conditions.unmodifiedSince);

  if (match !== undefined) {
    if (!matches(match, version.etag)) return 'If-Match';
  } else if (unmodifiedSince !== undefined && modified > unmodifiedSince) return 'If-Unmodified-Since';

  if (noneMatch !== undefined) {
    if (matches(noneMatch, version.etag)) return 'If-None-Match';
  } else if (modifiedSince !== undefined && modified <= modifiedSince) return 'If-Modified-Since';
  return undefined;
}

/** Whether an etag is in a list such as `"a", "b"`, with or without quotes; `*` means any. */
export function matches(list: string, etag: string): boolean {
  return list
    .split(',')
    .map((entry) => entry.trim().replace(/^W\//, '').replaceAll('"', ''))
    .some((entry) => entry === '*' || entry === etag);
}

function parseDate(text: string | undefined): number | undefined {
  const instant = Date.parse(text ?? '');
  return Number.isNaN(instant) ? undefined : instant;
}

function preconditionFailed(condition: string): S3Error {
  return new S3Error('PreconditionFailed', { fields: { Condition: condition } });
}
