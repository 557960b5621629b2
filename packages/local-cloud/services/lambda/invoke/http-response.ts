import { AwsError } from '../../../core/aws-error.ts';
import type { StreamingSink } from '../../../core/ports.ts';
import type { Execution } from '../execution/executor.ts';

const PRELUDE_END = Buffer.alloc(8);
const MAX_PRELUDE_BYTES = 16 * 1024;

type Prelude = Parameters<StreamingSink['start']>[0];

/**
 * Runs a function and passes its answer on as an HTTP response. Rejects with `AwsError`: the function's error (status
 * 502, `fields.functionError`), or `InvalidLambdaProxyResponse`; the response may already have begun.
 */
export async function streamHttpResponse(
  sink: StreamingSink,
  run: (onChunk: (chunk: Buffer) => void) => Promise<Execution>,
): Promise<void> {
  const reader = new HttpResponseReader(sink);
  let broken: unknown;
  const execution = await run((chunk) => {
    if (broken) return;
    try {
      reader.push(chunk);
    } catch (error) {
      broken = error;
    }
  });
  if (broken) throw broken;
  const { error } = execution;
  if (error) {
    const fields = { functionError: 'Unhandled', payload: execution.payload.toString('utf8') };
    throw new AwsError(error.errorType, error.errorMessage, { status: 502, fields });
  }
  if (execution.payload.length > 0) reader.pushBuffered(execution.payload);
  if (!reader.started) throw malformed('it ended without a prelude');
}

/**
 * Converts the bytes of a streaming function into an HTTP response: a JSON prelude with status and headers, eight zero
 * bytes, then the body.
 */
class HttpResponseReader {
  readonly #sink: StreamingSink;
  #waiting = Buffer.alloc(0);
  /** Whether the prelude was passed on. */
  started = false;

  constructor(sink: StreamingSink) {
    this.#sink = sink;
  }

  /** Throws `InvalidLambdaProxyResponse` if the bytes do not start with a prelude. */
  push(chunk: Buffer): void {
    if (this.started) {
      this.#write(chunk);
      return;
    }
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    const end = this.#waiting.indexOf(PRELUDE_END);
    if (end < 0) {
      if (this.#waiting.length > MAX_PRELUDE_BYTES) throw malformed('the prelude does not end');
      return;
    }
    this.#start(this.#waiting.toString('utf8', 0, end));
    this.#write(this.#waiting.subarray(end + PRELUDE_END.length));
  }

  /** The complete answer of a buffered handler, in the form of a proxy integration. */
  pushBuffered(payload: Buffer): void {
    const answer = parseJson(payload.toString('utf8')) as Partial<Prelude> & {
      body?: string;
      isBase64Encoded?: boolean;
    };
    this.#start(JSON.stringify({ ...answer, body: undefined, isBase64Encoded: undefined }));
    if (answer.body) this.#write(Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8'));
  }

  #start(json: string): void {
    const prelude = parseJson(json) as Partial<Prelude>;
    if (!Number.isInteger(prelude.statusCode)) throw malformed('it has no statusCode');
    this.#sink.start({
      statusCode: prelude.statusCode as number,
      headers: prelude.headers ?? {},
      ...(prelude.multiValueHeaders && { multiValueHeaders: prelude.multiValueHeaders }),
      ...(prelude.cookies && { cookies: prelude.cookies }),
    });
    this.started = true;
  }

  #write(chunk: Buffer): void {
    if (chunk.length > 0 && !this.#sink.signal.aborted) this.#sink.write(chunk);
  }
}

function parseJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed('it is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw malformed('it is not an object');
  return value;
}

function malformed(reason: string): AwsError {
  return new AwsError('InvalidLambdaProxyResponse', `The function's response is malformed: ${reason}.`, {
    status: 502,
  });
}
