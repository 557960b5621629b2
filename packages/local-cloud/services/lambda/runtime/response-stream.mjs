import { Writable } from 'node:stream';
import { FRAME, writeFrame } from './frames.mjs';

const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');
const HIGH_WATER_MARK = Symbol.for('aws.lambda.runtime.handler.streaming.highWaterMark');
const HTTP_RESPONSE_TYPE = 'application/vnd.awslambda.http-integration-response';
/** Marks the end of an HTTP response's JSON prelude in the byte stream. */
const PRELUDE_END = new Uint8Array(8);

export const isStreaming = (handler) => handler[STREAMING] === 'response';

/** Defines the global `awslambda` for streaming handlers. */
export function installStreaming() {
  globalThis.awslambda = {
    streamifyResponse(handler, options) {
      handler[STREAMING] = 'response';
      if (options?.highWaterMark !== undefined) handler[HIGH_WATER_MARK] = Number(options.highWaterMark);
      return handler;
    },
    HttpResponseStream: {
      /** As on Lambda, the prelude is sent with the first write, so a response without a write has none. */
      from(stream, prelude) {
        stream.setContentType(HTTP_RESPONSE_TYPE);
        stream._onBeforeFirstWrite = (write) => {
          write(JSON.stringify(prelude));
          write(PRELUDE_END);
        };
        return stream;
      },
    },
  };
}

/** The stream of a streaming handler; waits if the service is slower. */
export class ResponseStream extends Writable {
  #channel;
  #contentType = 'application/octet-stream';
  #begun = false;
  _onBeforeFirstWrite;
  /** Resolves when the handler has ended the stream and everything was sent. */
  finished;
  /** Rejects if the stream breaks; never resolves. */
  failed;

  constructor(channel, handler) {
    super({ highWaterMark: handler[HIGH_WATER_MARK], decodeStrings: true });
    this.#channel = channel;
    this.finished = new Promise((resolve) => this.once('finish', resolve));
    this.failed = new Promise((_resolve, reject) => {
      this.once('error', reject);
      this.once('close', () => {
        if (!this.writableFinished) reject(this.errored ?? new Error('Response stream is not finished.'));
      });
    });
    this.failed.catch(() => {});
  }

  setContentType(contentType) {
    if (this.#begun) {
      const error = new Error('Cannot set content-type, too late.');
      error.name = 'InvalidStreamingOperation';
      throw error;
    }
    this.#contentType = contentType;
  }

  /** Like Lambda's stream it accepts any JSON value as a chunk. */
  write(chunk, ...rest) {
    const bytes = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : JSON.stringify(chunk);
    return super.write(bytes, ...rest);
  }

  _write(chunk, _encoding, callback) {
    if (!this.#begun) {
      this.#begin();
      this._onBeforeFirstWrite?.((bytes) => writeFrame(this.#channel, FRAME.chunk, undefined, Buffer.from(bytes)));
    }
    if (chunk.length === 0 || writeFrame(this.#channel, FRAME.chunk, undefined, chunk)) callback();
    else this.#channel.once('drain', callback);
  }

  _final(callback) {
    if (!this.#begun) this.#begin();
    callback();
  }

  #begin() {
    this.#begun = true;
    writeFrame(this.#channel, FRAME.head, { contentType: this.#contentType });
  }
}
