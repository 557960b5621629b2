import type { Writable } from 'node:stream';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';

interface StreamMetadata {
  statusCode: number;
  headers: Record<string, string>;
}

type StreamingHandler = (event: APIGatewayProxyEvent, stream: Writable, context: Context) => Promise<void>;

/** The streaming interface of the Lambda runtime. */
declare const awslambda: {
  streamifyResponse(handler: StreamingHandler): unknown;
  HttpResponseStream: { from(stream: Writable, metadata: StreamMetadata): Writable };
};

export const streamifyResponse = (handler: StreamingHandler): unknown => awslambda.streamifyResponse(handler);

/** Begins a reply. */
export const beginReply = (stream: Writable, metadata: StreamMetadata): Writable =>
  awslambda.HttpResponseStream.from(stream, metadata);
