import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { Principal } from './access/principal.ts';
import type { AwsRequest, LocalService } from './service.ts';

/** A request as an AWS client hands it to its transport. */
export interface DirectRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface DirectReply {
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * A call of a service from within its process, without a socket and a signature. Only for services whose requests and
 * replies are single documents, such as DynamoDB.
 */
export async function callDirectly(
  service: LocalService,
  principal: Principal,
  sent: DirectRequest,
): Promise<DirectReply> {
  // As with a socket, other work gets its turn between a request and its reply.
  await setImmediate();
  const { method, path, headers } = sent;
  const request = { principal, method, path, query: new URLSearchParams(), headers, body: async () => bodyOf(sent) };
  return new Promise((resolve, reject) => {
    const reply = { statusCode: 200, headers: { date: new Date().toUTCString() } };
    const response = {
      writeHead(statusCode: number, more: Record<string, unknown>) {
        reply.statusCode = statusCode;
        for (const [name, value] of Object.entries(more)) Object.assign(reply.headers, { [name]: String(value) });
      },
      end: (body: Uint8Array) => resolve({ ...reply, body }),
    };
    service.handle(request as unknown as AwsRequest, response as unknown as ServerResponse).catch(reject);
  });
}

function bodyOf({ body = '' }: DirectRequest): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
