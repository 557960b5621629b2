import { validators } from 'virtual:validators';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Principal } from '../../auth/principal.ts';
import { AppError, type Issue } from '../../errors/app-error.ts';
import { newId } from '../../storage/ids.ts';
import { schemaIssues } from '../../validation/schema-issues.ts';
import type { Call } from '../bind.ts';
import { headersOf } from '../headers.ts';
import { noQueryIssues } from '../no-query-issues.ts';
import { chooseContentType } from '../reply.ts';
import type { Route } from '../route.ts';
import { principal } from './authenticate.ts';
import { binding } from './match-route.ts';
import { body } from './read-body.ts';
import { type ApiMiddleware, RequestValue } from './request-value.ts';

/** The argument for the operation's function. Public operations have no principal. */
export const call = new RequestValue<Call & { principal: Principal }>('call');

/** Checks path, query and body against the declaration and reports every issue at once. */
export function validateRequest(deps: { now(): Date; log: Logger }): ApiMiddleware {
  return {
    before: ({ event }) => {
      const { route } = binding.of(event);
      const headers = headersOf(event);
      call.set(event, {
        ...validInputs(event, route),
        bodyText: body.of(event).text,
        principal: principal.find(event) as Principal,
        requestId: event.requestContext.requestId,
        newId: newId(deps.now()),
        sourceIp: event.requestContext.identity?.sourceIp ?? '',
        headers,
        contentType: chooseContentType(route, headers.accept),
        log: deps.log,
      });
    },
  };
}

/** The inputs with numbers converted and defaults filled in. Throws `VALIDATION_FAILED`. */
function validInputs(event: APIGatewayProxyEvent, route: Route): Pick<Call, 'params' | 'query' | 'body'> {
  const checks = validators[route.operationId] ?? {};
  const params = { ...event.pathParameters };
  const query: Record<string, unknown> = { ...event.queryStringParameters };
  const { json } = body.of(event);
  const issues: Issue[] = [];
  if (checks.params && !checks.params(params)) {
    issues.push(...schemaIssues(checks.params.errors ?? [], route.params!, params, '/path'));
  }
  if (checks.query && !checks.query(query)) {
    issues.push(...schemaIssues(checks.query.errors ?? [], route.query!, query, '/query'));
  }
  if (!route.query) issues.push(...noQueryIssues(event));
  if (checks.body && !checks.body(json)) issues.push(...schemaIssues(checks.body.errors ?? [], route.body!, json));
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return { params, query, body: json } as Pick<Call, 'params' | 'query' | 'body'>;
}
