import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { AppError } from '../../errors/app-error.ts';
import { issueMessage } from '../../validation/issue-messages.ts';
import type { Binding } from '../bind.ts';
import type { Once } from '../idempotency.ts';
import type { HttpReply } from '../problem.ts';

export const MAX_KEY_LENGTH = 200;

interface Received {
  event: APIGatewayProxyEvent;
  operation: Binding;
  call: Parameters<Binding['run']>[0];
  context: Context;
}

/**
 * Runs the work at most once for the client's `Idempotency-Key`, if the request has one and the operation supports it.
 */
export async function withIdempotencyKey(
  deps: { once: Once; now(): Date },
  { event, operation: { route }, call, context }: Received,
  work: (newId: string) => Promise<HttpReply>,
): Promise<HttpReply> {
  const key = route.idempotent ? call.headers['idempotency-key'] : undefined;
  if (!key) return work(call.newId);
  if (key.length > MAX_KEY_LENGTH) throw keyTooLong();
  const { principal } = call;
  return deps.once(
    {
      workspaceId: principal.workspaceId,
      // A user's keys are valid across sign-ins; each API key has its own.
      credentialId: principal[principal.kind === 'user' ? 'userId' : 'credentialId'],
      operationId: route.operationId,
      key,
      content: JSON.stringify([event.path, event.queryStringParameters, call.bodyText === '' ? null : call.bodyText]),
    },
    { now: deps.now(), newId: call.newId, remainingMs: context.getRemainingTimeInMillis() },
    work,
  );
}

function keyTooLong(): AppError {
  const wording = issueMessage('maxLength', { limit: MAX_KEY_LENGTH });
  return new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/headers/idempotency-key', ...wording }] });
}
