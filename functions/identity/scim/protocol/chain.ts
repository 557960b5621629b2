import type { Logger } from '@aws-lambda-powertools/logger';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { AuthenticateProvisioner, Provisioner } from '../../../../shared/domains/identity/provisioning/index.ts';
import { type Act, auditing } from '../../../../shared/platform/audit/act.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { baseUrl } from '../../../../shared/platform/http/base-url.ts';
import { headersOf } from '../../../../shared/platform/http/headers.ts';
import { answerPreflight } from '../../../../shared/platform/http/middlewares/answer-preflight.ts';
import { binding, matchRoute } from '../../../../shared/platform/http/middlewares/match-route.ts';
import { observe } from '../../../../shared/platform/http/middlewares/observe.ts';
import { body, readBody } from '../../../../shared/platform/http/middlewares/read-body.ts';
import { type ApiMiddleware, RequestValue } from '../../../../shared/platform/http/middlewares/request-value.ts';
import type { HttpReply } from '../../../../shared/platform/http/problem.ts';
import type { Route } from '../../../../shared/platform/http/route.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { renderScimError, SCIM_TYPE } from './errors.ts';
import { isObject, type Members } from './values.ts';

/** The argument of an operation of SCIM. */
export interface ScimCall {
  provisioner: Provisioner;
  params: Record<string, string>;
  query: Record<string, string>;
  body: Members;
  newId: string;
  /** The address of the SCIM service, as the client sees it. */
  baseUrl: string;
}

export interface ScimBinding {
  route: Route;
  /** The resource or message of the reply; undefined if it has none. */
  run(call: ScimCall): Promise<Members | undefined>;
}

interface Deps {
  authenticate: AuthenticateProvisioner;
  now(): Date;
  log: Logger;
}

const provisioner = new RequestValue<Provisioner>('caller');

/**
 * The middleware chain of SCIM. Identity providers send members and parameters that no declaration knows, so nothing is
 * rejected for being unknown; every error has the form of SCIM, also that of an unknown path.
 */
export function scimGroup(bindings: readonly ScimBinding[], deps: Deps) {
  const runs = new Map(bindings.map(({ route, run }) => [route.operationId, run]));
  const bound = bindings.map(({ route }) => ({ route, run: async () => undefined }));
  return middy<APIGatewayProxyEvent, HttpReply, Error, Context>()
    .use(observe(deps.log))
    .use(answerErrors(deps.log))
    .use(answerPreflight())
    .use(matchRoute(bound))
    .use(authenticate(deps))
    .use(readBody())
    .handler(async (event) => {
      const { route } = binding.of(event);
      const call = callOf(event, route, deps.now());
      const work = () => runs.get(route.operationId)!(call);
      const result = await (route.audit ? auditing(actOf(event, route.audit, call), work) : work());
      return reply(route.success.status, result);
    });
}

function answerErrors(log: Logger): ApiMiddleware {
  return {
    onError: (request) => {
      const { event, error } = request;
      if (!(error instanceof AppError)) log.error('unexpected failure', { error: error as Error });
      request.response = renderScimError(error, { path: event.path, requestId: event.requestContext.requestId });
    },
  };
}

function authenticate(deps: Deps): ApiMiddleware {
  return {
    before: async ({ event }) => {
      const caller = await deps.authenticate(headersOf(event).authorization, deps.now());
      provisioner.set(event, caller);
      deps.log.appendKeys({ workspaceId: caller.workspaceId, scimTokenId: caller.id });
    },
  };
}

function callOf(event: APIGatewayProxyEvent, route: Route, now: Date): ScimCall {
  const { json } = body.of(event);
  if (route.body && !isObject(json)) {
    throw new AppError('VALIDATION_FAILED', {
      errors: [{ pointer: '', code: 'TYPE', message: 'must be a JSON object' }],
    });
  }
  return {
    provisioner: provisioner.of(event),
    params: event.pathParameters as Record<string, string>,
    query: namesInLowerCase(event.queryStringParameters),
    body: (json ?? {}) as Members,
    newId: newId(now),
    baseUrl: scimBaseUrl(headersOf(event)),
  };
}

/** The token acts: a person of the identity provider is not known here. */
function actOf(event: APIGatewayProxyEvent, audit: NonNullable<Route['audit']>, { provisioner }: ScimCall): Act {
  const { id, name, companyId, workspaceId } = provisioner;
  return {
    actions: [audit].flat(),
    actor: { type: 'scim', id, name, email: null },
    place: { companyId, workspaceId },
    address: event.requestContext.identity?.sourceIp ?? '',
    userAgent: headersOf(event)['user-agent'] ?? null,
    requestId: event.requestContext.requestId,
    replyHeaders: {},
  };
}

/** Names of parameters ignore case here: clients write `startindex` too. */
function namesInLowerCase(parameters: APIGatewayProxyEvent['queryStringParameters']): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']));
}

export const scimBaseUrl = (headers: Record<string, string>): string => `${baseUrl(headers)}/scim/v2`;

function reply(statusCode: number, result: Members | undefined): HttpReply {
  if (result === undefined) return { statusCode, headers: {}, body: '' };
  const { location } = (result.meta ?? {}) as { location?: string };
  return {
    statusCode,
    headers: { 'content-type': SCIM_TYPE, ...(location === undefined ? {} : { location }) },
    body: JSON.stringify(result),
  };
}
