import { RESULT_MEDIA_TYPES, type ResultFileFormat } from '../../../data/duckdb/result-formats.ts';
import { Content, ContentElsewhere } from '../../../platform/http/content.ts';
import { JsonText } from '../../../platform/http/json-text.ts';
import type { ResultFormat } from './command.ts';
import type { DownloadLinks } from './download-links.ts';
import type { Answer } from './run-query.ts';

/** The content types of a result, for `Accept` to choose from. */
export const RESULT_CONTENT_TYPES = ['application/json', ...Object.values(RESULT_MEDIA_TYPES)] as const;

/** The headers of a result, in every content type. */
export const RESULT_HEADERS = {
  'X-Row-Count': 'The number of rows.',
  'X-Truncated': '`true` when there are more rows than `limit`.',
  'X-As-Of': 'When the result was computed.',
} as const;

/** The headers of a result that may have been cached. */
export const CACHED_RESULT_HEADERS = {
  ...RESULT_HEADERS,
  'X-Cache': '`hit`, `shared` or `miss`, as `cache` in `QueryStats`.',
  'X-Warnings': 'The warnings, separated by commas; absent when there are none.',
} as const;

export function formatOf(contentType: string): ResultFormat {
  const found = Object.entries(RESULT_MEDIA_TYPES).find(([, type]) => type === contentType);
  return found ? (found[0] as ResultFileFormat) : 'rows';
}

/** The reply in the requested content type. A file that is too large for a reply is replaced by a link to it. */
export async function resultReply(
  links: DownloadLinks,
  queryId: string,
  answer: Answer,
  contentType: string,
): Promise<Content | ContentElsewhere> {
  const { payload, object, ms, bytes, cache, datasetIds: _datasetIds, ...rest } = answer;
  const headers = {
    'x-row-count': String(answer.rowCount),
    'x-truncated': String(answer.truncated),
    'x-as-of': answer.asOf,
    'x-cache': cache,
    ...(answer.warnings.length > 0 ? { 'x-warnings': answer.warnings.join(', ') } : {}),
  };
  const format = formatOf(contentType);
  if (format === 'rows') {
    const { text } = JsonText.of({ queryId, ...rest, stats: { ms, bytes, cache } }, { rows: payload });
    return new Content(text, { headers });
  }
  const fileName = `result.${format}`;
  if (!object) return new Content(Buffer.from(payload, 'base64'), { fileName, headers });
  const { downloadUrl, expiresAt } = await links.sign(object.key, fileName);
  return new ContentElsewhere({ downloadUrl, expiresAt, bytes: object.bytes, contentType }, headers);
}
