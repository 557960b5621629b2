import { InvokeCommand, LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';
import type { CheckCodeAnswer, CheckCodeRequest } from '../../data/sandbox/check-code.ts';
import type { CheckAnswer, CheckRequest } from '../../data/sql/statement-check.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../platform/errors/catalogue.ts';
import type {
  DescribeAnswer,
  DescribeRequest,
  EngineReply,
  EngineRequest,
  FileAnswer,
  FileRequest,
  InspectAnswer,
  InspectRequest,
  QueryAnswer,
  QueryRequest,
  RunCodeAnswer,
  RunCodeRequest,
  StartRequest,
  StatementsAnswer,
  StatementsRequest,
} from './protocol.ts';

/** Every call throws `SERVICE_BUSY` while the function is throttled. */
export interface EngineFunction {
  check(statements: CheckRequest['statements']): Promise<CheckAnswer>;
  checkCode(texts: CheckCodeRequest['texts']): Promise<CheckCodeAnswer>;
  /** Throws the errors of the code, with their positions. */
  runCode(request: Omit<RunCodeRequest, 'op'>): Promise<RunCodeAnswer>;
  /** Throws the errors of the statement, like `query`. */
  describe(request: Omit<DescribeRequest, 'op'>): Promise<DescribeAnswer>;
  /** Null for each statement with errors. Throws `QUERY_TIMEOUT` if there are too many. */
  statements(request: Omit<StatementsRequest, 'op'>): Promise<StatementsAnswer>;
  /** Throws the errors of the query, with every issue of its text and the position. */
  query(request: Omit<QueryRequest, 'op'>): Promise<QueryAnswer>;
  /** Returns the result as a file; throws like `query`. */
  file(request: Omit<FileRequest, 'op'>): Promise<FileAnswer>;
  /** Throws `FILE_UNREADABLE` with every issue and its position, or `FILE_NOT_FOUND`. */
  inspect(request: Omit<InspectRequest, 'op'>): Promise<InspectAnswer>;
  /** An operation that another domain defines, with the function's code for it; throws like `query`. */
  run<Answer>(request: { op: string }): Promise<Answer>;
}

/** The codes of the API for those of the engine. */
const API_CODES: Record<string, ErrorCode> = {
  SQL_PARSE: 'SQL_PARSE',
  SQL_NOT_READ_ONLY: 'SQL_NOT_READ_ONLY',
  SQL_ERROR: 'SQL_ERROR',
  QUERY_TIMEOUT: 'QUERY_TIMEOUT',
  OUT_OF_MEMORY: 'QUERY_TOO_HEAVY',
  RESULT_TOO_LARGE: 'RESULT_TOO_LARGE',
  NOT_FOUND: 'SQL_ERROR',
  RLS_ERROR: 'RLS_ERROR',
};

/** The engine as a function of its own. */
export const engineFunction = (name: string, lambda = new LambdaClient({})): EngineFunction =>
  engineBy(async <T>(request: EngineRequest | { op: string }) => {
    const payload = Buffer.from(JSON.stringify(request));
    const reply = await lambda
      .send(new InvokeCommand({ FunctionName: name, Payload: payload }))
      .catch(rethrowThrottled);
    const text = Buffer.from(reply.Payload ?? []).toString('utf8');
    if (reply.FunctionError) {
      const cause = new Error(`the engine function failed: ${text}`);
      if (!wasKilled(text)) throw cause;
      throw new AppError(request.op === 'inspect' ? 'FILE_UNREADABLE' : codeOfEnd(text), { cause });
    }
    return JSON.parse(text) as EngineReply<T>;
  });

/**
 * Lets the function start while its caller starts: the first question would otherwise wait for both, one after the
 * other. Errors do not matter, because the question calls the function itself.
 */
export function startEngine(name: string, lambda = new LambdaClient({ maxAttempts: 1 })): void {
  const request: StartRequest = { op: 'start' };
  lambda
    .send(new InvokeCommand({ FunctionName: name, Payload: Buffer.from(JSON.stringify(request)) }))
    .catch(() => undefined);
}

/** What answers a request: a function, or code that runs statements in the same process. */
type Send = <T>(request: EngineRequest | { op: string }) => Promise<EngineReply<T>>;

/** The engine that answers by `send`. */
export function engineBy(send: Send): EngineFunction {
  async function call<T>(request: EngineRequest | { op: string }): Promise<T> {
    const answer = await send<T>(request);
    if (answer.ok) return answer.answer;
    if (answer.code === 'SERVICE_BUSY') throw busy(answer.message);
    throw request.op === 'inspect' ? fileError(answer) : queryError(answer);
  }

  return {
    check: (statements) => call<CheckAnswer>({ op: 'check', statements }),
    checkCode: (texts) => call<CheckCodeAnswer>({ op: 'check-code', texts }),
    runCode: (request) => call<RunCodeAnswer>({ op: 'run-code', ...request }),
    describe: (request) => call<DescribeAnswer>({ op: 'describe', ...request }),
    statements: (request) => call<StatementsAnswer>({ op: 'statements', ...request }),
    query: (request) => call<QueryAnswer>({ op: 'query', ...request }),
    file: (request) => call<FileAnswer>({ op: 'file', ...request }),
    inspect: (request) => call<InspectAnswer>({ op: 'inspect', ...request }),
    run: call,
  };
}

/** The client has already tried three times; the caller may retry later. */
function rethrowThrottled(cause: unknown): never {
  if (!(cause instanceof TooManyRequestsException)) throw cause;
  throw busy('Too many queries are running at once; try again.', cause);
}

const busy = (detail: string, cause?: unknown) => new AppError('SERVICE_BUSY', { cause, detail, retryAfterSeconds: 2 });

type Failure = Extract<EngineReply<unknown>, { ok: false }>;

function queryError({ code, message, issues }: Failure): AppError {
  return new AppError(API_CODES[code] ?? 'SQL_ERROR', {
    detail: message,
    errors: issues.map((issue) => ({ pointer: '/sql', ...issue })),
  });
}

/** Every failure to read a file is an issue of the file: it is broken, or too large to inspect. */
function fileError({ code, message, issues }: Failure): AppError {
  return new AppError(code === 'FILE_NOT_FOUND' ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE', {
    detail: message,
    errors: issues.map((issue) => ({ pointer: '/query/table', code: issue.code, message: issue.message })),
  });
}

interface FunctionError {
  errorType?: string;
  errorMessage?: string;
}

/** Too much memory is reported by Lambda, or by the signal with which the function ends itself (`watchdog.ts`). */
function codeOfEnd(payload: string): ErrorCode {
  const { errorType, errorMessage = '' } = JSON.parse(payload) as FunctionError;
  const isTooLarge = errorType === 'Runtime.OutOfMemory' || errorMessage.endsWith('signal: user defined signal 2');
  return isTooLarge ? 'QUERY_TOO_HEAVY' : 'QUERY_TIMEOUT';
}

/**
 * Whether the function was killed, or has killed itself, because its work did not stop. Errors that it throws are bugs.
 */
function wasKilled(payload: string): boolean {
  const { errorType = '', errorMessage = '' } = JSON.parse(payload) as FunctionError;
  return /^(Runtime|Sandbox)\./.test(errorType) || errorMessage.includes('Task timed out');
}
