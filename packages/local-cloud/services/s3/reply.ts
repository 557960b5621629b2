import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { AwsError } from '../../core/aws-error.ts';
import { S3Error } from './errors.ts';
import { type XmlContent, xmlDocument } from './xml.ts';

export interface Reply {
  status: number;
  /** `undefined` leaves a header out. */
  headers?: Record<string, string | number | undefined>;
  /** A text (XML unless a content type says otherwise) or a stream with its own content-length. */
  body?: string | AsyncIterable<Buffer>;
  /** Runs after the reply was sent or abandoned. */
  finished?: () => void;
}

export function xmlReply(root: string, content: XmlContent, headers: Reply['headers'] = {}): Reply {
  return { status: 200, headers, body: xmlDocument(root, content) };
}

/** The reply to a failed request; any other error than an `AwsError` becomes S3's internal error. */
export function errorReply(error: unknown, place: { resource: string; requestId: string }): Reply {
  const cause = error instanceof AwsError ? error : new S3Error('InternalError');
  const headers = cause instanceof S3Error ? cause.headers : {};
  if (cause.status === 304) return { status: 304, headers };
  const content = {
    Code: cause.code,
    Message: cause.message,
    ...(cause.fields as Record<string, string | number>),
    Resource: place.resource,
    RequestId: place.requestId,
  };
  return { status: cause.status, headers, body: xmlDocument('Error', content) };
}

/** Sends a reply. A client that disconnects midway is not an error. */
export async function sendReply(reply: Reply, response: ServerResponse, method: string): Promise<void> {
  try {
    for (const [name, value] of Object.entries(reply.headers ?? {})) {
      if (value !== undefined) response.setHeader(name, headerValue(value));
    }
    if (typeof reply.body === 'string') {
      if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/xml');
      if (method !== 'HEAD') response.setHeader('content-length', Buffer.byteLength(reply.body));
    } else if (reply.body === undefined && reply.status !== 204 && reply.status !== 304 && method !== 'HEAD') {
      response.setHeader('content-length', 0);
    }
    response.writeHead(reply.status);
    if (method === 'HEAD' || reply.body === undefined) response.end();
    else if (typeof reply.body === 'string') response.end(reply.body);
    else await pipeline(reply.body, response);
  } catch (error) {
    if (!response.destroyed) response.destroy(error as Error);
  } finally {
    reply.finished?.();
  }
}

/** Node encodes header values as Latin-1; S3 sends other characters of metadata as UTF-8. */
function headerValue(value: string | number): string {
  return Buffer.from(String(value), 'utf8').toString('latin1');
}
