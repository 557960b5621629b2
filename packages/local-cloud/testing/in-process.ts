import { setImmediate } from 'node:timers/promises';
import { ROOT } from '../core/access/principal.ts';
import { bodyOf, type DirectReply, type DirectRequest, directReply } from '../core/direct-call.ts';
import type { AwsRequest, LocalService } from '../core/service.ts';

/**
 * Options of an AWS client that calls a service of its own process directly: sockets and signatures take more time than
 * a short call. Only for services whose requests and replies are single documents, such as DynamoDB.
 */
export function inProcess(service: LocalService) {
  return {
    requestHandler: {
      handle: async (request: DirectRequest): Promise<{ response: DirectReply }> => {
        // As with a socket, other work gets its turn between a request and its reply.
        await setImmediate();
        return { response: await replyOf(service, request) };
      },
      destroy: () => undefined,
    },
    signer: { sign: async <T>(request: T): Promise<T> => request },
  };
}

function replyOf(service: LocalService, sent: DirectRequest): Promise<DirectReply> {
  const { method, path, headers } = sent;
  const request = {
    principal: ROOT,
    method,
    path,
    query: new URLSearchParams(),
    headers,
    body: async () => bodyOf(sent),
  };
  return directReply((response) => service.handle(request as unknown as AwsRequest, response));
}
