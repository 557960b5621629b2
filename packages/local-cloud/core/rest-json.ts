import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AccessCheck } from './access/authorizer.ts';
import type { Denial } from './access/denial.ts';
import { refusal } from './access/refusals.ts';
import { AwsError, unsupported } from './aws-error.ts';
import { type FaultErrors, type Operation, rejectUnknownMembers, withFaults } from './operations.ts';
import type { AwsRequest, CloudContext } from './service.ts';

/** An operation with its place in the REST interface, such as `GET /schedules/{Name}`. */
export interface RestRoute extends Operation {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Status of the answer; default 200. 204 has no body. */
  readonly status?: number;
}

/** How a service reports errors. */
export interface RestErrors {
  malformed(detail: string): AwsError;
  internal(detail: string): AwsError;
  /** The body of an error; its code is in a header. */
  body(error: AwsError): object;
}

export interface RestService {
  readonly name: string;
  readonly routes: readonly RestRoute[];
  /** Query parameters whose member has another name or is not a text. */
  readonly query: Readonly<Record<string, QueryMember>>;
  readonly errors: RestErrors;
  readonly checkAccess: AccessCheck;
  /** For a service with the fault switch on every operation. */
  readonly faults?: { context: CloudContext; errors: FaultErrors };
}

interface QueryMember {
  member: string;
  type: 'text' | 'number' | 'list';
}

/**
 * Answers requests of AWS's REST-JSON protocol: finds the operation by method and path, reads its input from path,
 * query and body, rejects unknown members by name, and reports an error's code in a header.
 */
export class RestJson {
  readonly #service: RestService;
  readonly #routes: { route: RestRoute; pattern: RegExp }[];

  constructor(service: RestService) {
    this.#service = service;
    this.#routes = service.routes.map((route) => ({
      route,
      pattern: new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}/?$`),
    }));
  }

  async answer(request: AwsRequest, response: ServerResponse): Promise<void> {
    const { name, faults, errors, checkAccess } = this.#service;
    try {
      const { route, path } = this.#find(request);
      const input = { ...(await readBody(request)), ...this.#readQuery(request.query), ...path };
      rejectUnknownMembers(name, route.operation, input, route.members, route.structures);
      await checkAccess(request.principal, route.operation, input);
      const place = { service: name, operation: route.operation, resource: route.resource?.(input) };
      const run = () => route.run(input);
      const output = faults ? await withFaults(faults.context, place, faults.errors, run) : await run();
      reply(response, route.status ?? 200, output);
    } catch (error) {
      replyError(response, error, errors);
    }
  }

  #find(request: AwsRequest): { route: RestRoute; path: Record<string, string> } {
    for (const { route, pattern } of this.#routes) {
      if (route.method !== request.method) continue;
      const match = pattern.exec(request.path);
      if (!match) continue;
      const path = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
      return { route, path: Object.fromEntries(path) };
    }
    throw unsupported(this.#service.name, `the operation at ${request.method} ${request.path}`);
  }

  #readQuery(query: URLSearchParams): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    for (const name of new Set(query.keys())) {
      const { member, type }: QueryMember = this.#service.query[name] ?? { member: name, type: 'text' };
      const values = query.getAll(name);
      members[member] = type === 'list' ? values : type === 'number' ? Number(values[0]) : values[0];
    }
    return members;
  }
}

/** How a service of this protocol reports a signature that is not valid. */
export function refuseRest(errors: RestErrors) {
  return (denial: Denial, _request: AwsRequest, response: ServerResponse): void =>
    replyError(response, refusal(denial, 403), errors);
}

export function replyError(response: ServerResponse, cause: unknown, errors: RestErrors): void {
  const error = awsErrorOf(cause, errors);
  reply(response, error.status, errors.body(error), { 'x-amzn-errortype': error.code });
}

function reply(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const bytes = status === 204 ? undefined : Buffer.from(JSON.stringify(body ?? {}));
  response.writeHead(status, {
    'x-amzn-requestid': randomUUID(),
    ...(bytes && { 'content-type': 'application/json', 'content-length': bytes.length }),
    ...headers,
  });
  response.end(bytes);
}

async function readBody(request: AwsRequest): Promise<Record<string, unknown>> {
  const bytes = await request.body();
  return bytes.length === 0 ? {} : JSON.parse(bytes.toString('utf8'));
}

function awsErrorOf(cause: unknown, errors: RestErrors): AwsError {
  if (cause instanceof AwsError) return cause;
  if (cause instanceof SyntaxError || cause instanceof URIError) return errors.malformed(cause.message);
  return errors.internal(String(cause));
}
