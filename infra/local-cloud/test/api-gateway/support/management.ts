export interface ManagementReply {
  status: number;
  /** The error's code, from its header. */
  error: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  body: any;
}

/** Calls API Gateway's management API as AWS documents it; the local cloud only reads the signature's scope. */
export function managementClient(endpoint: string) {
  return async (method: string, path: string, body?: object): Promise<ManagementReply> => {
    const scope = 'local/20260101/us-east-1/apigateway/aws4_request';
    const reply = await fetch(`${endpoint}${path}`, {
      method,
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const error = reply.headers.get('x-amzn-errortype');
    return { status: reply.status, error, body: text === '' ? undefined : JSON.parse(text) };
  };
}
