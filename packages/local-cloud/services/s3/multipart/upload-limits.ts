import { invalidArgument } from '../errors.ts';
import type { S3Request } from '../request.ts';

export const MAX_PARTS = 10_000;
/** Minimum size of every part but the last. */
export const MIN_PART_BYTES = 5 * 1024 ** 2;

/** Reads `partNumber`. Throws `InvalidArgument` outside 1–10,000. */
export function readPartNumber(request: S3Request): number {
  const text = request.query.get('partNumber') ?? '';
  const number = Number(text);
  if (!/^\d{1,6}$/.test(text) || number < 1 || number > MAX_PARTS) {
    throw invalidArgument('Part number must be an integer between 1 and 10000, inclusive', 'partNumber', text);
  }
  return number;
}

export function readUploadId(request: S3Request): string {
  return request.query.get('uploadId') ?? '';
}
