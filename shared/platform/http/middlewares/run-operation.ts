import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { actorOf, auditing } from '../../audit/act.ts';
import type { CountUse } from '../../object-use/object-use.ts';
import { rehearse } from '../../storage/rehearsal.ts';
import type { Binding } from '../bind.ts';
import type { Once } from '../idempotency.ts';
import { invocationOf } from '../invocation.ts';
import type { HttpReply } from '../problem.ts';
import { serialise } from '../reply.ts';
import { withIdempotencyKey } from './idempotency-key.ts';
import { withIfMatch } from './if-match.ts';
import { binding } from './match-route.ts';
import { call } from './validate-request.ts';

type Received = Parameters<Binding['run']>[0];

export type AddToReply = (route: Binding['route'], reply: unknown, workspaceId: string) => Promise<unknown>;

interface ReplyDeps {
  addToReply?: AddToReply;
}

interface UseDeps {
  countUse?: CountUse;
  log: Logger;
}

/**
 * The end of the chain: runs the function of the operation under the request's `Idempotency-Key` and `If-Match`, and
 * serialises its result. Both headers wrap the work, which the `before` and `after` of a middleware cannot.
 */
export function runOperation(deps: { once: Once; now(): Date } & UseDeps & ReplyDeps) {
  return async (event: APIGatewayProxyEvent, context: Context): Promise<HttpReply> => {
    const operation = binding.of(event);
    const received = call.of(event);
    const work = (newId: string) =>
      withIfMatch(operation.route, received, () => run(deps, operation, { ...received, newId }));
    if (invocationOf(event).isRehearsal) {
      await rehearse(() => work(received.newId));
      return { statusCode: 204, headers: {}, body: '' };
    }
    const reply = await withIdempotencyKey(deps, { event, call: received, operation, context }, work);
    await countUse(deps, operation.route, received);
    return reply;
  };
}

/** Only people use objects, not their keys. An error is reported only: it is no reason to withhold the reply. */
async function countUse(deps: UseDeps, { uses }: Binding['route'], { principal, params }: Received): Promise<void> {
  if (!uses || principal?.kind !== 'user') return;
  const { workspaceId, userId } = principal;
  const id = (params as Record<string, string>)[uses.param]!;
  try {
    await deps.countUse?.({ workspaceId, type: uses.type, id }, userId, uses.isQuery ? 'query' : 'view');
  } catch (error) {
    deps.log.warn('a use was not counted', error as Error);
  }
}

async function run(deps: ReplyDeps, operation: Binding, received: Received): Promise<HttpReply> {
  const { audit } = operation.route;
  if (audit === undefined) return served(deps, operation, received);
  const { principal, sourceIp, headers, requestId } = received;
  const caller = principal && { actor: actorOf(principal), place: principal, caller: principal };
  const act = {
    actions: [audit].flat(),
    address: sourceIp,
    userAgent: headers['user-agent'] ?? null,
    requestId,
    replyHeaders: {},
    ...caller,
  };
  const reply = await auditing(act, () => served(deps, operation, received));
  return { ...reply, headers: { ...reply.headers, ...act.replyHeaders } };
}

async function served(
  { addToReply }: ReplyDeps,
  { route, run: serve }: Binding,
  received: Received,
): Promise<HttpReply> {
  const reply = await serve(received);
  const { principal, contentType, headers } = received;
  const whole = addToReply && principal ? await addToReply(route, reply, principal.workspaceId) : reply;
  return serialise(route, contentType, whole, headers['if-none-match']);
}
