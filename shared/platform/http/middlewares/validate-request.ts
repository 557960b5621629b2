import { validators } from 'virtual:validators';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Principal } from '../../auth/principal.ts';
import { AppError, type Issue } from '../../errors/app-error.ts';
import { newId } from '../../storage/ids.ts';
import { schemaIssues } from '../../validation/schema-issues.ts';
import type { Call } from '../bind.ts';
import { withCurrentNames } from '../former-names.ts';
import { headersOf } from '../headers.ts';
import { invocationOf } from '../invocation.ts';
import { noQueryIssues } from '../no-query-issues.ts';
import { chooseContentType } from '../reply.ts';
import type { Route } from '../route.ts';
import { principal } from './authenticate.ts';
import { binding } from './match-route.ts';
import { body } from './read-body.ts';
import { type ApiMiddleware, RequestValue } from './request-value.ts';

/** The argument for the operation's function. Public operations have no principal. */
export const call = new RequestValue<Call & { principal: Principal }>('call');

/** The places of members as the request has named them, which may be by their former names. */
const sentNames = new RequestValue<(pointer: string) => string>('names of members');

/** Checks path, query and body against the declaration and reports every issue at once. */
export function validateRequest(deps: { now(): Date; log: Logger }): ApiMiddleware {
  return {
    before: async ({ event }) => {
      const bound = binding.of(event);
      const { route } = bound;
      const headers = headersOf(event);
      const { inputs, issues } = checkedInputs(event, route);
      const id = invocationOf(event).newId ?? newId(deps.now());
      if (issues.length > 0) {
        const { params, body: given } = inputs as { params: Record<string, unknown>; body: unknown };
        const further = bound.furtherIssues
          ? await bound.furtherIssues({ params, body: given, newId: id, principal: principal.of(event) })
          : [];
        throw new AppError('VALIDATION_FAILED', { errors: withoutRepeated([...issues, ...further]) });
      }
      call.set(event, {
        ...inputs,
        bodyText: body.of(event).text,
        principal: principal.find(event) as Principal,
        requestId: event.requestContext.requestId,
        newId: id,
        sourceIp: event.requestContext.identity?.sourceIp ?? '',
        headers,
        contentType: chooseContentType(route, headers.accept),
        log: deps.log,
      });
    },
    // Also for what the operation finds.
    onError: (request) => {
      const { event, error } = request;
      const asSent = sentNames.find(event);
      if (!asSent || !(error instanceof AppError) || error.errors.length === 0) return;
      request.error = error.withErrors(error.errors.map((issue) => ({ ...issue, pointer: asSent(issue.pointer) })));
    },
  };
}

function withoutRepeated(issues: readonly Issue[]): Issue[] {
  return [
    ...new Map(issues.map((issue) => [`${issue.pointer} ${issue.code}`, issue] as const).reverse()).values(),
  ].reverse();
}

/** The inputs with numbers converted and defaults filled in, and every issue of them. */
function checkedInputs(
  event: APIGatewayProxyEvent,
  route: Route,
): { inputs: Pick<Call, 'params' | 'query' | 'body'>; issues: Issue[] } {
  const checks = validators[route.operationId] ?? {};
  const params = { ...event.pathParameters };
  const named = withCurrentNames({ ...event.queryStringParameters }, route.query, '/query');
  const query = named.input as Record<string, unknown>;
  const given = withCurrentNames(body.of(event).json, route.body);
  const json = given.input;
  sentNames.set(event, (pointer) => named.asSent(given.asSent(pointer)));
  const issues: Issue[] = [...named.issues, ...given.issues];
  if (checks.params && !checks.params(params)) {
    issues.push(...schemaIssues(checks.params.errors ?? [], route.params!, params, '/path'));
  }
  if (checks.query && !checks.query(query)) {
    issues.push(...schemaIssues(checks.query.errors ?? [], route.query!, query, '/query'));
  }
  if (!route.query) issues.push(...noQueryIssues(event));
  if (checks.body && !checks.body(json)) issues.push(...schemaIssues(checks.body.errors ?? [], route.body!, json));
  return { inputs: { params, query, body: json } as Pick<Call, 'params' | 'query' | 'body'>, issues };
}
