import { APICallError, generateText, type LanguageModel, RetryError } from 'ai';
import { DataError } from '../errors/data-error.ts';

export interface AiMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** What a model is asked. It gets no tools: it can answer text and do nothing. */
export interface AiQuestion {
  /** What the service wants of it; no text of a user belongs here. */
  instructions: string;
  messages: readonly AiMessage[];
  maxOutputTokens: number;
  /** The whole call, its one repetition included. */
  timeoutMs: number;
}

export interface AiAnswer {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

/** The provider gave no usable answer. The message says why in words of ours: what it sent may hold anything. */
export class AiUnavailable extends Error {
  override readonly name = 'AiUnavailable';
}

const MAX_CHARACTERS = 64 * 1024;

/** Asks once, and once more after a busy or broken provider. Throws `AiUnavailable`. */
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
    if (cause instanceof AiUnavailable) throw cause;
    // The cause holds the request and the answer, which belong in no log.
    throw new AiUnavailable(end.aborted ? `it did not answer within ${timeoutMs} ms` : reasonOf(cause));
  }
}

function reasonOf(cause: unknown): string {
  const last = RetryError.isInstance(cause) ? cause.lastError : cause;
  if (APICallError.isInstance(last)) {
    if (last.statusCode === undefined) return reasonOf(last.cause);
    return last.statusCode < 300 ? 'its answer cannot be read' : `it answered ${last.statusCode}`;
  }
  return last instanceof DataError ? `it cannot be called (${last.code})` : 'its answer cannot be read';
}
