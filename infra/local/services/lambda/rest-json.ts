import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AwsError, unsupported } from '../../core/aws-error.ts';
import { refuseUnknownMembers } from '../../core/operations.ts';
import type { AwsRequest } from '../../core/service.ts';

/** Members of a request: from the path, the query and the JSON body, under the names that the SDK gives them. */
// biome-ignore lint/suspicious/noExplicitAny: each operation names the exact type of its own input
export type Input = any;

/** One operation of a REST-JSON service. Members outside `members` are refused by name. */
export interface Route {
  operation: string;
  method: string;
  /** `/2015-03-31/functions/{FunctionName}` */
  path: string;
  status: number;
  members: string[];
  run(input: Input): unknown;
}

interface CompiledRoute extends Route {
  pattern: RegExp;
}

/** Answers REST-JSON requests: finds the operation by method and path, reads its members, writes result or error. */
export class RestJson {
  readonly #routes: CompiledRoute[];

  constructor(routes: Route[]) {
    this.#routes = routes.map((route) => ({
      ...route,
      pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
    }));
  }

  async answer(request: AwsRequest, response: ServerResponse): Promise<void> {
    try {
      const { route, path } = this.#find(request);
      const input = { ...(await readBody(request)), ...readQuery(request.query), ...path };
      refuseUnknownMembers('lambda', route.operation, input, route.members);
      reply(response, route.status, await route.run(input));
    } catch (error) {
      replyError(response, error);
    }
  }

  #find(request: AwsRequest): { route: Route; path: Record<string, string> } {
    for (const route of this.#routes) {
      if (route.method !== request.method) continue;
      const groups = route.pattern.exec(request.path)?.groups;
      if (!groups && !route.pattern.test(request.path)) continue;
      const path = Object.entries(groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
      return { route, path: Object.fromEntries(path) };
    }
    throw unsupported('lambda', `the operation at ${request.method} ${request.path}`);
  }
}

async function readBody(request: AwsRequest): Promise<Record<string, unknown>> {
  const bytes = await request.body();
  return bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
}

function readQuery(query: URLSearchParams): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const name of query.keys()) {
    if (name === 'MaxItems') members[name] = Number(query.get(name));
    else if (name === 'tagKeys') members.TagKeys = query.getAll(name);
    else members[name] = query.get(name);
  }
  return members;
}

export function reply(response: ServerResponse, status: number, body: unknown): void {
  const bytes = status === 204 ? undefined : Buffer.from(JSON.stringify(body ?? {}));
  response.writeHead(status, {
    'x-amzn-requestid': randomUUID(),
    ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
  });
  response.end(bytes);
}

export function replyError(response: ServerResponse, cause: unknown): void {
  const error = awsErrorOf(cause);
  const body = Buffer.from(JSON.stringify({ Type: 'User', message: error.message, ...error.fields }));
  response.writeHead(error.status, {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-amzn-requestid': randomUUID(),
    'x-amzn-errortype': error.code,
  });
  response.end(body);
}

function awsErrorOf(cause: unknown): AwsError {
  if (cause instanceof AwsError) return cause;
  if (cause instanceof SyntaxError) {
    return new AwsError('InvalidRequestContentException', `Could not parse request body into json: ${cause.message}`);
  }
  return new AwsError('ServiceException', String(cause), { status: 500, fields: { Type: 'Service' } });
}
