import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Credentials } from '../../../core/access/credentials.ts';

const PREFIX = '/_local/task-credentials/';

/** Where a task asks for the credentials of its role. */
export interface CredentialsAddress {
  uri: string;
  /** Must be sent along: a program that can only be made to call the address gets nothing. */
  authorization: string;
}

interface Session {
  roleArn: string;
  sessionName: string;
  authorization: string;
}

/** The credentials endpoint of ECS: each running task has an address of its own, for as long as it runs. */
export class TaskCredentials {
  readonly #credentials: Credentials;
  readonly #endpoint: () => string;
  readonly #sessions = new Map<string, Session>();

  constructor(credentials: Credentials, endpoint: () => string) {
    this.#credentials = credentials;
    this.#endpoint = endpoint;
  }

  /** Opens an address; call `close` when the task has ended. */
  open(roleArn: string, sessionName: string): CredentialsAddress & { close(): void } {
    const id = randomUUID();
    const authorization = randomBytes(32).toString('base64url');
    this.#sessions.set(id, { roleArn, sessionName, authorization });
    return { uri: `${this.#endpoint()}${PREFIX}${id}`, authorization, close: () => void this.#sessions.delete(id) };
  }

  /** Answers a request for credentials. Returns false for any other request. */
  serve(message: IncomingMessage, response: ServerResponse): boolean {
    if (message.method !== 'GET' || !message.url?.startsWith(PREFIX)) return false;
    const session = this.#sessions.get(message.url.slice(PREFIX.length));
    if (session && isSame(session.authorization, message.headers.authorization ?? '')) {
      reply(response, 200, this.#document(session));
    } else {
      reply(response, 403, { code: 'AccessDenied', message: 'No running task has this address and authorization.' });
    }
    return true;
  }

  #document({ roleArn, sessionName }: Session): object {
    const { accessKeyId, secretAccessKey, sessionToken, expiresAt } = this.#credentials.issue(roleArn, sessionName);
    return {
      RoleArn: roleArn,
      AccessKeyId: accessKeyId,
      SecretAccessKey: secretAccessKey,
      Token: sessionToken,
      Expiration: new Date(expiresAt).toISOString(),
    };
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function reply(response: ServerResponse, status: number, body: object): void {
  const content = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': content.length });
  response.end(content);
}
