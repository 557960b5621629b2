import { InvokeCommand, LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { AppError } from '../../errors/app-error.ts';
import type { AiAnswer } from '../generate.ts';
import type { AiReply, AiRequest } from './protocol.ts';

export interface AiFunction {
  /** Throws `AI_NOT_CONFIGURED`, `AI_UNAVAILABLE`, and `SERVICE_BUSY` while the function is throttled. */
  ask(request: AiRequest): Promise<AiAnswer>;
}

const RETRY_AFTER_SECONDS = 5;

export function aiFunction(name: string, lambda = new LambdaClient({})): AiFunction {
  return {
    async ask(request) {
      const payload = Buffer.from(JSON.stringify(request));
      const reply = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: payload })).catch(orBusy);
      const text = Buffer.from(reply.Payload ?? []).toString('utf8');
      if (reply.FunctionError) throw unavailable('it took too long or failed', new Error(text));
      const answer = JSON.parse(text) as AiReply;
      if (answer.ok) return answer.answer;
      if (answer.code === 'AI_NOT_CONFIGURED') throw new AppError('AI_NOT_CONFIGURED');
      throw unavailable(answer.message);
    },
  };
}

const unavailable = (why: string, cause?: unknown) =>
  new AppError('AI_UNAVAILABLE', {
    detail: `The AI provider returned no usable answer: ${why}.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });

function orBusy(cause: unknown): never {
  if (!(cause instanceof TooManyRequestsException)) throw cause;
  throw new AppError('SERVICE_BUSY', { cause, retryAfterSeconds: 2 });
}
