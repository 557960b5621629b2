import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { AppError } from '../errors/app-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type {
  CheckAnswer,
  CheckRequest,
  EngineReply,
  EngineRequest,
  InspectAnswer,
  InspectRequest,
  QueryAnswer,
  QueryRequest,
} from './protocol.ts';

export interface EngineFunction {
  check(statements: CheckRequest['statements']): Promise<CheckAnswer>;
  /** Throws the query's own errors, with every fault of the text and its place. */
  query(request: Omit<QueryRequest, 'op'>): Promise<QueryAnswer>;
  /** Throws `FILE_UNREADABLE` with what is wrong and where, or `FILE_NOT_FOUND`. */
  inspect(request: Omit<InspectRequest, 'op'>): Promise<InspectAnswer>;
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
    const reply = await lambda.send(
      new InvokeCommand({ FunctionName: name, Payload: Buffer.from(JSON.stringify(request)) }),
    );
    const text = Buffer.from(reply.Payload ?? []).toString('utf8');
    if (reply.FunctionError) {
      const cause = new Error(`the engine function failed: ${text}`);
      if (!wasEnded(text)) throw cause;
      throw new AppError(request.op === 'inspect' ? 'FILE_UNREADABLE' : 'QUERY_TIMEOUT', { cause });
    }
    const answer = JSON.parse(text) as EngineReply<T>;
    if (answer.ok) return answer.answer;
    throw request.op === 'inspect' ? fileError(answer) : queryError(answer);
  }

  return {
    check: (statements) => call<CheckAnswer>({ op: 'check', statements }),
    query: (request) => call<QueryAnswer>({ op: 'query', ...request }),
    inspect: (request) => call<InspectAnswer>({ op: 'inspect', ...request }),
  };
}

type Failure = Extract<EngineReply<unknown>, { ok: false }>;

function queryError({ code, message, faults }: Failure): AppError {
  return new AppError(API_CODES[code] ?? 'SQL_ERROR', {
    detail: message,
    errors: faults.map((fault) => ({ pointer: '/sql', ...fault })),
  });
}

/** Whatever stands in the way of reading a file is the file's fault: it is broken, or more than one look can take in. */
function fileError({ code, message, faults }: Failure): AppError {
  return new AppError(code === 'FILE_NOT_FOUND' ? 'FILE_NOT_FOUND' : 'FILE_UNREADABLE', {
    detail: message,
    errors: faults.map((fault) => ({ pointer: '/query/table', code: fault.code, message: fault.message })),
  });
}

/** The function ends itself, or is ended, over work that does not stop; an error that it threw is our own. */
function wasEnded(payload: string): boolean {
  const { errorType = '', errorMessage = '' } = JSON.parse(payload) as { errorType?: string; errorMessage?: string };
  return /^(Runtime|Sandbox)\./.test(errorType) || errorMessage.includes('Task timed out');
}
