import { ROOT } from '../core/access/principal.ts';
import { callDirectly, type DirectReply, type DirectRequest } from '../core/direct-call.ts';
import type { LocalService } from '../core/service.ts';

/**
 * Options of an AWS client that calls a service of its own process directly: sockets and signatures take more time than
 * a short call. Only for services whose requests and replies are single documents, such as DynamoDB.
 */
export function inProcess(service: LocalService) {
  return {
    requestHandler: {
      handle: async (request: DirectRequest): Promise<{ response: DirectReply }> => ({
        response: await callDirectly(service, ROOT, request),
      }),
      destroy: () => undefined,
    },
    signer: { sign: async <T>(request: T): Promise<T> => request },
  };
}
