import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { ROOT } from '../core/access/principal.ts';
import type { AwsRequest, LocalService } from '../core/service.ts';

/** A request as a client hands it to its transport. */
interface ClientRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

interface Reply {
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

/**
 * Options of an AWS client that calls a service of its own process directly: sockets and signatures take more time than
 * a short call. Only for services whose requests and replies are single documents, such as DynamoDB.
 */
export function inProcess(service: LocalService) {
  return {
    requestHandler: {
      handle: async (request: ClientRequest): Promise<{ response: Reply }> => {
        // As with a socket, other work gets its turn between a request and its reply.
        await setImmediate();
        return { response: await replyOf(service, request) };
      },
      destroy: () => undefined,
    },
    signer: { sign: async <T>(request: T): Promise<T> => request },
  };
}

function replyOf(service: LocalService, { method, path, headers, body = '' }: ClientRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const reply = { statusCode: 200, headers: { date: new Date().toUTCString() } };
    const response = {
      writeHead(statusCode: number, more: Record<string, unknown>) {
        reply.statusCode = statusCode;
        for (const [name, value] of Object.entries(more)) Object.assign(reply.headers, { [name]: String(value) });
      },
      end: (bytes: Uint8Array) => resolve({ ...reply, body: bytes }),
    };
    const request = {
      ...{ principal: ROOT, method, path, query: new URLSearchParams(), headers },
      body: async () => Buffer.from(body),
    };
    service.handle(request as unknown as AwsRequest, response as unknown as ServerResponse).catch(reject);
  });
}
