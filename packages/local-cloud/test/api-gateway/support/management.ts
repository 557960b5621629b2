import { signedFetch } from '../../../testing/signed-request.ts';

export interface ManagementReply {
  status: number;
  /** The error's code, from its header. */
  error: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  body: any;
}

/** Calls API Gateway's management API as AWS documents it. */
export function managementClient(endpoint: string) {
  return async (method: string, path: string, body?: object): Promise<ManagementReply> => {
    const reply = await signedFetch(endpoint, {
      ...{ service: 'apigateway', method, path },
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const error = reply.headers.get('x-amzn-errortype');
    return { status: reply.status, error, body: text === '' ? undefined : JSON.parse(text) };
  };
}
