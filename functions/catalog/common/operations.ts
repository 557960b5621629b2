import { InvokeCommand, LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { AppError, type Issue } from '../../../shared/platform/errors/app-error.ts';
import type { ErrorCode } from '../../../shared/platform/errors/catalogue.ts';
import { type Invocation, withInvocation } from '../../../shared/platform/http/invocation.ts';
import type { HttpReply } from '../../../shared/platform/http/problem.ts';
import type { Method } from '../../../shared/platform/http/route.ts';
import type { InvokedFunction } from '../../resources.ts';

/** An endpoint group whose operations another function calls. */
export type CalledGroup = Exclude<InvokedFunction, 'engine' | 'ask-model' | 'join-sides'>;

/** The functions of the groups that a function calls, by group. */
export type GroupFunctions = Readonly<Partial<Record<CalledGroup, string>>>;

/** A request to an operation of the API. */
export interface OperationRequest {
  group: CalledGroup;
  method: Method;
  path: string;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** The content type of the reply; JSON by default. */
  accept?: string;
  /** Fails unless the record has this revision (`If-Match`). */
  revision?: number;
  invocation?: Invocation;
}

/** Who calls: every operation authenticates the caller itself. */
export interface Credentials {
  authorization: string;
  userAgent: string;
  sourceIp: string;
  requestId: string;
}

export interface Operations {
  /** The JSON of the reply. Throws `OperationFailed`, and `SERVICE_BUSY` while the function is throttled. */
  // biome-ignore lint/suspicious/noExplicitAny: the shapes of replies belong to the groups that declare them
  read(request: OperationRequest): Promise<any>;
  /** The reply as it is; throws like `read`. */
  send(request: OperationRequest): Promise<HttpReply>;
}

/** The problem document of an operation. */
export interface OperationProblem {
  code: ErrorCode;
  status: number;
  detail: string;
  errors: Issue[];
  /** What uses a record that cannot be deleted. */
  referencedBy?: unknown[];
}

/** An operation has replied with a problem. */
export class OperationFailed extends Error {
  readonly problem: OperationProblem;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: OperationProblem, retryAfterSeconds: number | undefined) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Calls operations of other groups for a caller, by the functions that serve them. So each call has the checks of the
 * API: rights, products, limits of keys, row-level security, rate limits and the audit log.
 */
export function operationsFor(
  functions: GroupFunctions,
  credentials: Credentials,
  lambda: Pick<LambdaClient, 'send'> = new LambdaClient({}),
): Operations {
  const send = async (request: OperationRequest): Promise<HttpReply> => {
    const name = functions[request.group];
    if (name === undefined) throw new Error(`this function may not call operations of ${request.group}`);
    const invocation = new InvokeCommand({
      FunctionName: name,
      Payload: Buffer.from(JSON.stringify(eventOf(request, credentials))),
    });
    const reply = await lambda.send(invocation).catch(orBusy);
    const text = Buffer.from(reply.Payload ?? []).toString('utf8');
    if (reply.FunctionError) throw new Error(`${request.method} ${request.path} crashed: ${text}`);
    const replied = JSON.parse(text) as HttpReply;
    if (replied.statusCode < 400) return replied;
    const retryAfter = replied.headers['retry-after'];
    throw new OperationFailed(JSON.parse(replied.body), retryAfter === undefined ? undefined : Number(retryAfter));
  };
  return { send, read: async (request) => JSON.parse((await send(request)).body) };
}

/** What the gateway sends to the function of a group, as far as groups read it. */
function eventOf(
  { method, path, query, body, accept = 'application/json', revision, invocation }: OperationRequest,
  { authorization, userAgent, sourceIp, requestId }: Credentials,
) {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return {
    httpMethod: method,
    path,
    headers: {
      authorization,
      accept,
      'user-agent': userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
    },
    queryStringParameters:
      given.length === 0 ? null : Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    multiValueQueryStringParameters: null,
    pathParameters: null,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId, identity: { sourceIp }, ...(invocation && withInvocation(invocation)) },
  };
}

function orBusy(cause: unknown): never {
  if (!(cause instanceof TooManyRequestsException)) throw cause;
  throw new AppError('SERVICE_BUSY', { cause, retryAfterSeconds: 2 });
}
