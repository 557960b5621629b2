import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { hostNameOf, isLoopback, isOwnOrigin } from './access/addresses.ts';
import { type Authorization, readAuthorization, signedService } from './access/authorization.ts';
import { Credentials } from './access/credentials.ts';
import { Denial } from './access/denial.ts';
import { Signatures, type Verified } from './access/signatures.ts';
import { AwsError, unsupported } from './aws-error.ts';
import { callDirectly, type DirectReply, type DirectRequest } from './direct-call.ts';
import type { AwsRequest, LocalService } from './service.ts';

interface FrontOptions {
  /** Default: credentials that end with this process. */
  credentials?: Credentials;
  /** Names of the listener besides those of the loopback interface. */
  hosts?: readonly string[];
}

/**
 * One HTTP listener for everything. A request with an AWS signature goes to the service that its credential scope
 * names, once the signature is verified; any other request goes to `otherwise` (the APIs). A web page can make the
 * browser of this machine send requests too, so other names of the listener are rejected (DNS rebinding), and so are
 * foreign origins, except for the APIs, which have rules of their own, and for presigned URLs that are a secret.
 */
export class Front {
  readonly credentials: Credentials;
  readonly #signatures: Signatures;
  readonly #hosts: ReadonlySet<string>;
  readonly #server: Server;
  readonly #services = new Map<string, LocalService>();
  #otherwise: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => {
    response.writeHead(404).end();
  };

  constructor({ credentials = new Credentials(), hosts = [] }: FrontOptions = {}) {
    this.credentials = credentials;
    this.#signatures = new Signatures(credentials);
    this.#hosts = new Set(hosts);
    this.#server = createServer((request, response) => {
      this.#route(request, response).catch((error: unknown) => fail(response, error));
    });
    this.#server.keepAliveTimeout = 65_000;
    this.#server.requestTimeout = 0;
  }

  add(service: LocalService): void {
    this.#services.set(service.signingName, service);
  }

  otherwise(handler: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.#otherwise = handler;
  }

  /** Port 0 picks a free one. Rejects with Node's `EADDRINUSE` when the port is taken. */
  async listen(port: number, host = '127.0.0.1'): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  /** A connection from within this process: requests on it are as those over a socket, in less than half the time. */
  connect(): Duplex {
    const [client, server] = duplexPair();
    this.#server.emit('connection', server);
    return client;
  }

  /**
   * A call of DynamoDB from within this process, in a third of the time of one on such a connection. It needs no
   * signature; the rights of the principal that the credentials stand for are checked.
   */
  callDynamoDb(sent: DirectRequest, accessKeyId: string, sessionToken: string | undefined): Promise<DirectReply> {
    const { principal } = this.credentials.find(accessKeyId, sessionToken);
    return callDirectly(this.#services.get('dynamodb')!, principal, sent);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #route(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#isOwnHost(message.headers.host)) {
      reject(message, response, foreignHost(message.headers.host));
      return;
    }
    // Not parsed as a URL: a client may send the path `//`, which is not a valid URL.
    const [path = '/', ...query] = (message.url ?? '/').split('?');
    const parameters = new URLSearchParams(query.join('?'));
    const signed = signedService(message.headers, parameters);
    if (signed === undefined) {
      // The JSON protocols of AWS name their operation in this header, so this is a call without a signature.
      if (message.headers['x-amz-target'] === undefined) this.#otherwise(message, response);
      else reject(message, response, unsigned());
      return;
    }
    const service = this.#services.get(signed);
    if (service) await this.#serve(service, { message, path, query: parameters }, response);
    else reject(message, response, unsupported(signed, 'this service'));
  }

  async #serve(
    service: LocalService,
    { message, path, query }: Pick<AwsRequest, 'message' | 'path' | 'query'>,
    response: ServerResponse,
  ): Promise<void> {
    let bytes: Promise<Buffer> | undefined;
    const unverified: AwsRequest = {
      principal: { type: 'anonymous' },
      method: message.method ?? 'GET',
      path,
      query,
      headers: message.headers,
      message,
      body: () => {
        bytes ??= readBody(message);
        return bytes;
      },
    };
    let request = unverified;
    try {
      const verified = await this.#verify(service, unverified);
      if (verified) request = { ...unverified, verified, principal: verified.principal };
    } catch (error) {
      if (error instanceof Denial) await service.refuse(error, unverified, response);
      else if (error instanceof AwsError) reject(message, response, error);
      else throw error;
      message.resume();
      return;
    }
    await service.handle(request, response);
  }

  /** Returns nothing for a preflight of a presigned URL, which is sent before the request that was signed. */
  async #verify(service: LocalService, request: AwsRequest): Promise<Verified | undefined> {
    const { headers, query, method } = request;
    const isPreflight = method === 'OPTIONS' && headers.authorization === undefined;
    if (isPreflight) return undefined;
    const authorization = readAuthorization(headers, query);
    const verified = await this.#signatures.verify(request, authorization, () =>
      service.signingName === 's3' ? announcedHash(request, authorization) : bodyHash(request),
    );
    checkOrigin(headers.origin, verified);
    return verified;
  }

  #isOwnHost(host: string | undefined): boolean {
    const name = hostNameOf(host ?? '');
    return isLoopback(name) || this.#hosts.has(name);
  }
}

/** The hash that S3 clients send, because the body is streamed; S3 compares it with the body. */
function announcedHash({ headers, query }: AwsRequest, { presigned }: Authorization): string {
  const announced = query.get('X-Amz-Content-Sha256') ?? headers['x-amz-content-sha256'];
  if (typeof announced === 'string') return announced;
  if (presigned) return 'UNSIGNED-PAYLOAD';
  throw new Denial('incomplete', 'Missing required header for this request: x-amz-content-sha256');
}

async function bodyHash(request: AwsRequest): Promise<string> {
  return hash('sha256', await request.body());
}

/**
 * A page may not call AWS with an `Authorization` header. A presigned URL is a secret that a page may use as far as the
 * bucket's CORS rules allow, unless the well-known developer's key signed it.
 */
function checkOrigin(origin: string | undefined, { authorization, principal }: Verified): void {
  if (origin === undefined || isOwnOrigin(origin)) return;
  if (authorization.presigned && principal.type !== 'root') return;
  throw new AwsError(
    'AccessDeniedException',
    `The local cloud does not answer AWS requests of web pages such as ${origin}; send them from a program.`,
    { status: 403 },
  );
}

function foreignHost(host: string | undefined): AwsError {
  return new AwsError(
    'AccessDeniedException',
    `The local cloud does not answer to the host ${host ?? '(none)'}; use 127.0.0.1 or localhost.`,
    { status: 403 },
  );
}

function unsigned(): AwsError {
  return new AwsError(
    'MissingAuthenticationTokenException',
    'Request must contain a valid (registered) AWS access key ID.',
  );
}

/** In the form from which most SDK clients read an error, whatever their protocol. */
function reject(message: IncomingMessage, response: ServerResponse, error: AwsError): void {
  response.writeHead(error.status, { 'content-type': 'application/json', 'x-amzn-errortype': error.code });
  response.end(JSON.stringify({ __type: error.code, code: error.code, message: error.message }));
  message.resume();
}

function fail(response: ServerResponse, error: unknown): void {
  if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
  response.end(String(error));
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
