import { InvokeCommand, LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { AppError } from '../../errors/app-error.ts';
import type { AiAnswer } from '../generate.ts';
import type { AiReply, AiRequest, EmbedReply, EmbedRequest } from './protocol.ts';

/** All throw `AI_NOT_CONFIGURED`, `AI_UNAVAILABLE`, and `SERVICE_BUSY` while the function is throttled. */
export interface AiFunction {
  ask(request: AiRequest): Promise<AiAnswer>;
}

export interface EmbeddingFunction {
  /** The vectors of texts, in their order, and the name of the model that they are comparable for. */
  embed(request: EmbedRequest): Promise<{ model: string; vectors: Int8Array[] }>;
}

const RETRY_AFTER_SECONDS = 5;

export function aiFunction(name: string, lambda = new LambdaClient({})): AiFunction & EmbeddingFunction {
  async function call<R extends AiReply | EmbedReply>(request: AiRequest | EmbedRequest): Promise<R & { ok: true }> {
    const payload = Buffer.from(JSON.stringify(request));
    const reply = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: payload })).catch(orBusy);
    const text = Buffer.from(reply.Payload ?? []).toString('utf8');
    if (reply.FunctionError) throw unavailable('it took too long or failed', new Error(text));
    const answer = JSON.parse(text) as R;
    if (answer.ok) return answer as R & { ok: true };
    if (answer.code === 'AI_NOT_CONFIGURED') throw new AppError('AI_NOT_CONFIGURED');
    throw unavailable(answer.message);
  }
  return {
    ask: async (request) => (await call<AiReply>(request)).answer,
    async embed(request) {
      const { model, vectors } = await call<EmbedReply>(request);
      return { model, vectors: vectors.map((vector) => new Int8Array(Buffer.from(vector, 'base64'))) };
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
