import { signedFetch } from './signed-request.ts';

/** An error as the wire format reports it. */
export class WireError extends Error {
  constructor({ __type, message }: { __type: string; message: string }) {
    super(message);
    this.name = __type;
  }
}

/** Calls an ECS operation over its wire protocol, because no SDK client is installed. Throws `WireError`. */
export async function callEcs<Output>(endpoint: string, operation: string, input: object): Promise<Output> {
  const reply = await signedFetch(endpoint, {
    ...{ service: 'ecs', method: 'POST', path: '/' },
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AmazonEC2ContainerServiceV20141113.${operation}`,
    },
    body: JSON.stringify(input),
  });
  const output = (await reply.json()) as Output;
  if (!reply.ok) throw new WireError(output as { __type: string; message: string });
  return output;
}
