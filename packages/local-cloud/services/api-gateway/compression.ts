import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import type { Exchange } from './exchange.ts';

const ENCODERS = { gzip: promisify(gzip), deflate: promisify(deflate) };
type Coding = keyof typeof ENCODERS;

/**
 * The body as the client receives it, with its `Content-Encoding` set on the response. As on AWS, it is compressed if
 * the API enables that for its size, if the client prefers gzip or deflate over every other coding, and if the function
 * has not encoded it.
 */
export async function compressBody({ stage, message, response }: Exchange, body: Buffer): Promise<Buffer> {
  const { minimumCompressionSize } = stage.api;
  if (minimumCompressionSize === undefined || body.length < minimumCompressionSize) return body;
  if (response.hasHeader('content-encoding')) return body;
  const coding = preferredCoding(message.headers['accept-encoding']);
  if (!coding) return body;
  response.setHeader('content-encoding', coding);
  return ENCODERS[coding](body);
}

/** The first of the codings with the highest weight (RFC 9110, 12.5.3), if the gateway supports that one. */
function preferredCoding(header: string | string[] | undefined): Coding | undefined {
  const codings = String(header ?? '')
    .split(',')
    .map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { name, weight: weight === undefined ? 1 : Number(weight) };
    });
  const [best] = codings.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  return best && Object.hasOwn(ENCODERS, best.name) ? (best.name as Coding) : undefined;
}
