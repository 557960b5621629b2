import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authorizer } from './access/authorizer.ts';
import type { Denial } from './access/denial.ts';
import type { Principal } from './access/principal.ts';
import type { Verified } from './access/signatures.ts';
import type { Clock } from './clock.ts';
import type { Faults } from './faults.ts';

/** What every service of the local cloud receives at its creation. */
export interface CloudContext {
  readonly region: string;
  readonly accountId: string;
  /** This service's own folder; it exists. Everything that must survive SIGKILL is stored in it. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly authorizer: Authorizer;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Base URL of the AWS services, such as `http://127.0.0.1:3000`; known once the server listens. */
  endpoint(): string;
  /** One line of the local cloud's own log. */
  log(message: string): void;
}

/** A request that the front has assigned to an AWS service, by the service name in its signature, which is verified. */
export interface AwsRequest {
  /** The caller. */
  readonly principal: Principal;
  /** Absent in a preflight of a presigned URL and in calls without a socket. */
  readonly verified?: Verified;
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The raw message, for services that stream their bodies. */
  readonly message: IncomingMessage;
  /** Reads the whole body; only once. */
  body(): Promise<Buffer>;
}

export interface LocalService {
  /**
   * The name in the signature's credential scope: `dynamodb`, `sqs`, `s3`, `states`, `events`, `scheduler`, `ses`,
   * `lambda`, `ssm`, `logs`.
   */
  readonly signingName: string;
  handle(request: AwsRequest, response: ServerResponse): Promise<void>;
  /** Reports a signature that is not valid, in the service's own form. */
  refuse(denial: Denial, request: AwsRequest, response: ServerResponse): void | Promise<void>;
  /** Stops timers and closes files. Acknowledged changes are already on disk. */
  close(): Promise<void>;
}
