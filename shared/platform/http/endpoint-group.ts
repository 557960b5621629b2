import { validators } from 'virtual:validators';
import type { Logger } from '@aws-lambda-powertools/logger';
import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Authenticate } from '../auth/authenticate.ts';
import { isPermitted } from '../auth/permissions.ts';
import type { Principal } from '../auth/principal.ts';
import type { Product } from '../entitlements/products.ts';
import { AppError, type Issue } from '../errors/app-error.ts';
import { expecting } from '../storage/expectation.ts';
import { newId } from '../storage/ids.ts';
import type { Table } from '../storage/table.ts';
import { toIssues } from '../validation/ajv-issues.ts';
import type { Binding, Call } from './bind.ts';
import { badIfMatch, readIfMatch } from './entity-tag.ts';
import { once } from './idempotency.ts';
import { type HttpReply, renderProblem } from './problem.ts';
import { chooseContentType, serialise } from './reply.ts';
import { takesIfMatch } from './route.ts';
import { Router } from './router.ts';

const MAX_BODY_BYTES = 1024 * 1024;

export interface GroupDeps {
  table: Table;
  authenticate: Authenticate;
  isLicensed(companyId: string, product: Product, now: Date): Promise<boolean>;
  now(): Date;
  log: Logger;
}

/** What the steps of the chain learn about a request, in their order. */
interface Exchange {
  event: APIGatewayProxyEvent;
  binding: Binding;
  principal: Principal;
  call: Call & { principal: Principal };
}

type Step = (exchange: Exchange) => Promise<void> | void;

/** The one chain in front of every operation: request id and log → problem reply → route → authentication → permission → validation → run → serialise. */
export function endpointGroup(bindings: readonly Binding[], deps: GroupDeps) {
  const routes = new Router(
    bindings.map((binding) => ({ ...binding, method: binding.route.method, path: binding.route.path })),
  );

  const route: Step = (exchange) => {
    const { event } = exchange;
    const match = routes.match(event.httpMethod, event.path);
    if (match.found === 'nothing') throw new AppError('ROUTE_NOT_FOUND');
    if (match.found === 'otherMethod') {
      throw new AppError('METHOD_NOT_ALLOWED', { detail: `The endpoint offers ${match.allowed.join(', ')}.` });
    }
    exchange.binding = match.route;
    event.pathParameters = match.params;
  };

  const authenticate: Step = async (exchange) => {
    if (exchange.binding.route.permission === 'public') return;
    exchange.principal = await deps.authenticate(header(exchange.event, 'authorization'), deps.now());
    deps.log.appendKeys({ workspaceId: exchange.principal.workspaceId, userId: exchange.principal.userId });
  };

  const permit: Step = async ({ binding: { route }, principal }) => {
    if (route.permission !== 'public' && !isPermitted(route.permission, principal)) throw new AppError('FORBIDDEN');
    if (route.product && !(await deps.isLicensed(principal.companyId, route.product, deps.now()))) {
      throw new AppError('PRODUCT_NOT_LICENSED', { detail: `Your company has no licence for ${route.product}.` });
    }
  };

  const validate: Step = (exchange) => {
    const { event, binding } = exchange;
    const bodyText = bodyTextOf(event);
    const inputs = readInputs(event, bodyText, binding);
    exchange.call = {
      ...inputs,
      bodyText,
      principal: exchange.principal,
      requestId: event.requestContext.requestId,
      newId: newId(deps.now()),
      sourceIp: event.requestContext.identity?.sourceIp ?? '',
      headers: Object.fromEntries(
        Object.entries(event.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']),
      ),
      contentType: chooseContentType(binding.route, header(event, 'accept')),
      log: deps.log,
    };
  };

  const run = async (exchange: Exchange, remainingMs: number): Promise<HttpReply> => {
    const { binding, call, event } = exchange;
    const key = binding.route.idempotent ? call.headers['idempotency-key'] : undefined;
    if (!key) return runOnce(binding, call);
    if (key.length > 200) {
      throw new AppError('VALIDATION_FAILED', {
        errors: [
          {
            pointer: '/headers/idempotency-key',
            code: 'MAX_LENGTH',
            message: 'must not have more than 200 characters',
          },
        ],
      });
    }
    return once(
      deps.table,
      {
        workspaceId: exchange.principal.workspaceId,
        // A user's keys stay theirs from one sign-in to the next; what an API key sends is its own.
        credentialId: exchange.principal[exchange.principal.kind === 'user' ? 'userId' : 'credentialId'],
        operationId: binding.route.operationId,
        key,
        content: JSON.stringify([event.path, event.queryStringParameters, event.body]),
      },
      { now: deps.now(), newId: call.newId, remainingMs },
      (id) => runOnce(binding, { ...call, newId: id }),
    );
  };

  return middy<APIGatewayProxyEvent, APIGatewayProxyResult, Error, Context>()
    .use(observed(deps))
    .handler(async (event, context) => {
      if (event.httpMethod === 'OPTIONS') return PREFLIGHT;
      const exchange = { event } as Exchange;
      for (const step of [route, authenticate, permit, validate]) await step(exchange);
      return run(exchange, context.getRemainingTimeInMillis());
    });
}

/** Gives every reply its request id, logs one line per request, and turns failures into problem documents. */
function observed(deps: GroupDeps): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const finish = (event: APIGatewayProxyEvent, reply: HttpReply, startedAt: number): HttpReply => {
    const level = reply.statusCode >= 500 ? 'error' : 'info';
    deps.log[level]('request', {
      method: event.httpMethod,
      path: event.path,
      status: reply.statusCode,
      durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
    });
    return {
      ...reply,
      headers: {
        ...reply.headers,
        'x-request-id': event.requestContext.requestId,
        'x-content-type-options': 'nosniff',
        'cache-control': reply.headers['cache-control'] ?? 'no-store',
        'access-control-allow-origin': '*',
        'access-control-expose-headers':
          'x-request-id, etag, idempotency-replayed, retry-after, x-row-count, x-truncated, x-as-of, x-cache, x-warnings',
      },
    };
  };
  const startedAt = Symbol('startedAt');
  type Timed = { internal: { [startedAt]?: number } };
  return {
    before: (request) => {
      request.event.path = apiPath(request.event.path);
      (request as unknown as Timed).internal[startedAt] = performance.now();
      deps.log.resetKeys();
      deps.log.appendKeys({ requestId: request.event.requestContext.requestId });
    },
    after: (request) => {
      const started = (request as unknown as Timed).internal[startedAt] ?? performance.now();
      request.response = finish(request.event, request.response as HttpReply, started);
    },
    onError: (request) => {
      const { event, error } = request;
      if (!(error instanceof AppError)) deps.log.error('unexpected failure', { error });
      else if (error.cause) deps.log.warn(error.code, { cause: String(error.cause) });
      const place = { path: event.path, requestId: event.requestContext.requestId };
      const started = (request as unknown as Timed).internal[startedAt] ?? performance.now();
      request.response = finish(event, renderProblem(error, place), started);
    },
  };
}

/** The default address carries `/api` as its stage, which the event's path leaves out; a custom domain's mapping does not. */
function apiPath(path: string): string {
  return path === '/api' || path.startsWith('/api/') ? path : `/api${path}`;
}

/** Any page may call the API: it takes no cookies, only credentials that the page itself sends. */
const PREFLIGHT: HttpReply = {
  statusCode: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match',
    'access-control-max-age': '7200',
    'cache-control': 'max-age=7200',
  },
  body: '',
};

const bodyTextOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string =>
  isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString('utf8') : (body ?? '');

function readInputs(event: APIGatewayProxyEvent, bodyText: string, binding: Binding) {
  const { route } = binding;
  const checks = validators[route.operationId] ?? {};
  const issues: Issue[] = [];
  const params = { ...event.pathParameters };
  const query: Record<string, unknown> = { ...event.queryStringParameters };
  if (checks.params && !checks.params(params)) issues.push(...toIssues(checks.params.errors, '/path'));
  if (checks.query && !checks.query(query)) issues.push(...toIssues(checks.query.errors, '/query'));
  const body = route.body ? parseBody(event, bodyText, route.optionalBody === true) : undefined;
  if (checks.body && !checks.body(body)) issues.push(...toIssues(checks.body.errors));
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return { params, query: pick(query, route.query), body: pick(body, route.body) } as Pick<
    Call,
    'params' | 'query' | 'body'
  >;
}

function parseBody(event: APIGatewayProxyEvent, text: string, optional: boolean): unknown {
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw new AppError('BODY_TOO_LARGE');
  if (text === '' && optional) return {};
  const type = header(event, 'content-type');
  if (type !== undefined && !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw new AppError('UNSUPPORTED_MEDIA_TYPE');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('INVALID_JSON', { detail: `The request body is not valid JSON: ${(cause as Error).message}.` });
  }
}

/** Members that the declaration does not name are ignored: they reach nobody and nothing. */
function pick(value: unknown, schema: unknown): unknown {
  const properties = (schema as { properties?: Record<string, unknown> } | undefined)?.properties;
  if (!properties || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)));
}

/** Runs the function of the route under the client's `If-Match`, if it sent one. */
async function runOnce(binding: Binding, call: Exchange['call']): Promise<HttpReply> {
  const { route } = binding;
  const ifMatch = call.headers['if-match'];
  if (ifMatch === undefined || route.method === 'GET' || route.method === 'POST') {
    return serialise(route, call.contentType, await binding.run(call));
  }
  if (!takesIfMatch(route)) throw badIfMatch('is not supported here: the record counts no revisions');
  const id = /\{(\w+)\}[^{]*$/.exec(route.path)?.[1];
  const expectation = {
    id: id && (call.params as Record<string, string>)[id],
    revisions: readIfMatch(ifMatch),
  };
  return serialise(route, call.contentType, await expecting(expectation, () => binding.run(call)));
}

function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  for (const [key, value] of Object.entries(event.headers ?? {}))
    if (key.toLowerCase() === name) return value ?? undefined;
  return undefined;
}
