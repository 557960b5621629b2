import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/**
 * The text that a version 4 signature covers. S3 signs the path in its strict encoding, other services encode the sent
 * path once more. A signed header that is not sent is an empty line, which no signer writes.
 */
export function canonicalRequest(
  request: SignedRequest,
  signed: { service: string; headers: readonly string[]; payloadHash: string },
): string {
  const { method, path, query, headers } = request;
  const lines = signed.headers.map((name) => `${name}:${canonicalValue(headers[name])}\n`);
  return [
    method,
    path === '/' ? path : signed.service === 's3' ? strictPath(path) : encodedTwice(path),
    query.size === 0 ? '' : canonicalQuery(query),
    lines.join(''),
    signed.headers.join(';'),
    signed.payloadHash,
  ].join('\n');
}

function canonicalValue(value: string | string[] | undefined): string {
  const text = typeof value === 'string' ? value : (value ?? []).join(',');
  return text.trim().replace(/ +/g, ' ');
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([name, value], [other, otherValue]) => compare(name, other) || compare(value, otherValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** A path that cannot be decoded stays as it is: S3 itself rejects it. */
function strictPath(path: string): string {
  try {
    return path
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/');
  } catch {
    return path;
  }
}

function encodedTwice(path: string): string {
  return path.split('/').map(encode).join('/');
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
