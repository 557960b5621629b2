import { APICallError, generateText, type LanguageModel, RetryError } from 'ai';
import { DataError } from '../errors/data-error.ts';

export interface AiMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** A request to a model. It contains no tools, so the model can only return text. */
export interface AiQuestion {
  /** Instructions of the service; must not contain text of users. */
  instructions: string;
  messages: readonly AiMessage[];
  maxOutputTokens: number;
  /** The time limit of the whole call, including its retry. */
  timeoutMs: number;
}

export interface AiAnswer {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

/** The provider returned no usable answer. The message is in our words, because the provider's may contain anything. */
export class AiUnavailable extends Error {
  override readonly name = 'AiUnavailable';
}

const MAX_CHARACTERS = 64 * 1024;

/** Calls the model; retries once if the provider is busy or failing. Throws `AiUnavailable`. */
export async function generate(model: LanguageModel, question: AiQuestion): Promise<AiAnswer> {
  const { instructions, messages, maxOutputTokens, timeoutMs } = question;
  const end = AbortSignal.timeout(timeoutMs);
  try {
    const { text, usage } = await generateText({
      model,
      instructions,
      messages: messages.map((message) => ({ ...message })),
      maxOutputTokens,
      maxRetries: 1,
      abortSignal: end,
    });
    if (text.length > MAX_CHARACTERS) throw new AiUnavailable('its answer is too long');
    return { text, inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 };
  } catch (cause) {
    throw unavailable(cause, end, timeoutMs);
  }
}

/** The cause is left out: it contains the request and the answer, which must not be logged. */
export function unavailable(cause: unknown, end: AbortSignal, timeoutMs: number): AiUnavailable {
  if (cause instanceof AiUnavailable) return cause;
  return new AiUnavailable(end.aborted ? `it did not answer within ${timeoutMs} ms` : reasonOf(cause));
}

function reasonOf(cause: unknown): string {
  const last = RetryError.isInstance(cause) ? cause.lastError : cause;
  if (APICallError.isInstance(last)) {
    if (last.statusCode === undefined) return reasonOf(last.cause);
    return last.statusCode < 300 ? 'its answer cannot be read' : `it answered ${last.statusCode}`;
  }
  return last instanceof DataError ? `it cannot be called (${last.code})` : 'its answer cannot be read';
}
