import { AppError } from '../errors/app-error.ts';

/** A reply that is not a JSON value, in the negotiated content type (`call.contentType`). */
export class Content {
  readonly #bytes: Buffer;
  readonly #fileName: string | undefined;
  /** Further headers of the reply. */
  readonly headers: Readonly<Record<string, string>>;
  /** Identifies exactly these bytes: a client that sends it in `If-None-Match` gets 304 instead of the content. */
  readonly etag: string | undefined;
  /** Another status than the declared one. */
  readonly status: 202 | undefined;

  /** `fileName` is the name under which a browser saves the reply. */
  constructor(
    content: Uint8Array | string,
    options: { fileName?: string; headers?: Readonly<Record<string, string>>; etag?: string; status?: 202 } = {},
  ) {
    this.status = options.status;
    this.#bytes =
      typeof content === 'string'
        ? Buffer.from(content)
        : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    this.#fileName = options.fileName;
    this.headers = { ...options.headers, ...(options.etag === undefined ? {} : { etag: options.etag }) };
    this.etag = options.etag;
  }

  /** A reply without a body to a message that needs no answer. */
  static accepted(): Content {
    return new Content('', { status: 202 });
  }

  /** The body as Lambda returns it: text, or bytes in base64. */
  encoded(contentType: string): { body: string; isBase64Encoded: boolean } {
    const isBase64Encoded = isBinary(contentType);
    return { body: this.#bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
  }

  /** The `Content-Disposition` header (RFC 6266); undefined if the reply is not a file to save. */
  get disposition(): string | undefined {
    return this.#fileName === undefined ? undefined : dispositionOf(this.#fileName);
  }
}

/** The `Content-Disposition` of a file to save under the name (RFC 6266). */
export function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w. -]/g, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** The reply for content that is too large: a link to it, as JSON. */
export class ContentElsewhere {
  readonly link: { downloadUrl: string; expiresAt: string; bytes: number; contentType: string };
  readonly headers: Readonly<Record<string, string>>;

  constructor(link: ContentElsewhere['link'], headers: Readonly<Record<string, string>> = {}) {
    this.link = link;
    this.headers = headers;
  }
}

/**
 * Chooses the offered content type that `Accept` (RFC 9110, 12.5.1) prefers; among equals, the first one. Throws
 * `NOT_ACCEPTABLE` if it accepts none. API Gateway returns bytes only if the header starts with a binary type, and
 * base64 text otherwise. Other clients can therefore choose only among the text types.
 */
export function negotiate(accept: string | undefined, offered: readonly string[]): string {
  const ranges = (accept?.trim() || '*/*').split(',').map(readRange);
  const takesBytes = isBinary(ranges[0]!.type);
  let best: { type: string; quality: number } | undefined;
  for (const type of offered) {
    if (isBinary(type) && !takesBytes) continue;
    const quality = qualityOf(mediaType(type), ranges);
    if (quality > (best?.quality ?? 0)) best = { type, quality };
  }
  if (!best)
    throw new AppError('NOT_ACCEPTABLE', {
      detail: `The reply can be ${offered.join(', ')}; a binary type must come first in the Accept header.`,
    });
  return best.type;
}

/** Whether the content is binary and must not be transmitted as text. */
function isBinary(contentType: string): boolean {
  return BINARY_TYPES.includes(mediaType(contentType));
}

/** Declared to API Gateway, which otherwise treats every reply as text. */
export const BINARY_TYPES: readonly string[] = [
  'application/vnd.apache.arrow.stream',
  'application/vnd.apache.parquet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/pdf',
  'application/zip',
  'image/png',
];

interface Range {
  type: string;
  quality: number;
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = given === undefined ? 1 : Number(given);
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** The most specific range decides: `text/csv` before `text/…`, and a full wildcard last. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  for (const pattern of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === pattern);
    if (range) return range.quality;
  }
  return 0;
}

export function mediaType(contentType: string): string {
  return contentType.split(';')[0]!.trim().toLowerCase();
}
