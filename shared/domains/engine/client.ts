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
  LineageAnswer,
  LineageRequest,
  PortableAnswer,
  PortableRequest,
  QueryAnswer,
  QueryRequest,
  RunCodeAnswer,
  RunCodeRequest,
} from './protocol.ts';

/** Every call throws `SERVICE_BUSY` while the function is throttled. */
export interface EngineFunction {
  check(statements: CheckRequest['statements']): Promise<CheckAnswer>;
  checkCode(texts: CheckCodeRequest['texts']): Promise<CheckCodeAnswer>;
  /** Throws the code's own errors, with their place. */
  runCode(request: Omit<RunCodeRequest, 'op'>): Promise<RunCodeAnswer>;
  /** Throws the statement's own errors, as `query` does. */
  describe(request: Omit<DescribeRequest, 'op'>): Promise<DescribeAnswer>;
  /** Throws the query's own errors, with every issue of the text and its place. */
  query(request: Omit<QueryRequest, 'op'>): Promise<QueryAnswer>;
  /** The result as a file; throws as `query` does. */
  file(request: Omit<FileRequest, 'op'>): Promise<FileAnswer>;
  /** Throws `FILE_UNREADABLE` with what is wrong and where, or `FILE_NOT_FOUND`. */
  inspect(request: Omit<InspectRequest, 'op'>): Promise<InspectAnswer>;
  lineage(request: Omit<LineageRequest, 'op'>): Promise<LineageAnswer>;
  /** Throws the step's own errors, as `query` does. */
  portable(request: Omit<PortableRequest, 'op'>): Promise<PortableAnswer>;
}

/** Engine codes as the API words them. */
const API_CODES: Record<string, ErrorCode> = {
  SQL_PARSE: 'SQL_PARSE',
  SQL_NOT_READ_ONLY: 'SQL_NOT_READ_ONLY',
  SQL_ERROR: 'SQL_ERROR',
  QUERY_TIMEOUT: 'QUERY_TIMEOUT',
  OUT_OF_MEMORY: 'QUERY_TOO_HEAVY',
  RESULT_TOO_LARGE: 'RESULT_TOO_LARGE',
  NOT_FOUND: 'SQL_ERROR',
};

export function engineFunction(name: string, lambda = new LambdaClient({})): EngineFunction {
  async function call<T>(request: EngineRequest): Promise<T> {
    const payload = Buffer.from(JSON.stringify(request));
    const reply = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: payload })).catch(orBusy);
    const text = Buffer.from(reply.Payload ?? []).toString('utf8');
    if (reply.FunctionError) {
      const cause = new Error(`the engine function failed: ${text}`);
      if (!wasEnded(text)) throw cause;
      throw new AppError(request.op === 'inspect' ? 'FILE_UNREADABLE' : 'QUERY_TIMEOUT', { cause });
    }
    const answer = JSON.parse(text) as EngineReply<T>;
    if (answer.ok) return answer.answer;
    if (answer.code === 'SERVICE_BUSY') throw busy(answer.message);
    throw request.op === 'inspect' ? fileError(answer) : queryError(answer);
  }

  return {
    check: (statements) => call<CheckAnswer>({ op: 'check', statements }),
    checkCode: (texts) => call<CheckCodeAnswer>({ op: 'check-code', texts }),
    runCode: (request) => call<RunCodeAnswer>({ op: 'run-code', ...request }),
    describe: (request) => call<DescribeAnswer>({ op: 'describe', ...request }),
    query: (request) => call<QueryAnswer>({ op: 'query', ...request }),
    file: (request) => call<FileAnswer>({ op: 'file', ...request }),
    inspect: (request) => call<InspectAnswer>({ op: 'inspect', ...request }),
    lineage: (request) => call<LineageAnswer>({ op: 'lineage', ...request }),
    portable: (request) => call<PortableAnswer>({ op: 'portable', ...request }),
  };
}

/** The client has tried three times by now; whoever asks again later may be luckier. */
function orBusy(cause: unknown): never {
  if (!(cause instanceof TooManyRequestsException)) throw cause;
  throw busy('Too many queries run at once.', cause);
}

const busy = (detail: string, cause?: unknown) => new AppError('SERVICE_BUSY', { cause, detail, retryAfterSeconds: 2 });

type Failure = Extract<EngineReply<unknown>, { ok: false }>;

function queryError({ code, message, issues }: Failure): AppError {
  return new AppError(API_CODES[code] ?? 'SQL_ERROR', {
    detail: message,
    errors: issues.map((issue) => ({ pointer: '/sql', ...issue })),
  });
}

/** Whatever stands in the way of reading a file is the file's issue: it is broken, or more than one look can take in. */
function fileError({ code, message, issues }: Failure): AppError {
  return new AppError(code === 'FILE_NOT_FOUND' ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE', {
    detail: message,
    errors: issues.map((issue) => ({ pointer: '/query/table', code: issue.code, message: issue.message })),
  });
}

/** The function ends itself, or is ended, over work that does not stop; an error that it threw is our own. */
function wasEnded(payload: string): boolean {
  const { errorType = '', errorMessage = '' } = JSON.parse(payload) as { errorType?: string; errorMessage?: string };
  return /^(Runtime|Sandbox)\./.test(errorType) || errorMessage.includes('Task timed out');
}
