import type { Outcome } from './outcome.ts';

/** Maximum buffered response: 6 MB and the tolerance that Lambda documents in its error message. */
const RESPONSE_LIMIT_BYTES = 6_291_556;
const STREAMED_RESPONSE_LIMIT_BYTES = 200 * 1024 * 1024;

/** Receives a response while it is written; without `onChunk`, it is collected. */
export interface ResponseTaker {
  onHead?: (contentType: string) => void;
  onChunk?: (chunk: Buffer) => void;
}

/** Passes a streamed response on, or collects it, up to Lambda's limit. */
export class StreamedResponse {
  begun = false;
  readonly #taker: ResponseTaker;
  readonly #collected: Buffer[] = [];
  readonly #limitBytes: number;
  #bytes = 0;

  constructor(taker: ResponseTaker) {
    this.#taker = taker;
    this.#limitBytes = taker.onChunk ? STREAMED_RESPONSE_LIMIT_BYTES : RESPONSE_LIMIT_BYTES;
  }

  begin(contentType: string): void {
    this.begun = true;
    this.#taker.onHead?.(contentType);
  }

  write(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limitBytes) return;
    if (this.#taker.onChunk) this.#taker.onChunk(chunk);
    else this.#collected.push(chunk);
  }

  /** The outcome with the collected response, or the error that it is too large. */
  complete(outcome: Outcome): Outcome {
    if (outcome.error) return outcome;
    const limitBytes = this.begun ? this.#limitBytes : RESPONSE_LIMIT_BYTES;
    const body = this.begun ? Buffer.concat(this.#collected) : outcome.body;
    if (this.#bytes <= limitBytes && body.length <= limitBytes) return { ...outcome, body };
    return {
      status: 'error',
      error: {
        errorType: 'Function.ResponseSizeTooLarge',
        errorMessage: `Response payload size exceeded maximum allowed payload size (${limitBytes} bytes).`,
      },
      body: Buffer.alloc(0),
    };
  }
}
