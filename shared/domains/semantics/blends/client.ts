import { InvokeCommand, LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';
import type { Side } from '../../../data/blends/join-sql.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../platform/errors/catalogue.ts';
import type { BlendAnswer, BlendReply, BlendRequest } from './protocol.ts';

/** Joins the rows of two sides. Throws `SERVICE_BUSY` while the function is throttled, and the errors of a blend. */
export type RunBlend = (request: BlendRequest) => Promise<BlendAnswer>;

/** The codes of the API for those of the function. */
const API_CODES: Record<string, ErrorCode> = {
  QUERY_TIMEOUT: 'QUERY_TIMEOUT',
  TIMEOUT: 'QUERY_TIMEOUT',
  OUT_OF_MEMORY: 'QUERY_TOO_HEAVY',
  RESULT_TOO_LARGE: 'RESULT_TOO_LARGE',
  RLS_ERROR: 'RLS_ERROR',
  CONNECTION_FAILED: 'DATA_SOURCE_UNREACHABLE',
  AUTH_FAILED: 'DATA_SOURCE_UNREACHABLE',
  ADDRESS_BLOCKED: 'DATA_SOURCE_UNREACHABLE',
};

export function blendFunction(name: string, lambda = new LambdaClient({})): RunBlend {
  return async (request) => {
    const reply = await lambda
      .send(new InvokeCommand({ FunctionName: name, Payload: Buffer.from(JSON.stringify(request)) }))
      .catch((cause: unknown) => {
        if (cause instanceof TooManyRequestsException) throw busy(cause);
        throw cause;
      });
    const text = Buffer.from(reply.Payload ?? []).toString('utf8');
    if (reply.FunctionError) throw endOfFunction(text);
    const answer = JSON.parse(text) as BlendReply;
    if (answer.ok) return answer.answer;
    throw blendError(answer);
  };
}

const busy = (cause?: unknown) =>
  new AppError('SERVICE_BUSY', {
    cause,
    detail: 'Too many blends are running at the same time. Try again after the time in Retry-After.',
    retryAfterSeconds: 2,
  });

function blendError({ side, code, message, rows }: Extract<BlendReply, { ok: false }>): AppError {
  if (code === 'SERVICE_BUSY') return busy();
  const apiCode = API_CODES[code] ?? 'SQL_ERROR';
  if (side === null) return apiCode === 'QUERY_TOO_HEAVY' ? tooHeavy() : new AppError(apiCode, { detail: message });
  if (apiCode === 'QUERY_TIMEOUT')
    return sideError(
      'BLEND_SIDE_TIMEOUT',
      side,
      `Reading the ${side} side took too long. Filter it, or allow more time with \`timeoutMs\`.`,
    );
  if (code === 'SIDE_TOO_LARGE' || apiCode === 'RESULT_TOO_LARGE')
    return sideError('BLEND_TOO_LARGE', side, message, rows === undefined ? {} : { rows });
  return sideError('BLEND_SIDE_FAILED', side, `The ${side} side failed: ${message}`, { reason: apiCode });
}

/** The join itself needs too much. */
const tooHeavy = (cause?: unknown) =>
  new AppError('BLEND_TOO_LARGE', {
    cause,
    detail: 'The join needs more memory than is available. Filter the sides, or select fewer columns.',
  });

function sideError(code: ErrorCode, side: Side, detail: string, members: Record<string, unknown> = {}): AppError {
  return new AppError(code, { detail, members: { side, ...members } });
}

/** The watchdog ends the process of work that does not stop; `shared/data/duckdb/watchdog.ts` has the signals. */
function endOfFunction(payload: string): Error {
  const { errorType = '', errorMessage = '' } = JSON.parse(payload) as { errorType?: string; errorMessage?: string };
  const cause = new Error(`the blend function failed: ${payload}`);
  if (errorType === 'Runtime.OutOfMemory' || errorMessage.endsWith('signal: user defined signal 2'))
    return tooHeavy(cause);
  if (/^(Runtime|Sandbox)\./.test(errorType) || errorMessage.includes('Task timed out'))
    return new AppError('QUERY_TIMEOUT', { cause });
  return cause;
}
