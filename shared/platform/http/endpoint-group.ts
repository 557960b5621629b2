import type { Logger } from '@aws-lambda-powertools/logger';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Authenticate } from '../auth/authenticate.ts';
import type { CheckProduct } from '../entitlements/product-check.ts';
import type { CountUse } from '../object-use/object-use.ts';
import type { Binding } from './bind.ts';
import type { Once } from './idempotency.ts';
import { answerPreflight } from './middlewares/answer-preflight.ts';
import { answerProblems } from './middlewares/answer-problems.ts';
import { authenticate } from './middlewares/authenticate.ts';
import { authorize, type IsGranted } from './middlewares/authorize.ts';
import { type KnownRoutes, matchRoute } from './middlewares/match-route.ts';
import { observe } from './middlewares/observe.ts';
import { readBody } from './middlewares/read-body.ts';
import type { ApiMiddleware } from './middlewares/request-value.ts';
import { type AddToReply, runOperation } from './middlewares/run-operation.ts';
import { validateRequest } from './middlewares/validate-request.ts';
import type { HttpReply } from './problem.ts';

export interface GroupDeps {
  authenticate: Authenticate;
  /** Required if a route of the group declares `grant`. */
  isGranted?: IsGranted;
  checkProduct: CheckProduct;
  /** Counts that a person has used an object; required if a route of the group declares `uses`. */
  countUse?: CountUse;
  /** Runs a request with an `Idempotency-Key` at most once. */
  once: Once;
  now(): Date;
  log: Logger;
  /** Adds to the reply of an operation what is stored apart from its record. */
  addToReply?: AddToReply;
  /** For a group that also receives the paths of no group. */
  knownRoutes?: KnownRoutes;
  /** Changes the replies of requests that failed, such as to pages for browsers. */
  showProblems?: ApiMiddleware;
}

/**
 * The middleware chain of every operation. Its order decides which problem a client sees first: a caller without a
 * valid token learns nothing about the inputs of routes, and bodies are read only for callers who may send them.
 */
export function endpointGroup(bindings: readonly Binding[], deps: GroupDeps) {
  const granted = bindings.find(({ route }) => route.grant);
  if (granted && !deps.isGranted) throw new Error(`${granted.route.operationId} declares a grant; pass \`isGranted\``);
  return middy<APIGatewayProxyEvent, HttpReply, Error, Context>()
    .use(observe(deps.log))
    .use(deps.showProblems ?? [])
    .use(answerProblems(deps.log))
    .use(answerPreflight())
    .use(matchRoute(bindings, deps.knownRoutes))
    .use(authenticate(deps))
    .use(authorize(deps))
    .use(readBody())
    .use(validateRequest(deps))
    .handler(runOperation(deps));
}
