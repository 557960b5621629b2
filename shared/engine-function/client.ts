import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { AppError, type Fault } from '../errors/app-error.ts';
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
  FILE_UNREADABLE: 'FILE_UNREADABLE',
  SCHEMA_MISMATCH: 'FILE_UNREADABLE',
  NOT_FOUND: 'SQL_ERROR',
  FILE_NOT_FOUND: 'FILE_NOT_FOUND',
};

export function engineFunction(name: string, lambda = new LambdaClient({})): EngineFunction {
  async function call<T>(request: EngineRequest): Promise<T> {
    const reply = await lambda.send(
      new InvokeCommand({ FunctionName: name, Payload: Buffer.from(JSON.stringify(request)) }),
    );
    const text = Buffer.from(reply.Payload ?? []).toString('utf8');
    if (reply.FunctionError) {
      // The function ends itself, or is ended, over a statement that does not stop: that is the statement's fault.
      if (request.op !== 'inspect') throw new AppError('QUERY_TIMEOUT', { cause: new Error(text) });
      throw new Error(`the engine function failed: ${text}`);
    }
    const answer = JSON.parse(text) as EngineReply<T>;
    if (answer.ok) return answer.answer;
    throw new AppError(API_CODES[answer.code] ?? 'SQL_ERROR', {
      detail: answer.message,
      errors: answer.faults.map(toFault),
    });
  }

  return {
    check: (statements) => call<CheckAnswer>({ op: 'check', statements }),
    query: (request) => call<QueryAnswer>({ op: 'query', ...request }),
    inspect: (request) => call<InspectAnswer>({ op: 'inspect', ...request }),
  };
}

function toFault({ code, message, position }: { code: string; message: string; position?: object }): Fault {
  return { pointer: '/sql', code, message, ...(position ? { position } : {}) } as Fault;
}
