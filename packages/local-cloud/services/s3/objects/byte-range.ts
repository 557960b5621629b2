import { notImplemented, S3Error } from '../errors.ts';

/** First and last byte, inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header for content of `size` bytes. Returns `undefined` without a header or for other syntax, which
 * RFC 9110 says to ignore. Throws `InvalidRange` if it is outside the content.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  if (header === undefined) return undefined;
  if (/^bytes=.*,/.test(header)) throw notImplemented('several ranges in one request');
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first, last] = match;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  if (start >= size || start > end) {
    throw new S3Error('InvalidRange', {
      fields: { RangeRequested: header, ActualObjectSize: size },
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  return { start, end };
}
