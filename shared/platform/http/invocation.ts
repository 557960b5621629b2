import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * What a function of the platform adds to a request when it invokes the function of an endpoint group. Clients cannot
 * send it: it is part of the context of the request, which the gateway makes itself.
 */
export interface Invocation {
  /** The id for the record that the request creates, so that a request that is repeated creates it once. */
  newId?: string;
  /** Whether to check the request as far as its first write, and to change nothing. */
  isRehearsal?: true;
}

/** Marks the context of a request that a function sends. */
export const withInvocation = (invocation: Invocation): { invocation: Invocation } => ({ invocation });

export function invocationOf(event: APIGatewayProxyEvent): Invocation {
  return (event.requestContext as { invocation?: Invocation }).invocation ?? {};
}
