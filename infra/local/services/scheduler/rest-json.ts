import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AwsError, unsupported } from '../../core/aws-error.ts';
import { type Operation, refuseUnknownMembers, withFaults } from '../../core/operations.ts';
import type { AwsRequest, CloudContext } from '../../core/service.ts';
import { faultErrors } from './errors.ts';

/** An operation with its place in the REST interface, such as `GET /schedules/{Name}`. */
export interface Route extends Operation {
  operation: string;
  method: string;
  path: string;
  /** Members that come in the query, by their name there. */
  query?: Record<string, string>;
}

/** Answers requests of the REST-JSON protocol: input from path, query and body; an error names itself in a header. */
export async function answerRest(
  context: CloudContext,
  routes: Route[],
  request: AwsRequest,
  response: ServerResponse,
): Promise<void> {
  const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => {
    const bytes = Buffer.from(JSON.stringify(body ?? {}));
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'x-amzn-requestid': randomUUID(),
      ...headers,
    });
    response.end(bytes);
  };
  try {
    const { route, members } = find(routes, request);
    const body = await request.body();
    const input = {
      ...(body.length > 0 && JSON.parse(body.toString('utf8'))),
      ...readQuery(route, request.query),
      ...members,
    };
    refuseUnknownMembers('scheduler', route.operation, input, route.members);
    const place = { service: 'scheduler', operation: route.operation, resource: route.resource?.(input) };
    reply(200, await withFaults(context, place, faultErrors, () => route.run(input)));
  } catch (error) {
    const { status, code, message, fields } = awsErrorOf(error);
    reply(status, { Message: message, ...fields }, { 'x-amzn-errortype': code });
  }
}

function find(routes: Route[], request: AwsRequest): { route: Route; members: Record<string, string> } {
  for (const route of routes) {
    if (route.method !== request.method) continue;
    const match = new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`).exec(request.path);
    if (!match) continue;
    const members = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { route, members: Object.fromEntries(members) };
  }
  throw unsupported('scheduler', `the operation at ${request.method} ${request.path}`);
}

function readQuery({ query = {}, operation }: Route, given: URLSearchParams): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of given) {
    const member = query[name];
    if (member === undefined) throw unsupported('scheduler', `the query parameter ${name} of ${operation}`);
    members[member] = member === 'MaxResults' ? Number(value) : value;
  }
  return members;
}

function awsErrorOf(cause: unknown): AwsError {
  if (cause instanceof AwsError) return cause;
  if (cause instanceof SyntaxError) return new AwsError('ValidationException', 'The request body is not valid JSON.');
  return new AwsError('InternalServerException', String(cause), { status: 500 });
}
