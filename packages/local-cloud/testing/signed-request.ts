import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { DEVELOPER } from '../core/access/credentials.ts';

export interface PlainRequest {
  /** The service's name in the credential scope. */
  service: string;
  method: string;
  /** With the query. */
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface SigningOptions {
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
  signedAt?: Date;
}

/** Headers of a request, signed by the AWS SDK's library, for calls without an SDK client. */
export async function signedHeaders(
  endpoint: string,
  { service, method, path, headers = {}, body }: PlainRequest,
  { credentials = DEVELOPER, signedAt }: SigningOptions = {},
): Promise<Record<string, string>> {
  const url = new URL(endpoint);
  const [pathname = '/', ...query] = path.split('?');
  const signer = new SignatureV4({
    service,
    credentials,
    region: 'us-east-1',
    sha256: NodeSha256,
    uriEscapePath: service !== 's3',
  });
  const request = {
    ...{ method, protocol: url.protocol, hostname: url.hostname, port: Number(url.port) },
    path: pathname,
    query: queryOf(query.join('?')),
    headers: { host: url.host, ...headers },
    ...(body !== undefined && { body }),
  };
  const signed = await signer.sign(request, { ...(signedAt && { signingDate: signedAt }) });
  return signed.headers;
}

/** Sends a signed request. */
export async function signedFetch(
  endpoint: string,
  request: PlainRequest,
  options: SigningOptions = {},
): Promise<Response> {
  const { host: _host, ...headers } = await signedHeaders(endpoint, request, options);
  const { method, path, body } = request;
  return fetch(`${endpoint}${path}`, { method, headers, ...(body !== undefined && { body }) });
}

function queryOf(text: string): Record<string, string[]> {
  const query = new URLSearchParams(text);
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
}

class NodeSha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytes(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('A hash is used once.');
  }
}

function bytes(secret: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof secret === 'string') return secret;
  return ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret);
}
